"""The methods that search, the paper's and bisection, with their options checked before the first question is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import generator, whole_number
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.methods.bisection import bisection_questions, fair_performance_by_bisection
from evenhand.elicitation.paper.algorithm_1 import (
    LEAST_SQUARES,
    PAPER,
    Form,
    WeightsFound,
    fair_performance,
    questions_by_part,
)
from evenhand.elicitation.paper.regularity import doubts
from evenhand.elicitation.paper.shrink_interval import check_tolerance
from evenhand.elicitation.profiles import cuts_by_name
from evenhand.elicitation.question import Procedure
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.prior import given_weights
from evenhand.rates import Setting
from evenhand.region import FeasibleRegion, sphere_for
from evenhand.typing import Floats, Label

METHODS: dict[str, Form] = {"paper": PAPER, "least-squares": LEAST_SQUARES}
SEARCHES = (*METHODS, "bisection")


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What will be asked; `evenhand.elicit` says what each option means."""

    setting: Setting
    method: str = "paper"
    tolerance: float = 1e-3
    radius: float | None = None
    region: FeasibleRegion | None = None
    cycles: int = 4
    equal_pairs: bool = False
    cuts: Sequence[Collection[Label]] | None = None
    misclassification: ArrayLike | None = None
    violation: ArrayLike | None = None
    random_state: int | np.random.Generator | None = None

    def __post_init__(self) -> None:
        expect(self.setting, "setting", Setting)
        if not (isinstance(self.method, str) and self.method in SEARCHES):
            raise EvenhandError(f"method must be one of {listed(SEARCHES)}, but received {shown(self.method)}")
        check_tolerance(self.tolerance)
        whole_number(self.cycles, "cycles", 1)
        expect(self.equal_pairs, "equal_pairs", bool, np.bool_)
        if self.equal_pairs and self.violation is not None:
            raise EvenhandError("equal_pairs is about how violation is asked: leave it out where violation is given")
        if self.cuts is not None:
            self._take_cuts(self.cuts)
        if self.method == "bisection" and self.cycles != Plan.cycles:
            raise EvenhandError(
                "method='bisection' goes over every weight once and has no use for cycles: leave it out"
            )
        if self.random_state is not None:  # drawn once, so that every run of this plan is the same
            object.__setattr__(self, "random_state", int(generator(self.random_state).integers(2**62)))
        sphere_for(self.setting, self.radius, self.region)
        self._given()

    def _take_cuts(self, cuts: Sequence[Collection[Label]]) -> None:
        """Check the cuts, and keep them as tuples of names in the order of the groups."""
        for name, value in (("equal_pairs", self.equal_pairs or None), ("violation", self.violation)):
            if value is not None:
                raise EvenhandError(f"with {name}, no cuts are chosen: leave out one of the two")
        groups = self.setting.groups
        by_name = (tuple(groups[g] for g in np.flatnonzero(cut)) for cut in cuts_by_name(self.setting, cuts))
        object.__setattr__(self, "cuts", tuple(by_name))

    def questions_by_part(self) -> dict[str, int]:
        """Return how many questions will be asked about each part of the metric."""
        k, m = len(self.setting.classes), len(self.setting.groups)
        if self.method == "bisection":
            counts = bisection_questions(k, m, self.tolerance, equal_pairs=self.equal_pairs)
        else:
            counts = questions_by_part(k, m, self.tolerance, cycles=self.cycles, equal_pairs=self.equal_pairs)
        given = {"misclassification": self.misclassification, "violation": self.violation}
        return {part: 0 if given.get(part) is not None else count for part, count in counts.items()}

    def procedure(self) -> Procedure[Finding]:
        """Return a fresh run of the procedure."""
        found = yield from self._search()
        unscaled = METHODS[self.method].unscaled if self.method in METHODS else None
        doubted = doubts(found, self.setting, self.tolerance, unscaled)
        return Finding(metric=FairMetric.of(self.setting, found.weights), warnings=doubted)

    def _search(self) -> Procedure[WeightsFound]:
        sphere = sphere_for(self.setting, self.radius, self.region)
        a, B = self._given()
        cuts = None if self.cuts is None else cuts_by_name(self.setting, self.cuts)
        if self.method == "bisection":
            return fair_performance_by_bisection(
                self.setting.tau,
                sphere,
                tolerance=self.tolerance,
                equal_pairs=self.equal_pairs,
                cuts=cuts,
                given_misclassification=a,
                given_violation=B,
            )
        return fair_performance(
            self.setting.tau,
            sphere,
            tolerance=self.tolerance,
            cycles=self.cycles,
            form=METHODS[self.method],
            equal_pairs=self.equal_pairs,
            cuts=cuts,
            given_misclassification=a,
            given_violation=B,
            rng=None if self.random_state is None else np.random.default_rng(self.random_state),
        )

    def _given(self) -> tuple[Floats | None, Floats | None]:
        """Return the parts that are given, normalised."""
        return given_weights(self.setting, self.misclassification, self.violation)
