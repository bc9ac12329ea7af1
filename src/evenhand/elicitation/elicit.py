"""The one door: from somebody who answers to the metric they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.messages import listed, shown
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.methods.adaptive import AdaptivePlan
from evenhand.elicitation.methods.paper import SEARCHES, Plan
from evenhand.elicitation.procedure import Oracle, ask, conduct
from evenhand.elicitation.question import Answer, Question
from evenhand.errors import EvenhandError
from evenhand.metric.prior import Mistakes
from evenhand.rates import GroupRates, Setting
from evenhand.region import FeasibleRegion
from evenhand.typing import Label

PARTS = ("misclassification", "violation", "trade_off")


@dataclass(frozen=True, eq=False, kw_only=True)
class Elicited(Finding):
    """What was learned (the attributes of `evenhand.Finding`), with the questions and answers it was learned from.

    Attributes
    ----------
    method
        How it was learned.
    history
        Every question that was asked, with its answer.
    """

    method: str
    history: tuple[tuple[Question, Answer], ...] = field(repr=False)

    def __str__(self) -> str:
        """Return the metric, the best candidate if there were any, and each reason for doubt on a line of its own."""
        said = [f"From {self.questions} questions by method={self.method!r}:", str(self.metric)]
        if self.choice is not None:
            sure = self.choice.best_certainty
            how = "" if sure is None else f" (as good as the best with probability {sure:.2f})"
            said.append(f"Best: {shown(self.choice.best)}{how}")
        return "\n".join([*said, *(f"Warning: {warning}" for warning in self.warnings)])

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return len(self.history)

    @property
    def questions_by_part(self) -> dict[str, int]:
        """How many questions were asked about each part of the metric; the adaptive method asks about all at once."""
        counts = Counter(question.part for question, _ in self.history)
        return {part: counts[part] for part in (*PARTS, *(part for part in counts if part not in PARTS))}


def elicit(
    oracle: Oracle,
    setting: Setting,
    *,
    method: str = "paper",
    tolerance: float | None = None,
    radius: float | None = None,
    region: FeasibleRegion | None = None,
    cycles: int = 4,
    equal_pairs: bool = False,
    cuts: Sequence[Collection[Label]] | None = None,
    misclassification: ArrayLike | None = None,
    violation: ArrayLike | None = None,
    gaps_in: Mistakes | None = None,
    cost_order: Mistakes | None = None,
    candidates: Mapping[str, GroupRates] | None = None,
    stop: str | None = None,
    confidence: float = 0.95,
    max_questions: int | None = None,
    people: int | None = None,
    visible: float = 0.0,
    error: float | None = None,
    random_state: int | np.random.Generator | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Elicited:
    """Find out which fair performance metric an oracle holds.

    Parameters
    ----------
    oracle
        Any callable that gets two `GroupRates` and returns True if it prefers the first (the one of lower
        cost), False if the second. The adaptive method also takes None ("can't tell", which is information) and
        `evenhand.SKIP` (which is not), and reads how often the answers are wrong from the oracle's `error`, if it has
        one, as those of `evenhand.ab_oracle` have.
    setting
        The classes, groups and prevalence that the metric is about.
    method
        `"paper"`: Algorithm 1, question for question. `"least-squares"`: as many questions; the violation weights are
        solved from all coordinates instead of two, which makes them more accurate for three and more classes, and the
        trade-off is asked about on a larger sphere, which makes it more accurate where near ties are answered wrongly.
        `"bisection"`: for right answers, less than a fifteenth of the questions, and no large errors where gaps are
        nearly free; it takes every answer at its word and cannot notice wrong ones.
        `"adaptive"`: for people, who may err; few questions, each the one worth most, and a result with its
        uncertainty.
    tolerance
        Where each search ends, ε in the paper, 0.001 by default; for `"adaptive"` the widest interval that ends an
        interview about the weights, 0.1 by default.
    radius
        Of the sphere that questions are asked from; by default the largest that keeps rates rates, at
        most the paper's 0.2, or the region's.
    region
        What is within reach on your own data (`FeasibleRegion`): then every question is about two classifiers that
        exist. The searching methods ask from the region's sphere; the adaptive one from all of it, about what good
        classifiers achieve, unless a `radius` keeps it to a sphere.
    cycles
        How often the search goes over all angles.
    equal_pairs
        All pairs of groups have the same violation weights, which takes far fewer questions.
    cuts
        (not adaptive) Which groups are set apart from the others to learn what gaps cost: for each pair of groups one
        set of group names, such that their equations are independent (the paper's M). For two groups,
        `[["women"]]` sets women apart. Chosen by us, if not given.
    misclassification, violation
        A part to take as given, right or wrong, instead of asking about it.
    gaps_in
        (adaptive) The only kinds of mistake in which gaps between groups matter, each as (true class, predicted class).
    cost_order
        (adaptive) Kinds of mistake whose order is known, the costliest first.
    candidates
        (adaptive) The models to choose from, name → `GroupRates`; questions are then mostly about them.
    stop
        (adaptive) When to end: `"best"` (the best candidate is settled; the default with candidates), `"ranking"`,
        `"weights"` (all intervals are narrow; the default without) or `"budget"` (after exactly `max_questions`; with
        candidates the questions are then about their order).
    confidence
        (adaptive) How sure "settled" is.
    max_questions
        (adaptive) Ends it at that number at the latest; by default 60 about candidates, and 20 for each weight less
        one about the weights (80 for two classes and two groups).
    people
        (adaptive) Show, and learn from, whole people out of this many, for example 100.
    visible
        (adaptive) The least difference between two profiles that somebody is asked about.
    error
        (adaptive) How often an answer is wrong, where that is known, and that somebody attends. By default both are
        learned from the answers, and some questions are asked twice to that end.
    random_state
        Draws what is random: for the paper's method the points that searches start from (without it they start in
        the middle), for the adaptive one its sample and questions.
    progress
        Called after every answer with the number of questions asked and in all; for the adaptive method the second
        is an estimate that moves with the answers.

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
        raise EvenhandError(f"oracle must be a function of two classifiers' rates, but received {shown(oracle)}")
    if not (isinstance(method, str) and method in (*SEARCHES, "adaptive")):
        every = listed((*SEARCHES, "adaptive"))
        raise EvenhandError(f"method must be one of {every}, but received {shown(method)}")
    if progress is not None and not callable(progress):
        raise EvenhandError(f"progress must be a function of two numbers, but received {shown(progress)}")
    searching: dict[str, Any] = {"cycles": cycles, "cuts": cuts}
    choosing: dict[str, Any] = {
        "gaps_in": gaps_in,
        "cost_order": cost_order,
        "candidates": candidates,
        "stop": stop,
        "confidence": confidence,
        "max_questions": max_questions,
        "people": people,
        "visible": visible,
        "error": error,
    }
    adaptive = method == "adaptive"
    _refuse_foreign_options(method, searching if adaptive else choosing)
    shared: dict[str, Any] = {
        "setting": setting,
        "radius": radius,
        "region": region,
        "equal_pairs": equal_pairs,
        "misclassification": misclassification,
        "violation": violation,
        "random_state": random_state,
    }
    if tolerance is not None:
        shared["tolerance"] = tolerance
    plan: Plan | AdaptivePlan
    if adaptive:
        if error is None and isinstance(known := getattr(oracle, "error", None), float):
            choosing["error"] = known
        plan = AdaptivePlan(**shared, **choosing)
        in_all = 0
    else:
        plan = Plan(method=method, **shared, **searching)
        in_all = sum(plan.questions_by_part().values())
    history: list[tuple[Question, Answer]] = []

    def answer_to(question: Question) -> Answer:
        answer = ask(oracle, question, setting)
        expected = in_all if question.left is None else len(history) + question.left
        history.append((question, answer))
        if progress is not None:
            progress(len(history), expected)
        return answer

    finding = conduct(plan.procedure(), answer_to)
    return Elicited(**vars(finding), method=method, history=tuple(history))


def _refuse_foreign_options(method: str, options: Mapping[str, object]) -> None:
    """Refuse an option that this method would ignore in silence."""
    defaults = {name: parameter.default for name, parameter in signature(elicit).parameters.items()}
    for name, value in options.items():
        if value is not defaults[name] and not (np.isscalar(value) and value == defaults[name]):
            other = "a searching method" if method == "adaptive" else "method='adaptive'"
            raise EvenhandError(f"method={method!r} has no use for {name}: leave it out, or take {other}")
