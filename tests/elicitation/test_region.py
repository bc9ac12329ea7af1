"""Asked within a region, every question is about two classifiers that exist, and the metric is found all the same."""

from typing import Any

import numpy as np
import pytest
from tests.region.made_up import people

from evenhand import EvenhandError, FairMetric, FeasibleRegion, Setting, SimulatedOracle, elicit, next_question
from evenhand.region.realistic import realistic_profiles

CHANCES, _, GROUP = people(2, 2, 300, 3)
REGION = FeasibleRegion.from_scores(CHANCES, sensitive_features=GROUP)
TRUTH = FairMetric.random(REGION.setting, 5)
ADAPTIVE: dict[str, Any] = {"method": "adaptive", "stop": "budget", "max_questions": 25, "random_state": 0}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"method": "paper"}, 0.02),
        ({"method": "least-squares"}, 0.02),
        ({"method": "bisection"}, 0.005),
        (ADAPTIVE, 0.3),
        ({**ADAPTIVE, "out_of": 100}, 0.3),
        ({**ADAPTIVE, "radius": 0.05}, 0.3),
    ],
    ids=["paper", "least-squares", "bisection", "adaptive", "whole people", "sphere"],
)
def test_every_question_can_be_turned_into_two_classifiers(options: dict[str, Any], error: float) -> None:
    elicited = elicit(SimulatedOracle(TRUTH), REGION.setting, region=REGION, **options)
    assert max(elicited.metric.distance(TRUTH)) < error
    asked = [profile for question, _ in elicited.history for profile in (question.first, question.second)]
    for profile in asked[:: max(1, len(asked) // 60)]:
        attained = REGION.classifier_for(profile).rates.vector
        assert np.abs(attained - profile).max() < 1e-6


def test_the_searching_methods_ask_from_the_regions_sphere() -> None:
    elicited = elicit(SimulatedOracle(TRUTH), REGION.setting, method="bisection", region=REGION)
    radius = REGION.sphere().radius
    lengths = [np.linalg.norm(question.first - 0.5, axis=-1).max() for question, _ in elicited.history]
    assert max(lengths) == pytest.approx(radius)


def test_adaptive_questions_go_beyond_the_sphere_towards_good_classifiers() -> None:
    elicited = elicit(SimulatedOracle(TRUTH), REGION.setting, region=REGION, **ADAPTIVE)
    shown = np.stack([side for question, _ in elicited.history for side in (question.first, question.second)])
    assert (np.linalg.norm(shown - 0.5, axis=-1) > REGION.sphere().radius).mean() > 0.2
    assert np.median(shown.mean(axis=(1, 2))) < 0.4  # fewer mistakes than by chance


def test_realistic_profiles_are_good_and_treat_groups_alike_or_not() -> None:
    profiles = realistic_profiles(REGION)
    assert profiles.mean() < 0.4
    gaps = np.abs(profiles[:, 0] - profiles[:, 1]).max(axis=1)
    assert (gaps < 1e-9).sum() >= 50
    assert (gaps > 0.1).sum() >= 50


def test_the_next_question_is_a_function_of_the_answers() -> None:
    first = next_question(REGION.setting, [], region=REGION, out_of=100)
    again = next_question(REGION.setting, [], region=REGION, out_of=100)
    assert np.array_equal(first.first, again.first)  # type: ignore[union-attr]


@pytest.mark.parametrize("method", ["paper", "adaptive"])
def test_a_region_that_does_not_fit_is_refused(method: str) -> None:
    oracle = SimulatedOracle(TRUTH)
    other = Setting.random(2, 3, 0)
    with pytest.raises(EvenhandError, match="the region has the classes 0, 1 and groups 0, 1"):
        elicit(oracle, other, method=method, region=REGION)
    with pytest.raises(EvenhandError, match="region must be a FeasibleRegion"):
        elicit(oracle, REGION.setting, method=method, region=REGION.sphere())
    with pytest.raises(EvenhandError, match="only spheres up to"):
        elicit(oracle, REGION.setting, method=method, region=REGION, radius=0.49)
    single = FeasibleRegion.from_scores(CHANCES, sensitive_features=[0] * 300)
    with pytest.raises(EvenhandError, match="only one group"):
        elicit(oracle, single.setting, method=method, region=single)


def test_rounding_to_whole_people_never_leaves_what_is_within_reach() -> None:
    with pytest.raises(EvenhandError, match=r"out_of is 20: .* out of the sphere .* Take more than 28"):
        elicit(SimulatedOracle(TRUTH), REGION.setting, region=REGION, **ADAPTIVE, out_of=20, radius=0.05)
    sure = FeasibleRegion.from_scores(np.clip(np.eye(2)[np.arange(300) // 2 % 2], 0.01, 0.99), sensitive_features=GROUP)
    with pytest.raises(EvenhandError, match=r"out_of is 2: .* no two realistic models are within reach"):
        elicit(SimulatedOracle(TRUTH), sure.setting, region=sure, **ADAPTIVE, out_of=2)


def test_a_region_in_which_nobody_could_tell_models_apart_is_refused() -> None:
    with pytest.raises(EvenhandError, match=r"realistic models of this region .* visible is 0.99"):
        elicit(SimulatedOracle(TRUTH), REGION.setting, method="adaptive", region=REGION, visible=0.99)
