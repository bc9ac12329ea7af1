"""Who runs the server: knows a token, and after signing in with it holds a cookie.

Nothing is kept of a sign-in. The cookie holds its own time and a keyed digest of it, and the key is a digest of the
token: every process that was started with the token accepts the cookie, and none can be made without it. A client
cannot choose what its cookie will be, so that nobody can be made to use a cookie that somebody else knows.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.errors import EvenhandError

VARIABLE = "EVENHAND_OWNER_TOKEN"
"""The environment variable that sets the token of a server."""

SIGNED_IN_FOR = 7 * 24 * 3600
"""How many seconds a cookie counts."""

_BYTES = 24
_TOKEN = re.compile(r"[A-Za-z0-9._~-]{20,200}")  # which stand in an address and in a header as they are
_COOKIE = re.compile(r"(\d{1,12})\.([0-9a-f]{16})\.([0-9a-f]{64})")


@dataclass(frozen=True, repr=False)
class Owner:
    """Recognises the person who runs the server; holds a digest of the token, and not the token."""

    _digest: bytes

    @classmethod
    def of(cls, token: str) -> Owner:
        """Return the owner who knows a token."""
        return cls(_digest_of(token))

    @classmethod
    def unknown(cls) -> Owner:
        """Return an owner whose token nobody knows: the owner's pages stay closed."""
        return cls.of(secrets.token_urlsafe(_BYTES))

    def is_token(self, received: str) -> bool:
        """Whether this is the token; how long that takes says nothing about how much of it is right."""
        return hmac.compare_digest(_digest_of(received), self._digest)

    def cookie(self) -> str:
        """Return what a cookie holds that was made now."""
        made = f"{int(time.time())}.{secrets.token_hex(8)}"
        return f"{made}.{self._seal(made)}"

    def is_cookie(self, received: str) -> bool:
        """Whether a cookie was made with the token, and not too long ago."""
        parts = _COOKIE.fullmatch(received)
        if parts is None or not hmac.compare_digest(parts[3], self._seal(f"{parts[1]}.{parts[2]}")):
            return False
        return 0 <= time.time() - int(parts[1]) < SIGNED_IN_FOR

    def _seal(self, made: str) -> str:
        return hmac.new(self._digest, f"evenhand cookie {made}".encode(), hashlib.sha256).hexdigest()


def owner_token(environment: Mapping[str, str] = os.environ) -> str:
    """Return the token that the environment sets, or a new one."""
    token = environment.get(VARIABLE)
    if token is None:
        return secrets.token_urlsafe(_BYTES)
    if _TOKEN.fullmatch(token) is None:
        raise EvenhandError(
            f"{VARIABLE} has {len(token)} characters, but must have 20 to 200, each a letter from a to z, a digit or "
            "one of -._~: make one with python3 -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token


def _digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
