"""How long somebody waits for the store: so many seconds from when their request came, however much there is to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, Semaphore

from evenhand.study.refusals import Refusal

SECONDS = 5
AT_LEAST = 0.5
"""So long a transaction waits even if the time is up: a request may have had much to do before it came to the store."""

_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def patience(seconds: float = SECONDS) -> Iterator[None]:
    """Let what is done in this block wait so long for the store, all together."""
    token = _until.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def left() -> float:
    """Return how many seconds to wait from now on; outside any block, the time begins anew."""
    last = _until.get()
    return SECONDS if last is None else max(last - time.monotonic(), AT_LEAST)


@contextmanager
def waiting(lock: Lock | Semaphore, refusal: Callable[[str], Refusal]) -> Iterator[None]:
    """Hold a lock, or refuse the request if it is not free in time."""
    if not lock.acquire(timeout=left()):
        raise refusal("the store is busy")
    try:
        yield
    finally:
        lock.release()
