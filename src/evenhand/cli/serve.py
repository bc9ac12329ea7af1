"""`evenhand serve`: studies in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Thread, Timer
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra

if TYPE_CHECKING:
    from evenhand.study.store import Store

_SECONDS_TO_START = 0.5


def serve(
    *,
    store: StoreUrl = DEFAULT_STORE,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="0: any that is free. Default: 8000, or another if that is taken."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine can reach the default.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that a proxy in front passes on, such as study.example.org."),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the address in a browser, where there is one.")
    ] = True,
) -> None:
    """Put studies in the browser, and keep every answer."""
    with needs_extra("web"):
        from evenhand.study.store import Store  # noqa: PLC0415  # seconds matter in a shell
        from evenhand.web.app import create_app  # noqa: PLC0415
        from evenhand.web.server import LOOPBACK, address_of, is_loopback, listening, run  # noqa: PLC0415
    with listening(host, port) as listener, Store(store) as opened:
        _put_demo(opened)
        address, local = address_of(listener), is_loopback(listener)
        typer.echo(address)
        typer.echo(f"Answers are kept in {opened.database.name}. Ctrl+C stops the server.")
        if not local:
            typer.echo(
                "Other machines can reach this, and what they send travels in the clear: whoever sees an interview's "
                "address can answer in it. Put it behind a proxy with TLS."
            )
        sys.stdout.flush()
        if open_browser and _has_screen():
            Timer(_SECONDS_TO_START, webbrowser.open, [address]).start()
        try:
            run(create_app(opened, hosts=[*LOOPBACK, *map(str.lower, name or [])] if local else None), listener)
        except KeyboardInterrupt:
            typer.echo("\nStopped. Every answer is kept.")


def _put_demo(store: Store) -> None:
    """See to it that there is a study to look at."""
    with needs_extra("web"):
        from evenhand.study.demo.demo import demo_study  # noqa: PLC0415
    if "demo" not in store.studies():
        store.put_study(demo_study())
    # The first question of all takes longest, as SciPy is imported for it: best before anybody waits.
    Thread(target=next, args=(store.study("demo").method.procedure(seed=0),), daemon=True).start()


def _has_screen() -> bool:
    """Whether a browser would get a window of its own, and not this terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
