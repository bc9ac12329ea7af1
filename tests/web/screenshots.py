"""Makes the pictures of the pages that the documentation shows: `python -m tests.web.screenshots docs/images`."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
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
            _undecided(browser, served, folder)
            _phone(browser, served, folder)
            _larger(browser, served, folder)
            owner_s_pages(browser, served, folder)


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


def _undecided(browser: Browser, served: Served, folder: Path) -> None:
    """Answer "can't tell" throughout."""
    token = served.store.begin("demo")
    while (question := served.store.interview(token).question) is not None:
        served.store.answer(token, question.n, "neither")
    with browser.new_context(viewport={"width": 1120, "height": 920}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{served.address}/i/{token}")
        page.screenshot(path=folder / "page-undecided.png")


def _phone(browser: Browser, served: Served, folder: Path) -> None:
    with browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", has_touch=True, is_mobile=True
    ) as context:
        page = context.new_page()
        begin(page, f"{served.address}/demo")
        _answer(page, "first", "second")
        page.screenshot(path=folder / "page-question-phone.png")


def owner_s_pages(browser: Browser, served: Served, folder: Path) -> None:
    """Make a study of the example file, and let seven of eight invited people answer it."""
    with browser.new_context(viewport={"width": 1080, "height": 800}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(served.link)
        page.get_by_role("link", name="New study").click()
        page.get_by_role("button", name="Use the example file").click()
        page.get_by_role("button", name="Measure the models").click()
        page.get_by_role("button", name="Choose the words").click()
        page.get_by_label("repaid = 0", exact=True).fill("who would default")
        page.get_by_label("repaid = 1", exact=True).fill("who would repay")
        page.get_by_label("repaid = 0, but predicted 1").fill("get a loan they cannot repay")
        page.get_by_label("repaid = 1, but predicted 0").fill("are refused a loan")
        page.get_by_label("The question that the study is about").fill("Who gets a loan?")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.screenshot(path=folder / "page-words.png")
        page.get_by_role("button", name="See the first question").click()
        page.get_by_role("button", name="Publish").click()
        page.get_by_role("button", name="Make links").click()
        links = page.get_by_label("All links").input_value().split()
        _let_answer(served.store, [link.rpartition("/")[2] for link in links[:7]])
        page.goto(f"{served.address}/-/studies/loans-example")
        page.screenshot(path=folder / "page-study.png")
        page.get_by_role("link", name="Result").click()
        page.screenshot(path=folder / "page-people.png", full_page=True)


def _let_answer(store: Store, secrets: list[str]) -> None:
    """Let people answer who each hold a metric of their own; the last one leaves after four answers."""
    setting, rng = store.study("loans-example").setting, np.random.default_rng(0)
    for place, secret in enumerate(secrets, 1):
        truth = FairMetric.random(setting, rng)
        store.accept(secret)
        state = store.interview(secret)
        while state.question is not None and not (place == len(secrets) and len(state.answers) == 4):
            asked = state.question
            choice = "first" if truth.cost(asked.a) < truth.cost(asked.b) else "second"
            state = store.answer(secret, asked.n, choice)


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
