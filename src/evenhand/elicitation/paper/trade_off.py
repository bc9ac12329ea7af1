"""Algorithm 4 of the paper: the trade-off λ between mistakes and gaps, given what each of them costs."""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.paper.shrink_interval import halvings, search_top
from evenhand.elicitation.procedure import embed
from evenhand.elicitation.question import Procedure
from evenhand.rates import group_pairs, number_of_classes, uniform_rates
from evenhand.region import Sphere
from evenhand.typing import Floats


def trade_off(sphere: Sphere, tolerance: float, tau: Floats, a: Floats, B: Floats) -> Procedure[Floats]:
    """Elicit λ (…) from points s ≥ o, where the cost of (s, o, …, o) is linear and ϑ has one top, at the true λ.

    All points of S⁺ satisfy s ≥ o. So do the maximisers of non-negative slopes on S_ρ.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle
    >>> from evenhand.elicitation import interview
    >>> from evenhand.region import common_sphere
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)

    >>> sphere = common_sphere(2).above_center()
    >>> asks = trade_off(sphere, 0.001, setting.tau, truth.misclassification, truth.violation)
    >>> bool(abs(interview(asks, SimulatedOracle(truth)) - truth.trade_off) < 0.002)
    True
    """
    mistakes, gaps = first_group_slopes(tau, a, B)

    def best_for(guess: Floats) -> Floats:  # lines 5–6
        return sphere.highest((1 - guess[..., None]) * mistakes + guess[..., None] * gaps)

    batch = mistakes.shape[:-1]
    search = search_top(best_for, np.zeros(batch), np.ones(batch), width=1.0, tolerance=tolerance)
    return (yield from embed(search, lambda point: first_group_differs(point, tau.shape[-2]), "trade_off"))


def trade_off_questions(tolerance: float) -> int:
    """Return how many questions Algorithm 4 asks."""
    return 4 * halvings(1.0, tolerance)


def first_group_slopes(tau: Floats, a: Floats, B: Floats) -> tuple[Floats, Floats]:
    """Return τ¹ ⊙ a and Σᵥ b¹ᵛ: how fast mistakes and gaps cost more as the first group's rates grow."""
    with_first = [pair for pair, (u, _) in enumerate(group_pairs(tau.shape[-2])) if u == 0]
    mistakes, gaps = np.broadcast_arrays(tau[..., 0, :] * a, B[..., with_first, :].sum(axis=-2))
    return mistakes, gaps


def first_group_differs(point: Floats, groups: int) -> Floats:
    """The paper's ν': the first group gets the point, all others the uniform classifier's rates o."""
    q = point.shape[-1]
    profile = np.empty((*point.shape[:-1], groups, q))
    profile[..., 0, :] = point
    profile[..., 1:, :] = uniform_rates(number_of_classes(q))
    return profile
