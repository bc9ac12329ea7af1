"""An oracle that answers rightly gets its own metric back."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evenhand import FairMetric, Setting, SimulatedOracle, elicit, interview
from evenhand.elicitation import embed, fair_performance, linear
from evenhand.experiments.cell import FORMS
from evenhand.metric import MetricBatch, cost_sensitive_error, error_rate_balance
from evenhand.region import Sphere, common_sphere
from evenhand.typing import Floats


def errors(k: int, m: int, *, method: str = "paper", oracles: int = 100, tolerance: float = 1e-3) -> Floats:
    hidden = MetricBatch.random(k, m, oracles, np.random.default_rng([k, m]))
    procedure = fair_performance(hidden.tau, common_sphere(k), tolerance=tolerance, form=FORMS[method])
    found = interview(procedure, SimulatedOracle(hidden))
    return hidden.weights.distance(found.weights)


@pytest.mark.parametrize(("k", "m"), [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (4, 2)])
def test_the_papers_procedure_recovers_all_three_parts(k: int, m: int) -> None:
    a, B, trade_off = np.median(errors(k, m), axis=1)
    assert a <= 0.0005
    assert B <= 0.005
    assert trade_off <= 0.002


@pytest.mark.parametrize(("k", "m"), [(3, 3), (3, 4), (4, 2)])
def test_least_squares_recovers_the_violation_weights_more_closely(k: int, m: int) -> None:
    faithful, squares = errors(k, m)[1], errors(k, m, method="least-squares")[1]
    assert np.median(squares) <= 0.002
    assert np.median(squares) < np.median(faithful)


def test_for_two_classes_least_squares_is_the_papers_solution() -> None:
    assert errors(2, 3, oracles=20)[1] == pytest.approx(errors(2, 3, oracles=20, method="least-squares")[1], abs=1e-9)


def test_halving_the_tolerance_halves_the_error() -> None:
    coarse, fine = (np.median(errors(3, 2, tolerance=tolerance)[0]) for tolerance in (1e-2, 1e-3))
    assert 5 < coarse / fine < 20


@pytest.mark.parametrize("radius", [0.01, 0.1, 0.5])
def test_with_exact_answers_the_radius_does_not_matter(radius: float) -> None:
    setting = Setting.random(2, 2, 3)
    truth = FairMetric.random(setting, 3)
    elicited = elicit(SimulatedOracle(truth), setting, method="paper", radius=radius)
    assert elicited.questions == 574
    assert max(elicited.metric.distance(truth)) < 0.005


@pytest.mark.parametrize("q", [2, 3, 5, 6])
def test_lpme_finds_directions_in_every_orthant(q: int) -> None:
    rng = np.random.default_rng(q)
    slopes = rng.normal(size=(400, q))
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    sphere = Sphere(np.zeros(q), 1.0)

    def prefers_first(first: Floats, second: Floats) -> NDArray[np.bool_]:
        return np.asarray(np.einsum("nq,nq->n", (first - second)[:, 0], slopes) < 0)

    one_group = embed(linear(sphere, 1e-4, batch=(400,)), lambda point: point[..., None, :], "")
    found = interview(one_group, prefers_first)
    assert len(np.unique(np.sign(slopes), axis=0)) == 2**q
    assert np.linalg.norm(found - slopes, axis=1).max() < 2e-3


def test_equal_pairs_recover_a_metric_whose_pairs_are_equal() -> None:
    setting = Setting.random(2, 4, 5)
    truth = error_rate_balance(setting, trade_off=0.4, misclassification=[1.0, 2.0])
    elicited = elicit(SimulatedOracle(truth), setting, method="paper", equal_pairs=True)
    assert max(elicited.metric.distance(truth)) < 0.005


def test_a_part_that_is_given_is_not_asked_about() -> None:
    setting = Setting.random(3, 3, 6)
    truth = FairMetric.random(setting, 6)
    elicited = elicit(SimulatedOracle(truth), setting, method="paper", misclassification=truth.misclassification)
    assert elicited.questions_by_part["misclassification"] == 0
    assert elicited.metric.distance(truth).violation < 0.01
    assert elicited.metric.distance(truth).trade_off < 0.005

    only_trade_off = elicit(
        SimulatedOracle(truth),
        setting,
        method="paper",
        misclassification=truth.misclassification * 7,
        violation=truth.violation * 3,
    )
    assert only_trade_off.questions == 40
    assert only_trade_off.metric.distance(truth).trade_off < 0.001


def test_a_wrong_given_part_is_kept_and_the_rest_is_elicited() -> None:
    setting = Setting.random(2, 2, 7)
    truth = FairMetric.random(setting, 7)
    accuracy = cost_sensitive_error(setting).misclassification
    elicited = elicit(SimulatedOracle(truth), setting, method="paper", misclassification=accuracy)
    assert np.array_equal(elicited.metric.misclassification, accuracy)
    assert elicited.questions_by_part["violation"] == 2 * 178


def test_the_start_of_a_search_may_be_drawn_anywhere_in_its_orthant() -> None:
    setting = Setting.random(3, 2, 8)
    truth = FairMetric.random(setting, 8)
    one, other, same = (
        elicit(SimulatedOracle(truth), setting, method="paper", random_state=seed) for seed in (1, 2, 1)
    )
    asked, otherwise, again = (np.stack([q.first for q, _ in run.history]) for run in (one, other, same))
    assert np.array_equal(asked, again)
    assert not np.array_equal(asked, otherwise)
    for elicited in (one, other):
        assert elicited.metric.distance(truth).misclassification < 0.001


@pytest.mark.parametrize("k", [2, 3, 4])
def test_on_the_whole_sphere_band_noise_harms_the_trade_off_less(k: int) -> None:
    """The error goes with the square root of the radius, and S⁺ is 1 + √q times smaller."""
    hidden = MetricBatch.random(k, 2, 500, k)
    medians = []
    for form in FORMS.values():
        only_trade_off = fair_performance(
            hidden.tau,
            common_sphere(k),
            tolerance=1e-4,
            form=form,
            given_misclassification=hidden.weights.misclassification,
            given_violation=hidden.weights.violation,
        )
        found = interview(only_trade_off, SimulatedOracle(hidden, band=1e-5, random_state=k))
        medians.append(float(np.median(np.abs(found.weights.trade_off - hidden.weights.trade_off))))
    on_s_plus, on_the_whole = medians
    assert on_s_plus / on_the_whole == pytest.approx(np.sqrt(1 + np.sqrt(k * k - k)), rel=0.2)


def test_band_noise_harms_no_more_than_the_theorem_says() -> None:
    hidden = MetricBatch.random(2, 2, 200, 9)
    medians = []
    for band in (1e-5, 1e-3):
        oracle = SimulatedOracle(hidden, band=band, adversarial=True, random_state=9)
        found = interview(fair_performance(hidden.tau, common_sphere(2)), oracle)
        error = hidden.weights.distance(found.weights)[0]
        bound = np.sqrt(2) * (1e-3 + np.sqrt(band / (0.2 * (1 - hidden.weights.trade_off))))
        assert (error <= 2 * bound).mean() > 0.95
        medians.append(np.median(error))
    assert medians[1] > 3 * medians[0]
