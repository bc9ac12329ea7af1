"""A real kernel, the real front end of widgets (in Voilà), and a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import nbformat
import pytest
from playwright.sync_api import Browser, Page
from tests.web.served import chromium

CELLS = """
import time
from tests.notebook.test_oracle import models
import evenhand


class Slow(evenhand.NotebookOracle):
    def pressed(self, pressed):
        if pressed.get("what") != "answers":
            time.sleep(1)
        super().pressed(pressed)


asked = Slow(models(), random_state=0, max_questions=3)
asked
"""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a notebook: every visit gets a kernel of its own, which runs the cells."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELLS)])
    nbformat.write(notebook, folder / "asked.ipynb")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    paths = os.pathsep.join([str(ROOT), *sys.path])
    command = [sys.executable, "-m", "voila", "asked.ipynb", "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(  # noqa: S603  # our own notebook
            command, cwd=folder, stdout=log, stderr=log, env=os.environ | {"PYTHONPATH": paths}
        )
    try:
        url = f"http://127.0.0.1:{port}/"
        _wait_for(f"{url}voila/static/favicon.ico", server, folder / "log")
        yield url
    finally:
        server.terminate()
        server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310  # our own
        except URLError as error:
            if hasattr(error, "code"):  # it answers
                return
            assert server.poll() is None, log.read_text(encoding="utf-8")
            time.sleep(0.2)
        else:
            return
    pytest.fail(log.read_text(encoding="utf-8"))


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.goto(address, timeout=120_000)
    page.locator("button.choice.A").wait_for(timeout=120_000)
    return page


def test_a_person_clicks_through_to_the_result(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    page.locator("button[value=neither]").click()
    page.get_by_text("Question 2", exact=False).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("status").get_by_text("Working out what comes next").wait_for()
    page.get_by_text("Question 1", exact=False).first.wait_for()
    assert not page.get_by_text("Working out what comes next").count()
    page.locator(".page").focus()
    for n, key in enumerate(["ArrowLeft", "=", "ArrowRight"], 1):
        page.get_by_text(f"Question {n}", exact=False).first.wait_for()
        page.keyboard.press(key)
    page.locator(".page.result").wait_for()
    page.close()


def test_the_theme_of_the_notebook_counts_and_styles_stay_in_the_cell(browser: Browser, address: str) -> None:
    grounds = {}
    for theme in ("light", "dark"):
        page = opened(browser, f"{address}?theme={theme}")
        page.wait_for_function("document.body.dataset.jpThemeLight !== undefined")
        page.wait_for_timeout(300)
        grounds[theme] = page.locator(".page").evaluate("at => getComputedStyle(at).backgroundColor")
        around = page.evaluate("getComputedStyle(document.body).fontFamily")
        assert "Liberation Sans" not in around
        page.close()
    assert grounds == {"light": "rgb(244, 246, 248)", "dark": "rgb(15, 21, 27)"}
