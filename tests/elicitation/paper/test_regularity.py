"""Where the theorem's assumptions fail, the result says so instead of passing nonsense on."""

import numpy as np
import pytest

from evenhand import Elicited, FairMetric, Setting, SimulatedOracle, elicit
from evenhand.elicitation import WeightsFound, by_delta, fair_performance, interview
from evenhand.elicitation.paper.regularity import expected_violation_error, smallest_slope, warnings_about
from evenhand.elicitation.paper.violation import Slopes, ViolationFound, trivial_on
from evenhand.elicitation.profiles import independent_cuts
from evenhand.metric.weights import Weights
from evenhand.rates import trivial_rates, uniform_rates
from evenhand.region import common_sphere
from evenhand.wording.vocabulary import Words

SETTING = Setting(["yes", "no"], ["women", "men"], [[0.4, 0.5], [0.6, 0.5]])


def elicited(trade_off: float, a: tuple[float, float] = (0.6, 0.8), B: tuple[float, float] = (0.3, 0.7)) -> Elicited:
    truth = FairMetric.from_weights(SETTING, misclassification=a, violation=[B], trade_off=trade_off)
    return elicit(SimulatedOracle(truth), SETTING, method="paper")


def test_a_regular_metric_comes_without_warnings() -> None:
    assert elicited(0.5).warnings == ()


def test_if_gaps_do_not_matter_the_result_says_so() -> None:
    result = elicited(0.0)
    assert any("gaps between groups" in warning and "could not be learned" in warning for warning in result.warnings)
    assert any("cannot be told from 0: gaps between groups hardly matter" in warning for warning in result.warnings)
    assert result.metric.trade_off < 1e-3
    assert result.metric.misclassification == pytest.approx([0.6, 0.8], abs=1e-3)


def test_if_mistakes_do_not_matter_the_result_says_so() -> None:
    result = elicited(1.0)
    assert any("What mistakes cost could not be learned" in warning for warning in result.warnings)
    assert any("cannot be told from 1: mistakes hardly matter" in warning for warning in result.warnings)
    assert result.metric.trade_off > 0.999


def test_a_weight_of_zero_is_named() -> None:
    result = elicited(0.5, a=(0.0, 1.0))
    assert any("yes → no" in warning and "c₃" in warning for warning in result.warnings)
    assert result.metric.misclassification == pytest.approx([0, 1], abs=1e-3)


def test_a_zero_weight_of_a_gap_is_no_trouble() -> None:
    assert elicited(0.5, B=(0.0, 1.0)).metric.violation == pytest.approx(np.array([[0.0, 1.0]]), abs=0.002)


def test_a_trade_off_that_nobody_can_identify_is_called_so() -> None:
    """τ¹ ⊙ a parallel to b¹²: then every λ ranks the first group's rates alike."""
    tau = SETTING.tau[0]
    result = elicited(0.5, a=(0.6, 0.8), B=(0.6 * tau[0], 0.8 * tau[1]))
    assert any("The trade-off cannot be identified" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("angle", "said"),
    [(0.0005, "cannot be identified"), (0.01, "is known to about 0.1 only"), (0.015, "about 0.067 only"), (0.03, None)],
)
def test_how_well_the_trade_off_is_known_is_the_tolerance_over_the_angle(angle: float, said: str | None) -> None:
    """The angle between what mistakes and what gaps cost as the first group's rates grow, whatever their lengths."""
    setting = Setting.random(2, 3, 0)
    mistakes = setting.tau[0] * (0.6, 0.8)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ mistakes
    metric = FairMetric.from_weights(
        setting, misclassification=(0.6, 0.8), violation=[turned, 2 * turned, (0.5, 0.5)], trade_off=0.5
    )
    warnings = warnings_about(found(metric), setting, 1e-3, by_delta)
    assert len(warnings) == (said is not None)
    assert all(str(said) in one and f"(angle {angle:.2g})" in one for one in warnings)


def test_a_contrarian_gets_a_valid_metric_and_is_told_that_nothing_was_learned() -> None:
    truth = FairMetric.random(SETTING, 0)
    result = elicit(SimulatedOracle(truth, flip=1.0), SETTING, method="paper")
    assert any("fewer mistakes were never preferred" in warning for warning in result.warnings)


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 4)])
def test_someone_who_always_answers_the_same_gets_warnings_not_a_crash(answer: bool, k: int, m: int) -> None:
    setting = Setting.random(k, m, 0)
    assert elicit(lambda *_: answer, setting, method="paper", tolerance=0.05).warnings


def test_a_coin_is_told_that_its_metric_is_doubtful() -> None:
    rng = np.random.default_rng(0)
    for seed in range(5):
        setting = Setting.random(2, 3, seed)
        assert elicit(lambda *_: bool(rng.random() < 0.5), setting, method="paper", tolerance=0.05).warnings


def test_large_errors_in_the_violation_weights_are_announced() -> None:
    """Of 80 random metrics, those whose B comes out far off carry a warning."""
    far, announced, quiet, alarms = 0, 0, 0, 0
    for seed in range(80):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        result = elicit(SimulatedOracle(truth), setting, method="paper")
        if result.metric.distance(truth).violation > 0.05:
            far += 1
            announced += bool(result.warnings)
        else:
            quiet += 1
            alarms += bool(result.warnings)
    assert far >= 1
    assert announced == far
    assert alarms <= 0.1 * quiet


def test_if_the_first_group_has_no_stake_in_gaps_the_trade_off_cannot_be_identified() -> None:
    setting = Setting.random(2, 3, 1)
    truth = FairMetric.from_weights(
        setting, misclassification=[1, 2], violation=[[0, 0], [0, 0], [1, 2]], trade_off=0.4
    )
    for method in ("paper", "least-squares"):
        result = elicit(SimulatedOracle(truth), setting, method=method)
        warnings = result.warnings
        assert result.metric.violation[2] == pytest.approx(truth.violation[2], abs=0.02)
        assert any("gaps between group 1 and the others cost next to nothing" in warning for warning in warnings)
    bisected = elicit(SimulatedOracle(truth), setting, method="bisection")
    assert not any("trade-off" in warning for warning in bisected.warnings)
    assert max(bisected.metric.distance(truth)) < 0.002


def found(metric: FairMetric) -> WeightsFound:
    return WeightsFound(metric.weights, None, None)


@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 2), (2, 4), (3, 3), (4, 3)])
def test_the_smallest_slope_is_that_of_the_cost_itself(k: int, m: int) -> None:
    """c₄ by its meaning: how the cost changes as one rate of the groups that are not set apart moves."""
    metric = FairMetric.random(Setting.random(k, m, k), m)
    cuts, words = independent_cuts(m), Words.plain(metric.setting)
    classes = words.classes
    o, step = uniform_rates(k), 1e-3
    changes = {}
    for cut in cuts:
        for trivial, predicted in ((trivial_rates(k)[0], classes[0]), (trivial_rates(k)[-1], classes[-1])):
            ask = trivial_on(cut, trivial)
            for entry, mistake in zip(np.eye(o.size), words.mistakes, strict=True):
                change = metric.cost_of_profiles(ask(o + step * entry)) - metric.cost_of_profiles(ask(o - step * entry))
                apart = tuple(metric.setting.groups[g] for g in np.flatnonzero(cut))
                changes[apart, predicted, mistake] = abs(float(change)) / (2 * step)
    smallest = smallest_slope(found(metric), cuts, metric.setting)
    assert smallest.size == pytest.approx(min(changes.values()), abs=1e-10)
    assert smallest.size == pytest.approx(changes[smallest.apart, smallest.predicted, smallest.mistake], abs=1e-10)


def test_a_slope_of_nearly_zero_is_reported_with_its_place_and_what_it_may_do() -> None:
    """Where "no" is predicted for men, more "yes → no" of women costs mistakes and saves gaps, here as much."""
    cost, saving = 0.6 * SETTING.tau[0, 0], 0.8
    (warning,) = elicited(cost / (cost + saving), a=(0.6, 0.8), B=(0.8, 0.6)).warnings
    assert "no slope is nearly zero (c₄), but one is " in warning
    assert "(yes → no, with no predicted for 'men')" in warning
    assert "move what gaps cost by about 0.00" in warning


def test_weights_of_gaps_that_are_all_infinite_count_as_not_learned() -> None:
    """Two opposite slopes, as mistakes that cost nothing leave them, make δ infinite."""
    nowhere = np.full((1, 2), np.inf)
    gaps = ViolationFound.of(nowhere, slopes=None)
    weights = Weights(np.array([0.6, 0.8]), gaps.weights, np.array(0.5))
    nothing = WeightsFound(weights, slope=None, violation_found=gaps)
    assert any("could not be learned" in doubt for doubt in warnings_about(nothing, SETTING, 1e-3, by_delta))


def test_the_expected_error_is_that_of_slopes_that_are_each_off_by_up_to_half_the_tolerance() -> None:
    setting, tolerance = Setting.random(2, 3, 0), 0.01
    truth = FairMetric.random(setting, 3)
    found = interview(fair_performance(setting.tau, common_sphere(2)), SimulatedOracle(truth))
    assert found.violation_found is not None
    slopes = found.violation_found.slopes
    assert slopes is not None
    a, B = found.weights.misclassification, found.weights.violation
    rng, errors = np.random.default_rng(8), []
    for _ in range(4000):
        first, last, near = (one + tolerance * (rng.random(one.shape) - 0.5) for one in (slopes.first, slopes.last, a))
        solved = Slopes(slopes.cuts, first, last).solved(setting.tau, near, by_delta)
        errors.append(np.linalg.norm(ViolationFound.of(solved, None).weights - B))
    expected = expected_violation_error(a, B, slopes, setting, tolerance, by_delta)
    assert expected == pytest.approx(np.mean(errors), rel=0.08)
