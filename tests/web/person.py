"""A simulated person at the browser: sees only what the page shows, and answers by a metric that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect

from evenhand.metric import FairMetric
from evenhand.rates import GroupRates, Setting, off_diagonal_entries
from evenhand.typing import Floats

Answers = Callable[[Page, str], None]

BUTTONS = {"first": "Prefer A", "second": "Prefer B", "neither": "Can't tell"}
KEYS = {"first": "ArrowLeft", "second": "ArrowRight", "neither": "="}


def begin(page: Page, address: str) -> None:
    """Open a study's own address, and begin."""
    page.goto(address)
    page.get_by_role("button", name="Begin", exact=True).click()
    wait_for_question(page, 1)


def by_clicks(page: Page, choice: str) -> None:
    page.get_by_role("button", name=BUTTONS[choice], exact=True).click()


def by_keys(page: Page, choice: str) -> None:
    page.keyboard.press(KEYS[choice])


def seen(page: Page, setting: Setting) -> tuple[GroupRates, GroupRates]:
    """Read both models off the page: the numbers of people of 100, in the order of the page."""
    a, b = page.evaluate(
        """["A", "B"].map(model => [...document.querySelectorAll(`.row:not(.gaps) .cell.${model}`)].map(
             cell => [...cell.querySelectorAll(".number b")].map(number => Number(number.textContent))))"""
    )
    return _rates(setting, np.array(a, dtype=np.float64)), _rates(setting, np.array(b, dtype=np.float64))


def _rates(setting: Setting, numbers: Floats) -> GroupRates:
    m, k = len(setting.groups), len(setting.classes)
    by_outcome = numbers.reshape(k, m, k - 1) / 100
    places = {entry: place for place, entry in enumerate(off_diagonal_entries(k))}
    vector = np.zeros((m, k * (k - 1)))
    for i in range(k):
        for at, j in enumerate(j for j in range(k) if j != i):
            vector[:, places[i, j]] = by_outcome[i, :, at]
    return GroupRates.from_vector(setting, vector)


def question_number(page: Page) -> int:
    found = re.match(r"Question (\d+)", page.title())
    return int(found.group(1)) if found else 0


def wait_for_question(page: Page, n: int) -> None:
    _wait_for_title(page, rf"Question {n} ")


def wait_until_answered(page: Page, n: int) -> None:
    _wait_for_title(page, rf"(?!Question {n} ).")


def _wait_for_title(page: Page, pattern: str) -> None:
    """Wait for the whole page: without scripts the way to it is by a document that has no title yet."""
    expect(page).to_have_title(re.compile(f"^{pattern}"), timeout=30_000)
    page.wait_for_load_state()


def answer_all(page: Page, truth: FairMetric, answers: Answers) -> int:
    """Answer until the result is there, and return how many questions that took."""
    asked = 0
    while question_number(page):
        asked += 1
        assert question_number(page) == asked
        a, b = seen(page, truth.setting)
        difference = truth.cost(b) - truth.cost(a)
        answers(page, "first" if difference > 0 else "second" if difference < 0 else "neither")
        wait_until_answered(page, asked)
    return asked


def ranking(page: Page) -> list[str]:
    return page.locator(".ranking .name").all_inner_texts()
