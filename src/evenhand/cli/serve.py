"""`evenhand serve`: studies in the browser."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, Timer
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli.store_option import DEFAULT_STORE, StoreUrl, needs_extra
from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from evenhand.study.store import Store

USUAL_PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_BACKLOG = 128
_SECONDS_TO_FINISH = 5


def serve(
    *,
    store: StoreUrl = DEFAULT_STORE,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help=f"0: any that is free. Default: {USUAL_PORT}, or another if that is taken."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; only this machine can reach the default.")] = (
        LOOPBACK[0]
    ),
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the address in a browser, where there is one.")
    ] = True,
) -> None:
    """Put studies in the browser, and keep every answer."""
    with needs_extra("web"):
        from evenhand.study.store import Store  # noqa: PLC0415  # seconds matter in a shell
    with _listening(host, port) as listener, Store(store) as opened:
        local = _is_loopback(listener)
        app = _app(opened, local=local)
        address = _address(listener)
        typer.echo(address)
        typer.echo(f"Answers are kept in {opened.database.name}. Ctrl+C stops the server.")
        if not local:
            typer.echo(
                "Other machines can reach this, and what they send travels in the clear: whoever sees an interview's "
                "address can answer in it. Put it behind a proxy with TLS."
            )
        sys.stdout.flush()
        if open_browser and _has_screen():
            Timer(0.5, webbrowser.open, [address]).start()
        _run(app, listener)


@contextmanager
def _listening(host: str, port: int | None) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = _bound(host, port, family)
    except OSError as error:
        raise EvenhandError(
            f"cannot listen on {host!r:.100}, port {USUAL_PORT if port is None else port}: "
            f"{error.strerror or error}; choose others with --host and --port"
        ) from error
    with listener:
        yield listener


def _bound(host: str, port: int | None, family: socket.AddressFamily) -> socket.socket:
    if port is not None:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    try:
        return socket.create_server((host, USUAL_PORT), family=family, backlog=_BACKLOG)
    except OSError:
        return socket.create_server((host, 0), family=family, backlog=_BACKLOG)


def _is_loopback(listener: socket.socket) -> bool:
    return ipaddress.ip_address(listener.getsockname()[0]).is_loopback


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:  # everywhere: here too
        host = "::1" if ":" in host else LOOPBACK[0]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _app(store: Store, *, local: bool) -> FastAPI:
    with needs_extra("web"):
        from evenhand.study.demo import demo_study  # noqa: PLC0415
        from evenhand.web.app import create_app  # noqa: PLC0415
    if "demo" not in store.studies():
        store.put_study(demo_study())
    # The first question of all takes longest, as SciPy is imported for it: best before anybody waits.
    Thread(target=next, args=(store.study("demo").plan(0).procedure(),), daemon=True).start()
    return create_app(store, hosts=LOOPBACK if local else None)


def _run(app: FastAPI, listener: socket.socket) -> None:
    import uvicorn  # noqa: PLC0415

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # it would hold the secret addresses of interviews
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        typer.echo("\nStopped. Every answer is kept.")


def _has_screen() -> bool:
    """Whether a browser would get a window of its own, and not this terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
