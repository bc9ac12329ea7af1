"""`evenhand serve` prints the link that signs in, once; nothing else that it writes holds the token."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.support.quick import study
from tests.web.owner import TOKEN

from evenhand.study.store import Store

EVENHAND = str(Path(sys.executable).with_name("evenhand"))


@dataclass(frozen=True)
class Reply:
    status: int
    location: str
    cookie: str


def get(link: str, path: str, cookie: str = "") -> Reply:
    with closing(HTTPConnection(urlsplit(link).netloc, timeout=30)) as connection:
        connection.request("GET", path, headers={"cookie": cookie, "connection": "close"})
        reply = connection.getresponse()
        reply.read()
        cookie = reply.getheader("set-cookie", "").partition(";")[0]
        return Reply(reply.status, reply.getheader("location", ""), cookie)


@pytest.mark.parametrize("own", [None, TOKEN], ids=["a new token", "a token of one's own"])
def test_the_link_signs_in_at_every_process_and_the_token_is_nowhere_else(tmp_path: Path, own: str | None) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with Store(url) as store:
        store.put_study(study("demo"))
    environment = {name: value for name, value in os.environ.items() if name != "EVENHAND_OWNER_TOKEN"}
    command = [EVENHAND, "serve", "--no-open", "--port", "0", "--store", url, "--workers", "2"]
    with (tmp_path / "errors").open("w") as errors:
        process = subprocess.Popen(  # noqa: S603
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment | ({} if own is None else {"EVENHAND_OWNER_TOKEN": own}),
        )
        try:
            assert process.stdout is not None
            link = process.stdout.readline().strip()
            address, _, token = link.partition("/-/?token=")
            assert own is None or token == own
            assert len(token) >= 20
            exchanged = get(link, f"/-/?token={token}")
            assert (exchanged.status, exchanged.location) == (303, "/-/")
            assert [get(link, "/-/", exchanged.cookie).status for _ in range(12)] == [
                200
            ] * 12  # whichever process replies
            assert get(link, "/-/").status == 401
            assert get(link, "/-/?token=wrong").location == "/-/sign-in?link=wrong"
        finally:
            process.terminate()
            process.wait(timeout=30)
        rest = process.stdout.read()
        process.stdout.close()
    assert address.startswith("http://127.0.0.1:")
    assert token not in rest
    for file in (tmp_path / "errors", tmp_path / "store.db"):
        assert token.encode() not in file.read_bytes()


def test_a_short_token_is_refused_and_not_repeated(tmp_path: Path) -> None:
    refused = subprocess.run(  # noqa: S603
        [EVENHAND, "serve", "--no-open", "--port", "0", "--store", f"sqlite:///{tmp_path}/store.db"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"EVENHAND_OWNER_TOKEN": "hunter2"},
    )
    assert refused.returncode != 0
    assert "EVENHAND_OWNER_TOKEN has 7 characters, but must have 20 to 200" in refused.stderr
    assert "hunter2" not in refused.stdout + refused.stderr
