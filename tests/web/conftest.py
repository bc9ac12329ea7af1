"""A real server on a free port, with a store of its own, and Debian's Chromium to look at it."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, sync_playwright
from tests.web.person import Served
from tests.web.studies import study_of

from evenhand.study.demo import demo_study
from evenhand.study.store import Store
from evenhand.web.app import create_app


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo, and a study of every size that must stay readable."""
    path: Path = tmp_path_factory.mktemp("store") / "studies.db"
    with Store(f"sqlite:///{path}") as store, socket.create_server(("127.0.0.1", 0)) as listener:
        store.put_study(demo_study())
        for groups in range(2, 6):
            for classes in range(2, 5):
                store.put_study(study_of(groups, classes))
        server = uvicorn.Server(uvicorn.Config(create_app(store), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield Served(store, f"http://127.0.0.1:{listener.getsockname()[1]}")
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("These tests need Chromium, which `make test` installs where it can: apt-get install chromium")
    with sync_playwright() as playwright:
        # Without a sandbox, as tests often run as root; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
