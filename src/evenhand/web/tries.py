"""How often a client may try something before it has to wait: to guess a token, or to begin an interview.

The numbers are kept in the memory of one process, for a limited number of clients. With several processes the limit on
wrong tokens is that much higher, which is still far too low to guess one.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from threading import Lock

from fastapi import Request

from evenhand.study.limits import MOST_WRONG_TOKENS
from evenhand.study.refusals import Refusal

SECONDS = 60


class TooManyTriesError(Refusal):
    """A client has tried too often; `seconds` is how long it has to wait."""

    def __init__(self, seconds: int, reason: str) -> None:
        super().__init__(reason, f"Wait {seconds} seconds, then try again.")
        self.seconds = seconds


class Tries:
    """Counts tries of each client, in the last minute or so many seconds."""

    def __init__(
        self,
        most: int = MOST_WRONG_TOKENS,
        reason: str = "There were too many tries with a wrong token.",
        *,
        seconds: float | None = None,
        clients: int = 1000,
    ) -> None:
        self._most, self._reason, self._clients = most, reason, clients
        self._own_seconds = seconds
        self._failed: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = Lock()

    def check(self, client: str) -> None:
        """Refuse a client that has failed too often, whatever it sends now."""
        with self._lock:
            recent = self._recent(client)
            if len(recent) >= self._most:
                raise TooManyTriesError(max(1, math.ceil(recent[0] + self._seconds - time.monotonic())), self._reason)

    def failed(self, client: str) -> None:
        """Count a failure."""
        with self._lock:
            self._failed[client] = [*self._recent(client), time.monotonic()][-self._most :]
            self._failed.move_to_end(client)
            while len(self._failed) > self._clients:
                self._failed.popitem(last=False)

    def count(self, client: str) -> None:
        """Count a try, or refuse it if there were too many."""
        self.check(client)
        self.failed(client)

    def failures(self) -> dict[str, int]:
        """Return how many failures of each client are remembered."""
        return {client: len(times) for client, times in self._failed.items()}

    @property
    def _seconds(self) -> float:
        return SECONDS if self._own_seconds is None else self._own_seconds

    def _recent(self, client: str) -> list[float]:
        return [at for at in self._failed.get(client, ()) if at > time.monotonic() - self._seconds]


def client_of(request: Request) -> str:
    """Return where a request comes from: a network of IPv6, as everybody there has many addresses.

    A proxy on this machine says it in the last part of X-Forwarded-For; other machines are not believed.
    """
    sender = request.client.host if request.client else ""
    address = _address(sender)
    if address is not None and address.is_loopback:  # some proxies add a header of their own to what came
        said = ",".join(request.headers.getlist("x-forwarded-for"))
        address = _address(said.rpartition(",")[2].strip()) or address
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return sender if address is None else str(address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
