"""What the methods that search have in common: their options, and the finding that their weights make."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.messages import expect
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.methods.method import Method, keep_as_arrays
from evenhand.elicitation.paper.algorithm_1 import WeightsFound
from evenhand.elicitation.paper.regularity import warnings_about
from evenhand.elicitation.paper.shrink_interval import checked_tolerance
from evenhand.elicitation.paper.slopes import Unscaled
from evenhand.elicitation.procedure import resumed
from evenhand.elicitation.profiles import Cut, cuts_by_name
from evenhand.elicitation.question import History, Procedure
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.prior import given_weights
from evenhand.rates import Setting
from evenhand.region import FeasibleRegion, Sphere, sphere_for
from evenhand.typing import Floats, Label

_FOR_PEOPLE = 0.1
"""The tolerance for a person; the paper's 0.001 is for machines."""
_TOLERANCES = (0.25, 0.1, 0.01, 0.001)


@dataclass(frozen=True, eq=False, kw_only=True)
class Search(Method):
    """A method that halves intervals, and takes every answer at its word."""

    tolerance: float = 1e-3
    radius: float | None = None
    region: FeasibleRegion | None = None
    equal_pairs: bool = False
    cuts: Sequence[Collection[Label]] | None = None
    misclassification: ArrayLike | None = None
    violation: ArrayLike | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        expect(self.equal_pairs, "equal_pairs", bool, np.bool_)
        self.keep(tolerance=checked_tolerance(self.tolerance), equal_pairs=bool(self.equal_pairs))
        if self.equal_pairs and self.violation is not None:
            raise EvenhandError("equal_pairs is about how violation is asked: leave it out where violation is given")
        if self.cuts is not None:
            self._take_cuts(self.cuts)
        self._sphere()
        if self.radius is not None:
            self.keep(radius=float(self.radius))
        given_weights(self.setting, self.misclassification, self.violation)
        keep_as_arrays(self, "misclassification", "violation")

    def _take_cuts(self, cuts: Sequence[Collection[Label]]) -> None:
        """Check the cuts, and keep them as tuples of names in the order of the groups."""
        for name, value in (("equal_pairs", self.equal_pairs or None), ("violation", self.violation)):
            if value is not None:
                raise EvenhandError(f"with {name}, no cuts are chosen: leave out one of the two")
        groups = self.setting.groups
        by_name = (tuple(groups[g] for g in np.flatnonzero(cut)) for cut in cuts_by_name(self.setting, cuts))
        self.keep(cuts=tuple(by_name))

    def _sphere(self) -> Sphere:
        return sphere_for(self.setting, self.radius, self.region)

    def _chosen_cuts(self) -> tuple[Cut, ...] | None:
        return None if self.cuts is None else cuts_by_name(self.setting, self.cuts)

    def _given(self) -> tuple[Floats | None, Floats | None]:
        """Return the parts that are given, normalised."""
        return given_weights(self.setting, self.misclassification, self.violation)

    @classmethod
    def for_people(cls, setting: Setting) -> dict[str, Any]:  # noqa: ARG003
        """Return a coarse tolerance."""
        return {"tolerance": _FOR_PEOPLE}

    def questions_by_part(self) -> dict[str, int]:
        """Return how many questions will be asked about each part of the metric."""
        given = {"misclassification": self.misclassification, "violation": self.violation}
        return {part: 0 if given.get(part) is not None else count for part, count in self._questions_by_part().items()}

    def explanation(self) -> tuple[str, ...]:
        """Say what the tolerance does, and how many questions another one takes."""
        others = (f"{one:g} asks {replace(self, tolerance=one).most_questions}" for one in _TOLERANCES)
        what = (
            f"The tolerance, {self.tolerance:g}, is where each search ends: the weights of mistakes come out about "
            "that exactly, those of gaps and the trade-off less so."
        )
        return what, f"Another --tolerance, another length: {', '.join(others)}."

    @abstractmethod
    def _questions_by_part(self) -> dict[str, int]:
        """Return how many questions each part takes where it is asked about."""

    def procedure(self, history: History = (), *, seed: int | None = None) -> Procedure[Finding]:
        """Return a procedure that goes on where a history of its own questions ends."""
        return resumed(self._finding(seed), history, sum(self.questions_by_part().values()))

    def _finding(self, seed: int | None) -> Procedure[Finding]:
        found = yield from self._search(seed)
        warnings = warnings_about(found, self.setting, self.tolerance, self._unscaled)
        return Finding(metric=FairMetric.of(self.setting, found.weights), warnings=warnings)

    @abstractmethod
    def _search(self, seed: int | None) -> Procedure[WeightsFound]:
        """Return the search itself."""

    @property
    def _unscaled(self) -> Unscaled | None:
        """How the violation weights come from the paper's slopes, where they do."""
        return None
