"""Warnings of the search methods: which of the theorem's assumptions fail, and which weights were corrected.

The theorem holds under Assumption 2, with constants c₁ … c₄ that the paper leaves open. Here a quantity counts as
zero if it is no larger than the search tolerance, and a part of the metric as poorly determined if errors of that
size in what it is computed from would move it by more than `POOR`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evenhand.checks.messages import listed
from evenhand.elicitation.paper.algorithm_1 import WeightsFound
from evenhand.elicitation.paper.slopes import Unscaled, signs
from evenhand.elicitation.paper.trade_off import first_group_slopes
from evenhand.elicitation.paper.violation import Slopes, ViolationFound
from evenhand.elicitation.profiles import Cut, separates
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats, Label
from evenhand.wording.vocabulary import Words

POOR = 0.05
_PERTURBATIONS = 200


def warnings_about(
    found: WeightsFound, setting: Setting, tolerance: float, unscaled: Unscaled | None
) -> tuple[str, ...]:
    """Return a warning for each assumption that fails; `unscaled` is None for bisection."""
    return (
        *_about_mistakes(found.slope, setting, tolerance),
        *_about_gaps(found, setting, tolerance, unscaled),
        *_about_trade_off(found, tolerance),
        *(_about_the_first_group(found, setting, tolerance) if unscaled is not None else ()),
    )


def _about_mistakes(slope: Floats | None, setting: Setting, tolerance: float) -> Iterator[str]:
    if slope is None:
        return
    if (slope <= tolerance).all():
        yield (
            "What mistakes cost could not be learned: with all groups alike, fewer mistakes were never preferred. "
            "Mistakes may not matter to the respondent (trade-off 1); all got the same weight."
        )
        return
    small = [
        f"{mistake} ({weight:.2g})"
        for mistake, weight in zip(Words.plain(setting).mistakes, slope, strict=True)
        if weight <= tolerance
    ]
    if small:
        yield (
            f"Some mistakes' weights cannot be told from zero, or came out negative and were set to zero: "
            f"{', '.join(small)}. The theorem assumes that every mistake has a weight (c₃)."
        )


def _about_gaps(found: WeightsFound, setting: Setting, tolerance: float, unscaled: Unscaled | None) -> Iterator[str]:
    gaps = found.violation_found
    if gaps is None:
        return
    B = gaps.as_solved
    bad = ~(B >= -ROUNDING) | ~np.isfinite(B)
    if not (np.isfinite(B) & (B > 0)).any():
        yield (
            "What gaps between groups cost could not be learned: no gap came out with a positive, finite weight. "
            "Gaps, or mistakes, may not matter to the respondent (trade-off 0 or 1); all gaps got the same weight."
        )
        return
    if bad.any():
        words = Words.plain(setting)
        names = [
            f"{u} | {v}, {mistake}"
            for p, (u, v) in enumerate(words.pairs)
            for c, mistake in enumerate(words.mistakes)
            if bad[p, c]
        ]
        yield (
            f"{len(names)} of {B.size} weights of gaps came out negative or undefined and were set to zero: "
            f"{'; '.join(names[:5])}{'; …' if len(names) > 5 else ''}."
        )
    if unscaled is None or gaps.slopes is None:
        return
    a = found.weights.misclassification
    spread = expected_violation_error(a, gaps.weights, gaps.slopes, setting, tolerance, unscaled)
    smallest = smallest_slope(found, gaps.slopes.cuts, setting)
    if spread > POOR:
        yield (
            f"What gaps between groups cost is poorly determined: errors as small as the tolerance in the slopes "
            f"move it by about {spread:.2g}. The theorem assumes that neither mistakes nor gaps are nearly free "
            f"(c₁, c₂) and that no slope is nearly zero (c₄); the smallest is {smallest}."
        )
    elif smallest.size <= tolerance:
        yield (
            "The theorem's bound on what gaps between groups cost assumes that no slope is nearly zero (c₄), but one "
            f"is {smallest}. Errors as small as the tolerance in the slopes move what gaps cost by about {spread:.2g}."
        )


@dataclass(frozen=True)
class SmallestSlope:
    """How small the smallest slope is: with which groups set apart, which class predicted for them, which mistake."""

    size: float
    apart: tuple[Label, ...]
    predicted: str
    mistake: str

    def __str__(self) -> str:
        return f"{self.size:.2g} ({self.mistake}, with {self.predicted} predicted for {listed(self.apart)})"


def smallest_slope(found: WeightsFound, cuts: tuple[Cut, ...], setting: Setting) -> SmallestSlope:
    """Return Assumption 2's c₄ for the metric found, taken over the cuts and the two classes that were asked about.

    With the groups in σ given the trivial classifier of class j, the cost of the others' rates has the slope
    (1 − λ)·a ⊙ (1 − τ^σ) + λ·wⱼ ⊙ b^σ (equation 9), where b^σ sums the weights of the pairs that σ separates and
    wⱼ = 1 − 2eⱼ. c₄ bounds its entries away from zero. The paper prints (1 − λ)aᵢτᵢ^σ − λwⱼᵢbᵢ^σ there: τ^σ for
    1 − τ^σ, and a minus for a plus.
    """
    weights = found.weights
    of_mistakes = weights.misclassification * (1 - np.array([setting.tau[cut].sum(axis=0) for cut in cuts]))
    of_gaps = separates(cuts) @ weights.violation
    signed = np.stack([w * of_gaps for w in signs(len(setting.classes))], axis=1)
    slopes = np.abs((1 - weights.trade_off) * of_mistakes[:, None] + weights.trade_off * signed)  # (cuts, 2, q)
    first = slopes.round(12).argmin()  # the first of those that differ by rounding errors alone
    cut, which, mistake = (int(place) for place in np.unravel_index(first, slopes.shape))
    words = Words.plain(setting)
    return SmallestSlope(
        size=float(slopes.min()),
        apart=tuple(group for group, apart in zip(setting.groups, cuts[cut], strict=True) if apart),
        predicted=(words.classes[0], words.classes[-1])[which],
        mistake=words.mistakes[mistake],
    )


def expected_violation_error(
    a: Floats, B: Floats, slopes: Slopes, setting: Setting, tolerance: float, unscaled: Unscaled
) -> float:
    """Return how far B moves on average if each slope is off by as much as a search leaves it."""
    rng = np.random.default_rng(0)  # a fixed draw: the same answers always give the same sentence

    def moved(slope: Floats) -> Floats:
        # The last interval is at most as wide as the tolerance, and its middle is what is returned.
        return slope + rng.uniform(-tolerance / 2, tolerance / 2, size=(_PERTURBATIONS, *slope.shape))

    elsewhere = Slopes(slopes.cuts, moved(slopes.first), moved(slopes.last))
    B_elsewhere = ViolationFound.of(elsewhere.solved(setting.tau, moved(a), unscaled), elsewhere).weights
    return float(np.mean(np.linalg.norm(B_elsewhere - B, axis=(-2, -1))))


def _about_trade_off(found: WeightsFound, tolerance: float) -> Iterator[str]:
    trade_off = float(found.weights.trade_off)
    if trade_off <= tolerance or trade_off >= 1 - tolerance:
        free = "gaps between groups" if trade_off <= tolerance else "mistakes"
        yield (
            f"The trade-off {trade_off:.4g} cannot be told from {round(trade_off)}: {free} "
            "hardly matter to the respondent, so what they cost was learned from ties (c₁, c₂)."
        )


def _about_the_first_group(found: WeightsFound, setting: Setting, tolerance: float) -> Iterator[str]:
    """Algorithm 4 asks about the first group alone, so both mistakes and gaps must matter for that group."""
    mistakes, gaps = first_group_slopes(setting.tau, found.weights.misclassification, found.weights.violation)
    name, steepness = setting.groups[0], float(np.linalg.norm(gaps))
    if tolerance > POOR * steepness:
        yield (
            f"The trade-off cannot be identified: gaps between group {name!r} and the others cost next to nothing, and "
            "the paper's method asks about that group alone. Put another group first, or take method='bisection'."
        )
        return
    cosine = float(mistakes @ gaps) / (float(np.linalg.norm(mistakes)) * steepness)
    angle = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
    if tolerance > POOR * angle:
        how = "cannot be identified" if angle <= tolerance else f"is known to about {tolerance / angle:.2g} only"
        yield (
            f"The trade-off {how}: for group {name!r} mistakes and gaps cost in nearly the same proportions (angle "
            f"{angle:.2g}), so that answers hardly depend on it."
        )
