"""How many requests are worked on at once; the others are told that many people are here, and to come back.

A queue without an end would make everybody wait, and nobody would know for how long. So as many are let in as are
worked through in a few seconds: many where there is little to do for each, few on a machine that others use, too. A
request that is let in waits for the store for some seconds at most, from when it came.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from math import ceil

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from evenhand.study.log.patience import patience
from evenhand.web.problems import Problem

MOST = 250
"""In one process, however quickly it works."""
SECONDS = 3.0
"""In which those who are let in should have their reply."""

FREE = "/static/"
"""What needs neither store nor place: without it the page that says so would have no style."""

BUSY = Problem(
    status=503,
    code="busy",
    message="Many people are answering just now.",
    hint="What you sent last was not saved. Try again in a moment; nothing is counted twice.",
)
BUSY_TO_LOOK = replace(BUSY, hint="This page loads again by itself in a moment. What you sent before is kept.")

_SOONEST, _LATEST = 3, 30
"""Seconds after which somebody is told to come back."""
_MOST_COUNTED = 5000
_LONGEST = 0.25
"""Seconds that count of one request: an upload says nothing about the others."""
_REMEMBERED = 50


class Pace:
    """How many seconds go by between the ends of two requests, while there is work: an average of the last ones."""

    def __init__(self) -> None:
        self.seconds = SECONDS / MOST
        self._since = 0.0
        self._back_at: deque[float] = deque(maxlen=_MOST_COUNTED)

    def begun(self, now: float) -> None:
        """Work begins, after there was none."""
        self._since = now

    def ended(self, now: float) -> None:
        """One request has its reply."""
        self.seconds += (min(now - self._since, _LONGEST) - self.seconds) / _REMEMBERED
        self._since = now

    def refused(self, now: float) -> int:
        """Return after how many seconds somebody should come back: when those who were told so before have their reply.

        If all came every three seconds, a server that is far too small would do nothing but refuse them.
        """
        while self._back_at and self._back_at[0] <= now:
            self._back_at.popleft()
        seconds = min(max(ceil(len(self._back_at) * self.seconds), _SOONEST), _LATEST)
        self._back_at.append(now + seconds)
        return seconds

    @property
    def places(self) -> int:
        """How many requests can be worked through in time."""
        return min(MOST, int(SECONDS / self.seconds))


class Turnstile:
    """The middleware: lets so many requests in at once."""

    def __init__(self, app: ASGIApp, *, respond: Callable[[Request, Problem], Response]) -> None:
        self.app, self._respond = app, respond
        self._inside, self._pace = 0, Pace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say that it cannot be taken now; a page that was only looked at reloads by itself."""
        if scope["type"] != "http" or scope["path"].startswith(FREE):
            await self.app(scope, receive, send)
        elif self._inside >= self._pace.places:
            looked = scope["method"] == "GET"
            response = self._respond(Request(scope, receive), BUSY_TO_LOOK if looked else BUSY)
            seconds = self._pace.refused(time.monotonic())
            response.headers["retry-after"] = str(seconds)
            if looked:
                response.headers["refresh"] = str(seconds + 1)
            await response(scope, receive, send)
        else:
            if not self._inside:
                self._pace.begun(time.monotonic())
            self._inside += 1
            try:
                with patience():
                    await self.app(scope, receive, send)
            finally:
                self._inside -= 1
                self._pace.ended(time.monotonic())
