"""Makes the pictures of the pages that the documentation shows: `python -m tests.web.screenshots docs/images`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from playwright.sync_api import Browser, Page
from tests.web.person import answer_all, begin, by_clicks, wait_for_question
from tests.web.served import Served, chromium, serving
from tests.web.studies import study_of

from evenhand.metric import FairMetric
from evenhand.study.demo.demo import demo_study
from evenhand.study.store import Store


def main(folder: Path) -> None:
    """Take the demo as somebody who minds missed people most, and gaps nearly as much as mistakes."""
    with TemporaryDirectory() as where, Store(f"sqlite:///{where}/studies.db") as store:
        store.put_study(demo_study())
        store.put_study(study_of(3, 3))
        with (
            patch("evenhand.study.store.new_seed", lambda: 4),
            serving(store) as served,
            chromium() as browser,
        ):
            _wide(browser, served, folder)
            _phone(browser, served, folder)
            _larger(browser, served, folder)


def _wide(browser: Browser, served: Served, folder: Path) -> None:
    study = demo_study()
    truth = FairMetric.from_weights(study.setting, misclassification=[0.5, 1], violation=[[0.4, 1]], trade_off=0.45)
    with browser.new_context(viewport={"width": 1120, "height": 920}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{served.address}/demo")
        page.screenshot(path=folder / "page-introduction.png")
        begin(page, f"{served.address}/demo")
        _answer(page, "first", "second")
        page.screenshot(path=folder / "page-question.png")
        begin(page, f"{served.address}/demo")
        answer_all(page, truth, by_clicks)
        page.screenshot(path=folder / "page-result.png", full_page=True)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=folder / "page-result-dark.png")


def _phone(browser: Browser, served: Served, folder: Path) -> None:
    with browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True, is_mobile=True
    ) as context:
        page = context.new_page()
        begin(page, f"{served.address}/demo")
        _answer(page, "first", "second")
        page.screenshot(path=folder / "page-question-phone.png")


def _larger(browser: Browser, served: Served, folder: Path) -> None:
    with browser.new_context(viewport={"width": 1120, "height": 1180}, color_scheme="dark") as context:
        page = context.new_page()
        begin(page, f"{served.address}/g3-c3")
        _answer(page, "first")
        page.screenshot(path=folder / "page-question-larger.png")


def _answer(page: Page, *choices: str) -> None:
    for n, choice in enumerate(choices, 1):
        by_clicks(page, choice)
        wait_for_question(page, n + 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
