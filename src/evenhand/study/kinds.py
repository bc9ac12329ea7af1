"""The two kinds of plan that a file of answers can hold, and all that differs between them there.

A search is run again over the answers, and each of its questions must be the one in the file. The adaptive method
learns from the questions as they stand in the file, whoever chose them, so that it goes on where they end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

import numpy as np

from evenhand.checks.messages import shown
from evenhand.elicitation import AdaptivePlan, Answer, Finding, Plan, Procedure, Question
from evenhand.elicitation.procedure import step
from evenhand.elicitation.question import DECIDED, STORED
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting
from evenhand.rates.rounding import OUT_OF
from evenhand.rates.ties import ROUNDING
from evenhand.study.log.stored_answer import Profile, StoredAnswer
from evenhand.typing import Floats

AnyPlan = Plan | AdaptivePlan
ADAPTIVE = "adaptive"
SEARCH_OPTIONS = ("method", "tolerance", "radius", "cycles", "equal_pairs", "cuts")
ADAPTIVE_OPTIONS = ("tolerance", "radius", "equal_pairs", "max_questions", "confidence", "people", "visible")


class Run(NamedTuple):
    """A procedure that was started, and what it has come to."""

    procedure: Procedure[Finding]
    outcome: Question | Finding

    @classmethod
    def of(cls, procedure: Procedure[Finding]) -> Run:
        """Start a procedure."""
        return cls(procedure, step(procedure))

    def answered(self, answer: Answer) -> Run:
        """Go on with an answer; a run can do so once."""
        return Run(self.procedure, step(self.procedure, answer))


class Kind(Protocol):
    """What is done with a plan of one kind."""

    @property
    def answers(self) -> Sequence[str]:
        """What can be answered, as it is stored."""

    @property
    def draws_sides(self) -> bool:
        """Whether the procedure itself draws which of a pair comes first."""

    def options(self) -> dict[str, Any]:
        """Return the options as JSON holds them."""

    def seeded(self, seed: int) -> AnyPlan:
        """Return the plan whose random choices, if it makes any, come from the seed."""

    def after(self, answers: Sequence[StoredAnswer]) -> Run:
        """Go on after these answers, or say which line cannot be one of them."""

    def so_far(self, answers: Sequence[StoredAnswer]) -> Finding | None:
        """Return what these answers say if they are the last, or None where that cannot be said."""


@dataclass(frozen=True)
class _Searching:
    plan: Plan
    answers = DECIDED
    draws_sides = False

    def options(self) -> dict[str, Any]:
        cuts = None if self.plan.cuts is None else [list(apart) for apart in self.plan.cuts]
        return {name: getattr(self.plan, name) for name in SEARCH_OPTIONS} | {"cuts": cuts}

    def seeded(self, seed: int) -> Plan:  # noqa: ARG002  # nothing is drawn by lot
        return self.plan

    def after(self, answers: Sequence[StoredAnswer]) -> Run:
        run = Run.of(self.plan.procedure())
        for stored in answers:
            if not (isinstance(run.outcome, Question) and _is_asked(stored, run.outcome)):
                raise EvenhandError(
                    f"line {stored.line}: question {stored.n} is not the one that evenhand {version('evenhand')} asks "
                    "after these answers"
                )
            run = run.answered(stored.choice)
        return run

    def so_far(self, answers: Sequence[StoredAnswer]) -> None:  # noqa: ARG002  # a search half done says nothing
        return None


@dataclass(frozen=True)
class _Adapting:
    plan: AdaptivePlan
    answers = tuple(STORED)
    draws_sides = True

    def options(self) -> dict[str, Any]:
        return {"method": ADAPTIVE} | {name: getattr(self.plan, name) for name in ADAPTIVE_OPTIONS}

    def seeded(self, seed: int) -> AdaptivePlan:
        return replace(self.plan, random_state=seed)

    def after(self, answers: Sequence[StoredAnswer]) -> Run:
        return Run.of(self.plan.procedure(list(self._history(answers))))

    def so_far(self, answers: Sequence[StoredAnswer]) -> Finding | None:
        if not answers:
            return None
        ended = replace(self.plan, stop="budget", max_questions=len(answers))
        outcome = _Adapting(ended).after(answers).outcome
        return outcome if isinstance(outcome, Finding) else None

    def _history(self, answers: Sequence[StoredAnswer]) -> Iterator[tuple[Question, Answer]]:
        for stored in answers:
            try:
                question = self._question(stored)
            except EvenhandError as error:
                raise EvenhandError(f"line {stored.line}: question {stored.n} was never asked: {error}") from error
            yield question, stored.choice

    def _question(self, stored: StoredAnswer) -> Question:
        """Return the question of an answer, or say why it can be none."""
        if stored.n > self.plan.budget:
            raise EvenhandError(f"there are {self.plan.budget} at most")
        first, second = self._shown(stored.first), self._shown(stored.second)
        if np.array_equal(first, second):
            raise EvenhandError("its two models are the same")
        return Question(first, second, undecided=True)

    def _shown(self, profile: Profile) -> Floats:
        """Return a profile as it was shown, in whole people."""
        GroupRates.from_vector(self.plan.setting, profile)  # says what is wrong with rates that are none
        rates = np.array(profile, dtype=np.float64)
        people = self.plan.people
        if people is not None and np.abs(rates - np.round(people * rates) / people).max() > ROUNDING:
            raise EvenhandError(f"its rates are not whole people of {people}")
        return rates


def kind_of(plan: AnyPlan) -> Kind:
    """Return what is done with such a plan."""
    return _Adapting(plan) if isinstance(plan, AdaptivePlan) else _Searching(plan)


def check_kept(plan: AnyPlan) -> None:
    """Refuse a plan that would not come back whole when its file is opened again, or be shown as it is meant."""
    if isinstance(plan, AdaptivePlan) and plan.people not in {None, OUT_OF}:
        raise EvenhandError(
            f"models are shown as people of {OUT_OF}, but people is {shown(plan.people)}: take {OUT_OF}"
        )
    kept = {"setting", "random_state", *kind_of(plan).options()}
    for one in fields(plan):
        if one.init and one.name not in kept and getattr(plan, one.name) != one.default:
            raise EvenhandError(f"a file of answers does not keep {one.name}: leave it out of the plan")


def option_names(method: object) -> tuple[str, ...]:
    """Return which options of a method are stored."""
    return ("method", *ADAPTIVE_OPTIONS) if method == ADAPTIVE else SEARCH_OPTIONS


def make_plan(setting: Setting, options: Mapping[str, Any]) -> AnyPlan:
    """Return the plan of these options, by the method that they name."""
    if options.get("method") == ADAPTIVE:
        return AdaptivePlan(setting=setting, **{name: value for name, value in options.items() if name != "method"})
    return Plan(setting=setting, **options)


def _is_asked(stored: StoredAnswer, question: Question) -> bool:
    try:
        first, second = (np.array(profile, dtype=np.float64) for profile in (stored.first, stored.second))
    except (TypeError, ValueError, OverflowError):
        return False
    return question.same_models(Question(first, second))
