"""An interview in progress, over any log: answer, undo, and resume after anything.

A writer looks at the interview, works out what comes next, and adds its events only if no other writer was quicker;
otherwise it looks again. So each answer counts once, however often it is sent and by however many processes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic

import numpy as np

from evenhand.checks.messages import listed, shown
from evenhand.checks.text import checked_text
from evenhand.elicitation import Finding
from evenhand.elicitation.codec import finding_document
from evenhand.elicitation.procedure import checked, seed_of
from evenhand.elicitation.question import STORED
from evenhand.errors import EvenhandError, HistoryError
from evenhand.study.folds import Folds
from evenhand.study.interview import InterviewState, S, fold
from evenhand.study.limits import MOST_MOVES
from evenhand.study.log.events import ANSWERED, ASKED, FOUND, UNDONE, Event, Log, now
from evenhand.study.log.file import FileLog
from evenhand.study.question_codec import question_document
from evenhand.study.refusals import AnswerConflictError, OutOfOrderError
from evenhand.study.runner import Runner
from evenhand.study.shown_question import ShownQuestion

LONGEST_REASON = 2000

_RELOAD = "Reload the page to see where you are."


class Session(Generic[S]):
    """One interview in a log; `begun` is its state before the first question, and `seen` are events just read."""

    def __init__(
        self,
        log: Log,
        interview: str,
        begun: S,
        runner: Runner,
        *,
        study: str = "",
        folds: Folds | None = None,
        seen: Sequence[Event] | None = None,
    ) -> None:
        self.log = log
        self.interview = interview
        self.begun = begun
        self.runner = runner
        self.study = study
        self._folds = Folds() if folds is None else folds
        self._seen = seen

    def state(self) -> S:
        """Return the interview as it stands."""
        events, self._seen = self._seen, None
        state = self._folds.fold(self.interview, self.begun, events or self.log.events(self.interview))
        return state if state.is_settled else state.with_event(self.outcome(state))

    def answer(self, n: int, choice: str, why: str | None = None, *, revision: int | None = None) -> S:
        """Keep the answer to question n, and return the interview as it stands after it.

        "first" is the model shown as A, "second" the one shown as B. The same answer sent again changes nothing and
        gets the same reply. `revision` is that of the interview as the person saw it: an answer on a page that is out
        of date is then refused.
        """
        if choice not in STORED:
            raise EvenhandError(f"a choice is one of {listed(tuple(STORED))}, but received {shown(choice)}")
        reason = checked_text(why, "why", longest=LONGEST_REASON, lines=True) if why and why.strip() else None
        while True:
            state = self.state()
            if 1 <= n <= len(state.answers):
                stored = state.answers[n - 1]
                if not stored.is_same(choice, reason):
                    raise AnswerConflictError(stored, choice)
                return state.after(n)
            asked = _question_to_answer(state, n)
            _check_revision(state, revision)
            checked(asked.as_asked(STORED[choice]), asked.question)
            given = self.event(ANSWERED, question_document(asked), n=n, choice=choice, why=reason)
            answered = state.with_event(given)
            outcome = self.outcome(answered)
            settled = answered.with_event(outcome)  # before it is kept: what cannot be read back is not
            if self._append(state, [given, outcome], settled):
                return settled

    def undo(self, n: int, *, revision: int | None = None) -> S:
        """Take back answer n, the last one that stands; sent again, this changes nothing."""
        while True:
            state = self.state()
            standing = len(state.answers)
            if standing < n <= state.reached:
                return state
            if n != standing or n < 1:
                raise OutOfOrderError(
                    f"Answer {shown(n)} cannot be undone: {_standing(state)}.",
                    "Undo the last answer first." if 1 <= n < standing else _RELOAD,
                )
            _check_revision(state, revision)
            if state.revision >= MOST_MOVES:
                raise OutOfOrderError(
                    f"This interview was changed {MOST_MOVES} times, so nothing more can be undone.",
                    "Answer what is left.",
                )
            undone = self.event(UNDONE, {}, n=n)
            back = state.with_event(undone)
            if self._append(state, [undone], back):
                return back if back.is_settled else back.with_event(self.outcome(back))

    def _append(self, state: S, events: Sequence[Event], after: S) -> bool:
        """Add events to what this state comes from, unless somebody else was quicker, and remember what follows."""
        added = self.log.append(self.interview, events, after=state.revision)
        if added:
            self._folds.went_on(self.interview, state, events, after)
            self.runner.left(state.seed, state.history, interview=self.interview)
        return added

    def finding_so_far(self, state: S) -> Finding | None:
        """Return what was found or, where the method can tell, what it would be if nothing more was answered."""
        return state.finding or state.method.finding_after(state.history, seed=seed_of(state.seed))

    def outcome(self, state: InterviewState) -> Event:
        """Return the event of what comes after the standing answers."""
        standing = len(state.answers)
        reached = self.runner.step(state.method, state.seed, state.history, interview=self.interview)
        if isinstance(reached, Finding):
            return self.event(FOUND, finding_document(reached), n=standing)
        swapped = not state.method.draws_sides and _second_is_a(state.seed, standing)
        asked = ShownQuestion.of(reached, standing + 1, state.method.setting, swapped=swapped)
        return self.event(ASKED, question_document(asked), n=asked.n)

    def event(
        self,
        kind: str,
        detail: Mapping[str, Any],
        *,
        n: int | None = None,
        choice: str | None = None,
        why: str | None = None,
    ) -> Event:
        """Return an event of this interview, now."""
        return Event(
            study=self.study,
            kind=kind,
            interview=self.interview,
            n=n,
            choice=choice,
            why=why,
            detail=json.dumps(detail, allow_nan=False),
            time=now(),
        )


def resume(file: FileLog) -> Session[InterviewState]:
    """Return the interview in a file, or say which line holds a question that its method would not have asked."""
    session = Session(file, "", file.header.begun, Runner())
    state = fold(session.begun, file.events())
    try:
        _check_profiles(state)
        state.method.check_asked(state.history)
        session.state()
    except HistoryError as error:
        line = state.answers[error.place].revision + 1  # the first line is the header
        raise EvenhandError(
            f"{file.path}, line {line}: question {error.place + 1} was never asked: {error.why}. The file was edited, "
            f"or another version wrote it (it was begun with {file.header.evenhand}): use that version, or a copy"
        ) from error
    return session


def _check_profiles(state: InterviewState) -> None:
    """Refuse rates that no model has."""
    for place, given in enumerate(state.answers):
        try:
            _ = given.asked.a, given.asked.b
        except EvenhandError as error:
            raise HistoryError(place, str(error)) from error


def _second_is_a(seed: int, answered: int) -> bool:
    """Draw which of a pair is shown as A: the same after a resume."""
    return bool(np.random.default_rng([seed, answered]).random() >= 0.5)


def _question_to_answer(state: InterviewState, n: int) -> ShownQuestion:
    asked = state.question
    if asked is None or asked.n != n:
        raise OutOfOrderError(f"Question {shown(n)} cannot be answered now: {_standing(state)}.", _RELOAD)
    return asked


def _check_revision(state: InterviewState, revision: int | None) -> None:
    if revision is not None and revision != state.revision:
        raise OutOfOrderError(f"This page is out of date: {_standing(state)}.", _RELOAD)


def _standing(state: InterviewState) -> str:
    answered = {0: "no question is answered yet", 1: "question 1 is answered"}.get(
        len(state.answers), f"questions 1 to {len(state.answers)} are answered"
    )
    return answered + ("" if state.question else ", and that was the last one")
