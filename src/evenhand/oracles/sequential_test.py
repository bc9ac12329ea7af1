"""A sequential test of which of two arms has more good outcomes; it stays valid however often one looks at it.

Users come in blocks. Condition on the users of a block in each arm and on its good outcomes in both arms together. If
the arms do not differ, the number of good outcomes in the first arm then has a hypergeometric distribution, whatever
the share of good outcomes is and however it drifts from block to block. If the odds of a good outcome are ψ times as
high in the first arm, it has Fisher's noncentral hypergeometric distribution. The ratio of the two probabilities is an
e-variable: its expectation is 1 if the arms do not differ, and at most 1 if the first arm is the worse one, since the
ratio grows with the good outcomes of the first arm. With blocks of one user in each arm, it is the probability ratio of
Wald's test of double dichotomies (*Sequential Analysis*, 1947, chapter 6). Turner, Ly and Grünwald ("Generic
E-variables for exact sequential k-sample tests that allow for optional stopping", 2024) also test by blocks, without
conditioning on the total of good outcomes.

The product of these ratios over all blocks is the wealth of a gambler who starts with 1 and bets at fair odds; so is an
average of such products for several ψ. It is a nonnegative supermartingale. By Ville's inequality (*Étude critique de
la notion de collectif*, 1939), the probability that it ever reaches 2 / error is at most error / 2. One gambler bets on
the first arm and one on the second. If the arms do not differ, the probability that either of them ever gets there is
at most `error`.

ψ may depend on all earlier blocks and on the total of good outcomes of the block, but not on which arm had them. Here
it is the odds ratio of a difference of 1, 2, 4 and 8 times `smallest` at the share of good outcomes so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np

from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

FEWEST = 10
"""The fewest users of each arm in a block. Balanced blocks are the most informative, and small blocks are not balanced:
if users are assigned one by one, blocks with at least one user of each arm would lose a fifth of the information."""
MULTIPLES = np.array([1.0, 2.0, 4.0, 8.0])
STAKES = np.array([0.5, 0.2, 0.1, 0.05])
"""How the gambler's first unit is divided among the multiples of the smallest difference. The rest is not bet: this
margin keeps the share of errors in a few thousand simulated tests below `error`, too."""
_LARGEST_LOG_ODDS = 20.0
_NOTHING = (0.0,) * len(MULTIPLES)


class Arms(NamedTuple):
    """The number of users and of good outcomes in both arms of an A/B test."""

    users_first: int = 0
    good_first: int = 0
    users_second: int = 0
    good_second: int = 0

    @property
    def users(self) -> int:
        """The users of both arms together."""
        return self.users_first + self.users_second

    @property
    def good(self) -> int:
        """The good outcomes of both arms together."""
        return self.good_first + self.good_second

    def since(self, earlier: Arms) -> Arms:
        """Return what was counted after `earlier`."""
        return Arms(*(now - before for now, before in zip(self, earlier, strict=True)))


NO_USERS = Arms()


@dataclass(frozen=True, kw_only=True)
class SequentialTest:
    """The state of a test, an immutable value; `after` returns the next state.

    Attributes
    ----------
    error
        If the arms do not differ, the largest probability that one is ever found to be better.
    smallest
        The smallest difference between the shares of good outcomes that matters.
    counts
        All users and good outcomes so far.
    weighed
        Those in complete blocks, which the evidence is based on.
    for_first, for_second
        The log wealth of the gambler on each arm, for each multiple of the smallest difference.
    prefers_first
        Whether the first arm was found to be better, or None if nothing was found yet.
    """

    error: float
    smallest: float
    counts: Arms = NO_USERS
    weighed: Arms = NO_USERS
    for_first: tuple[float, ...] = _NOTHING
    for_second: tuple[float, ...] = _NOTHING
    prefers_first: bool | None = None

    def after(self, counts: Arms) -> SequentialTest:
        """Return the state after these counts, which include the earlier ones."""
        test = replace(self, counts=counts)
        block = counts.since(self.weighed)
        if self.prefers_first is not None or min(block.users_first, block.users_second) < FEWEST:
            return test
        odds = log_odds(self.smallest, counts.good, counts.users)
        gained = log_ratios(block, np.stack([odds, -odds]))
        for_first, for_second = (np.array([self.for_first, self.for_second]) + gained).tolist()
        test = replace(test, weighed=counts, for_first=tuple(for_first), for_second=tuple(for_second))
        first, second = test.evidence
        if max(first, second) < test.enough:
            return test
        return replace(test, prefers_first=first > second)

    @property
    def enough(self) -> float:
        """The log wealth at which a gambler decides the test."""
        return log(2 / self.error)

    @property
    def follows_from_evidence(self) -> bool:
        """Whether `prefers_first` agrees with the evidence, up to the rounding of another processor."""
        first, second = self.evidence
        if self.prefers_first is None:
            return max(first, second) < self.enough + ROUNDING
        better, other = (first, second) if self.prefers_first else (second, first)
        return better >= max(self.enough, other) - ROUNDING

    @property
    def evidence(self) -> tuple[float, float]:
        """The log wealth of the gamblers on the first and on the second arm; log(2 / error) decides."""
        first, second = (_log_sum_exp(np.log(STAKES) + wealth) for wealth in (self.for_first, self.for_second))
        return first, second


def log_odds(smallest: float, good: int, users: int) -> Floats:
    """Return the log odds ratio of each multiple of the smallest difference, at the share of good outcomes so far."""
    share = (good + 1) / (users + 2)
    return np.minimum(MULTIPLES * smallest / (share * (1 - share)), _LARGEST_LOG_ODDS)


def log_ratios(block: Arms, log_odds: Floats) -> Floats:
    """Return the log likelihood ratio of a block: each of these odds ratios against an odds ratio of 1.

    Given the good outcomes of both arms together, the ratio is ψ^(good outcomes of the first arm) over its expectation.
    """
    from scipy.special import gammaln  # noqa: PLC0415  # SciPy is slow to import

    first, second, good = block.users_first, block.users_second, block.good
    possible = np.arange(max(0, good - second), min(first, good) + 1.0)
    cells = (possible, first - possible, good - possible, second - good + possible)
    log_chance = -np.sum([gammaln(cell + 1) for cell in cells], axis=0)
    log_chance -= _log_sum_exp(log_chance)
    expected = [_log_sum_exp(log_chance + one * possible) for one in log_odds.flat]
    return np.asarray(log_odds * block.good_first - np.reshape(expected, log_odds.shape))


def _log_sum_exp(terms: Floats) -> float:
    largest = float(terms.max())
    return largest + log(float(np.exp(terms - largest).sum()))
