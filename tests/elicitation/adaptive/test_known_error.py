"""Where it is known how often answers are wrong, nothing is asked to find that out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evenhand import EvenhandError, FairMetric, GroupRates, Setting, SimulatedOracle, elicit, next_question

SETTING = Setting.random(2, 2, random_state=7)
TRUTH = FairMetric.random(SETTING, random_state=7)


def models(seed: int) -> dict[str, GroupRates]:
    profiles = np.random.default_rng(seed).uniform(0.05, 0.45, size=(12, 2, 2))
    return {f"model {place}": GroupRates.from_vector(SETTING, one) for place, one in enumerate(profiles)}


def test_no_question_is_repeated_and_nobody_is_suspected_of_clicking() -> None:
    options: dict[str, Any] = {"method": "adaptive", "stop": "budget", "max_questions": 16, "random_state": 0}
    learned = elicit(SimulatedOracle(TRUTH), SETTING, **options).reliability
    known = elicit(SimulatedOracle(TRUTH), SETTING, error=0.05, **options).reliability
    assert learned is not None
    assert known is not None
    assert (learned.repeats, known.repeats) == (2, 0)
    assert known.attending == 1 > learned.attending
    assert known.lapse_rate == pytest.approx(0.1)  # half of those who lapse are right by chance
    assert known.lapses is None, "the answers do not tell what was known before"


def test_what_is_known_saves_questions_and_costs_no_models() -> None:
    questions: dict[float | None, list[int]] = {None: [], 0.05: []}
    lost = []
    for seed in range(15):
        truth, candidates = FairMetric.random(SETTING, random_state=seed), models(seed)
        for error, asked in questions.items():
            oracle = SimulatedOracle(truth, flip=0.05, random_state=seed)
            options: dict[str, Any] = {"candidates": candidates, "error": error, "random_state": seed}
            elicited = elicit(oracle, SETTING, method="adaptive", **options)
            asked.append(elicited.questions)
            if error is not None:
                costs = {name: truth.cost(rates) for name, rates in candidates.items()}
                lost.append(costs[str(elicited.best)] - min(costs.values()))
    assert np.mean(questions[0.05]) < np.mean(questions[None])
    assert np.mean(np.array(lost) <= 0.002) >= 0.8


def test_an_oracle_may_say_how_often_it_is_wrong() -> None:
    class Surveyed:
        error: Any = 0.1

        def __call__(self, first: GroupRates, second: GroupRates) -> bool:
            return bool(TRUTH.cost(first) < TRUTH.cost(second))

    def lapses(oracle: Any, **options: Any) -> float | None:
        budget: dict[str, Any] = {"stop": "budget", "max_questions": 2, "random_state": 0}
        found = elicit(oracle, SETTING, method="adaptive", **budget, **options).reliability
        return None if found is None else found.lapse_rate

    oracle = Surveyed()
    assert lapses(oracle) == pytest.approx(0.2)
    assert lapses(oracle, error=0.2) == pytest.approx(0.4)
    oracle.error = "none that I know of"
    assert lapses(oracle) == lapses(SimulatedOracle(TRUTH))
    oracle.error = 0.7
    with pytest.raises(EvenhandError, match=r"error must be a probability from 0 to less than 0\.5, but received 0\.7"):
        lapses(oracle)


@pytest.mark.parametrize("error", [0, 0.0, 0.05, 0.499])
def test_every_error_below_one_half_can_be_known(error: float) -> None:
    options: dict[str, Any] = {"stop": "budget", "max_questions": 4, "random_state": 0}
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", error=error, **options)
    assert elicited.reliability is not None
    assert elicited.reliability.lapse_rate == pytest.approx(2 * error)


@pytest.mark.parametrize("error", [-0.1, 0.5, np.nan, "often", True])
def test_other_errors_are_refused(error: Any) -> None:
    with pytest.raises(EvenhandError, match=r"error must be a probability from 0 to less than 0\.5"):
        next_question(SETTING, [], error=error)


def test_a_searching_method_has_no_use_for_a_known_error() -> None:
    with pytest.raises(EvenhandError, match="method='bisection' has no option 'error'"):
        elicit(SimulatedOracle(TRUTH), SETTING, method="bisection", error=0.05)
