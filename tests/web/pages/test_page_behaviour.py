"""What a person does at a question besides answering it: undo, leave, say why, click twice, lose the connection."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.web.axe import violations
from tests.web.person import begin, by_clicks, question_number, seen, wait_for_question
from tests.web.served import Served

from evenhand.study.refusals import NotSavedError


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        begin(page, f"{served.address}/demo")
        yield page


@pytest.fixture
def scriptless(browser: Browser, served: Served) -> Iterator[Page]:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        begin(page, f"{served.address}/demo")
        yield page


def _token(page: Page) -> str:
    return page.url.split("/i/")[1].split("#")[0].split("/")[0]


def _answer(page: Page, choice: str) -> None:
    n = question_number(page)
    by_clicks(page, choice)
    wait_for_question(page, n + 1)


def test_the_first_page_introduces_the_study_and_the_next_ones_do_not(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/demo")
    expect(page.get_by_role("heading", name="Who is called in for extra care?")).to_be_in_viewport()
    expect(page.get_by_text("214 people under 50").first).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Prefer A")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Who this is about")).to_have_count(0)


def test_undo_goes_back_as_far_as_wanted_and_shows_the_same_questions(page: Page, served: Served) -> None:
    setting = served.store.study("demo").setting
    questions = []
    for choice in ("first", "second", "neither"):
        questions.append(seen(page, setting))
        _answer(page, choice)
    for asked in reversed(questions):
        page.keyboard.press("Backspace")
        wait_for_question(page, questions.index(asked) + 1)
        assert seen(page, setting) == asked
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert served.store.interview(_token(page)).answers == ()


def test_undo_works_without_a_script(scriptless: Page, served: Served) -> None:
    setting = served.store.study("demo").setting
    first = seen(scriptless, setting)
    _answer(scriptless, "first")
    scriptless.get_by_role("button", name="Undo").click()
    wait_for_question(scriptless, 1)
    assert seen(scriptless, setting) == first


def test_who_leaves_comes_back_to_the_same_question(page: Page, browser: Browser, served: Served) -> None:
    _answer(page, "first")
    setting = served.store.study("demo").setting
    left = seen(page, setting)
    with browser.new_context() as another:
        back = another.new_page()
        back.goto(page.url)
        assert question_number(back) == 2
        assert seen(back, setting) == left


def test_the_reason_is_kept_and_enter_in_its_line_answers_nothing(scriptless: Page, served: Served) -> None:
    line = scriptless.get_by_label("Why?")
    line.fill("too many are <missed>")
    line.press("Enter")
    assert question_number(scriptless) == 1
    by_clicks(scriptless, "second")
    expect(scriptless).to_have_title("Question 2 · Who is called in for extra care?")
    (given,) = served.store.interview(_token(scriptless)).answers
    assert (given.choice, given.why) == ("second", "too many are <missed>")


def test_keys_do_not_answer_while_somebody_writes_or_reads_the_help(page: Page, served: Served) -> None:
    line = page.get_by_label("Why?")
    line.fill("because")
    line.press("ArrowLeft")
    line.press("Backspace")
    line.press("=")
    expect(line).to_have_value("becau=e")
    line.blur()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="How to read this page")).to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="How to read this page")).to_be_hidden()
    assert served.store.interview(_token(page)).answers == ()


def test_a_double_click_is_one_answer(page: Page, served: Served) -> None:
    page.get_by_role("button", name="Prefer A").dblclick()
    wait_for_question(page, 2)
    page.wait_for_load_state("networkidle")
    assert len(served.store.interview(_token(page)).answers) == 1


def test_a_second_tab_cannot_change_an_answer_and_sees_what_is_stored(browser: Browser, served: Served) -> None:
    with browser.new_context() as context:
        first, second = context.new_page(), context.new_page()
        begin(first, f"{served.address}/demo")
        second.goto(first.url)
        by_clicks(first, "first")
        expect(first).to_have_title("Question 2 · Who is called in for extra care?")
        by_clicks(second, "second")
        expect(second.get_by_role("heading", level=1)).to_have_text("Question 1 is already answered")
        expect(second.get_by_text("you prefer A")).to_be_visible()
        assert violations(second) == ""
        second.get_by_role("link", name="To your interview").click()
        wait_for_question(second, 2)
        assert [given.choice for given in served.store.interview(_token(second)).answers] == ["first"]


@pytest.mark.parametrize("lost", ["the request", "the reply", "the way there"])
def test_a_lost_connection_is_said_and_the_answer_can_be_sent_again(page: Page, served: Served, lost: str) -> None:
    def lose(route: Route) -> None:
        if lost == "the reply":
            route.fetch(max_redirects=0)
        if lost == "the way there":
            route.fulfill(status=502, body="<h1>Bad gateway</h1>")
        else:
            route.abort()

    page.route("**/answers/1", lose)
    by_clicks(page, "first")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Not saved")
    page.unroute("**/answers/1")
    alert.get_by_role("button", name="Send again").click()
    wait_for_question(page, 2)
    assert [given.choice for given in served.store.interview(_token(page)).answers] == ["first"]


def test_a_wait_beyond_half_a_second_is_shown_and_a_shorter_one_is_not(page: Page, served: Served) -> None:
    def hold(route: Route) -> None:
        time.sleep(1.5)
        route.continue_()

    page.route("**/answers/1", hold)
    by_clicks(page, "first")
    expect(page.get_by_role("status").get_by_text("Saving your answer")).to_be_visible(timeout=1200)
    wait_for_question(page, 2)
    expect(page.get_by_text("Saving your answer")).to_have_count(0)


def test_the_wait_for_the_result_is_shown_too(page: Page, served: Served) -> None:
    """The last answer takes longest: the result is worked out from a larger sample."""

    def hold(route: Route) -> None:
        time.sleep(1.5)
        route.continue_()

    begin(page, f"{served.address}/g2-c2")
    last = len(served.store.interview(_token(page)).answers) + served.store.interview(_token(page)).about_left
    for _ in range(last - 1):
        _answer(page, "first")
    page.route(f"**/answers/{last}", hold)
    by_clicks(page, "first")
    expect(page.get_by_role("status").get_by_text("working out what comes next")).to_be_visible()
    expect(page.get_by_text(f"After your {last} answers")).to_be_visible()
    expect(page.get_by_text("working out what comes next")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_an_answer_that_the_store_could_not_keep_can_be_sent_again(
    browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch, script: bool
) -> None:
    with browser.new_context(java_script_enabled=script) as context:
        page = context.new_page()
        begin(page, f"{served.address}/demo")
        page.get_by_label("Why?").fill("fewer missed")

        def full(*_: object, **__: object) -> None:
            raise NotSavedError("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(type(served.store), "answer", full)
            by_clicks(page, "first")
            expect(page.get_by_role("heading", level=1)).to_have_text("Not saved")
            expect(page.get_by_text("the disk is full")).to_be_visible()
            assert not script or violations(page) == ""  # axe-core is a script itself
        page.get_by_role("button", name="Send again").click()
        expect(page).to_have_title("Question 2 · Who is called in for extra care?")
        (given,) = served.store.interview(_token(page)).answers
        assert (given.choice, given.why) == ("first", "fewer missed")


def test_undo_is_possible_at_the_result_too(page: Page, served: Served) -> None:
    begin(page, f"{served.address}/g2-c2")
    for _ in range(2):
        _answer(page, "neither")
    by_clicks(page, "neither")
    expect(page.get_by_role("heading", level=1)).to_contain_text("After your 3 answers")
    page.keyboard.press("Backspace")
    wait_for_question(page, 3)
