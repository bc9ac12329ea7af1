"""Part 2 of the paper: what gaps between groups cost, given what mistakes cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evenhand.elicitation.paper.misclassification import not_negative
from evenhand.elicitation.paper.slopes import Unscaled
from evenhand.elicitation.procedure import embed
from evenhand.elicitation.profiles import Cut, cuts_to_ask, separates
from evenhand.elicitation.question import Procedure
from evenhand.metric.weights import normalised_violation
from evenhand.rates import number_of_classes, trivial_rates
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Slopes:
    """What LPME found at each cut, (…, cuts, q), with class 1 and with class k as the trivial prediction."""

    cuts: tuple[Cut, ...]
    first: Floats
    last: Floats

    def solved(self, tau: Floats, a: Floats, unscaled: Unscaled) -> Floats:
        """Return λ/(1 − λ)·B (…, pairs, q), not normalised, and not yet free of negative entries."""
        gammas = [
            unscaled(self.first[..., p, :], self.last[..., p, :], a * (1 - tau[..., sigma, :].sum(axis=-2)))
            for p, sigma in enumerate(self.cuts)
        ]
        return solve_cuts(self.cuts, np.stack(gammas, axis=-2))


@dataclass(frozen=True, eq=False)
class ViolationFound:
    """The violation weights (…, pairs, q) as used and as solved, and the slopes, if any, they were solved from."""

    weights: Floats
    as_solved: Floats
    slopes: Slopes | None

    @classmethod
    def of(cls, as_solved: Floats, slopes: Slopes | None) -> ViolationFound:
        """Normalise what was solved; if no entry is positive, nothing was learned, and all gaps get the same weight."""
        return cls(normalised_violation(not_negative(as_solved)), as_solved, slopes)


def violation(
    lpme: Callable[[], Procedure[Floats]],
    tau: Floats,
    a: Floats,
    *,
    unscaled: Unscaled,
    equal_pairs: bool = False,
    cuts: tuple[Cut, ...] | None = None,
) -> Procedure[ViolationFound]:
    """Lines 2–11 of Algorithm 1; two groups are the case of a single cut.

    With `equal_pairs`, all pairs of groups have the same weights, and one cut is enough.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> from evenhand.elicitation import interview
    >>> from evenhand.region import common_sphere
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)

    >>> from evenhand.elicitation import by_delta, linear
    >>> lpme = lambda: linear(common_sphere(2), 0.001)
    >>> asks = violation(lpme, setting.tau, truth.misclassification, unscaled=by_delta)
    >>> bool(np.abs(interview(asks, SimulatedOracle(truth)).weights - truth.violation).max() < 0.02)
    True
    """
    k = number_of_classes(tau.shape[-1])
    cuts = cuts_to_ask(tau.shape[-2], equal_pairs=equal_pairs, chosen=cuts)
    first_slopes, last_slopes = [], []
    for sigma in cuts:  # line 7
        first = yield from embed(lpme(), trivial_on(sigma, trivial_rates(k)[0]), "violation")  # lines 3, 8
        last = yield from embed(lpme(), trivial_on(sigma, trivial_rates(k)[-1]), "violation")  # lines 4, 9
        first_slopes.append(first)
        last_slopes.append(last)
    found = Slopes(cuts, np.stack(first_slopes, axis=-2), np.stack(last_slopes, axis=-2))
    B = found.solved(tau, a, unscaled)  # lines 5, 10, 11
    return ViolationFound.of(B, found)


def trivial_on(sigma: Cut, rates: Floats) -> Callable[[Floats], Floats]:
    """The paper's ν(·, σ, i): the groups in σ get a trivial classifier's rates, the others the point."""
    return lambda point: np.where(sigma[:, None], rates, point[..., None, :])


def solve_cuts(cuts: tuple[Cut, ...], gammas: Floats) -> Floats:
    """Solve Σ of the pairs that σ separates = γ^σ for all pairs, coordinate by coordinate."""
    Xi = separates(cuts)
    if len(cuts) < Xi.shape[1]:  # one cut, equal pairs
        return np.repeat(gammas / Xi.sum(), Xi.shape[1], axis=-2)
    return np.linalg.solve(Xi, gammas).astype(np.float64, copy=False)
