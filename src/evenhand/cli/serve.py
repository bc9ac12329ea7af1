"""`evenhand serve`: serves studies to the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from threading import Timer
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
        typer.Option(min=0, max=65535, help="The port; 0: any free one. Default: 8000, or another if taken."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; by default, only this machine can connect.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name that a reverse proxy passes on, such as study.example.org."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, help="How many processes answer. Default: one for each core, up to four; 1 beside Linux."
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the address in a browser, if there is one.")
    ] = True,
) -> None:
    """Serve studies to the browser, and store every answer.

    The address that it prints first signs in the person who runs the server. The environment variable
    EVENHAND_OWNER_TOKEN sets the token in it; otherwise every start makes a new one.
    """
    with needs_extra("web"):
        from evenhand.study.store import Store  # noqa: PLC0415  # commands must start quickly
        from evenhand.web.gate import HOME  # noqa: PLC0415
        from evenhand.web.owner import Owner, owner_token  # noqa: PLC0415
        from evenhand.web.server import LOOPBACK, address_of, is_loopback, listening  # noqa: PLC0415
        from evenhand.web.workers import Work, usual_number  # noqa: PLC0415
        from evenhand.web.workers import serve as answer  # noqa: PLC0415
    token = owner_token()
    with listening(host, port) as listener:
        with Store(store) as opened:  # closed again: each process has connections of its own
            _put_demo(opened)
        address, local = f"{address_of(listener)}{HOME}?token={token}", is_loopback(listener)
        typer.echo(address)
        typer.echo(f"Answers are stored in {opened.database.name}. Press Ctrl+C to stop the server.")
        if not local:
            typer.echo(
                "Other machines can connect, without encryption: anyone who reads an interview's address on the "
                "network can answer in it. Put the server behind a reverse proxy with TLS."
            )
        sys.stdout.flush()

        def open_it() -> None:
            if open_browser and _has_screen():
                Timer(_SECONDS_TO_START, webbrowser.open, [address]).start()

        hosts = (*LOOPBACK, *map(str.lower, name or [])) if local else None
        work = Work(url=store, hosts=hosts, owner=Owner.of(token), processes=workers or usual_number())
        try:
            answer(work, listener, started=open_it)
        except KeyboardInterrupt:
            typer.echo("\nStopped. Every answer is stored.")


def _put_demo(store: Store) -> None:
    """Add the demo study, so that there is a study to look at."""
    with needs_extra("web"):
        from evenhand.study.demo.demo import demo_study  # noqa: PLC0415
    if "demo" not in store.studies():
        store.put_study(demo_study())


def _has_screen() -> bool:
    """Whether a browser would open in its own window, not in this terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
