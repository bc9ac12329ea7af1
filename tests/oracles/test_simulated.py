"""A simulated person answers by a metric, and wrongly only as often and where it was told to."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, GroupRates, Setting, SimulatedOracle
from evenhand.metric import MetricBatch, cost_sensitive_error

SETTING = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
METRIC = cost_sensitive_error(SETTING, [1, 0])  # the cost is the rate of mistakes on class 0
seeds = st.integers(0, 2**32 - 1)


def costing(cost: float) -> Any:
    return np.array([[cost, 0.3]] * 2)


def share_of_yes(oracle: SimulatedOracle, first: float, second: float, times: int = 2000) -> float:
    return float(np.mean([oracle(costing(first), costing(second)) for _ in range(times)]))


@given(st.integers(2, 4), st.integers(2, 4), seeds)
def test_an_exact_person_prefers_what_costs_less(k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    metric = FairMetric.random(Setting.random(k, m, rng), rng)
    first, second = rng.uniform(0, 1 / k, size=(2, m, k * k - k))
    oracle = SimulatedOracle(metric)
    answer = oracle(first, second)
    assert answer is bool(metric.cost_of_profiles(first) < metric.cost_of_profiles(second))
    assert oracle(second, first) is not answer
    rates = [GroupRates.from_vector(metric.setting, profile) for profile in (first, second)]
    assert oracle(*rates) is answer
    assert oracle.questions == 3


def test_every_question_is_counted_whatever_the_answer() -> None:
    oracle = SimulatedOracle(METRIC, flip=0.5, random_state=0)
    assert oracle.questions == 0
    for asked in range(1, 6):
        oracle(costing(0.1), costing(0.2))
        assert oracle.questions == asked


def test_a_question_that_cannot_be_asked_is_not_counted() -> None:
    oracle = SimulatedOracle(METRIC)
    with pytest.raises(EvenhandError, match="rates lie between 0 and 1"):
        oracle(costing(0.1), costing(1.2))
    assert oracle.questions == 0


@given(st.floats(0, 0.4), seeds)
def test_outside_the_band_every_answer_is_right(gap: float, seed: int) -> None:
    oracle = SimulatedOracle(METRIC, band=gap, random_state=seed)
    beyond = 0.1 + gap + 1e-9
    assert oracle(costing(0.1), costing(beyond)) is True
    assert oracle(costing(beyond), costing(0.1)) is False


@given(st.floats(0, 0.4))
def test_an_adversary_is_always_wrong_within_the_band_and_right_outside(gap: float) -> None:
    oracle = SimulatedOracle(METRIC, band=0.2, adversarial=True)
    first, second = costing(0.1), costing(0.1 + gap)
    saving = float(METRIC.cost_of_profiles(second) - METRIC.cost_of_profiles(first))
    right = saving > 1e-15  # rounding errors make no difference
    assert oracle(first, second) is (right is not (saving <= 0.2))


def test_within_the_band_answers_are_a_coin() -> None:
    oracle = SimulatedOracle(METRIC, band=0.2, random_state=0)
    assert share_of_yes(oracle, 0.1, 0.25) == pytest.approx(0.5, abs=0.05)
    assert share_of_yes(oracle, 0.25, 0.1) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("flip", [0.1, 0.3])
def test_answers_are_flipped_as_often_as_told(flip: float) -> None:
    oracle = SimulatedOracle(METRIC, flip=flip, random_state=1)
    assert share_of_yes(oracle, 0.1, 0.9) == pytest.approx(1 - flip, abs=0.04)
    assert share_of_yes(oracle, 0.9, 0.1) == pytest.approx(flip, abs=0.04)


def test_flipping_always_is_the_opposite_person() -> None:
    assert SimulatedOracle(METRIC, flip=1.0)(costing(0.1), costing(0.2)) is False
    assert SimulatedOracle(METRIC, flip=1)(costing(0.2), costing(0.1)) is True


@pytest.mark.parametrize("temperature", [0.05, 0.2])
@pytest.mark.parametrize("saving", [-0.1, 0.0, 0.05, 0.2])
def test_a_hesitant_person_answers_by_the_logistic_law(temperature: float, saving: float) -> None:
    oracle = SimulatedOracle(METRIC, temperature=temperature, random_state=2)
    expected = 1 / (1 + np.exp(-saving / temperature))
    assert share_of_yes(oracle, 0.3, 0.3 + saving) == pytest.approx(expected, abs=0.045)


def test_without_hesitation_the_logistic_law_is_exact() -> None:
    for temperature in (1e-6, 5e-324):
        oracle = SimulatedOracle(METRIC, temperature=temperature, random_state=0)
        assert share_of_yes(oracle, 0.1, 0.2, 50) == 1
        assert share_of_yes(oracle, 0.2, 0.1, 50) == 0


@given(seeds)
def test_the_same_random_state_gives_the_same_answers(seed: int) -> None:
    noise: dict[str, Any] = {"band": 0.1, "flip": 0.2, "temperature": 0.1}
    one, other = (SimulatedOracle(METRIC, **noise, random_state=seed) for _ in range(2))
    questions = np.random.default_rng(seed).uniform(0, 0.5, size=(20, 2))
    answers = [[oracle(costing(a), costing(b)) for a, b in questions] for oracle in (one, other)]
    assert answers[0] == answers[1]


@given(st.integers(2, 3), st.integers(2, 3), seeds, st.booleans())
def test_a_batch_answers_as_its_metrics_would(k: int, m: int, seed: int, adversarial: bool) -> None:
    rng = np.random.default_rng(seed)
    metrics = [FairMetric.random(Setting.random(k, m, rng), rng) for _ in range(4)]
    first, second = rng.uniform(0, 1 / k, size=(2, 4, m, k * k - k))
    noise: dict[str, Any] = {"band": 0.1, "adversarial": adversarial} if adversarial else {}
    together = SimulatedOracle(MetricBatch.of(metrics), **noise)
    answers = together(first, second)
    expected = [SimulatedOracle(x, **noise)(a, b) for x, a, b in zip(metrics, first, second, strict=True)]
    assert answers.tolist() == expected
    assert together.questions == 1


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"band": -0.1}, "band must be a number that is not negative, but received -0.1"),
        ({"band": np.nan}, "band must be"),
        ({"band": None}, "band must be"),
        ({"band": "wide"}, "band must be"),
        ({"flip": 1.1}, "flip must be a probability from 0 to 1, but received 1.1"),
        ({"flip": -0.1}, "flip must be"),
        ({"flip": np.nan}, "flip must be"),
        ({"flip": [0.1]}, "flip must be"),
        ({"temperature": 0}, "temperature must be a positive number, but received 0"),
        ({"temperature": -1}, "temperature must be"),
        ({"temperature": np.nan}, "temperature must be"),
        ({"temperature": "warm"}, "temperature must be"),
        ({"random_state": -1}, "random_state must be"),
        ({"random_state": "seed"}, "random_state must be"),
    ],
    ids=str,
)
def test_noise_that_cannot_be_is_refused(noise: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        SimulatedOracle(METRIC, **noise)


@pytest.mark.parametrize("metric", [None, "metric", SETTING, [METRIC]])
def test_a_simulated_person_holds_a_metric(metric: Any) -> None:
    with pytest.raises(EvenhandError, match="metric must be a FairMetric or MetricBatch"):
        SimulatedOracle(metric)
