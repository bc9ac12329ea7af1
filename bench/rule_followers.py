"""Simulated people whom no metric of the family describes: they follow another rule, or change their mind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.people import Oracle
from evenhand import FairMetric, GroupRates, Setting
from evenhand.rates.profile import gaps, overall_rates
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

Prefers = Callable[[Floats, Floats], bool | None]

FIVE_POINTS = 0.05
FOUR_FIFTHS = 0.8
"""As in the four-fifths rule of the Uniform Guidelines on Employee Selection Procedures, here of right decisions."""
CHANGED_AFTER = 22
"""After how many of 45 answers the mind is changed."""


def follower(setting: Setting, seed: int, kind: str) -> Oracle:
    """Return an oracle that follows a rule of `RULES`; ", 10 % flips" after it turns one answer in ten round."""
    rng = np.random.default_rng([seed, len(setting.classes), len(setting.groups)])
    name, _, noise = kind.partition(", ")
    flip = 0.1 if noise else 0.0
    if name == "change of mind":
        return _changing(setting, rng)
    prefers = RULES[name](setting, rng)

    def answer(first: GroupRates, second: GroupRates) -> bool | None:
        preferred = prefers(first.vector, second.vector)
        return preferred if preferred is None else preferred != bool(rng.random() < flip)

    return answer


def _changing(setting: Setting, rng: np.random.Generator) -> Oracle:
    before, after = FairMetric.random(setting, rng), FairMetric.random(setting, rng)
    answered = 0

    def answer(first: GroupRates, second: GroupRates) -> bool:
        nonlocal answered
        answered += 1
        metric = before if answered <= CHANGED_AFTER else after
        return metric.cost(first) < metric.cost(second)

    return answer


def _lexicographic(setting: Setting, rng: np.random.Generator) -> Prefers:
    """Compare by one criterion; where that differs by no more than five points, by another; else nobody can tell."""
    one, other = rng.permutation(2 * len(setting.mistakes))[:2]

    def criteria(profile: Floats) -> Floats:
        return np.concatenate([overall_rates(profile, setting.tau), gaps(profile).mean(axis=0)])

    def prefers(first: Floats, second: Floats) -> bool | None:
        saved = criteria(second) - criteria(first)
        decisive = float(saved[one if abs(saved[one]) > FIVE_POINTS else other])
        return None if abs(decisive) <= ROUNDING else decisive > 0

    return prefers


def _five_points(setting: Setting, rng: np.random.Generator) -> Prefers:
    """Allow no gap above five points, else the narrower widest gap; otherwise prefer the more accurate one."""
    del rng

    def prefers(first: Floats, second: Floats) -> bool:
        widest = [float(gaps(one).max()) for one in (first, second)]
        if max(widest) > FIVE_POINTS:
            return widest[0] < widest[1]
        mistakes = [float(overall_rates(one, setting.tau).sum()) for one in (first, second)]
        return mistakes[0] < mistakes[1]

    return prefers


def _worst_group(setting: Setting, rng: np.random.Generator) -> Prefers:
    """Prefer the one that errs less in the group where it errs most."""
    del setting, rng
    return lambda first, second: bool(first.mean(axis=1).max() < second.mean(axis=1).max())


def _first_group_only(setting: Setting, rng: np.random.Generator) -> Prefers:
    """Prefer the one that errs less in the first group, whatever it does to the others."""
    del setting, rng
    return lambda first, second: bool(first[0].sum() < second[0].sum())


def _four_fifths(setting: Setting, rng: np.random.Generator) -> Prefers:
    """Allow no group less than four fifths of the right decisions of another, else the higher ratio; then accuracy."""
    del rng

    def ratio(profile: Floats) -> float:
        right = 1 - profile.mean(axis=1)
        return float(right.min() / right.max())

    def prefers(first: Floats, second: Floats) -> bool:
        one, other = ratio(first), ratio(second)
        if min(one, other) < FOUR_FIFTHS:
            return one > other
        mistakes = [float(overall_rates(each, setting.tau).sum()) for each in (first, second)]
        return mistakes[0] < mistakes[1]

    return prefers


RULES: dict[str, Callable[[Setting, np.random.Generator], Prefers]] = {
    "lexicographic": _lexicographic,
    "no gap above five points": _five_points,
    "worst group": _worst_group,
    "first group only": _first_group_only,
    "four fifths": _four_fifths,
}
AFTER_THE_TEST = ("first group only", "four fifths")
"""Written after the test of misfit was frozen, in the commit 7aed5a7: nothing was chosen with these in mind."""
