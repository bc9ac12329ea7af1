"""Algorithm 1 of the paper: a, then B, then λ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from evenhand.elicitation.cuts import independent_cuts
from evenhand.elicitation.linear import linear, linear_questions
from evenhand.elicitation.misclassification import misclassification, not_negative
from evenhand.elicitation.question import Procedure
from evenhand.elicitation.slopes import Unscaled, by_delta
from evenhand.elicitation.trade_off import trade_off, trade_off_questions
from evenhand.elicitation.violation import ViolationFound, violation
from evenhand.rates.vector import Floats
from evenhand.region import Sphere


@dataclass(frozen=True, eq=False)
class WeightsFound:
    """What Algorithm 1 learned; `slope` is a as found, before negative entries were set to zero."""

    misclassification: Floats
    violation: Floats
    trade_off: Floats
    slope: Floats | None
    violation_found: ViolationFound | None


def fair_performance(
    tau: Floats,
    sphere: Sphere,
    *,
    tolerance: float = 1e-3,
    cycles: int = 4,
    unscaled: Unscaled = by_delta,
    equal_pairs: bool = False,
    given_misclassification: Floats | None = None,
    given_violation: Floats | None = None,
    rng: np.random.Generator | None = None,
) -> Procedure[WeightsFound]:
    """Algorithm 1, FPM elicitation, for τ of shape (…, m, q): its leading axes are the batch.

    A part that is given is taken as it is, right or wrong, and not asked about.
    """
    lpme = partial(linear, sphere, tolerance, batch=tau.shape[:-2], cycles=cycles, rng=rng)
    a, B, slope, found = given_misclassification, given_violation, None, None
    if a is None:
        slope = yield from misclassification(lpme, groups=tau.shape[-2])  # line 1
        a = not_negative(slope)
    if B is None:
        found = yield from violation(lpme, tau, a, unscaled=unscaled, equal_pairs=equal_pairs)  # lines 2–11
        B = found.weights
    trade = yield from trade_off(sphere.above_center(), tolerance, tau, a, B)  # line 12
    return WeightsFound(a, B, trade, slope, found)


def questions_by_part(
    classes: int, groups: int, tolerance: float, *, cycles: int = 4, equal_pairs: bool = False
) -> dict[str, int]:
    """Return how many questions Algorithm 1 asks about each part."""
    lpme = linear_questions(classes * (classes - 1), tolerance, cycles)
    cuts = 1 if equal_pairs else len(independent_cuts(groups))
    return {
        "misclassification": lpme,
        "violation": 2 * cuts * lpme,
        "trade_off": trade_off_questions(tolerance),
    }
