"""Every page in a real browser: axe-core finds nothing, and nothing is cut off or overlaps at any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.web.axe import violations
from tests.web.person import begin, by_clicks, wait_until_answered
from tests.web.served import Served
from tests.web.studies import study_of

from evenhand.wording.phrases import Phrases

WIDE: ViewportSize = {"width": 1280, "height": 800}
TABLET: ViewportSize = {"width": 768, "height": 1024}
PHONE: ViewportSize = {"width": 360, "height": 740}

# What a person would call cut off or overlapping: the page scrolls sideways, text leaves its box, or two boxes that
# stand side by side in a row share ground.
_FLAWS = """() => {
  const seen = element => !element.closest(".unseen, .than, .sentence") || element.matches(".sentence");
  const name = element => element.className.baseVal ?? element.className ?? element.tagName;
  const flaws = [];
  if (document.documentElement.scrollWidth > innerWidth) flaws.push("the page scrolls sideways");
  const boxes = ".cell, .band, .card, .bar, .choice, .number, .row > .stem, .progress, li";
  for (const box of document.querySelectorAll(boxes)) {
    if (!seen(box) || !box.offsetParent) continue;
    if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline")
      flaws.push(`${name(box)} is ${box.scrollWidth} wide in ${box.clientWidth}`);
  }
  const rows = document.querySelectorAll(".cell, .numbers, .bar, .heads, .ranking li, .weights li, .sures figure");
  for (const row of rows) {
    const parts = [...row.children].filter(part => getComputedStyle(part).position !== "absolute")
      .map(part => [part, part.getBoundingClientRect()]).filter(([, at]) => at.width && at.height);
    for (const [i, [one, a]] of parts.entries())
      for (const [other, b] of parts.slice(i + 1))
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3.5)
          flaws.push(`${name(one)} and ${name(other)} overlap in ${name(row)}`);
  }
  return [...new Set(flaws)];
}"""


def _flaws(page: Page) -> list[str]:
    flaws: list[str] = page.evaluate(_FLAWS)
    return flaws


@pytest.fixture(params=["light and wide", "dark and on a phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    light = request.param == "light and wide"
    with browser.new_context(
        color_scheme="light" if light else "dark", viewport=WIDE if light else PHONE, reduced_motion="reduce"
    ) as context:
        yield context.new_page()


def test_axe_finds_nothing_from_the_first_page_to_the_last(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/g2-c3")
    assert violations(page) == ""
    assert _flaws(page) == []
    begin(page, page.url)
    page.goto(f"{page.url}#help")
    assert violations(page) == ""
    for n in range(1, 4):
        by_clicks(page, "first")
        wait_until_answered(page, n)
        if n != 2:
            assert violations(page) == ""
        assert _flaws(page) == []


def test_axe_finds_nothing_where_a_page_is_missing_or_short(page: Page, served: Served) -> None:
    for path in ("/", "/nothing-here"):
        page.goto(served.address + path)
        assert page.get_by_role("heading", level=1).inner_text()
        assert violations(page) == ""
        assert _flaws(page) == []


def test_axe_finds_nothing_where_nothing_should_be_decided(page: Page, served: Served) -> None:
    for choice, heading in (("neither", "Most answers are “can’t tell”"), ("first", "Too few answers to decide by")):
        token = served.store.begin("g2-c3")
        while (question := served.store.interview(token).question) is not None:
            served.store.answer(token, question.n, choice)
        page.goto(f"{served.address}/i/{token}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        assert violations(page) == ""
        assert _flaws(page) == []


def test_words_without_a_blank_stay_on_the_page(page: Page, served: Served) -> None:
    study, long = study_of(2, 2), "logistic_regression_balanced_threshold_0.35_" * 4
    words = Phrases(
        groups={group: f"{long[:80]} {group}" for group in study.setting.groups},
        classes=dict.fromkeys(study.setting.classes, f"who {long[:80]}"),
        mistakes=dict.fromkeys(study.setting.mistakes, f"are {long[:80]}"),
    )
    candidates = {f"{long}{place}": rates for place, rates in enumerate(study.candidates.values())}
    served.store.put_study(
        replace(study, slug="long", title=long, introduction=long * 2, words=words, candidates=candidates)
    )
    page.goto(served.address)
    assert _flaws(page) == []
    page.goto(f"{served.address}/long")
    assert _flaws(page) == []
    begin(page, page.url)
    for n in range(1, 4):
        assert _flaws(page) == []
        by_clicks(page, "first")
        wait_until_answered(page, n)
    expect(page.get_by_role("heading", level=1)).to_contain_text("your 3 answers", ignore_case=True)
    assert _flaws(page) == []


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("groups", [2, 3, 4, 5])
def test_two_to_five_groups_and_two_to_four_classes_stay_readable(
    browser: Browser, served: Served, groups: int, classes: int
) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        begin(page, f"{served.address}/g{groups}-c{classes}")
        for size in (WIDE, TABLET, PHONE):
            page.set_viewport_size(size)
            assert _flaws(page) == []
            smallest = page.evaluate(
                "Math.min(...[...document.querySelectorAll('.models p, .models .more')].map("
                "text => parseFloat(getComputedStyle(text).fontSize)))"
            )
            assert smallest >= 12
        assert page.locator("main .people").count() == 2 * groups * classes
        assert page.locator("main svg.ruler").count() == 2 * classes * (classes - 1)
