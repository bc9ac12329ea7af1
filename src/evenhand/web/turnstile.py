"""How many requests are worked on at once; the others are told that many people are here, and to come back.

A queue without an end would make everybody wait, and nobody would know for how long. A request that is let in waits for
the store for some seconds at most, from when it came.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from evenhand.study.log.patience import patience
from evenhand.web.problems import Problem

MOST = 250
"""In one process: they are worked through in some three seconds."""

BUSY = Problem(
    status=503,
    code="busy",
    message="Many people are answering just now.",
    hint="What you sent last was not saved. Try again in a moment; nothing is counted twice.",
)
_SECONDS_TO_RELOAD = "4"


class Turnstile:
    """The middleware: lets so many requests in at once."""

    def __init__(self, app: ASGIApp, *, respond: Callable[[Request, Problem], Response]) -> None:
        self.app, self._respond = app, respond
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say that it cannot be taken now; a page that was only looked at reloads by itself."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif self._inside >= MOST:
            response = self._respond(Request(scope, receive), BUSY)
            if scope["method"] == "GET":
                response.headers["refresh"] = _SECONDS_TO_RELOAD
            await response(scope, receive, send)
        else:
            self._inside += 1
            try:
                with patience():
                    await self.app(scope, receive, send)
            finally:
                self._inside -= 1
