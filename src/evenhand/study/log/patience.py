"""How long somebody waits for the store: so many seconds from when their request came, however much there is to do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS = 5

_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Let what is done in this block wait so long for the store, all together."""
    token = _until.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def until() -> float:
    """Return until when to wait, on the monotonic clock; outside any block, a transaction begins the time anew."""
    set_by_block = _until.get()
    return time.monotonic() + SECONDS if set_by_block is None else set_by_block
