"""Connections that send half a request, or read no reply, keep nobody else out and do not stay."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from urllib.request import urlopen

import pytest
from tests.support.quick import QuickRunner, study
from tests.web.served import Served, serving

from evenhand.study.store import Store
from evenhand.web import connections
from evenhand.web.connections import Connection, most_connections, quietly

HALF = b"GET /healthz HTTP/1.1\r\nHo"
BODY = b"POST /i/%s/answers/1 HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(Connection, "seconds", 0.5)
    monkeypatch.setattr(Connection, "most", 10)
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(3)) as store:
        store.put_study(study())
        with serving(store) as served:
            yield served


def connected(server: Served, sent: bytes) -> socket.socket:
    host, _, port = server.address.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(sent)
    return connection


def rest(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    found = b""
    try:
        while more := connection.recv(65536):
            found += more
    except ConnectionResetError:
        pass
    return found


def is_well(server: Served) -> bool:
    with urlopen(f"{server.address}/healthz", timeout=5) as reply:  # noqa: S310
        return bool(reply.status == 200)


def test_many_half_requests_keep_nobody_out(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "seconds", 60)
    with ExitStack() as open_ones:
        first = open_ones.enter_context(connected(server, HALF))
        for _ in range(40):
            open_ones.enter_context(connected(server, HALF))
        assert is_well(server)
        assert rest(first) == b""  # made room
        last = open_ones.enter_context(connected(server, HALF))
        last.sendall(b"st: a\r\nconnection: close\r\n\r\n")
        assert rest(last).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "sent", [b"", b"G", HALF, b"POST /api/studies/loans/interviews HTTP/1.1\r\nhost: a\r\ncontent-length: 50\r\n\r\n{"]
)
def test_a_request_that_does_not_arrive_in_time_is_ended(server: Served, sent: bytes) -> None:
    with connected(server, sent) as connection:
        assert rest(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nhost: a\r\nx: ",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 5000\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nx: ",
    ],
)
def test_one_byte_at_a_time_does_not_make_the_time_longer(server: Served, head: bytes) -> None:
    began = time.monotonic()
    with connected(server, head) as connection:
        connection.settimeout(0.05)
        try:
            while time.monotonic() < began + 5:
                connection.sendall(b"x")
                try:
                    if connection.recv(65536) == b"":
                        break
                except TimeoutError:
                    pass
        except (ConnectionResetError, BrokenPipeError):
            pass
    assert time.monotonic() < began + 3


def test_a_reply_that_nobody_reads_does_not_stay(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, real = Event(), Connection.connection_lost

    def noted(connection: Connection, error: Exception | None) -> None:
        lost.set()
        real(connection, error)

    monkeypatch.setattr(Connection, "connection_lost", noted)
    with connected(server, b"") as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        connection.settimeout(0.3)
        with suppress(OSError):
            while True:  # until our side is full, too
                connection.sendall(b"GET /static/evenhand.css HTTP/1.1\r\nhost: a\r\n\r\n")
        assert lost.wait(5)


def test_half_an_answer_is_not_kept(server: Served) -> None:
    token = server.store.begin("loans")
    sent = BODY % token.encode() + b"content-length: 60\r\n\r\nchoice=first&why=because+it+is"
    with connected(server, sent) as connection:
        connection.shutdown(socket.SHUT_WR)
    with connected(server, sent) as connection:
        assert b" 200 " not in rest(connection)
    assert is_well(server)
    assert server.store.interview(token).answers == ()


def test_a_request_that_is_worked_on_is_given_its_time(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(store: Store) -> None:
        time.sleep(1.2)

    monkeypatch.setattr(Store, "check_writable", slow)
    assert is_well(server)


def test_where_every_place_is_worked_on_the_next_is_told_so(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(store: Store) -> None:
        time.sleep(1)

    monkeypatch.setattr(Store, "check_writable", slow)
    with ExitStack() as open_ones:
        for _ in range(10):
            open_ones.enter_context(connected(server, b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n"))
        time.sleep(0.3)
        assert rest(open_ones.enter_context(connected(server, b""))).startswith(b"HTTP/1.1 503 ")


def test_there_are_fewer_places_where_the_system_allows_few_files() -> None:
    import resource  # noqa: PLC0415

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (500, before[1]))
        assert most_connections() == 300
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_that_nothing_can_be_accepted_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    try:
        quietly(loop)
        for _ in range(1000):
            loop.call_exception_handler(
                {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")}
            )
        loop.call_exception_handler({"message": "another error", "exception": ValueError("of ours")})
    finally:
        loop.close()
    said = [record for record in caplog.records if record.name == connections.__name__]
    assert [record.getMessage() for record in said] == ["no connection can be accepted just now: Too many open files"]
    assert [record.levelno for record in caplog.records if record not in said] == [logging.ERROR]
