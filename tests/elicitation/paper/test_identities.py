"""The identities of Section 4, Lemma 1 on the trade-off, and the geometry of the cuts."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import FairMetric, Setting
from evenhand.elicitation.paper.linear import circle, direction, search_orthant
from evenhand.elicitation.paper.shrink_interval import halvings, shrink_interval
from evenhand.elicitation.paper.slopes import by_delta, by_least_squares, delta_coordinates, signs
from evenhand.elicitation.paper.trade_off import first_group_differs, first_group_slopes
from evenhand.elicitation.paper.violation import solve_cuts, trivial_on
from evenhand.elicitation.profiles import everyone_alike, halving_cut, independent_cuts, separates
from evenhand.rates import trivial_rates, uniform_rates
from evenhand.region import common_sphere
from evenhand.typing import Floats

cells = st.tuples(st.integers(2, 5), st.integers(2, 6))
seeds = st.integers(0, 2**32 - 1)


def drawn(k: int, m: int, seed: int) -> tuple[FairMetric, Floats, np.random.Generator]:
    rng = np.random.default_rng(seed)
    metric = FairMetric.random(Setting.random(k, m, rng), rng)
    directions = rng.normal(size=(2, k * k - k))
    return metric, common_sphere(k).highest(directions), rng


@pytest.mark.parametrize("m", [2, 3, 4, 5])
def test_if_all_pairs_weigh_the_same_one_cut_gives_what_all_cuts_give(m: int) -> None:
    b = np.array([0.2, 0.3])
    expected = np.tile(b, (m * (m - 1) // 2, 1))
    for cuts in (independent_cuts(m), (halving_cut(m),)):
        assert solve_cuts(cuts, separates(cuts).sum(axis=1)[:, None] * b) == pytest.approx(expected)


def test_of_a_batch_only_those_whose_two_slopes_are_the_same_find_that_gaps_cost_nothing() -> None:
    A = np.array([0.3, 0.4])
    first, last = np.array([[0.6, 0.8], [0.6, 0.8]]), np.array([[0.6, 0.8], [0.8, 0.6]])
    both = by_delta(first, last, A)
    assert both[0].tolist() == [0, 0]
    assert both[1] == pytest.approx(by_delta(first[1], last[1], A))
    assert np.abs(both[1]).min() > 0


@given(cells, seeds)
def test_with_all_groups_alike_only_the_misclassification_cost_remains(cell: tuple[int, int], seed: int) -> None:
    metric, points, _ = drawn(*cell, seed)
    expected = (1 - metric.trade_off) * points @ metric.misclassification
    assert metric.cost_of_profiles(everyone_alike(points, cell[1])) == pytest.approx(expected)


@given(cells, seeds, st.booleans())
def test_with_a_trivial_classifier_on_some_groups_the_cost_is_linear(
    cell: tuple[int, int], seed: int, last: bool
) -> None:
    """Equations (28) and (30) with τ^σ, for the differences between two points of the sphere; (9) is m = 2."""
    k, m = cell
    metric, points, rng = drawn(k, m, seed)
    cuts = independent_cuts(m)
    place = int(rng.integers(len(cuts)))
    sigma = cuts[place]
    tau_sigma = metric.setting.tau[sigma].sum(axis=0)
    eta = separates(cuts)[place] @ metric.violation
    slope = (1 - metric.trade_off) * metric.misclassification * (1 - tau_sigma)
    slope += metric.trade_off * signs(k)[-1 if last else 0] * eta
    costs = metric.cost_of_profiles(trivial_on(sigma, trivial_rates(k)[-1 if last else 0])(points))
    assert costs[0] - costs[1] == pytest.approx(slope @ (points[0] - points[1]), abs=1e-12)
    assert np.linalg.norm(slope) <= 1 + 1e-12, "on the sphere the cost is 1-Lipschitz"


@given(cells, seeds)
def test_exact_slopes_give_the_cuts_violation_weights_exactly(cell: tuple[int, int], seed: int) -> None:
    """Equation (13): γ^σ = λ/(1 − λ)·η^σ, from slopes of unknown length."""
    k, m = cell
    metric, _, rng = drawn(k, m, seed)
    trade_off = rng.uniform(0.1, 0.9)
    A = metric.misclassification * rng.uniform(0.1, 0.9, size=metric.misclassification.size)
    eta = trade_off / (1 - trade_off) * (metric.violation.sum(axis=0) + 0.05)
    first, last = (A + w * eta for w in signs(k))
    first, last = first / np.linalg.norm(first), last / np.linalg.norm(last)
    assert by_delta(first, last, A) == pytest.approx(eta, rel=1e-6, abs=1e-9)
    assert by_least_squares(first, last, A) == pytest.approx(eta, rel=1e-6, abs=1e-9)


@given(cells, seeds)
def test_delta_is_the_appendixs_formula(cell: tuple[int, int], seed: int) -> None:
    k, _ = cell
    rng = np.random.default_rng(seed)
    first, last = rng.uniform(0.1, 1, size=(2, k * k - k)) * rng.choice([-1, 1], size=(2, k * k - k))
    A = rng.uniform(0.1, 1, size=k * k - k)
    i, j = k - 2, (k - 1) ** 2
    assert delta_coordinates(k) == (i, j)
    below = first[j] / first[i] - last[j] / last[i]
    if abs(below) < 1e-6:
        return
    delta = 2 * A[i] / first[i] * ((A[j] / A[i] - last[j] / last[i]) / below)
    expected = (1 - 2 * trivial_rates(k)[0]) * (delta * first - A)
    assert by_delta(first, last, A) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(st.integers(3, 5), seeds)
def test_a_violation_weight_falls_with_its_own_mistakes_weight_by_w_times_1_minus_tau(k: int, seed: int) -> None:
    """Where Appendix D has ∂γᵢ/∂aᵢ = −τᵢ, it is −w₁ᵢ(1 − τᵢ), for a coordinate i that δ does not use."""
    q = k * k - k
    rng = np.random.default_rng(seed)
    i = rng.choice(np.setdiff1d(np.arange(q), delta_coordinates(k)))
    a, tau = rng.uniform(0.1, 1, size=q), rng.uniform(0.1, 0.9, size=q)
    first, last = rng.normal(size=(2, q))
    step = 0.01 * (np.arange(q) == i)
    before, after = (by_delta(first, last, weights * (1 - tau)) for weights in (a, a + step))
    rounding = 1e-12 * (1 + np.abs(before).max())
    assert after - before == pytest.approx(-signs(k)[0] * (1 - tau) * step, abs=rounding)


@given(cells, seeds)
def test_the_first_group_alone_above_o_makes_the_cost_linear(cell: tuple[int, int], seed: int) -> None:
    """Equation (15)."""
    k, m = cell
    metric, _, rng = drawn(k, m, seed)
    sphere = common_sphere(k).above_center()
    points = sphere.highest(rng.normal(size=(2, k * k - k)))
    mistakes, gaps = first_group_slopes(metric.setting.tau, metric.misclassification, metric.violation)
    slope = (1 - metric.trade_off) * mistakes + metric.trade_off * gaps
    costs = metric.cost_of_profiles(first_group_differs(points, m))
    assert costs[0] - costs[1] == pytest.approx(slope @ (points[0] - points[1]), abs=1e-12)
    assert (points >= uniform_rates(k) - 1e-12).all()


@given(cells, seeds)
def test_theta_has_one_top_and_it_is_at_the_true_trade_off(cell: tuple[int, int], seed: int) -> None:
    """Lemma 1, on a grid that holds the true trade-off."""
    k, m = cell
    metric, _, _ = drawn(k, m, seed)
    sphere = common_sphere(k).above_center()
    mistakes, gaps = first_group_slopes(metric.setting.tau, metric.misclassification, metric.violation)
    grid = np.sort(np.append(np.linspace(0, 1, 401), metric.trade_off))
    points = sphere.highest((1 - grid[:, None]) * mistakes + grid[:, None] * gaps)
    theta = metric.cost_of_profiles(first_group_differs(points, m))
    top = int(np.searchsorted(grid, metric.trade_off))
    assert theta.argmax() == pytest.approx(top, abs=1)
    assert (np.diff(theta[: top + 1]) > -1e-15).all()
    assert (np.diff(theta[top:]) < 1e-15).all()


@pytest.mark.parametrize("m", range(2, 12))
def test_the_cuts_tell_every_pair_of_groups_from_the_others(m: int) -> None:
    cuts = independent_cuts(m)
    Xi = separates(cuts)
    assert Xi.shape == (m * (m - 1) // 2,) * 2
    assert np.linalg.matrix_rank(Xi) == len(Xi)
    assert np.linalg.cond(Xi) < 20


def test_all_pairs_of_four_groups_would_not_do() -> None:
    pairs = tuple(np.isin(np.arange(4), pair) for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)))
    assert np.linalg.matrix_rank(separates(pairs)) == 3


Sides = frozenset[frozenset[int]]
"""A cut of the groups, whichever of its sides is set apart."""


def sides(apart: frozenset[int], groups: int = 4) -> Sides:
    return frozenset({apart, frozenset(range(groups)) - apart})


def all_eigenvalues_above(bound: Fraction, cuts: frozenset[Sides]) -> bool:
    """Whether ΞΞᵀ − bound·I has an LDLᵀ factorisation with D > 0 (Sylvester's law of inertia), exactly."""
    Xi = [[int(any(u in side and v not in side for side in cut)) for u, v in combinations(range(4), 2)] for cut in cuts]
    left = [[Fraction(sum(x * y for x, y in zip(a, b, strict=True))) for b in Xi] for a in Xi]
    for i in range(len(left)):
        left[i][i] -= bound
    while left:
        (pivot, *row), *below = left
        if pivot <= 0:
            return False
        left = [[x - r[0] * y / pivot for x, y in zip(r[1:], row, strict=True)] for r in below]
    return True


def test_no_other_six_cuts_of_four_groups_amplify_errors_less() -> None:
    ours = frozenset(sides(frozenset(np.flatnonzero(cut).tolist())) for cut in independent_cuts(4))
    every = {sides(frozenset(apart)) for size in (1, 2) for apart in combinations(range(4), size)}
    assert len(every) == 7
    renamed = {
        frozenset(frozenset(frozenset(names[g] for g in side) for side in cut) for cut in ours)
        for names in permutations(range(4))
    }
    third = Fraction(1, 3)
    assert all_eigenvalues_above(third, ours)
    for others in map(frozenset, combinations(every, 6)):
        # other names for the groups permute the rows and columns of Ξ, and its singular values stay the same
        assert others in renamed or not all_eigenvalues_above(third, others)


def test_four_groups_have_their_cuts_written_down() -> None:
    apart = [np.flatnonzero(cut).tolist() for cut in independent_cuts(4)]
    assert apart == [[0], [1], [2], [3], [0, 3], [1, 3]]


def test_three_groups_give_the_papers_matrix() -> None:
    assert separates(independent_cuts(3)).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_the_second_of_two_groups_is_set_apart() -> None:
    assert [cut.tolist() for cut in independent_cuts(2)] == [[False, True]]
    assert halving_cut(2).tolist() == [False, True]


@given(st.integers(2, 20), seeds)
def test_the_angles_of_an_orthant_give_directions_of_length_one_in_it(q: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    wanted = rng.choice([-1.0, 1.0], size=(5, q))
    theta = search_orthant(wanted) + np.pi / 2 * rng.uniform(0.01, 0.99, size=(5, q - 1))
    found = direction(theta)
    assert np.linalg.norm(found, axis=-1) == pytest.approx(1.0)
    assert (np.sign(found) == wanted).all()


@given(st.integers(2, 8), seeds)
def test_as_one_angle_moves_the_point_runs_on_a_circle(q: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sphere = common_sphere(2)
    theta = rng.uniform(0, np.pi, size=(3, q - 1))
    j = int(rng.integers(q - 1))
    angle = rng.uniform(0, 2 * np.pi, size=3)
    moved = theta.copy()
    moved[:, j] = angle
    sphere = type(sphere)(np.zeros(q), 2.0)
    assert circle(sphere, theta, j)(angle) == pytest.approx(2 * direction(moved), abs=1e-12)


@given(st.floats(0, 1), st.integers(0, 4))
def test_shrinking_keeps_the_top_of_every_unimodal_cost_and_halves_the_interval(top: float, skew: int) -> None:
    places = np.linspace(0, 1, 5)
    cost = np.where(places <= top, (places - top) * (1 + skew), top - places)
    rises = [bool(later > earlier) for earlier, later in pairwise(cost)]
    low, high = shrink_interval(np.array(0.0), np.array(1.0), rises)
    assert high - low == pytest.approx(0.5)
    assert low - 1e-12 <= top <= high + 1e-12


@pytest.mark.parametrize(
    ("width", "tolerance", "expected"), [(1, 1, 0), (1, 0.5, 1), (1, 0.3, 2), (np.pi / 2, 1e-3, 11)]
)
def test_an_interval_is_halved_until_it_is_no_wider_than_the_tolerance(
    width: float, tolerance: float, expected: int
) -> None:
    assert halvings(width, tolerance) == expected
