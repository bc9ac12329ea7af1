"""People answer and undo while their server is killed (kill -9), again and again: nothing acknowledged may be lost.

Each person sends what they sent last once more after a crash, as a browser or a person would, since they cannot know
whether it arrived. In the end every answer must be there once, in one unbroken chain.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from threading import Event, Thread
from typing import Any

from evenhand.study.log.events import ANSWERED
from evenhand.study.log.tables import events_of_interview
from evenhand.study.store import Store, identity
from tests.support.quick import QuickRunner, study

PEOPLE = 4
LONG = 30
UNDONE = 0.15
MOST_IN_A_LIFE = 20
PRELOADED = [
    "tests.support.killing",
    "evenhand.web.app",
    "evenhand.web.server",
    "psycopg",
    "scipy.special",
    "alembic.command",
]

_ENDLESS = 10**6
_SECONDS_TO_START = 60
_CHOICES = ("first", "second", "neither", "skip")


def serve(url: str, port: int) -> None:
    """Run the server: what a process that will be killed does."""
    from evenhand.web.app import create_app  # noqa: PLC0415  # preloaded where processes are forked
    from evenhand.web.server import listening, run  # noqa: PLC0415

    with Store(url, runner=QuickRunner(_ENDLESS)) as store, listening("127.0.0.1", port) as listener:
        run(create_app(store), listener)


class LostError(Exception):
    """The store does not hold what was acknowledged."""


@dataclass
class Person:
    """Somebody who answers, and remembers what was acknowledged."""

    token: str
    rng: random.Random
    standing: list[str] = field(default_factory=list)
    in_flight: tuple[str, int, str] | None = None
    answers: int = 0
    undone: int = 0

    @property
    def acknowledged(self) -> int:
        """How many requests were acknowledged."""
        return self.answers + self.undone

    def go_on(self, port: int, stop: Event) -> None:
        """Answer and undo until the server is gone."""
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            self.look(connection)
            while not stop.is_set():
                self.act(connection)
        except (OSError, HTTPException):
            pass  # killed: what was in flight is sent again after the restart
        finally:
            connection.close()

    def look(self, connection: HTTPConnection) -> None:
        """Compare what is stored with what was acknowledged; only what was in flight may be there or not."""
        status, state = _ask(connection, "GET", f"/api/interviews/{self.token}")
        stored = [answer["choice"] for answer in state["answers"]] if status == 200 else None
        if stored not in (self.standing, self._after(self.in_flight)):
            raise LostError(f"acknowledged: {self.standing}, in flight: {self.in_flight}, stored: {stored}")

    def act(self, connection: HTTPConnection) -> None:
        """Send what is in flight, or something new, and remember that it was acknowledged."""
        if self.in_flight is None:
            undo = bool(self.standing) and self.rng.random() < UNDONE
            n = len(self.standing) + (not undo)
            self.in_flight = ("DELETE", n, "") if undo else ("PUT", n, self.rng.choice(_CHOICES))
        method, n, choice = self.in_flight
        body = {"choice": choice} if choice else None
        status, state = _ask(connection, method, f"/api/interviews/{self.token}/answers/{n}", body)
        if status != 200:
            raise LostError(f"{method} of answer {n} was refused with {status}: {state}")
        self.standing = self._after(self.in_flight)
        self.answers += bool(choice)
        self.undone += not choice
        self.in_flight = None

    def _after(self, sent: tuple[str, int, str] | None) -> list[str]:
        if sent is None:
            return self.standing
        return self.standing[:-1] if sent[0] == "DELETE" else [*self.standing, sent[2]]


def _ask(connection: HTTPConnection, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, {"content-type": "application/json"} if data else {})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@dataclass(frozen=True)
class Survived:
    """What a series of kills left."""

    kills: int
    answers: int
    undone: int
    cut_short: int


def kill_again_and_again(
    url: str, *, kills: int, seed: int, progress: Callable[[int], object] = lambda _: None
) -> Survived:
    """Let people answer, kill the server at random moments, and check that nothing is lost and nothing is twice."""
    rng = random.Random(seed)  # noqa: S311  # moments, not secrets
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with Store(url, runner=QuickRunner(_ENDLESS)) as store:
        store.put_study(study())
        everybody: list[Person] = []
        cut_short = 0
        for kill in range(kills):
            # Whoever has answered for long leaves for somebody new: real interviews are not endless.
            busy = [person for person in everybody if person.answers < LONG]
            new = [Person(store.begin("loans"), random.Random(rng.random())) for _ in range(PEOPLE - len(busy))]  # noqa: S311
            everybody += new
            _one_life(context.Process, url, busy + new, rng)
            cut_short += sum(person.in_flight is not None for person in busy + new)
            progress(kill + 1)
        _last_look(store, everybody)
    return Survived(kills, sum(p.answers for p in everybody), sum(p.undone for p in everybody), cut_short)


def _one_life(process: type[ForkServerProcess], url: str, people: list[Person], rng: random.Random) -> None:
    port = _free_port()
    server = process(target=serve, args=(url, port), daemon=True)
    server.start()
    try:
        _wait_until_served(port)
        stop, failures = Event(), list[BaseException]()
        threads = [Thread(target=_noting(failures, person.go_on), args=(port, stop)) for person in people]
        for thread in threads:
            thread.start()
        _wait_for_answers(people, sum(person.acknowledged for person in people) + rng.randint(1, MOST_IN_A_LIFE))
        time.sleep(rng.uniform(0.0, 0.02))
    finally:
        server.kill()
        server.join()
    stop.set()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _wait_for_answers(people: list[Person], wanted: int) -> None:
    """Wait until so many requests are acknowledged, however fast the machine is."""
    until = time.monotonic() + _SECONDS_TO_START
    while sum(person.acknowledged for person in people) < wanted and time.monotonic() < until:
        time.sleep(0.001)


def _last_look(store: Store, people: list[Person]) -> None:
    for person in people:
        stored = [given.choice for given in store.interview(person.token).answers]
        with store.database.reading() as connection:
            rows = sum(row.kind == ANSWERED for row in events_of_interview(connection, identity(person.token)))
        unknown = person.in_flight is not None and bool(person.in_flight[2])
        if stored[: len(person.standing) - 1] != person.standing[:-1] or not 0 <= rows - person.answers <= unknown:
            raise LostError(f"acknowledged: {person.standing}, {person.answers} in all; stored: {stored}, {rows} rows")
    broken = store.breaks()
    if broken:
        raise LostError("; ".join(broken))


def _noting(failures: list[BaseException], action: Callable[..., None]) -> Callable[..., None]:
    def noted(*arguments: Any) -> None:
        try:
            action(*arguments)
        except LostError as error:
            failures.append(error)

    return noted


def _free_port() -> int:
    from evenhand.web.server import listening  # noqa: PLC0415

    with listening("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


def _wait_until_served(port: int) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        finally:
            connection.close()
