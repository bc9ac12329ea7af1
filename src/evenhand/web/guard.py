"""What every request and every response goes through before a handler sees it.

An interview's address is the secret that opens it, without a cookie; the owner of the server has a cookie. The guard
refuses what comes from another site, and lets nobody but the owner to the owner's pages. It keeps addresses out of
caches and referrers, takes no body that is too large, and on a loopback address answers to loopback names only:
otherwise any page on the web could reach the server through a name of its own that points here (DNS rebinding).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evenhand.study.limits import MOST_UPLOADED
from evenhand.web.connections import PATIENT
from evenhand.web.gate import DRAFT, HOME, STUDIES, Gate
from evenhand.web.problems import Problem

LARGEST_BODY = 64 * 1024
LARGEST_FORM = 1024 * 1024
"""Of the owner's: the words of a study with many kinds of mistakes, and by the API a study of many models."""
LARGEST_FILE = MOST_UPLOADED + LARGEST_BODY
UPLOADS = (f"{HOME}new", DRAFT)
_MOST_DRAINED = 1024 * 1024 * 1024
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_logger = logging.getLogger(__name__)


class Guard:
    """The middleware: `respond` makes a problem a page or JSON; `hosts` are the names it answers to, if not all."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        respond: Callable[[Request, Problem], Response],
        hosts: Collection[str] | None,
        gate: Gate,
    ) -> None:
        self.app, self._respond, self._hosts, self._gate = app, respond, hosts, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request, started = Request(scope, receive), False
        only_head = scope["method"] == "HEAD"

        async def sent(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _add_headers(message, scope["path"])
            elif only_head:
                message = {**message, "body": b""}
            await send(message)

        problem = self._wrong_host(request.headers) or _from_another_site(request) or self._not_signed_in(request)
        replayed: Receive = receive
        if problem is None and request.method not in _SAFE:
            try:
                problem, replayed = await _body(request, receive)
            except ClientDisconnect:  # half an answer does not count, and nobody waits for a reply
                return
        if problem is None:
            try:
                await self.app({**scope, "method": "GET"} if only_head else scope, replayed, sent)
            except Exception:
                _logger.exception("a request failed")
                if started:
                    raise
                problem = UNEXPECTED
        if problem is not None:
            await self._respond(request, problem)(scope, receive, sent)

    def _not_signed_in(self, request: Request) -> Problem | None:
        refusal = self._gate.refusal(request)
        return None if refusal is None else Problem.of(refusal)

    def _wrong_host(self, headers: Headers) -> Problem | None:
        if self._hosts is None or _split(f"//{headers.get('host', '')}").hostname in self._hosts:
            return None
        return Problem(
            status=421,
            code="wrong_host",
            message="This server does not go by that name.",
            hint="Use the address that `evenhand serve` printed.",
        )


UNEXPECTED = Problem(
    status=500,
    code="unexpected",
    message="Something went wrong here that should not.",
    hint="Try again. What was acknowledged is kept; if this stays, tell the person who runs this study.",
)
_CROSS_SITE = Problem(
    status=403,
    code="cross_site",
    message="This was sent from the page of another site.",
    hint="Open the study's own address and answer there.",
)
_TOO_LARGE = Problem(
    status=413, code="too_large", message="This is more than can be sent at once.", hint="Say it in fewer words."
)

FILE_TOO_LARGE = Problem(
    status=413,
    code="too_large",
    message=f"This file is larger than {MOST_UPLOADED // 1024**2} MB.",
    hint="Leave out columns that are not needed, or save it as Parquet. `evenhand study draft` has no limit.",
)


def _add_headers(message: Message, path: str) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if not path.startswith("/static/"):
        headers.setdefault("cache-control", "no-store")


def _from_another_site(request: Request) -> Problem | None:
    """Believe what the browser says of where a request comes from; programs that are no browser do not say it."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    ours = site in {None, "same-origin", "none"}
    if request.method in _SAFE:  # a link may lead here from anywhere, but no page of another site may hold one of ours
        return None if ours or request.headers.get("sec-fetch-dest", "document") == "document" else _CROSS_SITE
    if site is not None:
        return None if ours else _CROSS_SITE
    if origin is None or _split(origin).netloc == request.headers.get("host"):
        return None
    return _CROSS_SITE


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # "[::1" is no address
        return urlsplit("")


async def _body(request: Request, receive: Receive) -> tuple[Problem | None, Receive]:
    """Take the whole body in, as long as it is small, and hand it on; a file of the owner's is handed on in pieces."""
    path = str(request.scope["path"])
    of_file = path in UPLOADS
    largest = LARGEST_FILE if of_file else LARGEST_FORM if path.startswith(HOME) or path == STUDIES else LARGEST_BODY
    length = request.headers.get("content-length", "")
    too_large = length.isdecimal() and int(length[:20]) > largest
    if of_file:
        request.scope[PATIENT] = True
        if too_large:
            await _drain(receive)
            return FILE_TOO_LARGE, receive
        return None, _measured(receive, largest)
    if too_large:
        return _TOO_LARGE, receive
    pieces, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        more = message.get("more_body", False)
        if size > largest:
            return _TOO_LARGE, receive
    left: list[Message] = [{"type": "http.request", "body": b"".join(pieces), "more_body": False}]

    async def replayed() -> Message:
        return left.pop() if left else await receive()

    return None, replayed


class FileTooLargeError(HTTPException):
    """A file is larger than it may be."""

    def __init__(self) -> None:
        super().__init__(FILE_TOO_LARGE.status)


async def _drain(receive: Receive) -> None:
    """Let a body come in and forget it, up to a limit: a browser reads no reply before it has sent everything."""
    size, more = 0, True
    while more and size < _MOST_DRAINED:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)


def _measured(receive: Receive, largest: int) -> Receive:
    """Hand on a body piece by piece, and stop when it is too large."""
    size = 0

    async def measured() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > largest:
            await _drain(receive)
            raise FileTooLargeError
        return message

    return measured
