"""Large files: to the disk and not into memory, as slowly as a line is, and no larger than they may be."""

from __future__ import annotations

import re
import socket
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.support.quick import QuickRunner
from tests.web.owner import TOKEN
from tests.web.served import Served, serving

from evenhand.study.demo.example_file import example_file
from evenhand.study.store import Store
from evenhand.web import guard
from evenhand.web.connections import Connection
from evenhand.web.drafts import Drafts

SECONDS = 0.6
HEAD = (
    "POST /-/new HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nconnection: close\r\ncontent-length: {length}\r\n"
    "content-type: multipart/form-data; boundary=x\r\n\r\n"
)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(Connection, "seconds", SECONDS)
    with (
        Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(1)) as store,
        serving(store, Drafts(tmp_path / "drafts")) as served,
    ):
        yield served


def cookie_of(served: Served) -> str:
    reply = exchange(served, f"GET /-/?token={TOKEN} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode())
    found = re.search(rb"set-cookie: ([^;]+);", reply)
    assert found is not None
    return found[1].decode()


def form_of(content: bytes) -> bytes:
    head = b'--x\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\n\r\n'
    return head + content + b"\r\n--x--\r\n"


def exchange(served: Served, *pieces: bytes, pause: float = 0.0) -> bytes:
    at = urlsplit(served.address)
    with socket.create_connection((at.hostname, at.port), timeout=30) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        reply = b""
        while more := connection.recv(65536):
            reply += more
    return reply


def head(cookie: str, length: int) -> bytes:
    return HEAD.format(host="x", cookie=cookie, length=length).encode()


def test_a_file_may_take_its_time_as_long_as_it_comes_on(served: Served) -> None:
    body = form_of(example_file().encode())
    size = len(body) // 8 + 1
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    reply = exchange(served, head(cookie_of(served), len(body)), *pieces, pause=SECONDS / 2)
    assert reply.startswith(b"HTTP/1.1 303")
    assert b"/columns" in reply


def test_a_large_file_goes_to_the_disk_and_not_into_memory(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "seconds", 30.0)
    piece = (",".join(["1", "f", "1", "0", "x" * 1000]) + "\n").encode() * 256
    pieces, many = form_of(b"y,g,a,b,text\n" + piece).partition(piece), 100
    body = [pieces[0], *[piece] * many, pieces[2]]
    cookie, small = cookie_of(served), form_of(example_file().encode())
    exchange(served, head(cookie, len(small)), small)  # what reads files is imported for the first
    tracemalloc.start()
    try:
        reply = exchange(served, head(cookie, sum(map(len, body))), *body)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert b"/columns" in reply
    assert most < many * len(piece) / 4


def test_a_file_that_stops_coming_is_given_up_and_leaves_nothing(served: Served, tmp_path: Path) -> None:
    body = form_of(example_file().encode())
    begun = time.monotonic()
    reply = exchange(served, head(cookie_of(served), len(body)), body[:1000])
    assert b" 408 " in reply.partition(b"\r\n")[0] + b" "
    assert time.monotonic() - begun < 10 * SECONDS
    assert list((tmp_path / "drafts").glob("*")) == []


def test_a_stranger_has_no_more_time_than_before(served: Served) -> None:
    body = form_of(example_file().encode())
    reply = exchange(served, head("evenhand-owner=1", len(body)), pause=0)
    assert reply.startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize("says_so", [True, False], ids=["and says so", "without saying so"])
def test_a_file_that_is_too_large_gets_a_page_and_leaves_nothing(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says_so: bool
) -> None:
    monkeypatch.setattr(guard, "LARGEST_FILE", 200_000)
    body = form_of(b"a,b\n" * 100_000)
    cookie = cookie_of(served)
    if says_so:
        reply = exchange(served, head(cookie, len(body)), body)
    else:
        chunked = head(cookie, 0).replace(b"content-length: 0", b"transfer-encoding: chunked")
        pieces = [body[start : start + 50_000] for start in range(0, len(body), 50_000)]
        reply = exchange(served, chunked, *(b"%x\r\n%b\r\n" % (len(one), one) for one in pieces), b"0\r\n\r\n")
    assert reply.startswith(b"HTTP/1.1 413")
    assert b"This file is larger than 100 MB." in reply
    assert list((tmp_path / "drafts").glob("*")) == []


def test_a_form_of_the_owner_is_bounded(served: Served) -> None:
    start = head(cookie_of(served), guard.LARGEST_FORM + 1).replace(b"POST /-/new ", b"POST /-/new/x/words ")
    assert exchange(served, start).startswith(b"HTTP/1.1 413")
