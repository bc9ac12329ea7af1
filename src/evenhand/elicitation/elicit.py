"""The one door: from somebody who answers to the metric they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.elicitation.interview import Oracle, ask, conduct
from evenhand.elicitation.plan import Plan
from evenhand.elicitation.question import Answer, Question
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.rates import Setting

PARTS = ("misclassification", "violation", "trade_off")


@dataclass(frozen=True, eq=False, kw_only=True)
class Elicited:
    """A metric with the questions and answers that it was learned from."""

    metric: FairMetric
    method: str
    history: tuple[tuple[Question, Answer], ...]
    warnings: tuple[str, ...]

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return len(self.history)

    @property
    def questions_by_part(self) -> dict[str, int]:
        """How many questions were asked about each part of the metric."""
        counts = Counter(question.part for question, _ in self.history)
        return {part: counts[part] for part in PARTS}


def elicit(
    oracle: Oracle,
    setting: Setting,
    *,
    method: str = "paper",
    tolerance: float = 1e-3,
    radius: float | None = None,
    cycles: int = 4,
    equal_pairs: bool = False,
    misclassification: ArrayLike | None = None,
    violation: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Elicited:
    """Find out which fair performance metric an oracle holds.

    Parameters
    ----------
    oracle
        Any callable that gets two `GroupRates` and returns True if it prefers the first (the one of lower
        cost), False if the second.
    setting
        The classes, groups and prevalence that the metric is about.
    method
        `"paper"`: Algorithm 1, exact to the question. `"least-squares"`: the same questions, with the
        violation weights solved from all coordinates instead of two, which makes them more accurate for
        three and more classes.
    tolerance
        Where each search ends; ε in the paper.
    radius
        Of the sphere that questions are asked from; by default the largest that keeps rates rates, at
        most the paper's 0.2.
    cycles
        How often the search goes over all angles.
    equal_pairs
        All pairs of groups have the same violation weights, which takes far fewer questions.
    misclassification, violation
        A part to take as given, right or wrong, instead of asking about it.
    random_state
        Draws the points that searches start from; without it they start in the middle.
    progress
        Called after every answer with the number of questions asked and the number in all.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> elicited = elicit(SimulatedOracle(truth), setting)
    >>> elicited.questions
    574
    >>> max(elicited.metric.distance(truth)) < 0.002
    True
    """
    if not callable(oracle):
        raise EvenhandError(f"oracle must be a function of two classifiers' rates, but received {oracle!r}")
    plan = Plan(
        setting=setting,
        method=method,
        tolerance=tolerance,
        radius=radius,
        cycles=cycles,
        equal_pairs=equal_pairs,
        misclassification=misclassification,
        violation=violation,
        random_state=random_state,
    )
    total = sum(plan.questions_by_part().values())
    history: list[tuple[Question, Answer]] = []

    def answer_to(question: Question) -> Answer:
        answer = ask(oracle, question, setting)
        history.append((question, answer))
        if progress is not None:
            progress(len(history), total)
        return answer

    finding = conduct(plan.procedure(), answer_to)
    return Elicited(metric=finding.metric, method=method, history=tuple(history), warnings=finding.warnings)
