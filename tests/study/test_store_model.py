"""The log of answers against a model of it: a list.

Two stores are open on the same database, as two server processes would have it. Answers come in order and out of
order, once and twice, the same and changed; they are undone; processes restart; and writes fail halfway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from tests.support.postgresql import new_database
from tests.support.quick import QuickRunner, study

from evenhand.elicitation.finding import Finding
from evenhand.elicitation.question import STORED
from evenhand.study.interview import Interview
from evenhand.study.refusals import AnswerConflictError, NotSavedError, OutOfOrderError
from evenhand.study.store import Store

QUESTIONS = 5
choices = st.sampled_from(list(STORED))
reasons = st.sampled_from([None, "fair", "Ψ ≤ λ"])
stores = st.integers(0, 1)


@contextmanager
def failing(store: Store, statement: int) -> Iterator[list[bool]]:
    """Let the n-th statement of the next transactions that write fail, or their commit."""
    engine, left, failed, writing = store.database.engine, [statement], [False], [False]

    def fail(*_: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            failed[0] = True
            raise OperationalError("", {}, Exception("database or disk is full"))

    def before(connection: Any, cursor: Any, sql: str, *_: Any) -> None:
        writing[0] |= "FROM head" in sql  # who writes locks the head first
        if writing[0]:
            fail()

    def commit(connection: Any) -> None:
        if writing[0]:
            writing[0] = False
            fail()

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "commit", commit)
    try:
        yield failed
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "commit", commit)


class AnswerLog(RuleBasedStateMachine):
    """One interview in two stores, and the list that it should be."""

    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.stores = [Store(self.url, runner=QuickRunner(QUESTIONS)) for _ in range(2)]
        self.model: list[tuple[str, str | None]] = []
        self.reached = 0

    @initialize()
    def begin(self) -> None:
        self.stores[0].put_study(study())
        self.token = self.stores[0].begin("loans")

    def interview(self, which: int = 0) -> Interview:
        return self.stores[which].interview(self.token)

    def check(self, reply: Interview, answers: int) -> None:
        assert [(given.choice, given.why) for given in reply.answers] == self.model[:answers]

    @precondition(lambda self: len(self.model) < QUESTIONS)
    @rule(which=stores, choice=choices, why=reasons)
    def answer(self, which: int, choice: str, why: str | None) -> None:
        self.model.append((choice, why))
        self.check(self.stores[which].answer(self.token, len(self.model), choice, why), len(self.model))

    @precondition(lambda self: len(self.model) < QUESTIONS)
    @rule(which=stores, choice=choices, statement=st.integers(1, 7))
    def answer_that_may_not_be_saved(self, which: int, choice: str, statement: int) -> None:
        n = len(self.model) + 1
        with failing(self.stores[which], statement) as failed:
            try:
                self.stores[which].answer(self.token, n, choice)
            except NotSavedError:
                assert failed[0]
            else:
                assert not failed[0]
                self.model.append((choice, None))

    @precondition(lambda self: self.model)
    @rule(which=stores, data=st.data())
    def send_again(self, which: int, data: st.DataObject) -> None:
        n = data.draw(st.integers(1, len(self.model)))
        choice, why = self.model[n - 1]
        self.check(self.stores[which].answer(self.token, n, choice, why), n)

    @precondition(lambda self: self.model)
    @rule(which=stores, data=st.data(), choice=choices)
    def send_another(self, which: int, data: st.DataObject, choice: str) -> None:
        n = data.draw(st.integers(1, len(self.model)))
        if choice != self.model[n - 1][0]:
            with pytest.raises(AnswerConflictError) as refused:
                self.stores[which].answer(self.token, n, choice)
            assert (refused.value.stored.choice, refused.value.stored.why) == self.model[n - 1]

    @rule(which=stores, ahead=st.integers(2, 9), choice=choices)
    def answer_out_of_order(self, which: int, ahead: int, choice: str) -> None:
        with pytest.raises(OutOfOrderError):
            self.stores[which].answer(self.token, len(self.model) + ahead, choice)

    @precondition(lambda self: self.model)
    @rule(which=stores)
    def undo(self, which: int) -> None:
        n = len(self.model)
        self.model.pop()
        self.check(self.stores[which].undo(self.token, n), n - 1)

    @precondition(lambda self: self.model)
    @rule(which=stores, statement=st.integers(1, 7))
    def undo_that_may_not_be_saved(self, which: int, statement: int) -> None:
        with failing(self.stores[which], statement) as failed:
            try:
                self.stores[which].undo(self.token, len(self.model))
            except NotSavedError:
                assert failed[0]
            else:
                self.model.pop()

    @rule(which=stores, data=st.data())
    def undo_again_what_is_undone(self, which: int, data: st.DataObject) -> None:
        if self.reached > len(self.model):
            n = data.draw(st.integers(len(self.model) + 1, self.reached))
            self.check(self.stores[which].undo(self.token, n), len(self.model))

    @rule(which=stores, ahead=st.integers(1, 5))
    def undo_what_never_was(self, which: int, ahead: int) -> None:
        with pytest.raises(OutOfOrderError):
            self.stores[which].undo(self.token, max(self.reached, len(self.model)) + ahead)

    @precondition(lambda self: len(self.model) > 1)
    @rule(which=stores, data=st.data())
    def undo_one_in_between(self, which: int, data: st.DataObject) -> None:
        with pytest.raises(OutOfOrderError):
            self.stores[which].undo(self.token, data.draw(st.integers(1, len(self.model) - 1)))

    @rule(which=stores)
    def restart(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = Store(self.url, runner=QuickRunner(QUESTIONS))

    @invariant()
    def both_stores_hold_the_model_and_ask_what_follows_from_it(self) -> None:
        if not hasattr(self, "token"):
            return
        self.reached = max(self.reached, len(self.model))
        for which in range(2):
            interview = self.interview(which)
            self.check(interview, len(self.model))
            assert interview.reached == self.reached
            expected = QuickRunner(QUESTIONS).step(interview.method, interview.seed, interview.history)
            if isinstance(expected, Finding):
                assert interview.question is None
                assert interview.finding is not None
                assert interview.finding.metric == expected.metric
            else:
                assert interview.finding is None
                assert interview.question is not None
                assert interview.question.n == len(self.model) + 1
                assert np.array_equal(interview.question.first, expected.first)
                assert np.array_equal(interview.question.second, expected.second)

    def teardown(self) -> None:
        assert not self.stores[0].breaks()
        for store in self.stores:
            store.close()


def run_against_the_model(url: str, examples: int) -> None:
    machine = type("AnswerLogAtUrl", (AnswerLog,), {"url": url})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=20, deadline=None))


def test_on_sqlite_the_log_is_what_the_model_says() -> None:
    with TemporaryDirectory() as folder:
        run_against_the_model(f"sqlite:///{Path(folder) / 'store.db'}", 16)


def test_on_postgresql_the_log_is_what_the_model_says(postgresql: str) -> None:
    run_against_the_model(new_database(postgresql), 6)
