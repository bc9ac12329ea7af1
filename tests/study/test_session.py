"""An interview in progress: undo and resume are the same as never having been away."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand import (
    SKIP,
    Adaptive,
    EvenhandError,
    FairMetric,
    Paper,
    Question,
    Setting,
    SimulatedOracle,
    elicit,
    interview,
    replay,
)
from evenhand.elicitation.procedure import seed_of
from evenhand.elicitation.question import word_for
from evenhand.study import FileLog, Header, resume
from evenhand.study.refusals import Refusal
from evenhand.study.shown_question import ShownQuestion

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])
PLAN = Paper(setting=SETTING, tolerance=0.25, cycles=1)


def begin() -> Header:
    return Header(method=PLAN, seed=5)


def same(one: Question | None, other: object) -> bool:
    assert isinstance(one, Question)
    assert isinstance(other, Question)
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


class Sitting:
    """Somebody who answers: what they see now, and what they do."""

    def __init__(self, file: FileLog) -> None:
        self.session = resume(file)
        self.state = self.session.state()

    @property
    def question(self) -> Question | None:
        """The question as the method asked it."""
        return None if self.state.question is None else self.state.question.question

    @property
    def shown(self) -> ShownQuestion:
        assert self.state.question is not None
        return self.state.question

    @property
    def answered(self) -> int:
        return len(self.state.answers)

    def answer(self, choice: str) -> None:
        self.state = self.session.answer(self.answered + 1, choice)

    def prefer(self, *, first: bool) -> None:
        """Prefer the first or the second of the method's question, whichever side it is on."""
        self.answer("first" if first != self.shown.swapped else "second")

    def undo(self) -> None:
        self.state = self.session.undo(self.answered)


def reopened(path: Path) -> None:
    with FileLog(path) as file:
        resume(file)


def edited(path: Path, line: int, change: Callable[[dict[str, object]], object]) -> None:
    lines = path.read_text().splitlines()
    document = json.loads(lines[line - 1])
    change(document)
    lines[line - 1] = json.dumps(document)
    path.write_text("\n".join(lines) + "\n")


@given(st.lists(st.sampled_from(["first", "second", "undo", "reopen"]), max_size=30))
@settings(max_examples=25, deadline=None)
def test_after_answers_undos_and_reopenings_the_question_is_that_of_the_answers_that_stand(
    tmp_path_factory: pytest.TempPathFactory, events: list[str]
) -> None:
    path = tmp_path_factory.mktemp("session") / "answers.jsonl"
    standing: list[bool] = []
    file = FileLog(path, begin=begin)
    session = Sitting(file)
    for event in events:
        if event == "reopen":
            file.close()
            file = FileLog(path)
            session = Sitting(file)
        elif event != "undo":
            session.prefer(first=event == "first")
            standing.append(event == "first")
        elif standing:
            session.undo()
            standing.pop()
        assert session.answered == len(standing)
        assert same(session.question, replay(PLAN.procedure, standing))
    file.close()


def test_undo_returns_exactly_the_earlier_question_on_the_same_sides(tmp_path: Path) -> None:
    with FileLog(tmp_path / "answers.jsonl", begin=begin) as file:
        session = Sitting(file)
        seen = []
        for prefers_first in (True, False, False, True):
            seen.append((session.question, (session.shown.a, session.shown.b)))
            session.prefer(first=prefers_first)
        for question, shown in reversed(seen):
            session.undo()
            assert same(session.question, question)
            assert (session.shown.a, session.shown.b) == shown
        with pytest.raises(EvenhandError, match="no question is answered yet"):
            session.undo()


def test_whoever_holds_a_metric_finds_it_again_across_a_resume(tmp_path: Path) -> None:
    truth = FairMetric.random(SETTING, 7)
    path = tmp_path / "answers.jsonl"
    finding = None
    while finding is None:
        with FileLog(path, begin=begin) as file:
            session = Sitting(file)
            for _ in range(17):
                if session.state.question is not None:
                    costs = truth.cost(session.shown.a), truth.cost(session.shown.b)
                    session.answer("first" if costs[0] < costs[1] else "second")
            finding = session.state.finding
    assert finding.metric == elicit(SimulatedOracle(truth), SETTING, method="paper", tolerance=0.25, cycles=1).metric
    with FileLog(path) as file:
        session = Sitting(file)
        assert session.state.question is None
        with pytest.raises(EvenhandError, match="that was the last one"):
            session.answer("first")
        session.undo()
        assert session.state.question is not None


def test_both_sides_are_drawn_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        session = Sitting(file)
        for _ in range(40):
            session.prefer(first=True)
    recorded = [json.loads(line)["detail"]["swapped"] for line in path.read_text().splitlines()[1:]]
    assert 10 < recorded.count(True) < 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document["detail"]["first"][0].__setitem__(0, 0.123), "question 2 was never asked"),
        (lambda document: document["detail"].update(swapped=not document["detail"]["swapped"]), "was never asked"),
        (lambda document: document["detail"]["first"].pop(), "first has shape"),
        (lambda document: document["detail"].update(first="nonsense"), "first must be numbers"),
        (lambda document: document["detail"].update(second=[[10**400, 0], [0, 0]]), "second must be numbers"),
    ],
)
def test_a_question_that_was_never_asked_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        session = Sitting(file)
        for _ in range(3):
            session.prefer(first=True)
    edited(path, 3, change)
    with pytest.raises(EvenhandError, match=f"line 3: {message}|line 3: question 2 {message}"):
        reopened(path)


def test_other_answers_lead_to_other_questions_and_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        session = Sitting(file)
        for _ in range(3):
            session.prefer(first=True)
    edited(path, 2, lambda document: document.update(choice="first" if document["choice"] == "second" else "second"))
    with pytest.raises(EvenhandError, match="line 4: question 3 was never asked"):
        reopened(path)


def test_a_search_takes_no_answer_that_decides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        session = Sitting(file)
        for choice in (None, SKIP):
            with pytest.raises(EvenhandError, match="halves an interval with every answer"):
                session.answer(word_for(choice))
        session.prefer(first=True)
        assert session.session.finding_so_far(session.state) is None
    edited(path, 2, lambda document: document.update(choice="neither"))
    with pytest.raises(EvenhandError, match=r"line 2: question 1 was never asked: .*halves an interval"):
        reopened(path)


def begin_adaptive() -> Header:
    return Header(method=Adaptive(setting=SETTING, out_of=100, visible=0.02, max_questions=9), seed=5)


def test_an_adaptive_interview_left_twice_asks_and_finds_the_same(tmp_path: Path) -> None:
    truth = FairMetric.random(SETTING, 7)
    asked: list[Question] = []

    def choice(question: Question) -> bool | None:
        costs = [truth.cost_of_profiles(profile) for profile in (question.first, question.second)]
        return None if len(asked) == 4 else bool(costs[0] < costs[1])

    def oracle(first: object, second: object) -> bool | None:
        asked.append(Question(first.vector, second.vector))  # type: ignore[attr-defined]
        return choice(asked[-1])

    expected = interview(begin_adaptive().method.procedure(seed=seed_of(5)), oracle, setting=SETTING)
    again, asked = asked, []
    path = tmp_path / "answers.jsonl"
    for sitting in (again[:1], again[1:5], again[5:]):
        with FileLog(path, begin=begin_adaptive) as file:
            session = Sitting(file)
            for question in sitting:
                assert same(session.question, question)
                assert not session.shown.swapped  # the method draws the sides, also of a repeat
                asked.append(question)
                session.answer(word_for(choice(question)))
    with FileLog(path) as file:
        finding = resume(file).state().finding
    assert finding is not None
    assert finding.metric == expected.metric
    assert finding.reliability == expected.reliability
    assert np.array_equal(100 * again[0].first, np.round(100 * again[0].first))


def test_an_adaptive_interview_can_be_undone_and_says_what_it_knows_so_far(tmp_path: Path) -> None:
    with FileLog(tmp_path / "answers.jsonl", begin=begin_adaptive) as file:
        assert resume(file).finding_so_far(resume(file).state()) is None
        session = Sitting(file)
        seen = []
        for choice in (True, SKIP, None, False):
            seen.append(session.question)
            session.answer(word_for(choice))
        assert [given.choice for given in session.state.answers] == ["first", "skip", "neither", "second"]
        so_far = session.session.finding_so_far(session.state)
        assert session.state.finding is None
        assert so_far is not None
        assert so_far.reliability is not None
        assert so_far.verdict.advice == "Answer more questions; if none are left, answer again and allow more."
        assert len(so_far.reliability.predictive) == 3
        for question in reversed(seen):
            session.undo()
            assert same(session.question, question)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document["detail"]["first"][0].__setitem__(0, 0.123), "not whole people of 100"),
        (
            lambda document: document["detail"]["first"][0].__setitem__(0, 1.5),
            "line 3: first holds .* rates lie between 0 and 1",
        ),
        (
            lambda document: document["detail"]["first"][0].__setitem__(0, float("nan")),
            "line 3: this is not JSON .NaN is not a number",
        ),
        (lambda document: document["detail"]["first"].pop(), "line 3: first has shape"),
        (lambda document: document["detail"].update(first="nonsense"), "line 3: first must be numbers"),
        (lambda document: document["detail"].update(second=[[10**400, 0], [0, 0]]), "line 3: second must be numbers"),
        (
            lambda document: document["detail"].update(second=document["detail"]["first"]),
            "question 2 was never asked: its two models are",
        ),
    ],
)
def test_a_question_that_the_adaptive_method_cannot_have_asked_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin_adaptive) as file:
        session = Sitting(file)
        for _ in range(2):
            session.answer("first")
    edited(path, 3, change)
    with pytest.raises(EvenhandError, match=message):
        reopened(path)


def test_answers_beyond_the_largest_number_of_questions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin_adaptive) as file:
        session = Sitting(file)
        for _ in range(2):
            session.answer("first")
    edited(path, 1, lambda document: document["method"].update(max_questions=1))  # type: ignore[attr-defined]
    with pytest.raises(EvenhandError, match="line 3: question 2 was never asked: there are 1"):
        reopened(path)


def test_threads_that_share_a_file_leave_one_history(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with FileLog(path, begin=begin) as file:
        session = resume(file)

        def answer_and_undo(thread: int) -> None:
            for _ in range(15):
                standing = len(session.state().answers)
                with suppress(Refusal):  # another thread was quicker
                    if thread % 3 == 0 and standing:
                        session.undo(standing)
                    else:
                        session.answer(standing + 1, "first" if thread % 2 else "second")

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(answer_and_undo, range(6)))
        state = session.state()
    with FileLog(path) as file:
        assert [given.choice for given in resume(file).state().answers] == [given.choice for given in state.answers]
        assert len(file.events()) == state.revision + 1


def test_a_file_that_was_closed_takes_no_answer(tmp_path: Path) -> None:
    with FileLog(tmp_path / "answers.jsonl", begin=begin) as file:
        session = resume(file)
    with pytest.raises(EvenhandError, match="was closed, so the answer was not saved"):
        session.answer(1, "first")
