"""A real server on a free port, and Debian's Chromium to look at it."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.web.owner import TOKEN

from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.drafts import Drafts
from evenhand.web.owner import Owner
from evenhand.web.server import server_of


@dataclass(frozen=True, eq=False)
class Served:
    """A server that runs, and the store beneath it."""

    store: Store
    address: str

    @property
    def link(self) -> str:
        """The link that signs the owner in."""
        return f"{self.address}/-/?token={TOKEN}"


@contextmanager
def serving(store: Store, drafts: Drafts | None = None) -> Iterator[Served]:
    """Serve a store's studies as long as the block lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = server_of(create_app(store, owner=Owner.of(TOKEN), drafts=drafts))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Served(store, f"http://127.0.0.1:{listener.getsockname()[1]}")
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open the browser, or say plainly that it is missing."""
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("These tests need Chromium, which `make test` installs where it can: apt-get install chromium")
    with sync_playwright() as playwright:
        # Without a sandbox, as tests often run as root; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
