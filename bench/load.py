"""Load: a class or a conference answers the demo study in the browser's way, through `evenhand serve --workers 2`.

People think for 10 seconds on average (exponentially distributed), take whole interviews, and begin another when one is
finished; nobody starts with the others, so that first and last answers come as often as they do all day. A click counts
from the moment it is sent until the next page is read in full: a POST, the redirect and a GET, on a connection that is
opened anew if the server has closed it. Everything runs on one machine, the people in one process beside the server.
In `sqlite-300-owner` everybody comes by an invitation, while the owner reloads the home and uploads files.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import numpy as np
from sqlalchemy import func, select
from tests.support import postgresql

from bench.owner_at_work import MEGABYTES, at_work
from evenhand.study.log.events import ANSWERED
from evenhand.study.log.schema import log
from evenhand.study.snapshots import InFolder
from evenhand.study.store import Store, identity

WORKERS = 2
THINK = 10.0
WINDOW = 60.0
LONG = 13  # answers of an interview, about
RAMP = 25.0  # answers a second, before the measuring begins
ERRS = 0.1
RUNS = {
    "sqlite-300": ("SQLite", 300, 1.0),
    "postgresql-300": ("PostgreSQL", 300, 1.0),
    "sqlite-1000": ("SQLite", 1000, 3.0),
    "sqlite-300-owner": ("SQLite", 300, 1.0),
}

_SHOWN = re.compile(rb'number mistake-\d+">(?:Gap )?<b>([\d.]+)')
_FORM = re.compile(rb'action="/i/[^/"]+/answers/(\d+)"')
_REVISION = re.compile(rb'name="revision" value="(\d+)"')
_TRIES = 20


class LostError(Exception):
    """The server does not do as it says."""


@dataclass
class Seen:
    """What happened to everybody."""

    next_page: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    result: list[float] = field(default_factory=list)
    refused: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    measuring: bool = False

    def took(self, kind: str, seconds: float) -> None:
        """Note the time of a click."""
        if self.measuring:
            getattr(self, kind).append(seconds)


class Browser:
    """One connection at a time, kept until the server closes it."""

    def __init__(self, port: int) -> None:
        self._port, self.retry_after = port, 0.0
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, bytes]:
        """Return status, Location and body."""
        body = urlencode(form or {}).encode()
        kind = "content-type: application/x-www-form-urlencoded\r\n" if method == "POST" else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{kind}content-length: {len(body)}\r\n\r\n"
        for attempt in range(_TRIES):
            fresh = self._writer is None
            try:
                return await self._once(head.encode() + body)
            except (OSError, asyncio.IncompleteReadError):
                self.close()  # the server had closed it, or had no place for it
                if fresh:
                    await asyncio.sleep(0.1 * (attempt + 1))
        raise LostError(f"{method} {path} had no reply")

    async def _once(self, request: bytes) -> tuple[int, str, bytes]:
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        self.retry_after = float(fields.get("retry-after", 3))
        where = next((line[10:] for line in head.split("\r\n") if line.lower().startswith("location: ")), "")
        body = await self._reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return int(head[9:12]), where, body

    def close(self) -> None:
        """Let go of the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


class Person:
    """Somebody who answers by what mistakes and gaps cost them, and errs now and then."""

    def __init__(self, port: int, seen: Seen, seed: int, links: Iterator[str]) -> None:
        self.rng = random.Random(seed)  # noqa: S311  # a simulation
        self.browser, self.seen, self.links = Browser(port), seen, links

    async def take_interviews(self, hurried: int) -> None:
        """Take one interview after another; the first answers, so many, without thinking."""
        while True:
            prices = [self.rng.expovariate(1.0) for _ in range(6)]
            link, began = next(self.links), time.perf_counter()
            page, token = await self._click(link, {})
            self.seen.took("first", time.perf_counter() - began)
            self.seen.acknowledged[token] = 0
            while (asked := _FORM.search(page)) is not None:
                if hurried > 0:
                    hurried -= 1
                else:
                    await asyncio.sleep(self.rng.expovariate(1 / THINK))
                page = await self._answer(page, token, int(asked[1]), prices)
            await asyncio.sleep(self.rng.expovariate(1 / THINK))

    async def _answer(self, page: bytes, token: str, n: int, prices: list[float]) -> bytes:
        shown = [float(number) for number in _SHOWN.findall(page)]
        saved = sum(p * (b - a) for p, a, b in zip(prices, shown[::2], shown[1::2], strict=True))
        choice = "first" if (saved > 0) != (self.rng.random() < ERRS) else "second"
        revision = _REVISION.search(page)
        began = time.perf_counter()
        form = {"choice": choice, "why": "", "revision": revision[1].decode() if revision else str(n - 1)}
        page, _ = await self._click(f"/i/{token}/answers/{n}", form)
        self.seen.acknowledged[token] = n
        self.seen.took("next_page" if _FORM.search(page) else "result", time.perf_counter() - began)
        return page

    async def _click(self, path: str, form: dict[str, str]) -> tuple[bytes, str]:
        """Send a form and follow the redirect; where the server is busy, wait as it says and send it again."""
        status, where, body = await self.browser.ask("POST", path, form)
        while status == 503:
            self.seen.refused += 1
            await asyncio.sleep(self.browser.retry_after)
            status, where, body = await self.browser.ask("POST", path, form)
        if status != 303:
            raise LostError(f"POST {path}: {status} {body[:2000]!r}")
        status, _, page = await self.browser.ask("GET", where)
        while status == 503:
            self.seen.refused += 1
            await asyncio.sleep(self.browser.retry_after)
            status, _, page = await self.browser.ask("GET", where)
        if status != 200:
            raise LostError(f"GET {where}: {status} {page[:2000]!r}")
        return page, where.rpartition("/")[2]


async def _attend(port: int, people: int, seen: Seen, links: Iterator[str], window: float) -> tuple[float, float]:
    """Let so many people answer; return how long the measuring took, and the processor time of this process in it."""
    rng = random.Random(people)  # noqa: S311
    everybody = []
    for n in range(people):
        person = Person(port, seen, 500_000 + n, links)
        everybody.append(asyncio.create_task(person.take_interviews(rng.randrange(LONG))))
        await asyncio.sleep(LONG / 2 / RAMP)
    await asyncio.sleep(THINK)
    began, worked, seen.measuring = time.perf_counter(), time.process_time(), True
    done, _ = await asyncio.wait(everybody, timeout=window, return_when=asyncio.FIRST_EXCEPTION)
    took, used, seen.measuring = time.perf_counter() - began, time.process_time() - worked, False
    for task in everybody:
        task.cancel()
    ended = await asyncio.gather(*everybody, return_exceptions=True)
    for error in (*(task.exception() for task in done if not task.cancelled()), *ended):
        if error is not None and not isinstance(error, asyncio.CancelledError):
            raise LostError("somebody was turned away") from error
    return took, used


def run(names: tuple[str, ...] = tuple(RUNS)) -> None:
    """Let people answer on each store, and print what they waited for."""
    for name in names:
        kind, people, limit = RUNS[name]
        with TemporaryDirectory() as folder:
            url = f"sqlite:///{folder}/store.db" if kind == "SQLite" else postgresql.new_database(postgresql.server())
            _one(kind, people, limit, url, with_owner=name.endswith("-owner"))


def _one(kind: str, people: int, limit: float, url: str, *, with_owner: bool) -> None:
    seen = Seen()
    with (
        _served(url) as (process, port, token),
        at_work(port, token) if with_owner else contextlib.nullcontext() as owner,
    ):
        links = repeat("/demo") if owner is None else owner.links("demo")
        used = -_seconds(process.pid)
        took, own = asyncio.run(_attend(port, people, seen, links, WINDOW))
        used += _seconds(process.pid)
        memory = sum(_own_memory(pid) for pid in _family(process.pid))
        snapshots = sum(path.stat().st_size for path in InFolder.of_store(url).folder.iterdir())
    everything = seen.next_page + seen.first + seen.result
    answers = len(seen.next_page) + len(seen.result)
    print(
        f"{kind}, {people} people, {WORKERS} processes: {len(everything)} clicks in {took:.0f} s, "
        f"{answers / took:.0f} answers a second; {seen.refused} times “busy”"
    )
    kinds = {each: getattr(seen, each) for each in _KINDS}
    for what, times in {"all clicks": everything, **{each: times for each, times in kinds.items() if times}}.items():
        middle, high, highest = (1000 * np.quantile(times, level) for level in (0.5, 0.95, 0.99))
        within = f" ({highest / 1000 / limit:.2f} of the limit of {limit:g} s)" if what == "all clicks" else ""
        print(
            f"  {what.replace('_', ' ')}: median {middle:.0f} ms, p95 {high:.0f} ms, p99 {highest:.0f} ms{within}, "
            f"at most {1000 * max(times):.0f} ms of {len(times)}"
        )
    print(
        f"  the people themselves cost {1000 * own / len(everything):.1f} ms a click; the server, with its start, "
        f"{1000 * used / sum(seen.acknowledged.values()):.0f} ms an answer; memory {memory / 2**20:.0f} MB, and "
        f"snapshots {snapshots / 2**20:.0f} MB",
        flush=True,
    )
    if owner is not None:
        print(
            f"  by invitation; the owner reloaded the home {len(owner.reloads)} times, p99 "
            f"{1000 * np.quantile(owner.reloads, 0.99):.0f} ms, and uploaded {MEGABYTES} MB {owner.uploads} times"
        )
    _look(url, seen)


_KINDS = ("next_page", "first", "result")


def _look(url: str, seen: Seen) -> None:
    """Compare what is stored with what was acknowledged."""
    with Store(url) as store:
        answered = select(log.c.interview, func.max(log.c.n)).where(log.c.kind == ANSWERED).group_by(log.c.interview)
        with store.database.reading() as connection:
            stored = {interview: int(n) for interview, n in connection.execute(answered)}
        lost = [token for token, n in seen.acknowledged.items() if stored.get(identity(token), 0) < n]
        broken = store.breaks()
    if lost or broken:
        raise LostError(f"{len(lost)} interviews have lost answers; {'; '.join(broken)}")
    print(f"  {sum(seen.acknowledged.values())} answers acknowledged, none lost; the chain is whole")


@contextlib.contextmanager
def _served(url: str) -> Iterator[tuple[Popen[str], int, str]]:
    """Serve a store; yield the process, its port and the owner's token."""
    command = [str(Path(sys.executable).with_name("evenhand")), "serve", "--no-open", "--port", "0", "--store", url]
    with Popen([*command, "--workers", str(WORKERS)], stdout=PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None  # noqa: S101
        try:
            address, _, token = process.stdout.readline().strip().partition("/-/?token=")
            yield process, int(address.rpartition(":")[2]), token
        finally:
            process.terminate()


def _family(pid: int) -> list[int]:
    """Return a process and those that it started."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())]


def _seconds(pid: int) -> float:
    """Return the processor time of a server so far."""
    stats = [Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rpartition(")")[2] for each in _family(pid)]
    ticks = [int(stat.split()[place]) for stat in stats for place in (11, 12)]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def _own_memory(pid: int) -> int:
    """Return the bytes of a process, what it shares divided among those that share it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    run(tuple(sys.argv[1:]) or tuple(RUNS))
