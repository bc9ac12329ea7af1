"""Bisection: the same metric from a fifteenth of the questions.

Every answer of an exact oracle tells on which side of a line the weights lie, so a ratio of two weights takes one
question for each binary digit. Ratios within a, ratios within B and one trade-off between the two make the metric.

*Gap profiles* keep the three apart: the groups in a cut σ move by x(1 − τ^σ) and the others by −x·τ^σ, so that no
overall rate changes, every pair that σ separates differs by x, and the cost is λ·⟨x, η^σ⟩ and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.methods.search import Search
from evenhand.elicitation.paper.algorithm_1 import WeightsFound
from evenhand.elicitation.paper.shrink_interval import halvings
from evenhand.elicitation.paper.violation import ViolationFound, solve_cuts
from evenhand.elicitation.profiles import Cut, cuts_to_ask, everyone_alike, gap, independent_cuts, separates, within
from evenhand.elicitation.question import Procedure, Question, costs_more
from evenhand.metric.weights import Weights, normalised_misclassification
from evenhand.rates.ties import comparable
from evenhand.region import Sphere
from evenhand.typing import Floats

Places = NDArray[np.intp]
Larger = Callable[[Places, Places, Floats], Question]
"""`larger(i, j, t)` asks whether wᵢ·cos t > wⱼ·sin t: whether the ratio wᵢ / wⱼ is above tan t."""


def relative_weights(larger: Larger, n: int, *, batch: tuple[int, ...], tolerance: float) -> Procedure[Floats]:
    """Elicit n non-negative weights (…, n) relative to the largest of them.

    The comparisons that find the largest are the first halving of every ratio to it.
    """
    largest = np.zeros(batch, dtype=np.intp)
    for entry in range(1, n):
        rival = np.full(batch, entry)
        largest = np.where((yield larger(rival, largest, np.full(batch, pi / 4))), rival, largest)
    ratios = np.ones((*batch, n))
    for other in range(n - 1):
        rival = other + (other >= largest)
        low, high = np.zeros(batch), np.full(batch, pi / 4)
        for _ in range(halvings(pi / 4, tolerance)):
            middle = (low + high) / 2
            above = yield larger(rival, largest, middle)
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        np.put_along_axis(ratios, rival[..., None], np.tan((low + high) / 2)[..., None], axis=-1)
    return ratios


def misclassification_by_bisection(sphere: Sphere, tolerance: float, tau: Floats) -> Procedure[Floats]:
    """Elicit a (…, q), of length 1, from opposite points of the sphere with all groups alike."""
    q, groups = sphere.dimension, tau.shape[-2]
    unit = np.eye(q)

    def larger(i: Places, j: Places, t: Floats) -> Question:
        direction = np.cos(t)[..., None] * unit[i] - np.sin(t)[..., None] * unit[j]
        above, below = (everyone_alike(sphere.at(sign * direction), groups) for sign in (1, -1))
        return costs_more(above, below, "misclassification")

    weights = yield from relative_weights(larger, q, batch=tau.shape[:-2], tolerance=tolerance)
    return normalised_misclassification(weights)


def violation_by_bisection(
    sphere: Sphere,
    tolerance: float,
    tau: Floats,
    *,
    equal_pairs: bool = False,
    cuts: tuple[Cut, ...] | None = None,
) -> Procedure[ViolationFound]:
    """Elicit B (…, pairs, q), with Σ‖bᵘᵛ‖₂ = 1, from the costs η of gaps at cuts σ and coordinates i."""
    q, groups = sphere.dimension, tau.shape[-2]
    cuts = cuts_to_ask(groups, equal_pairs=equal_pairs, chosen=cuts)
    unit, sides = np.eye(q), np.array(cuts, dtype=np.float64)

    def larger(one: Places, other: Places, t: Floats) -> Question:
        first = gap(tau, sides[one // q], np.cos(t)[..., None] * unit[one % q])
        second = gap(tau, sides[other // q], np.sin(t)[..., None] * unit[other % q])
        return costs_more(*within(sphere, first, second), "violation")

    batch = tau.shape[:-2]
    eta = yield from relative_weights(larger, len(cuts) * q, batch=batch, tolerance=tolerance)
    B = solve_cuts(cuts, eta.reshape(*batch, len(cuts), q))
    return ViolationFound.of(B, slopes=None)


def trade_off_by_bisection(
    sphere: Sphere, tolerance: float, tau: Floats, a: Floats, B: Floats, *, cuts: tuple[Cut, ...] | None = None
) -> Procedure[Floats]:
    """Elicit λ (…): is a step along a worth more than a gap along η^σ?

    Both go in the direction in which they cost most, where an error in a or B changes their cost only in second order.
    """
    batch = tau.shape[:-2]
    cuts = cuts_to_ask(tau.shape[-2], chosen=cuts)
    etas = separates(cuts) @ B
    best = comparable(np.linalg.norm(etas, axis=-1)).argmax(axis=-1)
    sigma = np.array(cuts, dtype=np.float64)[best]
    eta = np.take_along_axis(etas, best[..., None, None], axis=-2)[..., 0, :]
    length = np.linalg.norm(eta, axis=-1)
    alike = everyone_alike(np.broadcast_to(a, (*batch, a.shape[-1])), tau.shape[-2])
    apart = gap(tau, sigma, eta / length[..., None])

    low, high = np.zeros(batch), np.ones(batch)
    for _ in range(halvings(2.0, tolerance)):
        guess = (low + high) / 2
        step, size = ((guess * length)[..., None, None], (2 * (1 - guess))[..., None, None])
        # costs (1 − λ)·2·step against λ·size·‖η‖, which are equal where λ is the guess
        first, second = within(sphere, -step * alike + size * apart, step * alike)
        above = yield costs_more(first, second, "trade_off")
        low, high = np.where(above, guess, low), np.where(above, high, guess)
    return (low + high) / 2


def fair_performance_by_bisection(
    tau: Floats,
    sphere: Sphere,
    *,
    tolerance: float = 1e-3,
    equal_pairs: bool = False,
    cuts: tuple[Cut, ...] | None = None,
    given_misclassification: Floats | None = None,
    given_violation: Floats | None = None,
) -> Procedure[WeightsFound]:
    """Elicit all three parts for τ of shape (…, m, q); a part that is given is not asked about."""
    a, B, found = given_misclassification, given_violation, None
    if a is None:
        a = yield from misclassification_by_bisection(sphere, tolerance, tau)
    if B is None:
        found = yield from violation_by_bisection(sphere, tolerance, tau, equal_pairs=equal_pairs, cuts=cuts)
        B = found.weights
    trade_off = yield from trade_off_by_bisection(sphere, tolerance, tau, a, B, cuts=cuts)
    return WeightsFound(Weights(a, B, trade_off), slope=None, violation_found=found)


def bisection_questions(classes: int, groups: int, tolerance: float, *, equal_pairs: bool = False) -> dict[str, int]:
    """Return how many questions bisection asks about each part."""
    q = classes * (classes - 1)
    cuts = 1 if equal_pairs else len(independent_cuts(groups))
    each = 1 + halvings(pi / 4, tolerance)
    return {
        "misclassification": (q - 1) * each,
        "violation": (cuts * q - 1) * each,
        "trade_off": halvings(2.0, tolerance),
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class Bisection(Search):
    """For right answers: a fifteenth of the paper's questions, and no large errors where gaps are nearly free.

    It takes every answer at its word and cannot notice wrong ones.

    Parameters
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    tolerance
        Where each search ends.
    radius
        Of the sphere that questions are asked from; by default the largest that keeps rates rates, at most the paper's
        0.2, or the region's.
    region
        What is within reach on your own data (`FeasibleRegion`): questions come from its sphere, so that each is about
        two classifiers that exist.
    equal_pairs
        All pairs of groups have the same violation weights, which takes far fewer questions.
    cuts
        Which groups are set apart from the others to learn what gaps cost, as in `evenhand.Paper`.
    misclassification, violation
        A part to take as given, right or wrong, instead of asking about it.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> elicit(person, method=Bisection(setting=setting)).questions
    33
    """

    name: ClassVar[str] = "bisection"

    def _questions_by_part(self) -> dict[str, int]:
        k, m = len(self.setting.classes), len(self.setting.groups)
        return bisection_questions(k, m, self.tolerance, equal_pairs=self.equal_pairs)

    def _search(self, seed: int | None) -> Procedure[WeightsFound]:  # noqa: ARG002  # nothing is left to chance
        a, B = self._given()
        return fair_performance_by_bisection(
            self.setting.tau,
            self._sphere(),
            tolerance=self.tolerance,
            equal_pairs=self.equal_pairs,
            cuts=self._chosen_cuts(),
            given_misclassification=a,
            given_violation=B,
        )
