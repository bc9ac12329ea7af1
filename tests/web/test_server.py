"""`evenhand serve` as it runs: real processes, many clients at once, and what goes wrong on real machines."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import httpx2
import pytest
from sqlalchemy import create_engine, make_url, text
from tests.support.killing import kill_again_and_again
from tests.support.postgresql import new_database
from tests.support.quick import study

from evenhand.errors import EvenhandError
from evenhand.study.log.events import ANSWERED
from evenhand.study.log.tables import events_of_interview
from evenhand.study.snapshots import InFolder
from evenhand.study.store import Store, identity
from evenhand.web.drafts import Drafts
from evenhand.web.server import listening

EVENHAND = str(Path(sys.executable).with_name("evenhand"))


@contextmanager
def served(
    url: str, *options: str, limits: Mapping[int, int] | None = None, errors: IO[str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the command, and yield its address, without the path and the token that it prints with it."""

    def limit() -> None:
        for kind, most in (limits or {}).items():
            resource.setrlimit(kind, (most, most))

    command = [EVENHAND, "serve", "--no-open", "--port", "0", "--store", url, *options]
    process = subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509
    )
    assert process.stdout is not None
    try:
        link = next(line.strip() for line in process.stdout if line.startswith("http"))
        yield link.partition("/-/?token=")[0], process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        InFolder.of_store(url).remove()


def call(address: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{address}{path}", data, {"content-type": "application/json"}, method=method)  # noqa: S310
    try:
        with urlopen(request, timeout=60) as response:  # noqa: S310
            return response.status, json.load(response)
    except HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def with_demo(url: str) -> str:
    """Put a small study where the demo would be, which takes longer to make."""
    with Store(url) as store:
        store.put_study(study("demo"))
    return url


def begin(address: str) -> str:
    status, begun = call(address, "POST", "/api/studies/demo/interviews")
    assert status == 201
    return str(begun["token"])


def rows(url: str, token: str) -> int:
    with Store(url) as store, store.database.reading() as connection:
        return sum(row.kind == ANSWERED for row in events_of_interview(connection, identity(token)))


def assert_taken(address: str) -> None:
    host, _, port = address.removeprefix("http://").partition(":")
    with pytest.raises(EvenhandError, match=f"port {port}: Address already in use; choose"), listening(host, int(port)):
        pass


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "Ctrl-C"])
def test_no_rows_of_people_are_left_where_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str, told: signal.Signals
) -> None:
    url, token = with_demo(f"sqlite:///{tmp_path}/store.db"), "a-token-of-the-tests-0123456789"
    for variable, value in {"TMPDIR": str(tmp_path), "EVENHAND_OWNER_TOKEN": token}.items():
        monkeypatch.setenv(variable, value)
    expired = tmp_path / Drafts.of_store(url).folder.name / "left-by-a-crash"
    expired.mkdir(parents=True)
    expired.parent.chmod(0o700)
    os.utime(expired, (0, 0))
    with served(url, "--workers", workers) as (address, process):
        with httpx2.Client(base_url=address, follow_redirects=True, timeout=60) as owner:
            owner.get(f"/-/?token={token}")
            assert owner.post("/-/new/example").url.path.endswith("/columns")
        assert len(list(tmp_path.glob("evenhand-drafts-*/*/rows.csv"))) == 1
        assert not expired.exists()
        process.send_signal(told)
        process.wait(timeout=20)
    assert list(tmp_path.glob("evenhand-drafts-*")) == []
    assert not InFolder.of_store(url).folder.exists()


def test_the_command_serves_and_what_it_acknowledged_outlives_it(tmp_path: Path) -> None:
    url = with_demo(f"sqlite:///{tmp_path}/store.db")
    with served(url) as (address, process):
        assert address.startswith("http://127.0.0.1:")
        assert call(address, "GET", "/healthz") == (200, {"status": "ok"})
        token = begin(address)
        path = f"/api/interviews/{token}/answers/1"
        with ThreadPoolExecutor(50) as pool:
            replies = list(pool.map(lambda _: call(address, "PUT", path, {"choice": "second"}), range(50)))
        assert replies[0][0] == 200
        assert all(reply == replies[0] for reply in replies)
        assert_taken(address)
        process.send_signal(signal.SIGKILL)
    assert rows(url, token) == 1
    with served(url) as (address, process):
        assert call(address, "GET", f"/api/interviews/{token}") == replies[0]
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
    return [int(pid) for pid in children.split()]


def two_workers_of(process: subprocess.Popen[str], killed: Sequence[int]) -> list[int]:
    """Wait until those who were killed are replaced, which takes the server a moment, and return those who work."""
    until = time.monotonic() + 20
    while True:
        working = [pid for pid in workers_of(process) if pid not in killed]
        if len(working) == 2:
            return working
        assert time.monotonic() < until, f"{len(working)} workers"
        time.sleep(0.05)


def test_a_worker_that_is_killed_is_replaced_and_nothing_acknowledged_is_lost(store_url: str, tmp_path: Path) -> None:
    url = with_demo(store_url)
    with (tmp_path / "errors").open("w+") as errors, served(url, "--workers", "2", errors=errors) as (address, process):
        token, killed = begin(address), list[int]()
        for n in range(1, 5):
            workers = two_workers_of(process, killed)
            killed.append(workers[n % 2])
            os.kill(killed[-1], signal.SIGKILL)
            for _ in range(50):  # a connection that was just given to the one that was killed is sent again
                with suppress(OSError):
                    answered, state = call(address, "PUT", f"/api/interviews/{token}/answers/{n}", {"choice": "first"})
                    break
            assert (answered, state["answered"]) == (200, n)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 128 + signal.SIGTERM
        errors.seek(0)
        assert errors.read() == ""
    assert rows(url, token) == 4


@pytest.mark.parametrize("workers", ["1", "3"])
def test_an_interrupt_ends_all_processes_and_their_snapshots_with_one_word(tmp_path: Path, workers: str) -> None:
    url = with_demo(f"sqlite:///{tmp_path}/store.db")
    command = [EVENHAND, "serve", "--no-open", "--port", "0", "--store", url, "--workers", workers]
    with (
        (tmp_path / "errors").open("w+") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True) as process,  # noqa: S603
    ):
        assert process.stdout is not None
        begin(process.stdout.readline().partition("/-/")[0])
        assert InFolder.of_store(url).folder.exists()
        children = workers_of(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(timeout=20) == 0
        assert "Stopped. Every answer is stored." in process.stdout.read()
        errors.seek(0)
        assert errors.read() == ""
        assert not any(Path(f"/proc/{child}").exists() for child in children)
        assert not InFolder.of_store(url).folder.exists()


def test_workers_end_when_what_started_them_is_killed(tmp_path: Path) -> None:
    url = with_demo(f"sqlite:///{tmp_path}/store.db")
    with served(url, "--workers", "2") as (address, process):
        begin(address)
        children = workers_of(process)
        process.kill()
        process.wait()
        until = time.monotonic() + 15
        while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_several_processes_on_one_postgresql_are_one_server(postgresql: str) -> None:
    url = with_demo(new_database(postgresql))
    with served(url) as (one, _), served(url) as (two, _):
        token = begin(one)
        for n, (here, there) in enumerate([(one, two), (two, one), (one, two)], 1):
            path = f"/api/interviews/{token}/answers/{n}"
            with ThreadPoolExecutor(20) as pool:
                addresses = [here, there] * 10
                sent = [pool.submit(call, address, "PUT", path, {"choice": "first"}) for address in addresses]
                replies = [each.result() for each in sent]
            assert replies[0][0] == 200
            assert all(reply == replies[0] for reply in replies)
            assert call(there, "GET", f"/api/interviews/{token}") == replies[0]
            refused, told = call(there, "PUT", path, {"choice": "second"})
            assert (refused, told["stored"]["choice"]) == (409, "first")
    assert rows(url, token) == 3


def test_on_a_disk_without_room_answers_are_refused_and_can_be_sent_again(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    url = with_demo(f"sqlite:///{file}")
    room = file.stat().st_size + 4 * 4096
    with served(url, limits={resource.RLIMIT_FSIZE: room}) as (address, _):
        token = begin(address)
        n, status = 0, 200
        while status == 200:
            n += 1
            answer = {"choice": "neither", "why": "x" * 2000}
            status, told = call(address, "PUT", f"/api/interviews/{token}/answers/{n}", answer)
        assert (status, told["error"]["code"]) == (503, "not_saved")
        assert call(address, "GET", f"/api/interviews/{token}")[1]["answered"] == n - 1
    with Store(url) as store:
        assert len(store.answer(token, n, "neither", "x" * 2000).answers) == n
        assert not store.breaks()


def test_while_the_database_is_away_nothing_is_saved_and_afterwards_all_goes_on(
    postgresql: str, tmp_path: Path
) -> None:
    direct = make_url(new_database(postgresql))
    sockets, link = Path(str(direct.query["host"])), tmp_path / "sockets"
    link.symlink_to(sockets)
    url = with_demo(direct.update_query_dict({"host": str(link)}).render_as_string(hide_password=False))
    with served(url) as (address, _):
        token = begin(address)
        path = f"/api/interviews/{token}/answers/1"
        link.unlink()
        engine = create_engine(direct, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            connection.execute(text(f"{others} AND pid <> pg_backend_pid()"))
        engine.dispose()
        status, told = call(address, "PUT", path, {"choice": "first"})
        assert (status, told["error"]["code"]) == (503, "not_saved")
        assert call(address, "GET", "/healthz")[0] == 503
        assert call(address, "GET", f"/api/interviews/{token}")[1]["error"]["code"] == "store_unreachable"
        link.symlink_to(sockets)
        assert call(address, "GET", "/healthz")[0] == 200
        assert call(address, "PUT", path, {"choice": "first"})[1]["answered"] == 1
    assert rows(url, token) == 1


def test_more_half_requests_than_there_may_be_files_stop_nobody_and_fill_no_log(tmp_path: Path) -> None:
    url = with_demo(f"sqlite:///{tmp_path}/store.db")
    with (
        (tmp_path / "errors").open("w+") as errors,
        served(url, limits={resource.RLIMIT_NOFILE: 256}, errors=errors) as (address, _),
        ExitStack() as open_ones,
    ):
        host, _, port = address.removeprefix("http://").partition(":")
        for _ in range(400):
            half = open_ones.enter_context(socket.create_connection((host, int(port)), timeout=20))
            half.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        assert call(address, "PUT", f"/api/interviews/{begin(address)}/answers/1", {"choice": "first"})[0] == 200
        errors.seek(0)
        assert errors.read() == ""


def test_what_was_acknowledged_survives_kills_at_random_moments(store_url: str) -> None:
    survived = kill_again_and_again(store_url, kills=3, seed=0)
    assert survived.answers > 0


@pytest.mark.parametrize(("host", "words"), [("no.such.host.invalid", "cannot listen"), ("256.1.1.1", "cannot listen")])
def test_a_host_that_is_none_is_said_in_words(host: str, words: str) -> None:
    with pytest.raises(EvenhandError, match=words), listening(host, 0):
        pass
