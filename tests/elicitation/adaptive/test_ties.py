"""Where nothing but rounding tells two apart, a rule decides and not the processor."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle
from evenhand.elicitation.adaptive.goals import BestCandidate, RankingGoal
from evenhand.elicitation.adaptive.magnify import magnified
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Models
from evenhand.elicitation.inference.quantiles import weighted_quantiles
from evenhand.region import common_sphere
from evenhand.typing import Floats


class _Certain:
    """A sample of two metrics: one with so much weight that it is sure of the first of two candidates."""

    def __init__(self, weight: float) -> None:
        self.probability: Floats = np.array([weight, 1 - weight])

    def costs(self, models: Models) -> Floats:
        del models
        return np.array([[0.0, 1.0], [1.0, 0.0]])

    def mean_costs(self, models: Models) -> Floats:
        return self.probability @ self.costs(models)

    @property
    def told(self) -> _Certain:
        return self

    def mixture_costs(self, models: Models, inattentive: float | None) -> tuple[Floats, Floats]:
        del inattentive
        return self.costs(models), self.probability


@pytest.mark.parametrize("goal", [BestCandidate, RankingGoal])
def test_a_goal_is_reached_at_just_the_confidence_asked_for(goal: type[BestCandidate | RankingGoal]) -> None:
    of_two = goal(Models(np.zeros((2, 2, 2)), Setting.random(2, 2, 0)))
    for weight, reached in ((np.nextafter(0.95, 0), True), (np.nextafter(0.95, 1), True), (0.9499, False)):
        assert of_two.reached(cast("Beliefs", _Certain(weight)), 0.95) is reached


def test_an_interval_ends_where_its_share_is_reached_but_for_rounding() -> None:
    values: Floats = np.arange(20.0)
    equal: Floats = np.full(20, 0.05)
    for error in (-1e-16, 1e-16):
        weight = equal + error * np.eye(20)[0]
        assert weighted_quantiles(values, weight, (0.05, 0.5)).tolist() == [0.0, 9.0]


def test_groups_that_are_alike_but_for_rounding_stay_in_their_order_when_magnified() -> None:
    sphere, tau = common_sphere(2), np.full((3, 2), 1 / 3)
    first = np.array([[[0.2, 0.3], [0.2, 0.3], [0.5, 0.4]]])
    second = np.array([[[0.3, 0.2], [0.4, 0.3], [0.6, 0.5]]])
    moved = first + 1e-15 * np.array([[1.0], [0.0], [-1.0]])
    for here, there in zip(magnified(first, second, tau, sphere), magnified(moved, second, tau, sphere), strict=True):
        assert here == pytest.approx(there, abs=1e-12)


def test_a_simulated_person_prefers_the_second_where_only_rounding_tells_two_apart() -> None:
    setting = Setting(["yes", "no"], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    equal = FairMetric.from_weights(setting, misclassification=[1, 1], violation=[[1, 1]], trade_off=0.5)
    oracle = SimulatedOracle(equal)
    one = GroupRates.from_vector(setting, np.array([[0.1 + 0.2, 0.1], [0.1, 0.1]]))
    other = GroupRates.from_vector(setting, np.array([[0.3, 0.1], [0.1, 0.1]]))
    assert oracle(one, other) is False
    assert oracle(other, one) is False
