"""A/B tests that are checked after every user: how often they are wrong, and how many users they need."""

from __future__ import annotations

import os
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from evenhand.oracles.sequential_test import FEWEST, MULTIPLES, STAKES
from evenhand.typing import Floats

RUNS = int(os.environ.get("EVENHAND_BENCH_RUNS", "2000"))
BASES = (0.05, 0.3, 0.5, 0.9)
POWER = 0.9
_AT_ONCE = 100


@dataclass(frozen=True, eq=False)
class Outcomes:
    """For each run, the users at its end and the decision: 1 for the first arm, −1 for the second, 0 for none."""

    users: NDArray[np.int64]
    decided: NDArray[np.int64]

    @property
    def power(self) -> float:
        """How often the first arm was preferred."""
        return float((self.decided == 1).mean())

    @property
    def wrong(self) -> float:
        """How often the second arm was preferred."""
        return float((self.decided == -1).mean())


def simulated(
    first: float,
    second: float,
    *,
    error: float = 0.05,
    smallest: float = 0.01,
    max_users: int = 100_000,
    runs: int = RUNS,
    seed: int = 0,
) -> Outcomes:
    """Run A/B tests of arms with these shares of good outcomes, whose users are assigned alternately."""
    rng = np.random.default_rng([seed, round(1e6 * first), round(1e6 * second)])
    blocks = max_users // (2 * FEWEST)
    found = []
    for start in range(0, runs, _AT_ONCE):
        size = (min(_AT_ONCE, runs - start), blocks)
        found.append(decisions(rng.binomial(FEWEST, first, size), rng.binomial(FEWEST, second, size), error, smallest))
    users, decided = (np.concatenate(each) for each in zip(*found, strict=True))
    return Outcomes(np.minimum(users, max_users), decided)


def decisions(
    good_first: NDArray[np.int64], good_second: NDArray[np.int64], error: float, smallest: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the users and decisions of many tests, given good outcomes (runs, blocks) in blocks of ten users per arm.

    The same as `SequentialTest`, vectorised over runs.
    """
    good = good_first + good_second
    users = 2 * FEWEST * np.arange(1, good.shape[1] + 1)
    share = (good.cumsum(axis=1) + 1) / (users + 2)
    unit = smallest / (share * (1 - share))
    crossed = []
    for side in (1, -1):
        wealth = np.zeros(good.shape)
        for multiple, stake in zip(MULTIPLES, STAKES, strict=True):
            log_odds = side * np.minimum(multiple * unit, 20.0)
            gained = log_odds * good_first - np.log(_mean_power(good, np.exp(log_odds)))
            wealth += stake * np.exp(np.minimum(gained.cumsum(axis=1), 100.0))
        reached = wealth >= 2 / error
        crossed.append(np.where(reached.any(axis=1), reached.argmax(axis=1), good.shape[1]))
    ends = np.minimum(*crossed)
    decided = np.where(ends == good.shape[1], 0, np.where(crossed[0] < crossed[1], 1, -1))
    return 2 * FEWEST * (ends + 1), decided


def _mean_power(good: NDArray[np.int64], odds: Floats) -> Floats:
    """Return E[oddsᴴ], where H is the hypergeometric number of good outcomes of the first arm."""
    from scipy.stats import hypergeom  # noqa: PLC0415

    of_first, of_both = np.arange(FEWEST + 1)[:, None], np.arange(2 * FEWEST + 1)
    chances = np.asarray(hypergeom.pmf(of_first, 2 * FEWEST, of_both, FEWEST))
    mean = np.zeros(good.shape)
    for chance in chances[::-1]:  # Horner's rule
        mean = mean * odds + chance[good]
    return mean


def fixed_sample(first: float, second: float, *, error: float, power: float) -> float:
    """Return the sample size of the two-sided z-test of two shares."""
    quantile = NormalDist().inv_cdf
    variance = first * (1 - first) + second * (1 - second)
    return 2 * (quantile(1 - error / 2) + quantile(power)) ** 2 * variance / (first - second) ** 2


def run() -> None:
    """Print how often tests are wrong if there is no difference, and the users that they need to find a difference."""
    error, smallest = 0.05, 0.01
    print(f"  {RUNS} runs each, error {error}, smallest {smallest}, at most 100,000 users, checked after every user")
    for base in BASES:
        nothing = simulated(base, base, error=error, smallest=smallest)
        print(f"  share {base}, no difference: decided in {np.mean(nothing.decided != 0):.2%} of the runs")
    for multiple in (1, 2, 4, 8):
        for base in BASES:
            better = base + multiple * smallest
            soon = 100_000 if multiple <= 2 else 25_000  # more than any test of a larger difference needs
            tests = simulated(better, base, error=error, smallest=smallest, max_users=soon)
            power = min(tests.power, POWER)
            fixed = fixed_sample(better, base, error=error, power=power)
            print(
                f"  shares {better:.2f} and {base}: {tests.users.mean():8,.0f} users, {tests.users.mean() / fixed:.2f} "
                f"times the {fixed:7,.0f} of a fixed sample with power {power:.2f}; right {tests.power:.1%}, wrong "
                f"{tests.wrong:.2%}"
            )
