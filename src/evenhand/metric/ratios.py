"""How many times as much one weight counts as another, and what may be said of it.

A ratio of two weights can be anything from 0 to ∞, so that it is kept as a share: how much of both together the first
one is. It is 1/2 where both count alike, and 1 where the other counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np

from evenhand.rates.ties import ROUNDING, comparable
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric

SURE: Final = 0.95
"""The least probability with which one of two weights is said to count more.

Lower: more is said, and more of it is wrong. Chosen with the people of bench/honesty/sentences.py from `TUNING` on.
"""
_ALIKE_SHARE = 0.5
"""The share of the first of two weights that count alike."""
WIDEST: Final = 5.0
"""A ratio is told if the upper end of its interval is at most so many times the lower one. By judgement."""
ALIKE: Final = 1.25
"""Weights whose ratio surely lies between 1/1.25 and 1.25 count about alike, unless it is clear which counts more. By
judgement."""
NOTHING: Final = 50.0
"""What surely counts less than a fiftieth of another weight counts for next to nothing beside it. By judgement."""
SHARE: Final = 0.2
"""Which of two mistakes counts more is said where mistakes surely are this share of the cost, or where their share
is known; likewise of gaps. Otherwise it is mostly the prior that tells. Chosen with 40 people for whom only gaps in one
kind of mistake count, and who take the demo; another 40 confirm it (tests/study/demo/test_promise.py has a few)."""
_COUNTS = 5e-3
"""A mistake that weighs less than this share of a gap is not what the gap is compared with."""

Places = list[tuple[int, int]]


@dataclass(frozen=True)
class Ratio:
    """How much of two weights together is the first one's.

    Attributes
    ----------
    one, other
        The places of the two among the weights.
    share, low, high
        The share of the first, and the ends of its interval: the other's is what is missing to 1.
    probability
        The probability that the first counts more than the other.
    """

    one: int
    other: int
    share: float
    low: float
    high: float
    probability: float

    @property
    def times(self) -> float:
        """How many times as much the first counts as the other."""
        return _times(self.share)

    @property
    def at_least(self) -> float:
        """The lower end of the interval of that."""
        return _times(self.low)

    @property
    def at_most(self) -> float:
        """The upper end of the interval of that."""
        return _times(self.high)

    @classmethod
    def exact(cls, one: int, other: int, share: float) -> Ratio:
        """Return a ratio that is not in doubt."""
        half = 0.5
        more = half if abs(share - half) <= ROUNDING else float(share > half)
        return cls(one, other, share, share, share, more)

    @property
    def is_exact(self) -> bool:
        """Whether it is not in doubt."""
        return self.low == self.high

    @property
    def turned(self) -> Ratio:
        """The same, of the second to the first."""
        return Ratio(self.other, self.one, 1 - self.share, 1 - self.high, 1 - self.low, 1 - self.probability)

    @property
    def alike(self) -> bool:
        """Whether the two surely count about alike, and it is not clear which counts more."""
        return self.at_least >= 1 / ALIKE and self.at_most <= ALIKE and not (self.more or self.less)

    @property
    def more(self) -> bool:
        """Whether it may be said that the first counts more: surely, and by the whole interval."""
        return self.probability >= SURE and self.low >= _ALIKE_SHARE

    @property
    def less(self) -> bool:
        """Whether it may be said that the first counts less."""
        return self.turned.more

    @property
    def hardly(self) -> bool:
        """Whether the first surely counts for next to nothing beside the second."""
        return self.at_most <= 1 / NOTHING

    @property
    def narrow(self) -> bool:
        """Whether it may be said how many times as much it is."""
        return 0 < self.at_most < inf and self.at_most <= WIDEST * self.at_least

    @property
    def known(self) -> bool:
        """Whether anything may be said of the two."""
        return self.more or self.less or self.alike or self.narrow

    @property
    def told(self) -> tuple[float, float] | None:
        """From which share to which one may be said; where the interval is wide but one counts more, one end."""
        if self.narrow:
            return self.low, self.high
        return (self.low, 1.0) if self.more else (0.0, self.high) if self.less else None


@dataclass(frozen=True)
class Ratios:
    """The ratios that sentences about a metric are made of.

    Attributes
    ----------
    mistakes
        The mistake that weighs most, beside each of the others: places among the kinds of mistake.
    violation
        The entry of the violation that weighs most, beside each of the others: places row by row.
    in_mistakes
        Each entry of the violation beside a mistake: its own kind of mistake where it is about one that counts, else
        the one that weighs most.
    trade_off
        All of the violation beside all mistakes: its share is λ.
    """

    mistakes: tuple[Ratio, ...]
    violation: tuple[Ratio, ...]
    in_mistakes: tuple[Ratio, ...]
    trade_off: Ratio

    @property
    def known(self) -> bool:
        """Whether something may be said of every pair that is compared, so that the metric as a whole has a shape."""
        told = (self.mistakes_count or not self.mistakes) and (self.violation_counts or not self.violation)
        return told and all(ratio.known for ratio in (*self.mistakes, *self.violation, self.trade_off))

    @property
    def mistakes_count(self) -> bool:
        """Whether it is clear enough how much mistakes count to say which of them counts more."""
        return self.trade_off.narrow or self.trade_off.high <= 1 - SHARE or self.trade_off.is_exact

    @property
    def violation_counts(self) -> bool:
        """Whether it is clear enough how much of the cost is unfairness to say which part of it counts more."""
        return self.trade_off.narrow or self.trade_off.low >= SHARE or self.trade_off.is_exact

    @classmethod
    def exact(cls, metric: FairMetric) -> Ratios:
        """Return how the weights of a metric compare if they are taken as exact."""
        mistakes, violation = (part.ravel() for part in metric.weights.scaled)

        def beside(one: Floats, others: Floats, places: Places) -> tuple[Ratio, ...]:
            found = shares(one[[first for first, _ in places]], others[[second for _, second in places]])
            return tuple(Ratio.exact(*place, share) for place, share in zip(places, found.tolist(), strict=True))

        return cls(
            mistakes=beside(mistakes, mistakes, among(mistakes)),
            violation=beside(violation, violation, among(violation)),
            in_mistakes=beside(violation, mistakes, in_mistakes(metric)),
            trade_off=Ratio.exact(0, 0, metric.trade_off),
        )


def among(weights: Floats) -> Places:
    """Return the place of the largest weight beside that of each other one."""
    if not weights.size:
        return []
    most = int(comparable(weights).argmax())
    return [(most, other) for other in range(weights.size) if other != most]


def in_mistakes(metric: FairMetric) -> Places:
    """Return each entry of the violation beside the mistake that it is compared with."""
    words = Words.plain(metric.setting)
    about_mistakes = metric.form.columns(words) == words.mistakes
    mistakes, violation = (part.ravel() for part in metric.weights.scaled)
    columns, dearest = metric.violation.shape[-1], int(comparable(mistakes).argmax())
    own = [place % columns for place in range(violation.size)]
    return [
        (place, own[place] if about_mistakes and mistakes[own[place]] > _COUNTS * price else dearest)
        for place, price in enumerate(violation.tolist())
    ]


def shares(one: Floats, other: Floats) -> Floats:
    """Return one / (one + other), which is one half where both are nothing."""
    both = one + other
    return np.asarray(np.where(both > 0, one / np.where(both > 0, both, 1.0), 0.5))


def _times(share: float) -> float:
    return share / (1 - share) if share < 1 else inf
