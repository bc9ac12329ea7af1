"""What is remembered of an interview is what folding all of its events gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.support.quick import QuickRunner, study

from evenhand.study.folds import Folds
from evenhand.study.interview import Interview, InterviewState, begun_interview, fold
from evenhand.study.log.events import Event
from evenhand.study.refusals import DamagedError
from evenhand.study.store import Store, identity
from evenhand.study.study import Study


@pytest.fixture
def events(store_url: str) -> list[Event]:
    with Store(store_url, runner=QuickRunner(20)) as store:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 6):
            store.answer(token, n, "first", f"reason {n}")
        store.undo(token, 5)
        return store.log.events(identity(token))


def begun(events: list[Event], of: Study | None = None) -> Interview:
    return begun_interview("secret", {_digest(events): LOANS if of is None else of}, events)


LOANS = study()


def _digest(events: list[Event]) -> str:
    return str(events[0].to_document()["detail"]["study"])


def told(state: InterviewState) -> list[Any]:
    question = None if state.question is None else (state.question.n, state.question.first.tolist())
    return [state.revision, state.reached, question, [(given.choice, given.why) for given in state.answers]]


@pytest.fixture
def folded(events: list[Event], monkeypatch: pytest.MonkeyPatch) -> list[Event]:  # which are made before
    """The events that are folded in a test."""
    folded: list[Event] = []
    with_event = Interview.with_event

    def noted(self: Interview, event: Event) -> Interview:
        folded.append(event)
        return with_event(self, event)

    monkeypatch.setattr(Interview, "with_event", noted)
    return folded


def test_each_event_is_folded_once_and_the_state_is_the_same(events: list[Event], folded: list[Event]) -> None:
    start, folds = begun(events), Folds()
    states = [folds.fold("one", start, events[:n]) for n in range(1, len(events) + 1)]
    assert folded == events[1:]
    assert [told(state) for state in states] == [told(fold(start, events[:n])) for n in range(1, len(events) + 1)]


def test_a_store_folds_what_it_writes_once_and_reads_nothing_back_that_it_knows(
    store_url: str, folded: list[Event]
) -> None:
    with Store(store_url, runner=QuickRunner(20)) as store, Store(store_url, runner=QuickRunner(20)) as other:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 4):
            assert told(store.answer(token, n, "first")) == told(store.interview(token))
        assert told(store.undo(token, 3)) == told(store.interview(token))
        events = store.log.events(identity(token))
        assert folded == events[1:]
        assert told(other.interview(token)) == told(store.interview(token)) == told(fold(begun(events), events))


def test_what_another_process_answers_is_seen_by_one_that_remembers(store_url: str) -> None:
    with Store(store_url, runner=QuickRunner(20)) as store, Store(store_url, runner=QuickRunner(20)) as other:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 6, 2):
            here = store.answer(token, n, "first")
            there = other.answer(token, n + 1, "second", revision=here.revision)
            assert told(store.interview(token)) == told(there)


def test_an_event_that_was_changed_is_noticed_though_it_was_folded_before(events: list[Event]) -> None:
    start, folds = begun(events), Folds()
    folds.fold("one", start, events)
    changed = [*events[:3], replace(events[3], why="another"), *events[4:]]
    assert told(folds.fold("one", start, changed)) == told(fold(start, changed))
    damaged = [*events[:2], replace(events[2], detail="{"), *events[3:]]
    with pytest.raises(DamagedError, match="event 3 of interview"):
        folds.fold("one", start, damaged)
    assert told(folds.fold("one", start, events[:4])) == told(fold(start, events[:4]))


def test_an_error_names_the_place_of_the_event_in_the_whole_interview(events: list[Event]) -> None:
    start, folds = begun(events), Folds()
    folds.fold("one", start, events)
    with pytest.raises(DamagedError, match=f"event {len(events) + 1} of interview"):
        folds.fold("one", start, [*events, replace(events[-1], n=99)])


def test_an_interview_that_began_otherwise_is_folded_anew(events: list[Event]) -> None:
    folds, other = Folds(), study()
    folds.fold("one", begun(events), events)
    assert folds.fold("one", begun(events, other), events).study is other


def test_only_so_many_events_are_remembered(events: list[Event]) -> None:
    folds, start = Folds(most_events=3 * len(events)), begun(events)
    for n in range(10):
        folds.fold(str(n), start, events)
    assert list(folds.interviews) == ["7", "8", "9"]
    folds.forget("8")
    assert list(folds.interviews) == ["7", "9"]
