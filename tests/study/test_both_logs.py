"""A file and a database are one thing to a session: what is acknowledged is kept once, and in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.quick import SETTING, QuickRunner

from evenhand import Adaptive, EvenhandError
from evenhand.elicitation.question import STORED
from evenhand.study.interview import InterviewState
from evenhand.study.log.database import Database
from evenhand.study.log.events import Log
from evenhand.study.log.file import FileLog
from evenhand.study.log.header import Header
from evenhand.study.log.migrating import bring_up_to_date
from evenhand.study.log.tables import DatabaseLog
from evenhand.study.question_codec import question_document
from evenhand.study.refusals import AnswerConflictError, OutOfOrderError
from evenhand.study.session import Session

ENDLESS = 10**6
HEADER = Header(method=Adaptive(setting=SETTING, max_questions=5), seed=5)


class LastingState(InterviewState):
    """An interview whose log says what was asked."""

    outcomes_are_kept = True


def file_log(folder: Path) -> Log:
    return FileLog(folder / "answers.jsonl", begin=lambda: HEADER)


def database_log(folder: Path) -> Log:
    database = Database(f"sqlite:///{folder}/store.db")
    bring_up_to_date(database)
    return DatabaseLog(database)


def session_in(log: Log) -> Session[InterviewState]:
    kept = isinstance(log, DatabaseLog)
    begun = (LastingState if kept else InterviewState)(method=HEADER.method, seed=HEADER.seed)
    session = Session(log, "one", begun, QuickRunner(ENDLESS), study="loans")
    if kept and not log.events("one"):
        assert log.append("one", [session.event("begun", {}), session.outcome(begun)], after=0)
    return session


@pytest.fixture(params=[file_log, database_log], ids=["file", "database"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made = request.param(tmp_path)
    yield made
    (made if isinstance(made, FileLog) else made.database).close()


def told(state: InterviewState) -> Any:
    """Return all that a person is told."""
    asked = None if state.question is None else question_document(state.question)
    return [(given.n, given.choice, given.why) for given in state.answers], asked, state.revision


def test_every_answer_leads_to_the_next_question_and_is_kept(log: Log) -> None:
    session = session_in(log)
    for n, choice in enumerate(STORED, 1):
        state = session.answer(n, choice, f"because {n}")
        assert state.question is not None
        assert state.question.n == n + 1
        assert told(session.state()) == told(state)
        assert told(session_in(log).state()) == told(state)
    assert [given.why for given in session.state().answers] == [f"because {n}" for n in range(1, 5)]


def test_the_same_answer_again_changes_nothing_and_gets_the_same_reply(log: Log) -> None:
    session = session_in(log)
    replies = [told(session.answer(n, "first", "fair")) for n in (1, 2, 3)]
    before = log.events("one")
    for n in (1, 2, 3):
        assert told(session.answer(n, "first", "fair"))[0] == replies[n - 1][0]
        assert told(session.answer(n, "first"))[2] == replies[n - 1][2]
    assert log.events("one") == before


def test_another_answer_is_refused_and_changes_nothing(log: Log) -> None:
    session = session_in(log)
    session.answer(1, "first", "fair")
    before = log.events("one")
    for choice, why in (("second", None), ("neither", "fair"), ("first", "another reason")):
        with pytest.raises(AnswerConflictError, match="“first”"):
            session.answer(1, choice, why)
    assert log.events("one") == before


@pytest.mark.parametrize("n", [-1, 0, 2, 10**9])
def test_answers_and_undos_out_of_order_are_refused(log: Log, n: int) -> None:
    session = session_in(log)
    with pytest.raises(OutOfOrderError, match="no question is answered yet"):
        session.answer(n, "first")
    with pytest.raises(OutOfOrderError, match="no question is answered yet"):
        session.undo(n)
    assert session.state().revision == 0


@pytest.mark.parametrize(("choice", "why"), [("both", None), ("first", "x" * 2001), ("first", "nul \x00")])
def test_an_answer_that_cannot_be_kept_is_refused(log: Log, choice: str, why: str | None) -> None:
    session = session_in(log)
    with pytest.raises(EvenhandError):
        session.answer(1, choice, why)
    assert session.state().revision == 0


def test_undo_goes_back_to_exactly_the_earlier_questions(log: Log) -> None:
    session = session_in(log)
    seen = []
    for n in (1, 2, 3):
        seen.append(told(session.state())[1])
        session.answer(n, "second")
    for n in (3, 2, 1):
        undone = session.undo(n)
        assert told(undone)[1] == seen[n - 1]
        assert told(session.undo(n)) == told(undone), "sent again, it changes nothing"
    assert session.state().revision == 6


def test_what_was_seen_before_a_change_is_out_of_date(log: Log) -> None:
    session = session_in(log)
    seen = session.state().revision
    session.answer(1, "first", revision=seen)
    session.undo(1)
    with pytest.raises(OutOfOrderError, match="out of date"):
        session.answer(1, "first", revision=seen)
    assert not session.state().answers


def test_nothing_is_added_after_what_somebody_else_added(log: Log) -> None:
    session = session_in(log)
    begun = session.state()
    session.answer(1, "first")
    late = session.outcome(begun)
    assert not log.append("one", [late], after=begun.revision)
    assert len(session.state().answers) == 1


@given(st.lists(st.sampled_from([*STORED, "undo"]), max_size=12))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_and_a_database_tell_the_same_at_every_step(
    tmp_path_factory: pytest.TempPathFactory, moves: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("both")
    with FileLog(folder / "answers.jsonl", begin=lambda: HEADER) as file:
        sessions = [session_in(file), session_in(database_log(folder))]
        for move in moves:
            standing = len(sessions[0].state().answers)
            if move != "undo":
                replies = [told(session.answer(standing + 1, move)) for session in sessions]
            elif standing:
                replies = [told(session.undo(standing)) for session in sessions]
            else:
                continue
            assert replies[0] == replies[1]
            assert told(sessions[0].state()) == told(sessions[1].state()) == replies[0]
