"""Where the pseudo-code leaves a choice, the questions show which one we made."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evenhand import FairMetric, Paper, Setting, SimulatedOracle, elicit, interview
from evenhand.elicitation import embed, linear
from evenhand.elicitation.paper.algorithm_1 import fair_performance
from evenhand.elicitation.paper.misclassification import not_negative
from evenhand.metric.weights import normalised_misclassification, normalised_violation
from evenhand.rates import uniform_rates
from evenhand.region import Sphere, common_sphere
from evenhand.typing import Floats

Q = 5
HALVINGS = 8  # of a quarter circle, with a tolerance of 0.01
CYCLES = 4


@pytest.fixture(scope="module")
def asked() -> Floats:
    """Every point (questions, 2, q) that LPME asks about on its way to a direction with positive entries."""
    slope = np.arange(1.0, Q + 1)
    pairs: list[tuple[Floats, Floats]] = []

    def prefers_first(first: Floats, second: Floats) -> bool:
        pairs.append((first[0], second[0]))
        return bool(first[0] @ slope < second[0] @ slope)

    search = linear(Sphere(np.zeros(Q), 1.0), 0.01, cycles=CYCLES)
    interview(embed(search, lambda point: point[None], ""), prefers_first)
    return np.array(pairs)


def searches(asked: Floats) -> list[Floats]:
    """Return the questions (4 · halvings, 2, q) of each search for one angle, after those about the orthant."""
    return np.split(asked[Q:], CYCLES * (Q - 1))


def test_the_angles_are_searched_from_the_first_to_the_last_four_times(asked: Floats) -> None:
    """θⱼ moves entry j and those after it, and none before."""
    order = []
    for questions in searches(asked):
        assert len(questions) == 4 * HALVINGS
        moved = np.ptp(questions.reshape(-1, Q), axis=0) > 1e-12
        order.append(int(moved.argmax()))
    assert order == [0, 1, 2, 3] * CYCLES


def test_the_search_starts_in_the_middle_of_the_orthant(asked: Floats) -> None:
    """While the first angle moves, the others are π/4: entries 2, 3, … have the ratios of that direction."""
    root = np.sqrt(0.5)
    later_angles_in_the_middle = np.array([root, root**2, root**3, root**3])
    for point in searches(asked)[0].reshape(-1, Q):
        assert point[1:] == pytest.approx(np.linalg.norm(point[1:]) * later_angles_in_the_middle, abs=1e-12)


def test_each_search_begins_with_the_whole_quarter_circle(asked: Floats) -> None:
    """From θⱼ = 0, where the later entries vanish, to θⱼ = π/2, where entry j does."""
    for place, questions in enumerate(searches(asked)):
        j = place % (Q - 1)
        ends = questions[:4].reshape(-1, Q)
        assert ends[:, j].min() == pytest.approx(0.0, abs=1e-12)
        assert np.abs(ends[:, j + 1 :]).sum(axis=1).min() == pytest.approx(0.0, abs=1e-12)


def trade_off_points(method: str, k: int, m: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the first group's rates (n, q) and the other groups' (n, m − 1, q) in the questions about λ."""
    setting = Setting.random(k, m, 1)
    history = elicit(SimulatedOracle(FairMetric.random(setting, 1)), setting, method=method, tolerance=0.1).history
    shown = [
        side for question, _ in history if question.part == "trade_off" for side in (question.first, question.second)
    ]
    assert len(shown) == 2 * Paper(setting=setting, tolerance=0.1).questions_by_part()["trade_off"]
    return np.stack(shown)[:, 0], np.stack(shown)[:, 1:]


@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 3)])
def test_the_paper_asks_about_the_trade_off_on_the_small_sphere_above_o(k: int, m: int) -> None:
    """Algorithm 4: S⁺ for the first group, o for all others."""
    first, others = trade_off_points("paper", k, m)
    sphere = common_sphere(k).above_center()
    assert np.linalg.norm(first - sphere.center, axis=1) == pytest.approx(np.full(len(first), sphere.radius))
    assert (first >= uniform_rates(k) - 1e-12).all()
    assert (others == uniform_rates(k)).all()


@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 3)])
def test_least_squares_asks_about_the_trade_off_on_the_whole_sphere_and_yet_above_o(k: int, m: int) -> None:
    first, others = trade_off_points("least-squares", k, m)
    sphere = common_sphere(k)
    assert np.linalg.norm(first - sphere.center, axis=1) == pytest.approx(np.full(len(first), sphere.radius))
    assert (first >= uniform_rates(k)).all()
    assert (others == uniform_rates(k)).all()


def test_a_slope_below_zero_is_a_weight_of_zero() -> None:
    slope = np.array([[0.6, -0.64, 0.48], [-0.6, 0.64, 0.48]])
    a = normalised_misclassification(not_negative(slope))
    assert a == pytest.approx(np.array([[0.78086881, 0, 0.62469505], [0, 0.8, 0.6]]))


def test_a_violation_weight_below_zero_is_a_weight_of_zero() -> None:
    B = np.array([[[3.0, -4.0], [-1.0, 1.0], [-2.0, -3.0]]])
    assert normalised_violation(not_negative(B)).tolist() == [[[0.75, 0.0], [0.0, 0.25], [0.0, 0.0]]]


@pytest.mark.parametrize(
    ("a", "b", "a_found", "b_found"),
    [((0.6, -0.8), (0.6, 0.8), (1, 0), None), ((0.6, 0.8), (0.8, -0.6), (0.6, 0.8), (1, 0))],
    ids=["mistake", "gap"],
)
def test_who_likes_a_mistake_or_a_gap_is_taken_not_to_mind_it(a: Any, b: Any, a_found: Any, b_found: Any) -> None:
    """No metric has weights below zero; but the slopes of such a cost are found, and then cut off."""
    tau = np.array([[0.4, 0.5], [0.6, 0.5]])

    def cost(profile: Floats) -> float:
        mistakes, gaps = (tau * profile).sum(axis=0), np.abs(profile[0] - profile[1])
        return float(0.6 * mistakes @ a + 0.4 * gaps @ b)

    procedure = fair_performance(tau, common_sphere(2), tolerance=0.001)
    found = interview(procedure, lambda first, second: cost(first) < cost(second))
    assert found.slope == pytest.approx(np.array(a), abs=0.002)
    assert found.weights.misclassification == pytest.approx(np.array(a_found), abs=0.002)
    if b_found is not None:
        assert found.violation_found is not None
        assert found.violation_found.as_solved[0, 1] < -0.1
        assert found.weights.violation[0] == pytest.approx(np.array(b_found), abs=0.005)


def test_where_nothing_is_left_all_weights_are_equal() -> None:
    assert normalised_misclassification(not_negative(np.array([-0.6, -0.8]))) == pytest.approx(np.sqrt([0.5, 0.5]))
    unknown = np.array([[-1.0, np.nan], [-np.inf, np.inf]])
    assert normalised_violation(not_negative(unknown)) == pytest.approx(np.full((2, 2), np.sqrt(0.5) / 2))
