"""The store: one consistent line of answers, whatever is sent, however often, and from wherever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from tests.support.quick import SETTING, QuickRunner, study

from evenhand import EvenhandError, FairMetric
from evenhand.elicitation import History, Method, Question, next_question
from evenhand.elicitation.finding import Finding
from evenhand.rates.rounding import OUT_OF
from evenhand.study.interview import Interview
from evenhand.study.log.events import ANSWERED, STUDY
from evenhand.study.log.schema import log
from evenhand.study.log.tables import events_of_interview, events_where
from evenhand.study.refusals import (
    AnswerConflictError,
    ChangedError,
    OutOfOrderError,
    UnknownInterviewError,
    UnknownStudyError,
)
from evenhand.study.session import LONGEST_REASON
from evenhand.study.shown_question import ShownQuestion
from evenhand.study.store import Store, identity
from evenhand.study.study import Study, digest_of
from evenhand.web.api.interviews import state_document

QUESTIONS = 4


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as store:
        store.put_study(study())
        yield store


@pytest.fixture
def token(store: Store) -> str:
    return store.begin("loans")


def rows(store: Store, token: str) -> int:
    with store.database.reading() as connection:
        return len(events_of_interview(connection, identity(token)))


def same_question(one: ShownQuestion | None, other: ShownQuestion | None) -> bool:
    assert one is not None
    assert other is not None
    return one.n == other.n and one.a == other.a and one.b == other.b


def test_an_interview_goes_from_question_to_question_to_its_finding(store: Store, token: str) -> None:
    interview = store.interview(token)
    for n in range(1, QUESTIONS + 1):
        assert interview.finding is None
        assert interview.question is not None
        assert (interview.question.n, interview.about_left) == (n, QUESTIONS - n + 1)
        interview = store.answer(
            token, n, ["first", "second", "neither", "skip"][n - 1], f" because {n} " if n > 1 else ""
        )
        assert state_document(interview) == state_document(store.interview(token))
    assert interview.question is None
    assert interview.finding is not None
    assert [given.choice for given in interview.answers] == ["first", "second", "neither", "skip"]
    assert [given.why for given in interview.answers] == [None, "because 2", "because 3", "because 4"]
    with pytest.raises(OutOfOrderError, match="that was the last one"):
        store.answer(token, QUESTIONS + 1, "first")


def test_the_same_answer_sent_again_gets_the_same_reply_and_no_second_row(store: Store, token: str) -> None:
    replies = [state_document(store.answer(token, n, "first", "fair")) for n in range(1, QUESTIONS + 1)]
    before = rows(store, token)
    for n in range(1, QUESTIONS + 1):
        assert state_document(store.answer(token, n, "first", "fair")) == replies[n - 1]
        assert state_document(store.answer(token, n, "first")) == replies[n - 1]
    assert rows(store, token) == before


def test_another_answer_to_the_same_question_is_refused_and_shows_what_is_stored(store: Store, token: str) -> None:
    store.answer(token, 1, "first", "fair")
    before = rows(store, token)
    for choice, why in (("second", None), ("neither", "fair"), ("first", "another reason")):
        with pytest.raises(AnswerConflictError, match="“first”") as refused:
            store.answer(token, 1, choice, why)
        assert (refused.value.stored.choice, refused.value.stored.why) == ("first", "fair")
        assert ("another reason" in str(refused.value)) == (choice == "first")
    assert rows(store, token) == before


@pytest.mark.parametrize("n", [-1, 0, 2, 3, 10**9])
def test_answers_out_of_order_are_refused(store: Store, token: str, n: int) -> None:
    with pytest.raises(OutOfOrderError, match="no question is answered yet"):
        store.answer(token, n, "first")
    assert rows(store, token) == 2


def test_undo_goes_back_to_exactly_the_earlier_questions(store: Store, token: str) -> None:
    seen = []
    for n in range(1, QUESTIONS + 1):
        seen.append(store.interview(token).question)
        store.answer(token, n, "first")
    for n in range(QUESTIONS, 0, -1):
        interview = store.undo(token, n)
        assert state_document(interview) == state_document(store.interview(token))
        assert same_question(interview.question, seen[n - 1])
        assert interview.finding is None
        before = rows(store, token)
        assert state_document(store.undo(token, n)) == state_document(interview)
        assert rows(store, token) == before
    with pytest.raises(OutOfOrderError, match="no question is answered yet"):
        store.undo(token, 0)


def test_only_the_last_answer_that_stands_can_be_undone(store: Store, token: str) -> None:
    store.answer(token, 1, "first")
    store.answer(token, 2, "first")
    for n in (-1, 0, 1, 3):
        with pytest.raises(OutOfOrderError, match="questions 1 to 2 are answered"):
            store.undo(token, n)


def test_after_an_undo_another_answer_leads_elsewhere_and_the_first_one_back(store: Store, token: str) -> None:
    after_first = store.answer(token, 1, "first").question
    store.undo(token, 1)
    after_second = store.answer(token, 1, "second").question
    store.undo(token, 1)
    assert not same_question(after_first, after_second)
    assert same_question(store.answer(token, 1, "first").question, after_first)


def test_an_answer_that_comes_late_after_an_undo_is_not_applied_again(store: Store, token: str) -> None:
    seen = store.interview(token).revision
    store.answer(token, 1, "first", revision=seen)
    withdrawn = store.undo(token, 1)
    with pytest.raises(OutOfOrderError, match="out of date"):
        store.answer(token, 1, "first", revision=seen)
    assert not store.interview(token).answers
    answered = store.answer(token, 1, "second", revision=withdrawn.revision)
    with pytest.raises(OutOfOrderError, match="out of date"):
        store.undo(token, 1, revision=withdrawn.revision)
    assert not store.undo(token, 1, revision=answered.revision).answers


def test_two_open_stores_are_one(store_url: str, store: Store, token: str) -> None:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as other:
        for n, (one, two) in enumerate([(store, other), (other, store), (store, other)], 1):
            reply = one.answer(token, n, "first")
            assert state_document(two.answer(token, n, "first")) == state_document(reply)
            assert state_document(two.interview(token)) == state_document(reply)


def test_many_equal_answers_at_once_are_one_row_and_equal_replies(store_url: str, store: Store, token: str) -> None:
    with Store(store_url, runner=QuickRunner(QUESTIONS)) as other, ThreadPoolExecutor(50) as pool:
        sent = [pool.submit((store, other)[i % 2].answer, token, 1, "second", "so") for i in range(50)]
        replies = [state_document(each.result()) for each in sent]
    assert all(reply == replies[0] for reply in replies)
    assert rows(store, token) == 4


def test_of_different_answers_at_once_one_counts_and_the_others_are_told_which(store: Store, token: str) -> None:
    def answer(choice: str) -> str:
        try:
            return store.answer(token, 1, choice).answers[0].choice
        except AnswerConflictError as refused:
            return refused.stored.choice

    with ThreadPoolExecutor(9) as pool:
        told = set(pool.map(answer, ["first", "second", "neither"] * 3))
    assert told == {store.interview(token).answers[0].choice}
    assert rows(store, token) == 4


def test_people_at_once_do_not_disturb_each_other_or_the_chain(store: Store) -> None:
    def take(choice: str) -> Interview:
        token = store.begin("loans")
        for n in range(1, QUESTIONS + 1):
            store.answer(token, n, choice)
        return store.interview(token)

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(take, ["first", "second"] * 6))
    assert [{given.choice for given in one.answers} for one in taken] == [{"first"}, {"second"}] * 6
    assert len({one.token for one in taken}) == 12
    assert not store.breaks()


def test_an_interview_goes_on_with_the_study_it_began_with(store: Store, token: str) -> None:
    store.put_study(study())
    store.put_study(replace(study(), title="Another question"))
    assert store.study("loans").title == "Another question"
    assert store.interview(token).study.title == "Who is refused a loan?"
    assert store.interview(store.begin("loans")).study.title == "Another question"
    store.put_study(study())
    assert store.study("loans").title == "Who is refused a loan?"
    store.put_study(study("jobs"))
    assert list(store.studies()) == ["loans", "jobs"]


def test_an_interview_finds_its_study_when_a_later_version_would_write_it_with_more_fields(
    store: Store, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.answer(token, 1, "first")
    to_document = Study.to_document
    monkeypatch.setattr(Study, "to_document", lambda self: to_document(self) | {"owner": "later"})
    assert [given.choice for given in store.interview(token).answers] == ["first"]
    store.put_study(study())  # the same one, so that it is not kept again
    with store.database.reading() as connection:
        assert len(events_where(connection, log.c.kind == STUDY)) == 1


def test_what_is_not_there_is_said_to_be_missing(store: Store) -> None:
    for slug in ("nowhere", "", "No Slug", "a\x00b", "half \ud800", "x" * 10_000):
        with pytest.raises(UnknownStudyError):
            store.begin(slug)
    for token in ("", "x", "half \ud800", "a" * 10_000, "' OR 1=1 --", "a\x00b"):
        with pytest.raises(UnknownInterviewError):
            store.interview(token)
        with pytest.raises(UnknownInterviewError):
            store.answer(token, 1, "first")


@pytest.mark.parametrize(
    ("choice", "why", "words"),
    [
        ("both", None, "a choice is one of 'first', 'second', 'neither', 'skip'"),
        ("first", "x" * (LONGEST_REASON + 1), "shorten it"),
        ("first", "nul \x00", "cannot be shown"),
        ("first", "half \udfff", "cannot be shown"),
    ],
)
def test_an_answer_that_cannot_be_kept_is_refused(
    store: Store, token: str, choice: str, why: str | None, words: str
) -> None:
    with pytest.raises(EvenhandError, match=words):
        store.answer(token, 1, choice, why)
    assert rows(store, token) == 2


def test_reasons_keep_every_character(store: Store, token: str) -> None:
    why = "<script>alert('é')</script>\nΨ — 女性 👩‍⚖️ \" \\ % ; --"
    assert store.answer(token, 1, "first", why).answers[0].why == why
    assert store.interview(token).answers[0].why == why


def test_tokens_are_secrets_that_the_store_itself_does_not_hold(store: Store, token: str) -> None:
    other = store.begin("loans")
    assert len(token) >= 32
    assert token != other
    with store.database.reading() as connection:
        assert token not in repr(events_of_interview(connection, identity(token)))


def person(truth: FairMetric, asked: ShownQuestion) -> str:
    return "first" if truth.cost(asked.a) < truth.cost(asked.b) else "second"


def test_the_real_method_asks_the_same_in_a_new_process_and_finds_the_metric(store_url: str) -> None:
    truth = FairMetric.random(SETTING, 5)
    loans = study(models=6, max_questions=9)
    with Store(store_url) as store:
        store.put_study(loans)
        token = store.begin("loans")
        interview = store.interview(token)
        lived = []
        while interview.question is not None:
            asked = interview.question
            lived.append(asked)
            assert np.array_equal(asked.first, np.rint(asked.first * OUT_OF) / OUT_OF)
            if len(lived) == 3:  # a restart between question and answer
                with Store(store_url) as restarted:
                    assert same_question(restarted.interview(token).question, asked)
                    interview = restarted.answer(token, asked.n, person(truth, asked))
            else:
                interview = store.answer(token, asked.n, person(truth, asked))
        finding = interview.finding
        history = interview.history
    # What was asked, and found, is the pure function of the answers.
    for n, asked in enumerate(lived):
        again = next_question(SETTING, history[:n], method=loans.method, random_state=interview.seed)
        assert isinstance(again, Question)
        assert np.array_equal(again.first, asked.first)
        assert np.array_equal(again.second, asked.second)
    found = next_question(SETTING, history, method=loans.method, random_state=interview.seed)
    assert isinstance(found, Finding)
    assert finding is not None
    assert finding.metric == found.metric
    assert (finding.best, finding.ranking, finding.warnings) == (found.best, found.ranking, found.warnings)
    assert finding.choice == found.choice
    assert finding.intervals is not None
    assert found.intervals is not None
    assert np.array_equal(finding.intervals.violation, found.intervals.violation)


def test_the_row_of_an_answer_holds_the_question_as_it_was_shown(store: Store, token: str) -> None:
    asked = store.interview(token).question
    assert asked is not None
    store.answer(token, 1, "second", "so")
    with store.database.reading() as connection:
        row = next(row for row in events_of_interview(connection, identity(token)) if row.kind == ANSWERED)
    shown = json.loads(row.detail)
    assert (row.n, row.choice, row.why) == (1, "second", "so")
    assert (shown["first"], shown["second"]) == (asked.first.tolist(), asked.second.tolist())
    assert (shown["swapped"], shown["out_of"]) == (False, OUT_OF)


def test_a_result_that_could_not_be_read_back_is_not_kept(store_url: str) -> None:
    class Unreadable(QuickRunner):
        def step(self, method: Method, seed: int, history: History, *, interview: str = "") -> Question | Finding:
            reached = super().step(method, seed, history, interview=interview)
            return replace(reached, warnings=("\x00",)) if isinstance(reached, Finding) else reached

    with Store(store_url, runner=Unreadable(2)) as store:
        store.put_study(study())
        token = store.begin("loans")
        store.answer(token, 1, "first")
        with pytest.raises(EvenhandError, match="warnings contains"):
            store.answer(token, 2, "first")
        assert len(store.interview(token).answers) == 1
        assert not store.breaks()


def test_of_versions_made_from_one_only_the_first_is_kept(store: Store) -> None:
    base = study()
    version = digest_of(base.to_json())
    versions = [replace(base, title=f"Version {n}") for n in range(6)]

    def put(one: Study) -> bool:
        try:
            return store.put_study(one, over=version)
        except ChangedError:
            return False

    with ThreadPoolExecutor(6) as pool:
        kept = list(pool.map(put, versions))
    assert kept.count(True) == 1
    newest = versions[kept.index(True)]
    assert store.study("loans").title == newest.title
    assert not store.put_study(newest, over=version), "to send the same once more is no error"
    with pytest.raises(ChangedError, match="was changed meanwhile"):
        store.put_study(base, over="")
    assert store.put_study(base, over=digest_of(newest.to_json()))
