"""The newcomer's path: from an empty server to a study of one's own with two people's answers, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.support.quick import study
from tests.web.axe import violations
from tests.web.person import question_number, seen
from tests.web.served import Served, serving

from evenhand.metric import FairMetric
from evenhand.study.demo.example_file import NAME, example_file
from evenhand.study.store import Store
from evenhand.web.drafts import Drafts

MOST_CLICKS = 25
MINUTES = 10
QUESTIONS = 6
"""For each person: the fewest after which these two people's answers are a basis for a decision."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Store(f"sqlite:///{tmp_path}/store.db") as store, serving(store, Drafts(tmp_path / "drafts")) as served:
        yield served


class Hand:
    """Counts clicks."""

    def __init__(self) -> None:
        self.clicks = 0

    def press(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def follow(self, what: Locator) -> None:
        """Press, and wait for the next page."""
        follow(what)
        self.clicks += 1


def follow(what: Locator) -> None:
    """Press what leads to another page, and wait for that: axe-core must not look while the page changes."""
    with what.page.expect_navigation():
        what.click()


def sound(page: Page) -> None:
    """Check that axe-core finds nothing, and the page does not scroll sideways."""
    assert violations(page) == "", page.url
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), page.url


def answer(page: Page, hand: Hand, truth: FairMetric) -> int:
    """Answer everything, and return how many answers that took."""
    asked = 0
    while question_number(page):
        asked += 1
        a, b = seen(page, truth.setting)
        hand.press(page.get_by_role("button", name="Prefer A" if truth.cost(a) < truth.cost(b) else "Prefer B"))
        expect(page).not_to_have_title(f"Question {asked} · Who gets a loan?", timeout=30_000)
        page.wait_for_load_state()
    return asked


def test_from_an_empty_server_to_two_people_s_result(
    browser: Browser, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = iter((1, 2))  # so few questions decide for nearly all seeds, but not for all
    monkeypatch.setattr("evenhand.study.store.new_seed", lambda: next(seeds))
    begun, hand, people = time.monotonic(), Hand(), Hand()
    file = tmp_path / NAME
    file.write_text(example_file())
    with (
        browser.new_context(reduced_motion="reduce", viewport={"width": 1080, "height": 800}) as own,
        browser.new_context(reduced_motion="reduce", viewport={"width": 390, "height": 844}, has_touch=True) as phone,
        browser.new_context(java_script_enabled=False) as plain,
    ):
        page = own.new_page()
        page.goto(served.link)
        assert page.url == f"{served.address}/-/"
        sound(page)
        hand.follow(page.get_by_role("link", name="New study"))
        sound(page)
        with page.expect_file_chooser() as chooser:
            hand.press(page.locator("#file"))
        chooser.value.set_files(file)
        hand.follow(page.get_by_role("button", name="Read the file"))
        sound(page)
        hand.follow(page.get_by_role("button", name="Measure the models"))
        sound(page)
        hand.follow(page.get_by_role("button", name="Choose the words"))
        page.get_by_label("repaid = 1", exact=True).fill("who would repay")
        page.get_by_label("repaid = 1, but predicted 0").fill("are refused")
        page.get_by_label("The question that the study is about").fill("Who gets a loan?")
        page.get_by_label("The most questions that a person is asked").fill(str(QUESTIONS))
        expect(page.locator(".sentences p").nth(1)).to_have_text("Of 100 men who would repay, 21 are refused.")
        expect(page.get_by_role("button", name="Show the sentences")).to_have_count(0)
        sound(page)
        hand.follow(page.get_by_role("button", name="See the first question"))
        sound(page)
        hand.follow(page.get_by_role("button", name="Publish"))
        sound(page)
        page.get_by_label("How many people").fill("2")
        hand.follow(page.get_by_role("button", name="Make links"))
        sound(page)
        links = page.get_by_label("All links").input_value().split()
        hand.follow(page.get_by_role("link", name="To the study"))
        sound(page)

        made = served.store.study("loans-example")
        truths = [
            FairMetric.from_weights(made.setting, misclassification=[1, 2], violation=[[0.5, 1]], trade_off=0.5),
            FairMetric.from_weights(made.setting, misclassification=[1, 1], violation=[[1, 1]], trade_off=1.0),
        ]
        answers = []
        for context, link, truth in zip((phone, plain), links, truths, strict=True):
            theirs = context.new_page()
            theirs.goto(link)
            people.press(theirs.get_by_role("button", name="Begin", exact=True))
            theirs.wait_for_load_state()
            answers.append(answer(theirs, people, truth))
            expect(theirs.get_by_role("heading", level=1)).to_contain_text("answers favour")

        page.reload()
        expect(page.locator(".pill.finished")).to_have_count(2)
        page.goto(f"{served.address}/-/")
        sound(page)
        page.go_back()
        expect(page.locator(".tiles li").nth(2)).to_have_text("2 finished")
        hand.press(page.get_by_role("link", name="Result"))
        expect(page.get_by_role("heading", level=1)).to_contain_text("of 2 people who have finished.")
        assert page.locator(".strip .dot").count() == 2 * 5
        sound(page)
    minutes = (time.monotonic() - begun) / 60
    assert answers == [QUESTIONS, QUESTIONS]
    assert people.clicks == sum(answers) + 2  # with the two clicks that begin the interviews
    assert hand.clicks + people.clicks <= MOST_CLICKS
    assert minutes < MINUTES
    assert list((tmp_path / "drafts").iterdir()) == []


def test_a_study_is_made_without_javascript_in_the_dark_on_a_phone(browser: Browser, served: Served) -> None:
    with browser.new_context(
        java_script_enabled=False,
        color_scheme="dark",
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
    ) as context:
        page = context.new_page()
        page.goto(served.link)
        follow(page.get_by_role("link", name="New study"))
        follow(page.get_by_role("button", name="Use the example file"))
        follow(page.get_by_role("button", name="Measure the models"))
        follow(page.get_by_role("button", name="Choose the words"))
        page.get_by_label("sex = f").fill("ladies")
        page.get_by_role("button", name="Show the sentences").click()
        expect(page.locator(".sentences p").first).to_contain_text("Of 100 ladies")
        page.get_by_label("sex = m").fill("gentlemen")
        page.get_by_role("button", name="✓ Columns").click()
        follow(page.get_by_role("button", name="Measure the models"))
        follow(page.get_by_role("button", name="Choose the words"))
        expect(page.get_by_label("sex = m")).to_have_value("gentlemen")
        page.get_by_label("sex = m").press("Enter")
        expect(page).to_have_title("Preview · new study · evenhand")
        page.get_by_role("link", name="Back to words").click()
        follow(page.get_by_role("button", name="See the first question"))
        follow(page.get_by_role("button", name="Publish"))
        follow(page.get_by_role("button", name="Make links"))
        assert len(page.get_by_label("All links").input_value().split()) == 8
        expect(page.get_by_role("button", name="Copy all")).to_have_count(0)
        assert page.locator(".code svg").count() == 8


@pytest.mark.parametrize("look", ["light", "dark and on a phone"])
def test_axe_finds_nothing_on_pages_with_problems(browser: Browser, served: Served, look: str) -> None:
    small = look != "light"
    with browser.new_context(
        reduced_motion="reduce",
        color_scheme="dark" if small else "light",
        viewport={"width": 360, "height": 740} if small else {"width": 1080, "height": 800},
    ) as context:
        page = context.new_page()
        page.goto(f"{served.address}/-/")
        sound(page)
        page.goto(f"{served.address}/-/?token=wrong")
        assert "token" not in page.url
        sound(page)
        page.goto(served.link)
        page.goto(f"{served.address}/-/new")
        sound(page)
        page.locator("#file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": b"PK\x03\x04"})
        follow(page.get_by_role("button", name="Read the file"))
        expect(page.get_by_role("alert")).to_contain_text("is a spreadsheet or an archive")
        sound(page)
        follow(page.get_by_role("button", name="Use the example file"))
        sound(page)
        page.get_by_label("sex", exact=True).select_option("")
        follow(page.get_by_role("button", name="Measure the models"))
        expect(page.get_by_role("alert")).to_contain_text("no column says the group")
        sound(page)
        page.get_by_label("sex", exact=True).select_option("group")
        follow(page.get_by_role("button", name="Measure the models"))
        sound(page)
        follow(page.get_by_role("button", name="Choose the words"))
        page.get_by_label("Its name in the address").fill("No!")
        follow(page.get_by_role("button", name="See the first question"))
        expect(page.get_by_role("alert")).to_contain_text("Correct what is marked below")
        sound(page)
        page.goto(f"{served.address}/-/studies/none")
        sound(page)
        for slug in ("loans", "jobs"):  # which have the same title
            served.store.put_study(study(slug))
            served.store.invite(slug)
        page.goto(f"{served.address}/-/")
        expect(page.get_by_role("heading", level=2)).to_have_count(2)
        sound(page)


@pytest.mark.parametrize("width", [360, 1080])
def test_names_without_a_blank_make_no_page_scroll_sideways(browser: Browser, served: Served, width: int) -> None:
    long = replace(study(), title="W" * 200, slug="s" * 40)
    named = {f"{n}{'M' * 199}": rates for n, rates in enumerate(long.candidates.values())}
    served.store.put_study(replace(long, candidates=named))
    [invitation] = served.store.invite(long.slug, 1, "L" * 200)
    with browser.new_context(viewport={"width": width, "height": 740}) as context:
        page = context.new_page()
        page.goto(served.link)
        for path in ("/-/", f"/-/studies/{long.slug}", f"/-/studies/{long.slug}/result", f"/i/{invitation.secret}"):
            page.goto(f"{served.address}{path}")
            sound(page)
        page.goto(f"{served.address}/-/studies/{long.slug}")
        follow(page.get_by_role("button", name="Edit the words"))
        for press in ("Back to models", "Choose the words", "See the first question"):
            expect(page.get_by_role("button", name=press)).to_be_visible()
            sound(page)
            follow(page.get_by_role("button", name=press))
        expect(page.get_by_role("button", name="Publish")).to_be_visible()
        sound(page)
