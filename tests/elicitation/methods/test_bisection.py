"""Bisection finds the same metric with a fifteenth of the questions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import Bisection, EvenhandError, FairMetric, Paper, Setting, SimulatedOracle, elicit, interview
from evenhand.elicitation import fair_performance
from evenhand.elicitation.methods.bisection import fair_performance_by_bisection
from evenhand.elicitation.profiles import gap, independent_cuts, separates
from evenhand.metric import MetricBatch
from evenhand.region import common_sphere
from evenhand.typing import Floats

CELLS = [(k, m) for k in (2, 3, 4, 5) for m in (2, 3, 4, 5)]


def errors(k: int, m: int, *, trade_off: float | None = None, **noise: float) -> tuple[int, Floats]:
    hidden = MetricBatch.random(k, m, 100, np.random.default_rng([k, m]))
    if trade_off is not None:
        hidden = MetricBatch(hidden.tau, replace(hidden.weights, trade_off=np.full(100, trade_off)))
    oracle = SimulatedOracle(hidden, random_state=0, **noise)  # type: ignore[arg-type]
    found = interview(fair_performance_by_bisection(hidden.tau, common_sphere(k)), oracle)
    return oracle.questions, hidden.weights.distance(found.weights)


@pytest.mark.parametrize(("k", "m"), CELLS)
def test_every_cell_needs_a_fifteenth_of_the_papers_questions_and_errs_less(k: int, m: int) -> None:
    setting = Setting.random(k, m, 0)
    paper = sum(Paper(setting=setting).questions_by_part().values())
    asked, error = errors(k, m)
    assert asked == sum(Bisection(setting=setting).questions_by_part().values())
    assert asked <= paper / (28 if (k, m) == (5, 5) else 15)
    a, B, trade_off = error.mean(axis=1)
    assert a <= 0.0006
    assert B <= 0.0008
    assert trade_off <= 0.0003


@pytest.mark.parametrize("trade_off", [1e-6, 1e-3, 0.999, 1 - 1e-6])
@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 3), (2, 5)])
def test_a_trade_off_near_a_border_does_no_harm(k: int, m: int, trade_off: float) -> None:
    a, B, found = errors(k, m, trade_off=trade_off)[1].mean(axis=1)
    assert a <= 0.0006
    assert B <= 0.0008
    assert found <= 0.0003


@pytest.mark.parametrize("k", [2, 3])
def test_band_noise_harms_a_tenth_as_much_as_it_harms_the_papers_search(k: int) -> None:
    hidden = MetricBatch.random(k, 2, 100, np.random.default_rng([k, 2]))
    oracle = SimulatedOracle(hidden, band=1e-3, random_state=0)
    found = interview(fair_performance(hidden.tau, common_sphere(k)), oracle)
    paper = np.median(hidden.weights.distance(found.weights), axis=1)
    ours = np.median(errors(k, 2, band=1e-3)[1], axis=1)
    assert ours[0] <= paper[0] / 10
    assert (ours[1:] <= paper[1:] / 5).all()


@given(st.integers(2, 4), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_a_gap_costs_its_cut_and_nothing_else(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    metric = FairMetric.random(Setting.random(k, m, rng), rng)
    cuts = independent_cuts(m)
    place = int(rng.integers(len(cuts)))
    size = rng.uniform(-0.01, 0.01, size=k * k - k)
    moved = 1 / k + gap(metric.setting.tau, cuts[place].astype(float), size)
    alike = np.full_like(moved, 1 / k)
    eta = separates(cuts)[place] @ metric.violation
    assert metric.cost_of_profiles(moved) - metric.cost_of_profiles(alike) == pytest.approx(
        metric.trade_off * eta @ np.abs(size), abs=1e-12
    )


def test_all_questions_lie_in_the_sphere() -> None:
    for k, m in ((2, 2), (3, 4), (4, 3)):
        setting = Setting.random(k, m, 1)
        sphere = common_sphere(k)
        elicited = elicit(SimulatedOracle(FairMetric.random(setting, 1)), setting, method="bisection")
        shown = np.stack([profile for question, _ in elicited.history for profile in (question.first, question.second)])
        assert np.linalg.norm(shown - sphere.center, axis=-1).max() <= sphere.radius * (1 + 1e-9)


@pytest.mark.parametrize("trade_off", [0.0, 1.0])
def test_what_does_not_matter_is_called_so(trade_off: float) -> None:
    setting = Setting.random(2, 3, 2)
    truth = FairMetric.from_weights(
        setting, misclassification=[1, 2], violation=[[1, 0], [0, 3], [1, 1]], trade_off=trade_off
    )
    elicited = elicit(SimulatedOracle(truth), setting, method="bisection")
    assert elicited.metric.trade_off == pytest.approx(trade_off, abs=1e-3)
    assert any(f"cannot be told from {trade_off:.0f}" in warning for warning in elicited.warnings)


def test_zero_weights_are_found() -> None:
    setting = Setting.random(3, 3, 3)
    truth = FairMetric.from_weights(
        setting, misclassification=[1, 0, 0, 2, 0, 0], violation=[[0] * 6, [0, 1, 0, 0, 0, 0], [0] * 6], trade_off=0.5
    )
    assert max(elicit(SimulatedOracle(truth), setting, method="bisection").metric.distance(truth)) < 0.002


def test_one_dominating_group_is_no_trouble() -> None:
    setting = Setting(["a", "b"], ["few", "many"], [[1e-4, 1e-4], [1 - 1e-4, 1 - 1e-4]])
    truth = FairMetric.random(setting, 4)
    assert max(elicit(SimulatedOracle(truth), setting, method="bisection").metric.distance(truth)) < 0.002


def test_equal_pairs_and_given_parts_work_here_too() -> None:
    setting = Setting.random(2, 4, 5)
    truth = FairMetric.from_weights(setting, misclassification=[2, 1], violation=[[1, 3]] * 6, trade_off=0.3)
    elicited = elicit(
        SimulatedOracle(truth), setting, method="bisection", equal_pairs=True, misclassification=truth.misclassification
    )
    assert elicited.questions_by_part == {"misclassification": 0, "violation": 11, "trade_off": 11}
    assert max(elicited.metric.distance(truth)) < 0.002


def test_a_sphere_whose_points_are_lost_to_rounding_is_refused() -> None:
    setting = Setting.random(2, 2, 0)
    with pytest.raises(EvenhandError, match="lost to rounding"):
        elicit(SimulatedOracle(FairMetric.random(setting, 0)), setting, method="bisection", radius=1e-15)
