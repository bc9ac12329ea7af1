"""The example files for Caddy and nginx, with the real programs, if they are installed (Debian: caddy, nginx-light).

Only ports, certificates and places of files are changed in them, since a test has no name of its own on the web.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support.quick import study
from tests.web.api.test_studies import TOKEN

from evenhand.study.store import Store

NAME = "study.example.org"
FILES = Path(__file__).parents[2] / "docs" / "serving"


@dataclass
class Site:
    """A server behind a proxy, and the folder with all that the two have written."""

    port: int
    store: str
    folder: Path

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # its certificate is made for this test
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as plain:
            connection = http.client.HTTPConnection(NAME)
            connection.sock = context.wrap_socket(plain, server_hostname=NAME)
            named = {"host": f"{NAME}:{self.port}"} | {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            reply = connection.getresponse()
            held = reply.read()
            connection.close()
        return reply.status, reply.headers, held


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def caddy(folder: Path, port: int, behind: int) -> list[str]:
    text = (FILES / "Caddyfile").read_text(encoding="utf-8")
    text = text.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n\ttls internal", 1).replace(":8000", f":{behind}")
    for_a_test = (
        "admin off",
        "skip_install_trust",
        "auto_https disable_redirects",
        f"storage file_system {folder}/caddy",
    )
    options = "\n".join(("{", *for_a_test, "}\n"))
    (folder / "Caddyfile").write_text(options + text, encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def nginx(folder: Path, port: int, behind: int) -> list[str]:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    make = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} -keyout {key} -out {certificate}"
    subprocess.run(make.split(), check=True, capture_output=True)  # noqa: S603
    text = (FILES / "nginx.conf").read_text(encoding="utf-8")
    for before, after in (
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
        ("/var/log/nginx", str(folder)),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen 80", f"listen 127.0.0.1:{free_port()}"),
        (":8000", f":{behind}"),
    ):
        assert before in text
        text = text.replace(before, after)
    places = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root; " if os.geteuid() == 0 else ""  # whose folder this is
    whole = f"{user}daemon off; pid {folder}/nginx.pid; events {{}}\nhttp {{ {places}\n{text}\n}}"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return ["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder), "-e", str(folder / "early.log")]


@contextmanager
def running(command: list[str], folder: Path, port: int, **options: Any) -> Iterator[None]:
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, **options)  # noqa: S603
        try:
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                time.sleep(0.1)
            assert process.poll() is None, Path(log.name).read_text(encoding="utf-8")
            yield
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture(params=[caddy, nginx], ids=["caddy", "nginx"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    program = request.param.__name__
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed, so its example file is not tried: apt-get install {program}")
    url, port, behind = f"sqlite:///{tmp_path}/store.db", free_port(), free_port()
    with Store(url) as store:
        store.put_study(study())
    evenhand = str(Path(sys.executable).with_name("evenhand"))
    serve = [evenhand, "serve", "--no-open", "--store", url, "--port", str(behind), "--name", NAME, "--workers", "1"]
    environment = {"EVENHAND_OWNER_TOKEN": TOKEN, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(tmp_path)}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2] / "src")
    with (
        running(serve, tmp_path, behind, env=environment),
        running(request.param(tmp_path, port, behind), tmp_path, port, env=environment),
    ):
        yield Site(port, url, tmp_path)


def test_an_example_file_serves_people_and_the_owner_and_tells_no_log_a_secret(site: Site) -> None:
    for _ in range(100):  # Caddy makes a certificate first
        with suppress(OSError):
            site.ask("GET", "/healthz")
            break
        time.sleep(0.1)
    status, headers, page = site.ask("GET", "/loans")
    assert status == 200
    assert b"By beginning you agree" in page
    assert headers["strict-transport-security"]
    assert "default-src 'none'" in headers["content-security-policy"]
    # A person begins from the page and answers.
    status, headers, _ = site.ask("POST", "/loans", origin=f"https://{NAME}:{site.port}", sec_fetch_site="same-origin")
    assert status == 303
    here = headers["location"]
    assert here.startswith("/i/")
    form = {"content_type": "application/x-www-form-urlencoded", "origin": f"https://{NAME}:{site.port}"}
    assert site.ask("POST", f"{here}/answers/1", "choice=first", **form)[0] == 303
    assert site.ask("POST", f"{here}/answers/2", "choice=first", origin="https://evil.example")[0] == 403
    # The owner signs in, with a cookie for TLS only, and uploads a file that is larger than most bodies.
    status, headers, _ = site.ask("POST", "/-/sign-in", f"token={TOKEN}", **form)
    assert status == 303
    cookie = headers["set-cookie"]
    assert all(word in cookie.lower() for word in ("secure", "httponly", "samesite"))
    rows = "".join(f"{n % 2},{n % 3 % 2},{n % 5 % 2},{n % 7 % 2}\n" for n in range(500_000))
    part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nlabel,a,b,group\n'
    upload = {"content_type": "multipart/form-data; boundary=b", "cookie": cookie.partition(";")[0]}
    status, headers, _ = site.ask("POST", "/-/new", f"{part}{rows}\r\n--b--", **upload)
    assert (status, headers["location"].startswith("/-/new/")) == (303, True)
    bearer = {"authorization": f"Bearer {TOKEN}"}
    status, _, reply = site.ask("GET", "/api/studies", **bearer)
    assert status == 200
    assert {one["slug"] for one in json.loads(reply)["studies"]} == {"demo", "loans"}
    # A stranger cannot pass for many, whatever they say of where they come from.
    statuses = [
        site.ask("GET", "/api/studies", authorization="Bearer wrong", x_forwarded_for=f"198.51.100.{n}")[0]
        for n in range(12)
    ]
    assert statuses == [401] * 10 + [429] * 2
    written = b"".join(path.read_bytes() for path in site.folder.glob("*.log"))
    assert here.removeprefix("/i/").encode() not in written
    assert f"token={TOKEN}".encode() in written, "but for the line that the server prints for its owner"
    assert written.count(TOKEN.encode()) == 1
