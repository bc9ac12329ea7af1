"""The goals of an interview, and how many questions they take."""

from __future__ import annotations

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH, models, within

from evenhand import (
    FairMetric,
    GroupRates,
    Setting,
    SimulatedOracle,
    elicit,
)
from evenhand.ranking import kendall_tau


def test_an_exact_person_is_understood_after_35_questions() -> None:
    good = 0
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        elicited = elicit(
            SimulatedOracle(truth), setting, method="adaptive", stop="budget", max_questions=35, random_state=seed
        )
        assert elicited.questions == 35
        assert elicited.stopped_because == "budget"
        good += within(elicited, truth, 0.02)
    assert good >= 3


def test_one_wrong_answer_in_ten_is_borne() -> None:
    good = 0
    for seed in range(4):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        oracle = SimulatedOracle(truth, flip=0.1, random_state=seed)
        elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=45, random_state=seed)
        good += within(elicited, truth, 0.1)
    assert good >= 3


def test_the_best_of_a_hundred_models_is_found_in_about_ten_questions() -> None:
    questions, right = [], 0
    for seed in range(5):
        setting = Setting.random(2, 2, seed)
        truth = FairMetric.random(setting, seed)
        candidates = models(setting, 100, seed)
        elicited = elicit(SimulatedOracle(truth), setting, method="adaptive", candidates=candidates, random_state=seed)
        assert elicited.stopped_because == "best"
        assert elicited.best is not None
        questions.append(elicited.questions)
        least = min(truth.cost(rates) for rates in candidates.values())
        right += truth.cost(candidates[elicited.best]) - least <= 0.002
        assert elicited.choice is not None
        assert max(elicited.choice.probabilities.values()) == pytest.approx(elicited.choice.best_certainty)
    assert np.mean(questions) <= 12
    assert right >= 4


def test_an_interview_about_the_order_ends_when_it_is_clear() -> None:
    candidates = models(SETTING, 12, 4)
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, stop="ranking", random_state=0
    )
    assert elicited.stopped_because == "ranking"
    assert elicited.choice is not None
    assert elicited.choice.ranking_certainty is not None
    assert elicited.choice.ranking_certainty >= 0.95
    true_order = sorted(candidates, key=lambda name: TRUTH.cost(candidates[name]))
    orders = (true_order, elicited.choice.ranking)
    assert kendall_tau(*([order.index(name) for name in candidates] for order in orders)) > 0.8
    best_first = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=candidates, random_state=0)
    assert best_first.questions < elicited.questions, "the best is clear long before the order"


def test_of_those_that_are_as_good_as_the_best_the_cheapest_is_the_favourite() -> None:
    """Whoever is content with all of a few models is not told that the best one is the last in their order."""
    base = models(SETTING, 1, 0)["model 0"].matrix
    near = {
        f"{step}": GroupRates(setting=SETTING, matrix=(1 - step / 1000) * base + step / 1000 * np.eye(2))
        for step in range(3)
    }
    elicited = elicit(SimulatedOracle(TRUTH), SETTING, method="adaptive", candidates=near, random_state=1)
    assert elicited.ranking is not None
    assert elicited.best == elicited.ranking[0] == "2"
