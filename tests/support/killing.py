"""A server is killed (kill -9), again and again, while it is used: nothing acknowledged may be lost.

People begin by the links of invitations, answer, undo and withdraw; whoever runs the server invites people, publishes
versions of the study and uploads files. Each of them sends what they sent last once more after a crash, as a browser or
a person would, since they cannot know whether it arrived. In the end every answer must be there once, in one unbroken
chain, nothing of those who withdrew may be left in a byte of the store, and every invitation must be there.
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
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from sqlalchemy import select

from evenhand.study.log.events import ANSWERED
from evenhand.study.log.schema import content
from evenhand.study.log.tables import events_of_interview
from evenhand.study.store import Store, identity
from evenhand.web.owner import Owner
from tests.support.quick import QuickRunner, study

PEOPLE = 4
LONG = 30
UNDONE = 0.15
WITHDRAWN = 0.04
MOST_IN_A_LIFE = 20
MOST_WAITING = 1000
TOKEN = "the-token-of-the-owner"  # noqa: S105  # of a server that lives for a moment
PRELOADED = [
    "tests.support.killing",
    "evenhand.web.app",
    "evenhand.rates.looking",
    "evenhand.web.server",
    "psycopg",
    "scipy.special",
    "alembic.command",
]

_ENDLESS = 10**6
_SECONDS_TO_START = 60
_CHOICES = ("first", "second", "neither", "skip")


def serve(url: str, port: int, drafts: Path) -> None:
    """Run the server: what a process that will be killed does."""
    from evenhand.web.app import create_app  # noqa: PLC0415  # preloaded where processes are forked
    from evenhand.web.drafts import Drafts  # noqa: PLC0415
    from evenhand.web.server import listening, run  # noqa: PLC0415

    with Store(url, runner=QuickRunner(_ENDLESS)) as store, listening("127.0.0.1", port) as listener:
        run(create_app(store, owner=Owner.of(TOKEN), drafts=Drafts(drafts)), listener)


class LostError(Exception):
    """The store does not hold what was acknowledged, or holds what was erased."""


@dataclass
class Person:
    """Somebody who was invited and answers, and remembers what was acknowledged."""

    token: str
    rng: random.Random
    mark: str
    begun: bool = False
    withdrawn: bool = False
    standing: list[str] = field(default_factory=list)
    in_flight: tuple[str, int, str] | None = None
    answers: int = 0
    undone: int = 0

    @property
    def acknowledged(self) -> int:
        """How many requests were acknowledged."""
        return self.answers + self.undone + self.begun + self.withdrawn

    def go_on(self, port: int, stop: Event) -> None:
        """Begin, answer, undo, withdraw, until the server is gone."""
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            if self.begun:
                self.look(connection)
            while not stop.is_set() and not self.withdrawn:
                self.act(connection)
            if self.withdrawn:
                self.come_back(connection)
        except (OSError, HTTPException):
            pass  # killed: what was in flight is sent again after the restart
        finally:
            connection.close()

    def look(self, connection: HTTPConnection) -> None:
        """Compare what is stored with what was acknowledged; only what was in flight may be there or not."""
        status, state = _ask(connection, "GET", f"/api/interviews/{self.token}")
        stored = [answer["choice"] for answer in state["answers"]] if status == 200 else None
        expected = [None] if self.withdrawn else [self.standing, self._after(self.in_flight)]
        if stored not in expected or (stored is None and status != 410):
            raise LostError(f"acknowledged: {self.standing}, in flight: {self.in_flight}, stored: {stored} ({status})")

    def act(self, connection: HTTPConnection) -> None:
        """Send what is in flight, or something new, and remember that it was acknowledged."""
        if not self.begun:
            _expect(connection, 303, "POST", f"/i/{self.token}")
            self.begun = True
            return
        if self.in_flight is None:
            self.in_flight = self._something()
        method, n, choice = self.in_flight
        address = f"/api/interviews/{self.token}"
        if method == _WITHDRAW:
            _expect(connection, 204, "DELETE", address)
            self.withdrawn = True
        else:
            body = {"choice": choice, "why": f"{self.mark} {n}"} if choice else None
            _expect(connection, 200, method, f"{address}/answers/{n}", body)
            self.standing = self._after(self.in_flight) or []
        self.answers += bool(choice)
        self.undone += method == "DELETE"
        self.in_flight = None

    def come_back(self, connection: HTTPConnection) -> None:
        """Try to answer although everything is erased."""
        self.look(connection)
        body = {"choice": "first", "why": self.mark}
        _expect(connection, 410, "PUT", f"/api/interviews/{self.token}/answers/{len(self.standing) + 1}", body)
        _expect(connection, 303, "POST", f"/i/{self.token}")
        self.look(connection)

    def _something(self) -> tuple[str, int, str]:
        if self.standing and self.rng.random() < WITHDRAWN:
            return (_WITHDRAW, 0, "")
        if self.standing and self.rng.random() < UNDONE:
            return ("DELETE", len(self.standing), "")
        return ("PUT", len(self.standing) + 1, self.rng.choice(_CHOICES))

    def _after(self, sent: tuple[str, int, str] | None) -> list[str] | None:
        if sent is None:
            return self.standing
        if sent[0] == _WITHDRAW:
            return None
        return self.standing[:-1] if sent[0] == "DELETE" else [*self.standing, sent[2]]


@dataclass
class Host:
    """Whoever runs the server: invites people, publishes versions of the study, and uploads files."""

    rng: random.Random
    invitations: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    title: str | None = None
    sent: str | None = None
    published: int = 0
    uploaded: int = 0

    def go_on(self, port: int, stop: Event) -> None:
        """Go on until the server is gone."""
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            self.look(connection)
            while not stop.is_set():
                self.rng.choice((self.invite, self.invite, self.publish, self.upload))(connection, port)
                stop.wait(0.02)
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()

    def look(self, connection: HTTPConnection) -> None:
        """Compare the study and its invitations with what was acknowledged."""
        _, listed = _ask(connection, "GET", "/api/studies/loans/invitations", headers=_BEARER)
        if missing := set(self.invitations) - {one["id"] for one in listed["invitations"]}:
            raise LostError(f"{len(missing)} invitations that were acknowledged are gone")
        _, stored = _ask(connection, "GET", "/api/studies/loans", headers=_BEARER)
        if self.title is not None and stored["title"] not in {self.title, self.sent}:
            raise LostError(f"acknowledged: {self.title}, in flight: {self.sent}, stored: {stored['title']}")

    def invite(self, connection: HTTPConnection, port: int) -> None:
        """Invite one person or more, as long as not many wait for their turn."""
        if len(self.links) > MOST_WAITING:
            return
        body = {"count": self.rng.randint(1, 3), "label": "board"}
        made = _expect(connection, 201, "POST", "/api/studies/loans/invitations", body, headers=_BEARER)
        self.invitations += [one["id"] for one in made["invitations"]]
        self.links += [one["address"].removeprefix("/i/") for one in made["invitations"]]

    def publish(self, connection: HTTPConnection, port: int) -> None:
        """Publish a new version of the study."""
        self.sent = f"Version {self.rng.random()}"
        document = study().to_document() | {"title": self.sent}
        _expect(connection, 201, "POST", "/api/studies", document, headers=_BEARER)
        self.title, self.sent = self.sent, None
        self.published += 1

    def upload(self, connection: HTTPConnection, port: int) -> None:
        """Upload a file of predictions, and leave it."""
        many = range(self.rng.randint(1, 20_000))
        rows = "".join(f"{n % 2},{n % 3 % 2},{n % 7 % 2},{'fm'[n % 5 % 2]}\n" for n in many)
        part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        file = f"{part}label,model_a,model_b,group\n{rows}\r\n--b--"
        headers = {
            "content-type": "multipart/form-data; boundary=b",
            "cookie": f"evenhand-owner-{port}={Owner.of(TOKEN).cookie()}",
        }
        connection.request("POST", "/-/new", file, headers)
        response = connection.getresponse()
        response.read()
        if response.status not in {303, 503}:
            raise LostError(f"an upload was refused with {response.status}")
        self.uploaded += response.status == 303


_WITHDRAW = "WITHDRAW"
_BEARER = {"authorization": f"Bearer {TOKEN}"}


def _expect(
    connection: HTTPConnection,
    wanted: int,
    method: str,
    path: str,
    body: Any = None,
    *,
    headers: dict[str, str] | None = None,
) -> Any:
    status, reply = _ask(connection, method, path, body, headers=headers)
    if status != wanted:
        raise LostError(f"{method} {path[:12]}… was answered with {status}, and not {wanted}: {reply}")
    return reply


def _ask(
    connection: HTTPConnection, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """Send a request; again, as the reply asks for, where the server has too much to do."""
    data = None if body is None else json.dumps(body)
    while True:
        connection.request(method, path, data, ({"content-type": "application/json"} if data else {}) | (headers or {}))
        response = connection.getresponse()
        held = response.read()
        if response.status != 503:
            is_json = response.headers.get_content_type() == "application/json"
            return response.status, json.loads(held) if is_json else None
        time.sleep(0.1)


@dataclass(frozen=True)
class Survived:
    """What a series of kills left."""

    kills: int
    answers: int
    undone: int
    cut_short: int
    withdrawn: int
    invitations: int
    published: int
    uploaded: int


def kill_again_and_again(
    url: str, *, kills: int, seed: int, progress: Callable[[int], object] = lambda _: None
) -> Survived:
    """Let people answer, kill the server at random moments, and check that nothing is lost and nothing is twice."""
    rng = random.Random(seed)  # noqa: S311  # moments, not secrets
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with Store(url, runner=QuickRunner(_ENDLESS)) as store, TemporaryDirectory() as folder:
        store.put_study(study())
        host = Host(random.Random(rng.random()))  # noqa: S311
        everybody: list[Person] = []
        cut_short = 0
        for kill in range(kills):
            # Whoever has answered for long leaves for somebody new: real interviews are not endless. Of those who
            # withdrew, some come back.
            busy = [person for person in everybody if person.answers < LONG and not person.withdrawn]
            busy += [person for person in everybody if person.withdrawn and rng.random() < 0.05][:2]
            while len(busy) < PEOPLE:
                link = host.links.pop() if host.links else store.invite("loans")[0].secret
                person = Person(link, random.Random(rng.random()), f"mark-{rng.getrandbits(64):016x}")  # noqa: S311
                everybody.append(person)
                busy.append(person)
            _one_life(context.Process, url, Path(folder), busy, host, rng)
            cut_short += sum(person.in_flight is not None for person in busy)
            progress(kill + 1)
        _last_look(store, everybody, host)
    return Survived(
        kills=kills,
        answers=sum(person.answers for person in everybody),
        undone=sum(person.undone for person in everybody),
        cut_short=cut_short,
        withdrawn=sum(person.withdrawn for person in everybody),
        invitations=len(host.invitations),
        published=host.published,
        uploaded=host.uploaded,
    )


def _one_life(
    process: type[ForkServerProcess], url: str, drafts: Path, people: list[Person], host: Host, rng: random.Random
) -> None:
    port = _free_port()
    server = process(target=serve, args=(url, port, drafts / "drafts"), daemon=True)
    server.start()
    try:
        _wait_until_served(port)
        stop, failures = Event(), list[BaseException]()
        acting = [person.go_on for person in people] + [host.go_on]
        threads = [Thread(target=_noting(failures, act), args=(port, stop)) for act in acting]
        for thread in threads:
            thread.start()
        acknowledged = sum(person.acknowledged for person in people)
        _wait_for_answers(people, acknowledged + rng.randint(1, MOST_IN_A_LIFE), threads[: len(people)])
        time.sleep(rng.uniform(0.0, 0.02))
    finally:
        server.kill()
        server.join()
    stop.set()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _wait_for_answers(people: list[Person], wanted: int, threads: list[Thread]) -> None:
    """Wait until so many requests are acknowledged, however fast the machine is, or everybody has withdrawn."""
    until = time.monotonic() + _SECONDS_TO_START
    while sum(person.acknowledged for person in people) < wanted and time.monotonic() < until:
        if not any(thread.is_alive() for thread in threads):
            break
        time.sleep(0.001)


def _last_look(store: Store, people: list[Person], host: Host) -> None:
    for person in people:
        if not person.begun or person.withdrawn or (person.in_flight or ("",))[0] == _WITHDRAW:
            continue
        stored = [given.choice for given in store.interview(person.token).answers]
        with store.database.reading() as connection:
            rows = sum(row.kind == ANSWERED for row in events_of_interview(connection, identity(person.token)))
        unknown = person.in_flight is not None and bool(person.in_flight[2])
        if stored[: len(person.standing) - 1] != person.standing[:-1] or not 0 <= rows - person.answers <= unknown:
            raise LostError(f"acknowledged: {person.standing}, {person.answers} in all; stored: {stored}, {rows} rows")
    _look_for_what_was_withdrawn(store, {person.mark for person in people if person.withdrawn})
    if missing := set(host.invitations) - {one.id for one in store.invitations("loans")}:
        raise LostError(f"{len(missing)} invitations that were acknowledged are gone")
    broken = store.breaks()
    if broken:
        raise LostError("; ".join(broken))


def _look_for_what_was_withdrawn(store: Store, marks: set[str]) -> None:
    """Look in every row, and in every byte of a file."""
    with store.database.reading() as connection:
        reasons = connection.execute(select(content.c.why).where(content.c.why.is_not(None))).scalars()
        back = {reason.split()[0] for reason in reasons} & marks
    file = store.database.file
    if file is not None:
        held = file.read_bytes()
        back |= {mark for mark in marks if mark.encode() in held}
    if back:
        raise LostError(f"what {len(back)} people withdrew is still there, or again")


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
