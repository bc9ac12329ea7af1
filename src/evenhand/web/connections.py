"""What one connection may take of the server: a place among a limited number, and some time to send and to read.

The server library waits for the rest of a request for as long as it takes. Here a request must have arrived in full,
and a reply must have been read, within seconds. Where all places are taken, the connection that has waited longest for
its request makes room: somebody who opens a thousand and sends half a request on each keeps nobody else out.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import time
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 800
"""Open connections, where the system allows so many files."""

PATIENT = "evenhand.patient"
"""In the scope of a request: it may take its time, as long as more of it keeps arriving."""

_OTHER_FILES = 200  # the store's connections with their journals, and connections that were just accepted
_FEWEST = 16
_NO_MORE_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_SECONDS_BETWEEN_WARNINGS = 60

_logger = logging.getLogger(__name__)


def most_connections() -> int:
    """Return how many connections may be open at once in this process."""
    try:
        import resource  # noqa: PLC0415  # Windows has none, and no such limit
    except ModuleNotFoundError:
        return MOST
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if files == resource.RLIM_INFINITY else max(_FEWEST, min(MOST, files - _OTHER_FILES))


class Connection(H11Protocol):
    """A connection whose request and whose reader are given some time, and no more."""

    most: ClassVar[int] = MOST
    seconds: ClassVar[float] = 15
    """For a whole request to arrive, and for a reply to be read."""

    waiting_since: float | None = None
    """When it began to wait for the other side; None while a request is worked on."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, if need be that of the connection that has waited longest for its request."""
        if len(self.connections) >= self.most and not self._make_room():
            transport.write(_plain(503, "Service Unavailable", "The server is busy. Try again in a moment."))
            transport.close()
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has arrived; once that is a whole request, it is ours to work on."""
        super().handle_events()
        self._work()
        if self.waiting_since is not None and self.scope is not None and self.scope.get(PATIENT):
            self._wait()  # a large file is coming, and comes on

    def on_response_complete(self) -> None:
        """Wait until the reply is read and the next request is there."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait until more of the reply is read."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Go on with the reply."""
        super().resume_writing()
        self._work()

    def _work(self) -> None:
        """Stop waiting if there is a whole request to reply to, and somebody who reads."""
        cycle = self.cycle
        if cycle is not None and not (cycle.more_body or cycle.response_complete or self.flow.write_paused):
            self._stop_waiting()

    def _wait(self) -> None:
        self._stop_waiting()
        self.waiting_since = time.monotonic()
        self._deadline = self.loop.call_later(self.seconds, self._end)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self.waiting_since = self._deadline = None

    def _end(self) -> None:
        """End a connection that has waited too long, and say why if it can be said."""
        replying = self.cycle is not None and self.cycle.response_started
        if replying or self.flow.write_paused or self.transport.is_closing():
            self.transport.abort()
        else:
            self.transport.write(_plain(408, "Request Timeout", "The request did not arrive in time."))
            self.transport.close()
            self._deadline = self.loop.call_later(1, self.transport.abort)  # if that is not read either

    def _make_room(self) -> bool:
        others = [other for other in self.connections if isinstance(other, Connection)]
        waiting = {other: other.waiting_since for other in others if other.waiting_since is not None}
        if not waiting:
            return False
        longest = min(waiting, key=waiting.__getitem__)
        self.connections.discard(longest)
        longest.transport.abort()
        return True


def quietly(loop: asyncio.AbstractEventLoop) -> None:
    """Make a loop say once a minute, and not at each attempt, that no connection can be accepted."""
    said = -float(_SECONDS_BETWEEN_WARNINGS)

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _NO_MORE_FILES:
            loop.default_exception_handler(context)
        elif time.monotonic() >= said + _SECONDS_BETWEEN_WARNINGS:
            said = time.monotonic()
            _logger.warning("no connection can be accepted just now: %s", error.strerror)

    loop.set_exception_handler(handle)


def _plain(status: int, phrase: str, text: str) -> bytes:
    head = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(text)}\r\n"
    return f"{head}connection: close\r\n\r\n{text}".encode("ascii")
