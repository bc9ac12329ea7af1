"""How many times as much one weight counts as another, and what may be said of it.

A ratio of two weights can be anything from 0 to ∞, so that it is kept as a share: how much of both together the first
one is. It is 1/2 where both count alike, and 1 where the other counts for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

SURE: Final = 0.95
"""The least probability with which one of two weights is said to count more.

Lower: more is said, and more of it is wrong. Chosen with the people of bench/honesty/sentences.py from `TUNING` on.
"""
WIDEST: Final = 5.0
"""A ratio is told if the upper end of its interval is at most so many times the lower one. By judgement."""
ALIKE: Final = 1.25
"""Weights whose ratio surely lies between 1/1.25 and 1.25 count about alike. By judgement."""
NOTHING: Final = 50.0
"""What surely counts less than a fiftieth of another weight counts for next to nothing beside it. By judgement."""


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

    @property
    def alike(self) -> bool:
        """Whether the two surely count about alike."""
        return self.at_least >= 1 / ALIKE and self.at_most <= ALIKE

    @property
    def more(self) -> bool:
        """Whether it may be said that the first counts more."""
        return not self.alike and self.probability >= SURE

    @property
    def less(self) -> bool:
        """Whether it may be said that the first counts less."""
        return not self.alike and self.probability <= 1 - SURE

    @property
    def narrow(self) -> bool:
        """Whether it may be said how many times as much it is."""
        return 0 < self.at_most < inf and self.at_most <= WIDEST * self.at_least

    @property
    def told(self) -> tuple[float, float] | None:
        """From which share to which one is said; where the interval is wide but one of the two counts more, one end."""
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


def _times(share: float) -> float:
    return share / (1 - share) if share < 1 else inf
