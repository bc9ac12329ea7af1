"""Two orders of the same models agree fully, not at all, or in between."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand import EvenhandError
from evenhand.ranking import kendall_tau, ndcg, places, weighted_kendall_tau

costs = st.lists(st.floats(0, 0.99).map(lambda cost: round(cost, 2)), min_size=2, max_size=12)
pairs_of_costs = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(0, 0.99).map(lambda c: round(c, 2)), min_size=n, max_size=n)] * 2)
)


@given(costs)
def test_an_order_agrees_with_itself_whatever_the_scale(cost: list[float]) -> None:
    assume(len(set(cost)) > 1)
    assert kendall_tau(cost, cost) == pytest.approx(1)
    assert kendall_tau(cost, np.exp(cost)) == pytest.approx(1)
    assert kendall_tau(cost, 1 - np.array(cost)) == pytest.approx(-1)
    assert weighted_kendall_tau(cost, np.exp(cost)) == pytest.approx(1)
    assert weighted_kendall_tau(cost, 1 - np.array(cost)) == pytest.approx(-1)
    assert ndcg(cost, cost) == pytest.approx(1)
    assert ndcg(cost, 2 * np.array(cost) + 0.1) == pytest.approx(1)


@given(pairs_of_costs)
def test_kendalls_tau_counts_the_pairs_that_agree(pair: tuple[list[float], list[float]]) -> None:
    true, estimated = pair
    assume(len(set(true)) > 1 and len(set(estimated)) > 1)
    signs = [
        (np.sign(true[i] - true[j]), np.sign(estimated[i] - estimated[j])) for i, j in combinations(range(len(true)), 2)
    ]
    agree = sum(a * b for a, b in signs)
    untied = sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs)
    assert kendall_tau(true, estimated) == pytest.approx(agree / untied**0.5)
    assert kendall_tau(true, estimated) == pytest.approx(kendall_tau(estimated, true))


@given(st.permutations(range(8)))
def test_the_weighted_tau_is_shiehs_with_hyperbolic_weights(estimated: list[int]) -> None:
    """Σ wᵢwⱼ sgn sgn / Σ wᵢwⱼ over pairs of models in places i and j of the true order, with wᵢ = 1/i."""
    agree = all_pairs = 0.0
    for i, j in combinations(range(8), 2):
        weight = 1 / (i + 1) / (j + 1)
        agree += weight * np.sign(estimated[j] - estimated[i])
        all_pairs += weight
    assert weighted_kendall_tau(range(8), estimated) == pytest.approx(agree / all_pairs)


@given(pairs_of_costs)
def test_the_weighted_tau_treats_ties_as_tau_b_does(pair: tuple[list[float], list[float]]) -> None:
    true, estimated = map(np.array, pair)
    assume(len(set(true)) > 1 and len(set(estimated)) > 1)
    places = [1 + np.arange((true < cost).sum(), (true <= cost).sum()) for cost in true]
    weight = np.array([np.mean(1 / shared) for shared in places])
    pairs = np.outer(weight, weight)
    a, b = (np.sign(costs[:, None] - costs) for costs in (true, estimated))
    expected = (pairs * a * b).sum() / ((pairs * a**2).sum() * (pairs * b**2).sum()) ** 0.5
    assert weighted_kendall_tau(true, estimated) == pytest.approx(expected, abs=1e-12)


def test_a_swap_at_the_top_costs_the_weighted_tau_more_than_one_at_the_bottom() -> None:
    true = np.arange(10)
    top, bottom = true.copy(), true.copy()
    top[:2], bottom[-2:] = top[1::-1], bottom[:-3:-1]
    assert kendall_tau(true, top) == pytest.approx(kendall_tau(true, bottom))
    assert weighted_kendall_tau(true, top) < kendall_tau(true, top)
    assert weighted_kendall_tau(true, bottom) > kendall_tau(true, bottom)


@given(pairs_of_costs)
def test_ndcg_is_the_mean_over_the_ways_to_break_ties(pair: tuple[list[float], list[float]]) -> None:
    true, estimated = (np.array(part) for part in pair)
    rng = np.random.default_rng(0)
    gain = 2 ** (1 - true) - 1
    discount = 1 / np.log2(np.arange(2, true.size + 2))
    ideal = np.sort(gain)[::-1] @ discount
    draws = [gain[np.lexsort((rng.random(true.size), estimated))] @ discount / ideal for _ in range(400)]
    spread = float(np.std(draws)) / 20
    assert ndcg(true, estimated) == pytest.approx(np.mean(draws), abs=6 * spread + 1e-9)
    assert 0 < ndcg(true, estimated) <= 1 + 1e-12


@given(costs)
def test_no_order_beats_the_true_one_and_the_reverse_is_worst(cost: list[float]) -> None:
    rng = np.random.default_rng(0)
    worst = ndcg(cost, 1 - np.array(cost))
    for _ in range(5):
        assert worst - 1e-12 <= ndcg(cost, rng.random(len(cost))) <= 1 + 1e-12


def test_ndcg_by_hand() -> None:
    """Relevance 1, 0.5 and 0 have gains 1, √2 − 1 and 0; the second and the first change places."""
    gain = 2**0.5 - 1
    expected = (gain + 1 / np.log2(3)) / (1 + gain / np.log2(3))
    assert ndcg([0, 0.5, 1], [0.2, 0.1, 0.3]) == pytest.approx(expected)


@given(st.permutations(range(8)))
def test_places_go_in_equal_steps_from_0_for_the_best_to_1_for_the_worst(cost: list[int]) -> None:
    assert places(cost) == pytest.approx(np.array(cost) / 7)


def test_models_of_equal_cost_share_their_places() -> None:
    assert places([0.3, 0.1, 0.3]) == pytest.approx([0.75, 0, 0.75])
    assert places([0.2, 0.2]) == pytest.approx([0.5, 0.5])


def test_a_model_worse_than_worthless_is_worthless() -> None:
    assert ndcg([0.2, 1.4, 0.5], [1, 2, 3]) == ndcg([0.2, 1.0, 0.5], [1, 2, 3])


@pytest.mark.parametrize("agreement", [kendall_tau, weighted_kendall_tau, ndcg])
@pytest.mark.parametrize(
    ("true", "estimated", "message"),
    [
        ([], [], r"true_cost has shape \(0,\)"),
        ([0.1], [0.1], "at least two models"),
        ([0.1, 0.2], [0.1, 0.2, 0.3], r"shape \(2,\) and estimated_cost \(3,\)"),
        ([[0.1, 0.2]], [[0.1, 0.2]], r"shape \(1, 2\)"),
        ([0.1, np.nan], [0.1, 0.2], "true_cost of model 1 is nan"),
        ([0.1, 0.2, 0.3], [0.1, 0.2, np.inf], "estimated_cost of model 2 is inf"),
        ([0.1, -0.2], [0.1, 0.2], "true_cost of model 1 is -0.2"),
        (["0.1", "0.2"], [0.1, 0.2], "true_cost must be numbers, one per model"),
        ([0.1, 0.2], ["0.1", "0.2"], "estimated_cost must be numbers, one per model"),
        ([0.1, 0.2], None, "estimated_cost"),
    ],
)
def test_costs_that_give_no_order_are_refused(agreement: Any, true: Any, estimated: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        agreement(true, estimated)


def test_there_is_no_agreement_with_a_tie_of_all() -> None:
    for tau in (kendall_tau, weighted_kendall_tau):
        with pytest.raises(EvenhandError, match=r"estimated_cost is 0.3 for every model"):
            tau([0.1, 0.2], [0.3, 0.3])
        with pytest.raises(EvenhandError, match=r"true_cost is 0.3 for every model"):
            tau([0.3, 0.3], [0.1, 0.2])
    with pytest.raises(EvenhandError, match="none is relevant"):
        ndcg([1.0, 1.2], [0.1, 0.2])


@given(pairs_of_costs)
def test_scikit_learn_agrees_once_it_is_given_exponential_gains(pair: tuple[list[float], list[float]]) -> None:
    from sklearn.metrics import ndcg_score  # noqa: PLC0415

    true, estimated = map(np.array, pair)
    assert ndcg(true, estimated) == pytest.approx(ndcg_score([2 ** (1 - true) - 1], [-estimated]))


def test_costs_that_differ_by_rounding_errors_are_ties() -> None:
    true, tied, almost = [0.1, 0.2, 0.4], [0.3, 0.3, 0.5], [0.1 + 0.2, 0.3, 0.5]
    assert almost[0] > almost[1]
    assert kendall_tau(true, almost) == kendall_tau(true, tied)
    assert weighted_kendall_tau(true, almost) == weighted_kendall_tau(true, tied)
    assert ndcg(true, almost) == pytest.approx(ndcg(true, tied))
    assert places(almost).tolist() == places(tied).tolist()
