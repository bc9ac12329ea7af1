"""What is the owner's alone: pages under `/-/` ask for the cookie, and a part of the API for the token itself.

The guard asks `Gate.refusal` before anything of a request is read, so that no page can be left open by mistake, and no
stranger can send files. `Depends(authorised)` closes an address of the API.
"""

from __future__ import annotations

from fastapi import Request

from evenhand.study.refusals import Refusal
from evenhand.web.owner import SIGNED_IN_FOR, Owner
from evenhand.web.tries import TooManyTriesError, Tries, client_of

HOME = "/-/"
"""Where the owner's pages are; no study's name begins with a hyphen."""

STUDIES = "/api/studies"
"""Where the API takes whole studies."""

DRAFT = f"{STUDIES}/draft"
"""Where the API takes a file of predictions."""

_OPEN = (f"{HOME}sign-in", f"{HOME}sign-out")
_COOKIE = "evenhand-owner"


class NotSignedInError(Refusal):
    """A request for what is the owner's does not show that it comes from the owner."""


class Gate:
    """Lets the owner through; at `request.app.state.gate`."""

    def __init__(self, owner: Owner, tries: Tries | None = None) -> None:
        self._owner, self._tries = owner, tries or Tries()

    def refusal(self, request: Request) -> Refusal | None:
        """Say why a request does not get through, if it is for a page of the owner, or sends a study or a file."""
        path = str(request.scope["path"])
        if path in {STUDIES, DRAFT} and request.method == "POST":
            return self.refusal_of_token(request)
        if not path.startswith(HOME) or path in _OPEN or self.has_cookie(request):
            return None
        if path == HOME and request.method == "GET" and "token" in request.query_params:
            return None
        return NotSignedInError("Sign in to see this page.", "Use the token that the server printed at its start.")

    def refusal_of_token(self, request: Request) -> Refusal | None:
        """Say why a request for the owner's part of the API does not get through, if it does not."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        try:
            if scheme.lower() == "bearer" and self.is_token(request, token.strip()):
                return None
        except TooManyTriesError as refusal:
            return refusal
        return NotSignedInError(
            "This is for the person who runs this server.",
            "Send the header “Authorization: Bearer …” with the token that the server printed at its start.",
        )

    def has_cookie(self, request: Request) -> bool:
        """Whether somebody is signed in."""
        return self._owner.is_cookie(request.cookies.get(_name(request), ""))

    def is_token(self, request: Request, received: str) -> bool:
        """Whether a token is right; a client that was wrong too often is not told, and has to wait."""
        client = client_of(request)
        self._tries.check(client)
        right = self._owner.is_token(received)
        if not right:
            self._tries.failed(client)
        return right

    def new_cookie(self, request: Request) -> dict[str, object]:
        """Return the cookie of a sign-in, as `Response.set_cookie` takes it."""
        return _attributes(request) | {"value": self._owner.cookie(), "max_age": SIGNED_IN_FOR}

    def no_cookie(self, request: Request) -> dict[str, object]:
        """Return what makes the browser forget the cookie."""
        return _attributes(request) | {"value": "", "max_age": 0}


def gate_of(request: Request) -> Gate:
    """Return the gate of the app."""
    gate: Gate = request.app.state.gate
    return gate


def authorised(request: Request) -> None:
    """Refuse every request that does not bear the token."""
    refusal = gate_of(request).refusal_of_token(request)
    if refusal is not None:
        raise refusal


def _name(request: Request) -> str:
    """Return the cookie's name: browsers send the cookies of a host to all its ports, where other servers may be."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"{_COOKIE}-{port[:5]}" if port.isascii() and port.isdecimal() else _COOKIE


def _attributes(request: Request) -> dict[str, object]:
    secure = request.headers.get("x-forwarded-proto", request.scope["scheme"]) == "https"
    return {"key": _name(request), "path": HOME, "httponly": True, "samesite": "lax", "secure": secure}
