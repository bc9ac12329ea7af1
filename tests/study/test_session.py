"""An interview in progress: undo and resume are the same as never having been away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, Plan, Question, Setting, SimulatedOracle, elicit, replay
from evenhand.oracles.people import Rounding
from evenhand.study import AnswerFile, Header, Session

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])
WHOLE = Rounding(people=0, differences=0)
PLAN = Plan(setting=SETTING, tolerance=0.25, cycles=1)


def begin() -> Header:
    return Header(plan=PLAN, seed=5)


def same(one: Question | None, other: object) -> bool:
    assert isinstance(one, Question)
    assert isinstance(other, Question)
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def answer(session: Session, *, prefers_first: bool) -> None:
    session.answer(prefers_a=prefers_first == session.first_is_a, rounding=WHOLE)


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
    file = AnswerFile(path, begin=begin)
    session = Session(file)
    for event in events:
        if event == "reopen":
            file.close()
            file = AnswerFile(path)
            session = Session(file)
        elif event != "undo":
            answer(session, prefers_first=event == "first")
            standing.append(event == "first")
        elif standing:
            session.undo()
            standing.pop()
        assert session.answered == len(standing)
        assert same(session.question, replay(PLAN.procedure, standing))
    file.close()


def test_undo_returns_exactly_the_earlier_question_on_the_same_sides(tmp_path: Path) -> None:
    with AnswerFile(tmp_path / "answers.jsonl", begin=begin) as file:
        session = Session(file)
        seen = []
        for prefers_first in (True, False, False, True):
            seen.append((session.question, session.shown))
            answer(session, prefers_first=prefers_first)
        for question, shown in reversed(seen):
            session.undo()
            assert same(session.question, question)
            assert session.shown == shown
        with pytest.raises(EvenhandError, match="no answer to undo"):
            session.undo()


def test_whoever_holds_a_metric_finds_it_again_across_a_resume(tmp_path: Path) -> None:
    truth = FairMetric.random(SETTING, 7)
    path = tmp_path / "answers.jsonl"
    finding = None
    while finding is None:
        with AnswerFile(path, begin=begin) as file:
            session = Session(file)
            for _ in range(17):
                if not session.finished:
                    a, b = session.shown
                    session.answer(prefers_a=truth.cost(a) < truth.cost(b), rounding=WHOLE)
            finding = session.finding
    assert finding.metric == elicit(SimulatedOracle(truth), SETTING, tolerance=0.25, cycles=1).metric
    with AnswerFile(path) as file:
        session = Session(file)
        assert session.finished
        with pytest.raises(EvenhandError, match="no more questions"):
            session.answer(prefers_a=True, rounding=WHOLE)
        session.undo()
        assert not session.finished


def test_both_sides_are_drawn_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin) as file:
        session = Session(file)
        for _ in range(40):
            answer(session, prefers_first=True)
    recorded = [json.loads(line)["shown"]["a"] for line in path.read_text().splitlines()[1:]]
    assert 10 < recorded.count("first") < 30


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["first"][0].__setitem__(0, 0.123),
        lambda document: document["first"].pop(),
        lambda document: document.update(first="nonsense"),
        lambda document: document.update(second=[[10**400, 0], [0, 0]]),
    ],
)
def test_a_question_that_was_never_asked_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, object]], object]
) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin) as file:
        session = Session(file)
        for _ in range(3):
            answer(session, prefers_first=True)
    edited(path, 3, change)
    with AnswerFile(path) as file, pytest.raises(EvenhandError, match="line 3: question 2 is not the one"):
        Session(file)


def test_other_answers_lead_to_other_questions_and_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin) as file:
        session = Session(file)
        for _ in range(3):
            answer(session, prefers_first=True)
    edited(path, 2, lambda document: document.update(answer="second"))
    with AnswerFile(path) as file, pytest.raises(EvenhandError, match="line 4: question 3 is not the one"):
        Session(file)
