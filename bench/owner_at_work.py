"""Whoever runs the server, while people answer: invites them, reloads the home, and uploads a file again and again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from json import dumps, loads
from threading import Event, Thread
from urllib.parse import urlencode

from evenhand.rates.looking import Role

MEGABYTES = 50
SECONDS_OF_UPLOAD = 15.0
SECONDS_TO_RELOAD = 2.0
AT_ONCE = 1000

_PIECE = 1 << 18
_MODELS = 20
_HEAD = b'--x\r\ncontent-disposition: form-data; name="file"; filename="predictions.csv"\r\n\r\n'
_END = b"\r\n--x--\r\n"


class NotServedError(Exception):
    """The owner was refused."""


@dataclass
class AtWork:
    """What the owner did."""

    port: int
    token: str
    reloads: list[float] = field(default_factory=list)
    uploads: int = 0
    stopped: Event = field(default_factory=Event)
    failed: list[Exception] = field(default_factory=list)

    def links(self, slug: str) -> Iterator[str]:
        """Yield links of invitations, each of which begins one interview, for ever."""
        while True:
            body = dumps({"count": AT_ONCE, "label": "board"})
            headers = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
            made = self._ask("POST", f"/api/studies/{slug}/invitations", body, headers, 201)[1]
            for invitation in loads(made)["invitations"]:
                yield invitation["address"]

    def reload(self) -> None:
        """Look at the home every two seconds."""
        cookie = self._cookie()
        while not self.stopped.wait(SECONDS_TO_RELOAD):
            began = time.perf_counter()
            self._ask("GET", "/-/", "", {"cookie": cookie}, 200)
            self.reloads.append(time.perf_counter() - began)

    def upload(self) -> None:
        """Send a file at the speed of a line, measure its models, leave the draft, and begin again."""
        rows, cookie = _rows(), self._cookie()
        forms = {"cookie": cookie, "content-type": "application/x-www-form-urlencoded"}
        roles = [Role.LABEL, Role.GROUP, *[Role.PREDICTION] * _MODELS]
        chosen = urlencode({f"role-{place}": role for place, role in zip(count(), roles, strict=False)})
        while not self.stopped.is_set():
            here = self._sent(rows, cookie).rpartition("/")[0]
            if self._ask("POST", f"{here}/columns", chosen, forms, 303)[0] != f"{here}/models":
                raise NotServedError("the models were not measured")
            self._ask("POST", f"{here}/leave", "", forms, 303)
            self.uploads += 1

    def _sent(self, rows: bytes, cookie: str) -> str:
        """Return where the draft of an upload goes on."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        length = str(len(_HEAD) + len(rows) + len(_END))
        connection.putrequest("POST", "/-/new")
        kind = "multipart/form-data; boundary=x"
        for name, value in {"cookie": cookie, "content-type": kind, "content-length": length}.items():
            connection.putheader(name, value)
        connection.endheaders(_HEAD)
        for start in range(0, len(rows), _PIECE):
            connection.send(rows[start : start + _PIECE])
            time.sleep(SECONDS_OF_UPLOAD * _PIECE / len(rows))
        connection.send(_END)
        with connection.getresponse() as reply:
            reply.read()
            if reply.status != 303:
                raise NotServedError(f"an upload: {reply.status}")
            return reply.headers["location"]

    def _cookie(self) -> str:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/-/?token={self.token}")
        with connection.getresponse() as reply:
            reply.read()
            return reply.headers["set-cookie"].partition(";")[0]

    def _ask(self, method: str, path: str, body: str, headers: dict[str, str], expected: int) -> tuple[str, bytes]:
        """Return Location and body; where the server is busy, wait as it says and ask again."""
        while True:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
            connection.request(method, path, body, headers)
            with connection.getresponse() as reply:
                told = reply.read()
                if reply.status == expected:
                    return reply.headers.get("location", ""), told
                if reply.status != 503:
                    raise NotServedError(f"{method} {path}: {reply.status} {told[:500]!r}")
            time.sleep(3)


@contextmanager
def at_work(port: int, token: str) -> Iterator[AtWork]:
    """Let the owner reload and upload while a block runs."""
    owner = AtWork(port, token)

    def doing(what: str) -> None:
        try:
            getattr(owner, what)()
        except Exception as error:  # raised where it is waited for
            owner.failed.append(error)

    threads = [Thread(target=doing, args=(what,), daemon=True) for what in ("reload", "upload")]
    for thread in threads:
        thread.start()
    try:
        yield owner
    finally:
        owner.stopped.set()
        for thread in threads:
            thread.join(timeout=60)
    for error in owner.failed:
        raise NotServedError("the owner was refused") from error


def _rows() -> bytes:
    """Return a file of predictions of so many megabytes."""
    head = ("y,sex," + ",".join(f"model_{model}" for model in range(_MODELS)) + "\n").encode()
    some = b"".join(
        f"{row % 2},{'fm'[row // 2 % 2]},{','.join(str(row // (model + 4) % 2) for model in range(_MODELS))}\n".encode()
        for row in range(10_000)
    )
    return head + some * (MEGABYTES * 1_000_000 // len(some))
