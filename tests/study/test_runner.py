"""What is asked next depends on the answers that stand, and on nothing that happened on the way to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.support.quick import study

from evenhand.elicitation import Finding, History, Method, Question
from evenhand.elicitation.methods.method import Reached
from evenhand.elicitation.question import SKIP, Answer
from evenhand.study.interview import InterviewState
from evenhand.study.log.events import Event
from evenhand.study.log.memory import MemoryLog
from evenhand.study.refusals import BusyError, NotSavedError
from evenhand.study.runner import Runner, history_digest
from evenhand.study.session import Session
from evenhand.study.snapshots import InProcess

LOANS = study(models=4, max_questions=5)


def same(one: Question | Finding, other: Question | Finding) -> bool:
    if isinstance(one, Finding) or isinstance(other, Finding):
        return isinstance(one, Finding) and isinstance(other, Finding) and one.metric == other.metric
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def test_an_interview_goes_on_exactly_as_a_replay_would_in_whichever_process() -> None:
    shared = InProcess()
    processes = [Runner(shared), Runner(shared)]
    history: list[tuple[Question, Answer]] = []
    answers: list[Answer] = [True, None, False, SKIP, True]
    outcome = processes[0].step(LOANS.method, 3, history)
    while isinstance(outcome, Question):
        # Another answer first, as before an undo; and each of them twice, as after a write that failed.
        for answer in (not answers[len(history)], answers[len(history)]):
            now = [*history, (outcome, answer)]
            reply = processes[len(now) % 2].step(LOANS.method, 3, now)
            assert processes[len(now) % 2].step(LOANS.method, 3, now) is reply
            assert same(reply, Runner().step(LOANS.method, 3, now))
        history, outcome = now, reply
    assert len(history) <= 5


def count_answers_learned_from(monkeypatch: pytest.MonkeyPatch, counts: list[int]) -> None:
    """Note down from how many answers each outcome was worked out."""
    reached = type(LOANS.method).reached

    def counted(self: Method, history: History, *, seed: int | None = None, snapshot: bytes | None = None) -> Reached:
        counts.append(len(history) if snapshot is None else 1)
        return reached(self, history, seed=seed, snapshot=snapshot)

    monkeypatch.setattr(type(LOANS.method), "reached", counted)


def test_an_answer_takes_one_step_after_many_interviews_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    learned_from: list[int] = []
    count_answers_learned_from(monkeypatch, learned_from)
    method, runner = LOANS.method, Runner()
    histories: list[list[tuple[Question, Answer]]] = [[] for _ in range(100)]
    for _ in range(3):
        for person, history in enumerate(histories):
            asked = runner.step(method, person, history, interview=str(person))
            assert isinstance(asked, Question)
            history.append((asked, True))
    assert max(learned_from) == 1


class Unreliable(MemoryLog):
    """Takes nothing as long as it is full."""

    full = False

    def append(self, interview: str, events: Sequence[Event], *, after: int) -> bool:
        """Add events, or refuse them."""
        if self.full:
            raise NotSavedError("the disk is full")
        return super().append(interview, events, after=after)


def test_an_interview_that_goes_on_keeps_what_it_learned_once_and_one_that_ended_nothing() -> None:
    kept = CountedSnapshots()
    session = Session(MemoryLog(), "one", InterviewState(method=LOANS.method, seed=3), Runner(kept))
    state = session.state()
    while state.question is not None:
        assert len(kept.held) == 1
        n = state.question.n
        session.answer(n, "first")
        session.undo(n)
        state = session.answer(n, "second")
    assert not kept.held


def test_an_answer_that_was_not_saved_costs_one_step_when_it_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    learned_from: list[int] = []
    count_answers_learned_from(monkeypatch, learned_from)
    log, runner = Unreliable(), Runner()
    session = Session(log, "one", InterviewState(method=LOANS.method, seed=3), runner)
    session.state()
    session.answer(1, "first")
    log.full = True
    with pytest.raises(NotSavedError):
        session.answer(2, "first")
    for other in range(20):  # what they come to takes the place of what was worked out for the one
        runner.step(LOANS.method, other, [], interview=str(other))
    log.full = False
    learned_from.clear()
    session.answer(2, "first")
    assert learned_from == [1]


def test_other_seeds_studies_and_interviews_do_not_get_each_other_s_questions() -> None:
    runner = Runner()
    first = runner.step(LOANS.method, 3, [])
    assert runner.step(LOANS.method, 4, []) is not first
    assert runner.step(study(models=5, max_questions=5).method, 3, []) is not first
    assert runner.step(LOANS.method, 3, [], interview="another") is not first
    assert runner.step(LOANS.method, 3, []) is first


class CountedSnapshots(InProcess):
    """Knows which ones it has."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[tuple[str, str]] = set()

    def put(self, interview: str, point: str, snapshot: bytes) -> None:
        """Keep one."""
        super().put(interview, point, snapshot)
        self.held.add((interview, point))

    def drop(self, interview: str, point: str) -> None:
        """Drop one."""
        super().drop(interview, point)
        self.held.discard((interview, point))


class Damaged(InProcess):
    """Gives back less than it was given."""

    def __init__(self, left: slice) -> None:
        super().__init__()
        self.left = left

    def get(self, interview: str, point: str) -> bytes | None:
        """Return a part."""
        held = super().get(interview, point)
        return None if held is None else held[self.left]


@pytest.mark.parametrize("left", [slice(0), slice(-1), slice(1, None), slice(40)])
def test_a_snapshot_that_cannot_be_read_is_replaced_by_a_replay(left: slice) -> None:
    kept = Damaged(left)
    asked = Runner(kept).step(LOANS.method, 3, [])
    assert isinstance(asked, Question)
    again = Runner(kept).step(LOANS.method, 3, [(asked, True)])
    assert same(again, Runner().step(LOANS.method, 3, [(asked, True)]))


def test_what_was_learned_of_somebody_who_withdrew_is_dropped() -> None:
    kept = InProcess()
    runner = Runner(kept)
    first = runner.step(LOANS.method, 3, [], interview="one")
    runner.step(LOANS.method, 3, [], interview="two")
    runner.forget("one")
    point = history_digest(3, [])
    assert kept.get("one", point) is None
    assert kept.get("two", point) is not None
    assert runner.step(LOANS.method, 3, [], interview="one") is not first


def test_an_answer_to_what_another_version_asked_is_not_taken_for_an_answer_to_our_own_question() -> None:
    short, runner = study(models=4, max_questions=1), Runner()
    ours = runner.step(short.method, 3, [])
    assert isinstance(ours, Question)
    theirs = Question(ours.second, ours.first, ours.part, undecided=True)
    found = runner.step(short.method, 3, [(theirs, False)])
    assert same(found, Runner().step(short.method, 3, [(theirs, False)]))
    assert not same(found, Runner().step(short.method, 3, [(ours, False)]))


def test_nobody_waits_for_ever_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.study.runner._SECONDS_TO_WAIT", 0.05)
    runner = Runner()
    with runner.turn(), pytest.raises(BusyError, match="many people are answering"):
        runner.step(LOANS.method, 3, [])
    assert isinstance(runner.step(LOANS.method, 3, []), Question)
