"""A socket that listens, and the server that answers on it."""

from __future__ import annotations

import asyncio
import ctypes
import ipaddress
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from threadpoolctl import threadpool_limits

from evenhand.errors import EvenhandError
from evenhand.web.connections import Connection, most_connections, quietly

USUAL_PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_BACKLOG = 128
_ACCEPTED_AT_ONCE = 16  # before those that take too much are closed
_SECONDS_TO_FINISH = 5
# M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, and M_ARENA_MAX: a thread of its own for each request needs no more.
_MALLOC = {-1: 256 * 2**20, -2: 16 * 2**20, -3: 64 * 2**20, -8: 2}


@contextmanager
def listening(host: str, port: int | None) -> Iterator[socket.socket]:
    """Listen on a port: the usual one if it is None, or any that is free where that is taken."""
    try:
        listener = _bound(host, port)
    except (OSError, UnicodeError) as error:
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        raise EvenhandError(
            f"cannot listen on {host!r:.100}, port {USUAL_PORT if port is None else port}: {reason}; "
            "choose others with --host and --port"
        ) from error
    with listener:
        yield listener


def _bound(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if port is not None:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    try:
        return socket.create_server((host, USUAL_PORT), family=family, backlog=_BACKLOG)
    except OSError:
        return socket.create_server((host, 0), family=family, backlog=_BACKLOG)


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine can reach it."""
    return ipaddress.ip_address(listener.getsockname()[0]).is_loopback


def address_of(listener: socket.socket) -> str:
    """Return the address to open, without a path."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:  # everywhere: here too
        host = "::1" if ":" in host else LOOPBACK[0]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: FastAPI, listener: socket.socket, *, parent: int | None = None) -> None:
    """Answer requests until the process is stopped or, if one is named, its parent is gone."""
    Connection.most = most_connections()
    keep_freed_memory()
    # The next question takes many small products of matrices: sharing one out costs more than it saves, and the
    # other cores are for the other people.
    with threadpool_limits(limits=1, user_api="blas"):
        server_of(app, parent=parent).run(sockets=[listener])


def keep_freed_memory() -> None:
    """Keep what is freed for the next question: to give it back to the system and take it again costs a third more.

    This is a setting of the C library of most Linux systems; others are left as they are.
    """
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    mallopt = getattr(library, "mallopt", None)
    if mallopt is not None:
        for option, value in _MALLOC.items():
            mallopt(option, value)


def server_of(app: FastAPI, *, parent: int | None = None) -> uvicorn.Server:
    """Return the server of an app; it runs on sockets that listen."""
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # a line for each broken form would fill the disk
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        backlog=_ACCEPTED_AT_ONCE,
        log_level="critical",  # requests that make no sense are no events here; the guard says what fails
        access_log=False,  # it would hold the secret addresses of interviews
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SECONDS_TO_FINISH,
    )
    return _Server(config, parent)


class _Server(uvicorn.Server):
    """Accepts a few connections at a time while many wait, and says it once if it can accept none."""

    def __init__(self, config: uvicorn.Config, parent: int | None) -> None:
        super().__init__(config)
        self._parent = parent

    async def on_tick(self, counter: int) -> bool:
        """Say whether to stop, ten times a second."""
        return await super().on_tick(counter) or self._parent not in {None, os.getppid()}

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        quietly(asyncio.get_running_loop())
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)
