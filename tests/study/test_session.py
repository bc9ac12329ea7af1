"""An interview in progress: undo and resume are the same as never having been away."""

from __future__ import annotations

import json
from collections.abc import Callable
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
from evenhand.study import AnswerFile, Header, Session
from evenhand.wording.comparison import Rounding

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])
WHOLE = Rounding(people=0, differences=0)
PLAN = Paper(setting=SETTING, tolerance=0.25, cycles=1)


def begin() -> Header:
    return Header(method=PLAN, seed=5)


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
    with AnswerFile(path) as file, pytest.raises(EvenhandError, match="line 3: question 2 was never asked"):
        Session(file)


def test_other_answers_lead_to_other_questions_and_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin) as file:
        session = Session(file)
        for _ in range(3):
            answer(session, prefers_first=True)
    edited(path, 2, lambda document: document.update(answer="second"))
    with AnswerFile(path) as file, pytest.raises(EvenhandError, match="line 4: question 3 was never asked"):
        Session(file)


def test_a_search_takes_no_answer_that_decides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin) as file:
        session = Session(file)
        for choice in (None, SKIP):
            with pytest.raises(EvenhandError, match="halves an interval with every answer"):
                session.answer(prefers_a=choice, rounding=WHOLE)
        answer(session, prefers_first=True)
        assert session.finding_so_far is None
    edited(path, 2, lambda document: document.update(answer="neither"))
    with pytest.raises(EvenhandError, match='line 2: its "answer" must be "first" or "second", but is \'neither\''):
        AnswerFile(path)


WRITTEN_BEFORE = """\
{"format": "evenhand.interview", "version": 1, "evenhand": "0.1.0", \
"setting": {"classes": ["repays", "defaults"], "groups": ["women", "men"], "prevalence": [[0.5, 0.5], [0.5, 0.5]]}, \
"method": {"name": "paper", "tolerance": 0.5, "radius": null, "equal_pairs": false, "cuts": null, \
"misclassification": null, "violation": null, "cycles": 1}, "seed": 2466143025}
{"n": 1, \
"first": [[0.35857864376269044, 0.6414213562373096], [0.35857864376269044, 0.6414213562373096]], \
"second": [[0.6414213562373096, 0.6414213562373096], [0.6414213562373096, 0.6414213562373096]], \
"shown": {"a": "second", "decimals": {"people": 0, "differences": 0}}, "answer": "second", \
"time": "2026-11-16T19:49:51.353+00:00"}
"""


def test_a_file_from_before_there_were_adaptive_interviews_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(WRITTEN_BEFORE)
    with AnswerFile(path) as file:
        session = Session(file)
        assert session.answered == 1
        assert session.first_is_a  # as it was drawn then
        answer(session, prefers_first=False)


def begin_adaptive() -> Header:
    return Header(method=Adaptive(setting=SETTING, out_of=100, visible=0.02, max_questions=9), seed=5)


def test_an_adaptive_interview_left_twice_asks_and_finds_the_same(tmp_path: Path) -> None:
    truth = FairMetric.random(SETTING, 7)
    asked: list[Question] = []

    def choice(question: Question) -> bool | None:
        costs = [truth.cost(profile) for profile in (question.first, question.second)]
        return None if len(asked) == 4 else costs[0] < costs[1]

    def oracle(first: object, second: object) -> bool | None:
        asked.append(Question(first.vector, second.vector))  # type: ignore[attr-defined]
        return choice(asked[-1])

    expected = interview(begin_adaptive().method.procedure(seed=seed_of(5)), oracle, setting=SETTING)
    again, asked = asked, []
    path = tmp_path / "answers.jsonl"
    for sitting in (again[:1], again[1:5], again[5:]):
        with AnswerFile(path, begin=begin_adaptive) as file:
            session = Session(file)
            for question in sitting:
                assert same(session.question, question)
                assert session.first_is_a  # the method itself draws the sides, so that a repeat is really swapped
                asked.append(question)
                session.answer(prefers_a=choice(question), rounding=WHOLE)
    with AnswerFile(path) as file:
        finding = Session(file).finding
    assert finding is not None
    assert finding.metric == expected.metric
    assert finding.reliability == expected.reliability
    assert np.array_equal(100 * again[0].first, np.round(100 * again[0].first))


def test_an_adaptive_interview_can_be_undone_and_says_what_it_knows_so_far(tmp_path: Path) -> None:
    with AnswerFile(tmp_path / "answers.jsonl", begin=begin_adaptive) as file:
        assert Session(file).finding_so_far is None
        session = Session(file)
        seen = []
        for choice in (True, SKIP, None, False):
            seen.append(session.question)
            session.answer(prefers_a=choice, rounding=WHOLE)
        assert [stored.answer for stored in file.answers] == ["first", "skip", "neither", "second"]
        so_far = session.finding_so_far
        assert session.finding is None
        assert so_far is not None
        assert so_far.reliability is not None
        assert len(so_far.reliability.predictive) == 3
        for question in reversed(seen):
            session.undo()
            assert same(session.question, question)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document: document["first"][0].__setitem__(0, 0.123), "not whole people of 100"),
        (lambda document: document["first"][0].__setitem__(0, 1.5), "line 3: question 2 was never asked"),
        (lambda document: document["first"][0].__setitem__(0, float("nan")), "line 3: question 2 was never asked"),
        (lambda document: document["first"].pop(), "line 3: question 2 was never asked: a profile has shape"),
        (lambda document: document.update(first="nonsense"), "line 3: question 2 was never asked"),
        (lambda document: document.update(second=[[10**400, 0], [0, 0]]), "line 3: question 2 was never asked"),
        (
            lambda document: document.update(second=document["first"]),
            "question 2 was never asked: its two models are",
        ),
    ],
)
def test_a_question_that_the_adaptive_method_cannot_have_asked_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin_adaptive) as file:
        session = Session(file)
        for _ in range(2):
            session.answer(prefers_a=True, rounding=WHOLE)
    edited(path, 3, change)
    with AnswerFile(path) as file, pytest.raises(EvenhandError, match=message):
        Session(file)


def test_answers_beyond_the_largest_number_of_questions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with AnswerFile(path, begin=begin_adaptive) as file:
        session = Session(file)
        for _ in range(2):
            session.answer(prefers_a=True, rounding=WHOLE)
    edited(path, 1, lambda document: document["method"].update(max_questions=1))  # type: ignore[attr-defined]
    with (
        AnswerFile(path) as file,
        pytest.raises(EvenhandError, match="line 3: question 2 was never asked: there are 1"),
    ):
        Session(file)
