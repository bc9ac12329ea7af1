"""What the demo promises: its favourite is as good as the best, and what it tells of the order is true on average."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand import FairMetric, SimulatedOracle, elicit
from evenhand.elicitation.finding import Choice
from evenhand.elicitation.thresholds import STOPPING
from evenhand.study.demo.demo import demo_study

_PEOPLE = 24


@pytest.fixture(scope="module")
def told() -> list[tuple[FairMetric, Choice]]:
    """People with different metrics take the demo; what they hold, and what they are told."""
    study = demo_study()
    kept = {name: value for name, value in study.method.options().items() if value is not None}
    options = kept | {"candidates": study.candidates}
    found = []
    for seed in range(_PEOPLE):
        truth = FairMetric.random(study.setting, seed)
        finding = elicit(SimulatedOracle(truth), study.setting, method="adaptive", random_state=seed, **options)
        assert finding.verdict.decided, seed
        assert finding.choice is not None
        found.append((truth, finding.choice))
    return found


def test_the_favourite_is_as_good_as_the_best(told: list[tuple[FairMetric, Choice]]) -> None:
    candidates = demo_study().candidates
    missed = [
        truth.cost(candidates[choice.best]) - min(truth.cost(one) for one in candidates.values())
        for truth, choice in told
    ]
    assert np.mean(np.array(missed) <= STOPPING.indifferent) >= 0.95
    assert max(missed) < 0.01


def test_as_many_pairs_are_in_the_right_order_as_people_are_told(told: list[tuple[FairMetric, Choice]]) -> None:
    candidates = demo_study().candidates
    right = []
    for truth, choice in told:
        costs = np.array([truth.cost(candidates[name]) for name in choice.ranking])
        first, second = np.triu_indices(len(costs), 1)
        right.append((costs[first] <= costs[second]).mean())
    assert np.mean([choice.ranking_certainty for _, choice in told]) == pytest.approx(np.mean(right), abs=0.05)
