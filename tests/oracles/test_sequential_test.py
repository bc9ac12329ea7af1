"""A test that may be looked at any time: its bets are fair, it is seldom wrong, and it takes few users."""

from __future__ import annotations

from itertools import product
from math import exp, log

import numpy as np
import pytest
import ville
from bench.ab_tests import decisions, fixed_sample, simulated
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial.legendre import leggauss
from scipy.stats import binom, hypergeom, nchypergeom_fisher

from evenhand.oracles.sequential_test import FEWEST, MULTIPLES, STAKES, Arms, SequentialTest, log_odds, log_ratios
from evenhand.typing import Floats

seeds = st.integers(0, 2**32 - 1)
shares = st.floats(0.01, 0.99)
sizes = st.integers(1, 40)


def users(first: float, second: float, batch: tuple[int, int], batches: int, seed: int) -> list[Arms]:
    """Return the counts after each batch of users of two arms with these shares of good outcomes."""
    rng = np.random.default_rng(seed)
    good = rng.binomial(batch, (first, second), size=(batches, 2)).cumsum(axis=0).tolist()
    return [Arms(batch[0] * n, one, batch[1] * n, two) for n, (one, two) in enumerate(good, 1)]


def after(counts: list[Arms], test: SequentialTest | None = None, *, smallest: float = 0.01) -> SequentialTest:
    test = test or SequentialTest(error=0.05, smallest=smallest)
    for each in counts:
        test = test.after(each)
    return test


@given(sizes, sizes, st.data(), st.floats(-5, 5))
def test_a_bet_is_the_ratio_of_fishers_distribution_at_its_odds_to_the_one_at_even_odds(
    first: int, second: int, data: st.DataObject, eta: float
) -> None:
    good_first, good_second = data.draw(st.integers(0, first)), data.draw(st.integers(0, second))
    table = (first + second, good_first + good_second, first)
    expected = nchypergeom_fisher.logpmf(good_first, *table, exp(eta)) - hypergeom.logpmf(good_first, *table)
    found = log_ratios(Arms(first, good_first, second, good_second), np.array([eta]))
    assert found == pytest.approx(expected, abs=1e-9)


def expectation(first: int, second: int, share_first: float, share_second: float, side: int) -> Floats:
    """Return what a bet of 1 on the first (side 1) or second arm (side −1) brings on average, over all outcomes."""
    mean = np.zeros(len(MULTIPLES))
    for one, two in product(range(first + 1), range(second + 1)):
        chance = binom.pmf(one, first, share_first) * binom.pmf(two, second, share_second)
        odds = side * log_odds(0.05, 3 + one + two, 10 + first + second)
        mean += chance * np.exp(log_ratios(Arms(first, one, second, two), odds))
    return mean


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 5), (7, 3), (10, 10)])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9])
def test_bets_are_fair_if_the_arms_do_not_differ(first: int, second: int, share: float) -> None:
    for side in (1, -1):
        assert expectation(first, second, share, share, side) == pytest.approx(1, abs=1e-12)


@given(st.integers(1, 6), st.integers(1, 6), shares, shares)
def test_bets_on_the_worse_arm_lose_on_average(first: int, second: int, one: float, other: float) -> None:
    worse, better = sorted((one, other))
    assert (expectation(first, second, worse, better, 1) <= 1 + 1e-12).all()
    assert (expectation(first, second, better, worse, -1) <= 1 + 1e-12).all()


@pytest.mark.parametrize(("prior", "seed"), [((1.0, 1.0), 0), ((2.0, 2.0), 1), ((3.0, 1.0), 2)])
def test_averaged_over_all_odds_bets_on_pairs_are_the_beta_binomial_test_of_ville(
    prior: tuple[float, float], seed: int
) -> None:
    """Of a pair of users, one in each arm, it only matters which one was good: with no difference, that is a coin."""
    rng = np.random.default_rng(seed)
    pairs = rng.random((120, 2)) < (0.6, 0.4)
    nodes, weights = leggauss(200)
    chance = (1 + nodes) / 2  # that the first one is the good one
    density = chance ** (prior[0] - 1) * (1 - chance) ** (prior[1] - 1)
    stakes = weights * density / (weights * density).sum()
    ratios = [log_ratios(Arms(1, int(one), 1, int(two)), np.log(chance / (1 - chance))) for one, two in pairs]
    wealth = np.log(np.exp(np.cumsum(ratios, axis=0)) @ stakes)
    differ = pairs[:, 0] != pairs[:, 1]
    theirs = ville.BernoulliTest(0.5, prior=prior).fit(pairs[differ, 0])
    assert wealth[differ] == pytest.approx(theirs.log_e_values_, abs=1e-8)
    assert np.diff(wealth)[~differ[1:]] == pytest.approx(0, abs=1e-12)


def test_it_agrees_with_villes_test_for_bounded_outcomes_and_takes_fewer_users() -> None:
    ours, theirs = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        good = rng.random((4000, 2)) < ((0.6, 0.5) if seed % 2 else (0.5, 0.6))
        counts = good.cumsum(axis=0).tolist()
        test = SequentialTest(error=0.05, smallest=0.05)
        for n, (one, two) in enumerate(counts, 1):
            test = test.after(Arms(n, one, n, two))
            if test.prefers_first is not None:
                break
        in_turns = ville.BettingABTest(grid=2000).fit(good.ravel(), np.tile([1, 0], len(good)))
        assert test.prefers_first is bool(in_turns.lower_[-1] > 0) is (seed % 2 == 1)
        ours.append(test.counts.users)
        theirs.append(in_turns.stopping_time())
    assert np.mean(ours) < np.mean(theirs)


@given(st.lists(st.tuples(shares, shares), min_size=3, max_size=3), st.floats(0.005, 0.2), seeds)
def test_many_runs_at_once_are_the_same_as_one_after_another(
    arms: list[tuple[float, float]], smallest: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    good = np.array([rng.binomial(FEWEST, arm, size=(60, 2)) for arm in arms])
    ends, decided = decisions(good[..., 0], good[..., 1], 0.05, smallest)
    for run, end, what in zip(good.cumsum(axis=1), ends, decided, strict=True):
        test = SequentialTest(error=0.05, smallest=smallest)
        for n, (one, two) in enumerate(run.tolist(), 1):
            if test.prefers_first is None:
                test = test.after(Arms(FEWEST * n, one, FEWEST * n, two))
        assert test.prefers_first is {1: True, -1: False, 0: None}[int(what)]
        assert test.counts.users == (end if what else 60 * 2 * FEWEST)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_with_no_difference_few_tests_ever_decide_although_every_user_is_looked_at(share: float) -> None:
    decided = simulated(share, share, smallest=0.02, max_users=25_000, runs=400).decided
    assert np.mean(decided != 0) <= 0.05


def test_shares_that_drift_do_not_look_like_a_difference() -> None:
    rng = np.random.default_rng(0)
    share = 0.5 + 0.45 * np.sin(np.arange(1000) / 50)
    good = rng.binomial(FEWEST, share[:, None], size=(300, 1000, 2))
    assert np.mean(decisions(good[..., 0], good[..., 1], 0.05, 0.02)[1] != 0) <= 0.05


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.89])
def test_a_difference_takes_about_as_many_users_as_a_fixed_sample_and_fewer_if_it_is_twice_the_smallest(
    share: float,
) -> None:
    """Four times the smallest difference of the benchmark, which makes the tests sixteen times as short."""
    for multiple, at_most in ((1, 1.6), (2, 1.0)):
        better = share + multiple * 0.04
        tests = simulated(better, share, smallest=0.04, max_users=20_000, runs=300)
        assert tests.power >= 0.9
        assert tests.wrong <= 0.025
        assert tests.users.mean() <= at_most * fixed_sample(better, share, error=0.05, power=0.9)


@given(shares, shares, st.integers(1, 30), st.integers(1, 30), seeds)
def test_who_is_called_first_does_not_matter(one: float, other: float, first: int, second: int, seed: int) -> None:
    counts = users(one, other, (first, second), 40, seed)
    test, mirrored = after(counts, smallest=0.1), after([Arms(*c[2:], *c[:2]) for c in counts], smallest=0.1)
    assert mirrored.evidence == pytest.approx(test.evidence[::-1])
    assert mirrored.prefers_first is (None if test.prefers_first is None else not test.prefers_first)


@pytest.mark.parametrize("batch", [(1, 1), (500, 500), (50, 450), (450, 50), (3, 40)])
def test_arms_of_any_sizes_are_told_apart(batch: tuple[int, int]) -> None:
    many = 20_000 // min(batch)
    assert after(users(0.35, 0.3, batch, many // 5, 0)).prefers_first is True
    assert after(users(0.3, 0.35, batch, many // 5, 1)).prefers_first is False


def test_users_who_are_drawn_into_the_arms_one_by_one_tell_almost_as_much_as_in_turns() -> None:
    rng = np.random.default_rng(0)
    ends = []
    for _ in range(60):
        test, counts = SequentialTest(error=0.05, smallest=0.1), [0, 0, 0, 0]
        while test.prefers_first is None:
            arm = int(rng.integers(2))
            counts[2 * arm] += 1
            counts[2 * arm + 1] += int(rng.random() < (0.5, 0.4)[arm])
            test = test.after(Arms(*counts))
        ends.append(test.counts.users)
    in_turns = simulated(0.5, 0.4, smallest=0.1, max_users=20_000, runs=500).users.mean()
    assert np.mean(ends) < 1.25 * in_turns


def test_one_large_batch_decides_like_many_small_ones() -> None:
    counts = users(0.33, 0.3, (100, 100), 200, 0)
    assert after(counts[-1:]).prefers_first is after(counts).prefers_first is True
    assert after([Arms(20_000, 6_000, 20_000, 6_001)]).prefers_first is None


def test_users_wait_until_there_are_enough_of_the_other_arm_to_compare_them_with() -> None:
    test = SequentialTest(error=0.05, smallest=0.1).after(Arms(500, 400, FEWEST - 1, 0))
    assert test.weighed.users == 0
    counts = Arms(500, 400, FEWEST, 0)
    assert test.after(counts).weighed == counts


def test_what_was_decided_stays_decided() -> None:
    decided = SequentialTest(error=0.05, smallest=0.01).after(Arms(1000, 600, 1000, 400))
    assert decided.prefers_first is True
    later = decided.after(Arms(10_000, 1_000, 10_000, 9_000))
    assert later.prefers_first is True
    assert later.counts.users == 20_000


@pytest.mark.parametrize("good", [0, 10_000], ids=["none", "all"])
def test_outcomes_that_are_all_alike_tell_nothing(good: int) -> None:
    test = SequentialTest(error=0.05, smallest=0.01).after(Arms(10_000, good, 10_000, good))
    assert test.prefers_first is None
    assert test.evidence == pytest.approx((log(STAKES.sum()),) * 2)


def test_a_smaller_error_takes_more_evidence() -> None:
    counts = Arms(2000, 700, 2000, 600)
    assert SequentialTest(error=0.05, smallest=0.05).after(counts).prefers_first is True
    assert SequentialTest(error=0.0005, smallest=0.05).after(counts).prefers_first is None
