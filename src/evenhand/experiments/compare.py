"""Compares the methods on the same hidden metrics: how many questions they need, and how much noise they tolerate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, log2
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import shown
from evenhand.elicitation import Procedure, WeightsFound, elicit, fair_performance, interview
from evenhand.elicitation.methods.bisection import fair_performance_by_bisection
from evenhand.errors import EvenhandError
from evenhand.experiments.cell import Noise
from evenhand.experiments.parallel import Tick, each
from evenhand.experiments.rows import SYMBOLS
from evenhand.metric import FairMetric, MetricBatch
from evenhand.rates import Setting
from evenhand.region import Sphere, common_sphere
from evenhand.typing import Floats

TOLERANCES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""The tolerances of the paper's method and of bisection, which determine their numbers of questions."""
BUDGETS = (10, 20, 40, 80)
"""The numbers of questions after which the adaptive method stops."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """One method with one number of questions, for all respondents of one kind; the errors are (3, respondents)."""

    classes: int
    groups: int
    noise: Noise
    method: str
    questions: int
    errors: Floats

    @property
    def largest(self) -> Floats:
        """The largest of the three errors of each respondent."""
        return np.asarray(self.errors.max(axis=0))

    @property
    def limit(self) -> float:
        """About how many questions any method needs for the median of the largest error."""
        return information_limit(self.classes, self.groups, float(np.median(self.largest)), self.noise.flip)

    def as_json(self) -> dict[str, Any]:
        """Return the attempt as plain values."""
        parts = {f"{part}_error": errors for part, errors in zip(SYMBOLS, self.errors, strict=True)}
        return {
            "classes": self.classes,
            "groups": self.groups,
            "flip": self.noise.flip,
            "band": self.noise.band,
            "method": self.method,
            "questions": self.questions,
            "respondents": self.errors.shape[1],
            **{
                name: {
                    "mean": float(errors.mean()),
                    "median": float(np.median(errors)),
                    "p90": float(np.quantile(errors, 0.9)),
                }
                for name, errors in {**parts, "largest_error": self.largest}.items()
            },
            "information_limit": self.limit if isfinite(self.limit) else None,
        }


def information_limit(classes: int, groups: int, error: float, flip: float) -> float:
    """Return about how many questions any method needs to determine every weight to within an error.

    About (1 / 2ε)ᵈ metrics differ by more than ε in one of their d free weights. An answer that is flipped with
    probability p carries at most 1 − H(p) bits, the capacity of a binary symmetric channel. These metrics are not
    equally likely a priori, which may save a method a few questions if the error is large.
    """
    q = classes * (classes - 1)
    free = q * (1 + groups * (groups - 1) // 2) - 1
    bits = free * max(0.0, -log2(2 * error)) if error > 0 else float("inf")
    noise = 0.0 if flip in {0.0, 1.0} else -flip * log2(flip) - (1 - flip) * log2(1 - flip)
    return bits / (1 - noise) if noise < 1 else float("inf")


def compare(
    *,
    classes: Sequence[int] = (2,),
    groups: Sequence[int] = (2,),
    flips: Sequence[float] = (0.0, 0.1),
    bands: Sequence[float] = (0.0,),
    budgets: Sequence[int] = BUDGETS,
    respondents: int = 20,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[float], object] | None = None,
) -> list[Attempt]:
    """Interview the same simulated respondents by every method, with every combination of flips and bands.

    `jobs` processes share the adaptive method's work; the results do not depend on their number.
    """
    for name, number, least in (("respondents", respondents, 1), ("jobs", jobs, 1), ("seed", seed, 0)):
        whole_number(number, name, least)
    for name, numbers, least in (("classes", classes, 2), ("groups", groups, 2), ("budgets", budgets, 1)):
        if not isinstance(numbers, Sequence) or not numbers:
            raise EvenhandError(f"{name} must list at least one number, but received {shown(numbers)}")
        for number in numbers:
            whole_number(number, name, least)
    noises = list(dict.fromkeys(Noise(flip=flip, band=band) for flip in flips for band in bands))
    say = progress or (lambda _: None)
    crowds = [
        _Crowd(k, m, noise, respondents, seed)
        for k in dict.fromkeys(classes)
        for m in dict.fromkeys(groups)
        for noise in noises
    ]
    attempts = [attempt for crowd in crowds for attempt in crowd.searched()]
    say(0.05)
    attempts += _adaptive(crowds, sorted(set(budgets)), jobs, lambda share: say(0.05 + 0.95 * share))
    kinds = [(crowd.classes, crowd.groups, crowd.noise) for crowd in crowds]
    order = ("paper", "bisection", "adaptive")
    return sorted(
        attempts,
        key=lambda one: (kinds.index((one.classes, one.groups, one.noise)), order.index(one.method), one.questions),
    )


@dataclass(frozen=True)
class _Crowd:
    """The respondents of one kind; their metrics do not depend on the noise."""

    classes: int
    groups: int
    noise: Noise
    respondents: int
    seed: int

    def metrics(self) -> list[FairMetric]:
        rng = np.random.default_rng([self.seed, self.classes, self.groups])
        return [FairMetric.random(Setting.random(self.classes, self.groups, rng), rng) for _ in range(self.respondents)]

    def searched(self) -> Iterator[Attempt]:
        """Run the paper's method and bisection with each tolerance."""
        hidden = MetricBatch.of(self.metrics())
        sphere = common_sphere(self.classes)
        for tolerance in TOLERANCES:
            for method in ("paper", "bisection"):
                oracle = self.noise.oracle(hidden, self.seed)
                found = interview(_search(method, hidden.tau, sphere, tolerance), oracle)
                errors = hidden.weights.distance(found.weights)
                yield Attempt(self.classes, self.groups, self.noise, method, oracle.questions, errors)


def _search(method: str, tau: Floats, sphere: Sphere, tolerance: float) -> Procedure[WeightsFound]:
    if method == "bisection":
        return fair_performance_by_bisection(tau, sphere, tolerance=tolerance)
    return fair_performance(tau, sphere, tolerance=tolerance)


def _adaptive(
    crowds: list[_Crowd], budgets: Sequence[int], jobs: int, progress: Callable[[float], object]
) -> Iterator[Attempt]:
    errors = np.empty((len(crowds), len(budgets), 3, crowds[0].respondents if crowds else 0))
    tasks = [(place, person) for place, crowd in enumerate(crowds) for person in range(crowd.respondents)]
    work = [(crowds[place], person, tuple(budgets)) for place, person in tasks]
    found = each(_interview_one, work, jobs=jobs, total=len(work), progress=progress)
    for (place, person), errors_of_one in zip(tasks, found, strict=True):
        errors[place, :, :, person] = errors_of_one
    for place, crowd in enumerate(crowds):
        for order, budget in enumerate(budgets):
            yield Attempt(crowd.classes, crowd.groups, crowd.noise, "adaptive", budget, errors[place, order])


def _interview_one(tick: Tick, crowd: _Crowd, person: int, budgets: tuple[int, ...]) -> list[tuple[float, ...]]:
    """Return one respondent's three errors after each number of questions."""
    truth = crowd.metrics()[person]
    number = crowd.seed * crowd.respondents + person  # different for every seed and respondent
    errors = []
    for budget in budgets:
        elicited = elicit(
            crowd.noise.oracle(truth, number),
            truth.setting,
            method="adaptive",
            stop="budget",
            max_questions=budget,
            random_state=number,
            progress=lambda *_: tick(0.0),  # lets the run be stopped between two questions
        )
        errors.append(tuple(elicited.metric.distance(truth)))
    tick(1.0)
    return errors
