"""Algorithm 1 of the paper: a, then B, then λ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from evenhand.elicitation.paper.linear import linear, linear_questions
from evenhand.elicitation.paper.misclassification import misclassification, not_negative
from evenhand.elicitation.paper.slopes import Unscaled, by_delta, by_least_squares
from evenhand.elicitation.paper.trade_off import trade_off, trade_off_questions
from evenhand.elicitation.paper.violation import ViolationFound, violation
from evenhand.elicitation.profiles import Cut, independent_cuts
from evenhand.elicitation.question import Procedure
from evenhand.metric.weights import Weights, normalised_misclassification
from evenhand.region import Sphere
from evenhand.typing import Floats


class Form(NamedTuple):
    """What the forms of Algorithm 1 differ in: how γ^σ comes from the slopes, and where λ is searched for.

    Algorithm 4 needs points s ≥ o, and the paper takes them from S⁺. But the slopes that it maximises are sums of
    weights, none of them negative, so that their maximisers on S_ρ satisfy s ≥ o as well. The radius of S_ρ is 1 + √q
    times as large, and near ties do less harm there.
    """

    unscaled: Unscaled
    above_center: bool


PAPER = Form(by_delta, above_center=True)
LEAST_SQUARES = Form(by_least_squares, above_center=False)


@dataclass(frozen=True, eq=False)
class WeightsFound:
    """What Algorithm 1 learned; `slope` is a as found, before negative entries were set to zero.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> from evenhand.elicitation import interview
    >>> from evenhand.region import common_sphere
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> found = interview(fair_performance(setting.tau, common_sphere(2)), SimulatedOracle(truth))
    >>> bool(np.allclose(found.weights.misclassification, found.slope))
    True
    """

    weights: Weights
    slope: Floats | None
    violation_found: ViolationFound | None


def fair_performance(
    tau: Floats,
    sphere: Sphere,
    *,
    tolerance: float = 1e-3,
    cycles: int = 4,
    form: Form = PAPER,
    equal_pairs: bool = False,
    cuts: tuple[Cut, ...] | None = None,
    given_misclassification: Floats | None = None,
    given_violation: Floats | None = None,
    rng: np.random.Generator | None = None,
) -> Procedure[WeightsFound]:
    """Algorithm 1, FPM elicitation, for τ of shape (…, m, q): its leading axes are the batch.

    A part that is given is taken as it is, right or wrong, and not asked about. `cuts` may replace the paper's M.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> from evenhand.elicitation import interview
    >>> from evenhand.region import common_sphere
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> found = interview(fair_performance(setting.tau, common_sphere(2)), SimulatedOracle(truth))
    >>> bool((found.weights.distance(truth.weights) < 0.01).all())
    True
    """
    lpme = partial(linear, sphere, tolerance, batch=tau.shape[:-2], cycles=cycles, rng=rng)
    a, B, slope, found = given_misclassification, given_violation, None, None
    if a is None:
        slope = yield from misclassification(lpme, groups=tau.shape[-2])  # line 1
        a = normalised_misclassification(not_negative(slope))  # all equal if nothing was learned
    if B is None:
        found = yield from violation(  # lines 2–11
            lpme, tau, a, unscaled=form.unscaled, equal_pairs=equal_pairs, cuts=cuts
        )
        B = found.weights
    where = sphere.above_center() if form.above_center else sphere
    trade = yield from trade_off(where, tolerance, tau, a, B)  # line 12
    return WeightsFound(Weights(a, B, trade), slope, found)


def questions_by_part(
    classes: int, groups: int, tolerance: float, *, cycles: int = 4, equal_pairs: bool = False
) -> dict[str, int]:
    """Return how many questions Algorithm 1 asks about each part.

    Examples
    --------
    >>> questions_by_part(2, 2, 0.001)
    {'misclassification': 178, 'violation': 356, 'trade_off': 40}
    """
    lpme = linear_questions(classes * (classes - 1), tolerance, cycles)
    cuts = 1 if equal_pairs else len(independent_cuts(groups))
    return {
        "misclassification": lpme,
        "violation": 2 * cuts * lpme,
        "trade_off": trade_off_questions(tolerance),
    }
