"""The paper's method, and its form that uses all coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.elicitation.methods.search import Search
from evenhand.elicitation.paper.algorithm_1 import (
    LEAST_SQUARES,
    PAPER,
    Form,
    WeightsFound,
    fair_performance,
    questions_by_part,
)
from evenhand.elicitation.paper.slopes import Unscaled
from evenhand.elicitation.question import Procedure
from evenhand.rates import Setting


@dataclass(frozen=True, eq=False, kw_only=True)
class Paper(Search):
    """Algorithm 1 of the paper, question for question.

    A seed draws the points that searches start from; without one, they start in the middle.

    Parameters
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    tolerance
        Where each search ends: ε in the paper.
    radius
        Of the sphere that questions are asked from; by default the largest that keeps rates rates, at most the paper's
        0.2, or the region's.
    region
        What is within reach on your own data (`FeasibleRegion`): questions come from its sphere, so that each is about
        two classifiers that exist.
    cycles
        How often the search goes over all angles.
    equal_pairs
        All pairs of groups have the same violation weights, which takes far fewer questions.
    cuts
        Which groups are set apart from the others to learn what gaps cost: for each pair of groups one set of group
        names, such that their equations are independent (the paper's M). For two groups, `[["women"]]` sets women
        apart. Chosen by us, if not given.
    misclassification, violation
        A part to take as given, right or wrong, instead of asking about it.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> elicit(person, method=Paper(setting=setting)).questions
    574
    """

    name: ClassVar[str] = "paper"
    form: ClassVar[Form] = PAPER

    cycles: int = 4

    def __post_init__(self) -> None:
        self.keep(cycles=whole_number(self.cycles, "cycles", 1))
        super().__post_init__()

    @classmethod
    def for_people(cls, setting: Setting) -> dict[str, Any]:
        """Return a coarse tolerance, and one cycle for two classes: their only angle needs no other."""
        cycles = {"cycles": 1} if len(setting.classes) == 2 else {}
        return super().for_people(setting) | cycles

    def explanation(self) -> tuple[str, ...]:
        """Say what the tolerance does, and how many questions another one or the paper's options take."""
        what, length = super().explanation()
        return what, f"{length} As in the paper: {Paper(setting=self.setting).most_questions}."

    def _questions_by_part(self) -> dict[str, int]:
        k, m = len(self.setting.classes), len(self.setting.groups)
        return questions_by_part(k, m, self.tolerance, cycles=self.cycles, equal_pairs=self.equal_pairs)

    def _search(self, seed: int | None) -> Procedure[WeightsFound]:
        a, B = self._given()
        return fair_performance(
            self.setting.tau,
            self._sphere(),
            tolerance=self.tolerance,
            cycles=self.cycles,
            form=self.form,
            equal_pairs=self.equal_pairs,
            cuts=self._chosen_cuts(),
            given_misclassification=a,
            given_violation=B,
            rng=None if seed is None else np.random.default_rng(seed),
        )

    @property
    def _unscaled(self) -> Unscaled:
        return self.form.unscaled


@dataclass(frozen=True, eq=False, kw_only=True)
class LeastSquares(Paper):
    """The paper's method with as many questions, and violation weights solved from all coordinates instead of two.

    They are more accurate for three and more classes. The trade-off is asked about on a larger sphere, which makes it
    more accurate where near ties are answered wrongly. The options are those of `evenhand.Paper`.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> elicit(person, method=LeastSquares(setting=setting)).questions
    574
    """

    name: ClassVar[str] = "least-squares"
    form: ClassVar[Form] = LEAST_SQUARES
