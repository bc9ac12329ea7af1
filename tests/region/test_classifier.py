"""The classifier behind a rate, and the proofs that a rate is within reach or not."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.region.made_up import people, rates_on, unit

from evenhand import EvenhandError, FeasibleRegion, GroupRates, MixtureClassifier, OutOfReachError, group_rates

CHANCES, LABELS, GROUP = people(3, 2, 120, 0)
REGION = FeasibleRegion.from_scores(CHANCES, LABELS, sensitive_features=GROUP)
SPHERE = REGION.sphere()
PROFILE = SPHERE.at(unit(np.random.default_rng(0), 2, 6))
CLASSIFIER = REGION.classifier_for(PROFILE)


@given(st.integers(2, 4), st.integers(1, 3), st.integers(0, 10_000))
@settings(max_examples=25)
def test_what_a_classifier_does_is_within_reach_and_comes_back(classes: int, groups: int, seed: int) -> None:
    chances, _, group = people(classes, groups, 60, seed)
    decided = np.random.default_rng(seed).dirichlet(np.full(classes, 0.3), size=60)
    profile = rates_on(chances, group, decided)
    found = FeasibleRegion.from_scores(chances, sensitive_features=group).classifier_for(profile)
    again = found.predict_proba(chances, group)
    assert np.abs(rates_on(chances, group, again) - profile).max() < 1e-6
    assert np.abs(found.rates.vector - profile).max() < 1e-6
    assert all(len(shares) <= classes * (classes - 1) + 1 for shares in found.shares)


@given(st.integers(0, 10_000), st.floats(1.1, 3.0))
@settings(max_examples=25)
def test_what_is_out_of_reach_is_separated_by_a_direction(seed: int, farther: float) -> None:
    direction = unit(np.random.default_rng(seed), 6)
    border = REGION.support(direction)
    asked = SPHERE.center + farther * (border - SPHERE.center)
    contained = REGION.contains(asked)
    assert not contained
    for nearest, rates, distance in zip(contained.by_group, asked, contained.distance, strict=True):
        assert nearest.direction is not None
        highest = REGION.support(nearest.direction) @ nearest.direction
        place = [one is nearest for one in contained.by_group].index(True)
        assert nearest.direction @ rates - highest[place] == pytest.approx(nearest.margin, abs=1e-9)
        assert nearest.margin == pytest.approx(distance, abs=1e-7)
        assert np.linalg.norm(nearest.rates - rates) == pytest.approx(distance)


def test_the_tolerance_is_op1s() -> None:
    asked = SPHERE.center + 1.5 * (REGION.support(np.ones(6)) - SPHERE.center)
    distance = REGION.contains(asked).distance.max()
    assert REGION.contains(asked, tolerance=distance * 1.001)
    assert not REGION.contains(asked, tolerance=distance * 0.999)


def test_one_vector_is_for_all_groups_alike() -> None:
    assert REGION.contains(SPHERE.center)
    assert np.allclose(REGION.classifier_for(SPHERE.center).rates.vector, 1 / 3)


def test_out_of_reach_the_error_offers_the_nearest() -> None:
    perfect = np.zeros((2, 6))
    with pytest.raises(OutOfReachError, match=r"group . stays at least 0\.\d+ away.*nearest rates") as caught:
        REGION.classifier_for(perfect)
    assert (caught.value.distance > 0.1).all()
    nearest = caught.value.nearest
    assert isinstance(nearest, GroupRates)
    assert REGION.classifier_for(nearest).rates.vector == pytest.approx(nearest.vector, abs=1e-6)
    assert np.linalg.norm(nearest.vector, axis=1) == pytest.approx(caught.value.distance)


def test_rates_of_other_groups_are_refused() -> None:
    other = group_rates([0, 1, 2] * 2, [0, 1, 2] * 2, sensitive_features=["x"] * 3 + ["y"] * 3)
    with pytest.raises(EvenhandError, match="this region has the classes"):
        REGION.contains(other)


@pytest.mark.parametrize(
    "rates",
    [np.zeros((3, 6)), np.full((2, 6), np.nan), np.full(6, 1e308), None],
    ids=["shape", "nan", "far from any rate", "none"],
)
def test_what_are_no_rates_is_refused(rates: Any) -> None:
    with pytest.raises(EvenhandError, match="rates"):
        REGION.classifier_for(rates)


def test_the_classifier_comes_back_from_json_exactly() -> None:
    text = CLASSIFIER.to_json()
    again = MixtureClassifier.from_json(text)
    assert again == CLASSIFIER
    assert again.to_json() == text
    assert np.array_equal(again.predict_proba(CHANCES, GROUP), CLASSIFIER.predict_proba(CHANCES, GROUP))


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(CLASSIFIER.to_json()), **fields})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a classifier, nor any JSON"),
        ("[]", "not a classifier"),
        (changed(version=2), "version 2"),
        (changed(shares=[[1.0], [0.5]]), "shares of group 0|weights of group 0"),
        (changed(shares=[[]]), "one array for each of the 2 groups"),
        (changed(weights="all"), "weights must be a list"),
        (changed(extra=1), "should not have"),
        (changed(rates=[[[2, 0, 0]] * 3] * 2), "rates lie between 0 and 1"),
    ],
)
def test_other_documents_are_refused(text: str, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        MixtureClassifier.from_json(text)


def test_shares_that_do_not_sum_to_one_are_refused() -> None:
    document = json.loads(CLASSIFIER.to_json())
    document["shares"][0][0] += 0.5
    with pytest.raises(EvenhandError, match="sum to 1"):
        MixtureClassifier.from_json(json.dumps(document))


def test_draws_follow_the_probabilities() -> None:
    chances, group = np.repeat(CHANCES, 50, axis=0), np.repeat(GROUP, 50)
    drawn = CLASSIFIER.sample(chances, group, random_state=0)
    assert np.array_equal(drawn, CLASSIFIER.sample(chances, group, random_state=0))
    shares = np.stack([drawn == j for j in range(3)], axis=1).reshape(-1, 50, 3).mean(axis=1)
    expected = CLASSIFIER.predict_proba(CHANCES, GROUP)
    assert np.abs(shares - expected).max() < 0.35
    assert np.abs(shares.mean(axis=0) - expected.mean(axis=0)).max() < 0.02


@pytest.mark.parametrize(
    ("chances", "group", "message"),
    [
        (CHANCES[:, :2], GROUP, r"shape \(120, 2\), but must have \(120, 3\)"),
        (CHANCES, GROUP[:-1], "sensitive_features has 119 rows, but probabilities has 120"),
        (CHANCES, GROUP + 1, "sensitive_features has 2 in row 1, but the groups are 0, 1"),
        (CHANCES * 2, GROUP, "probabilities in row 0"),
    ],
    ids=["classes", "rows", "group", "sum"],
)
def test_people_it_cannot_decide_about_are_refused(chances: Any, group: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        CLASSIFIER.predict_proba(chances, group)


def test_new_data_of_the_same_size_fall_into_the_interval() -> None:
    chances, _, group = people(2, 2, 400, 1)
    region = FeasibleRegion.from_scores(chances, sensitive_features=group)
    classifier = region.classifier_for(region.sphere().at(np.array([0.6, -0.8])))
    decided = classifier.predict_proba(chances, group)
    rng = np.random.default_rng(0)
    interval = classifier.interval(0.9)
    inside = []
    for _ in range(200):
        who = rng.integers(400, size=400)
        y = (rng.random(400) < chances[who, 1]).astype(int)
        taken = (rng.random(400) < decided[who, 1]).astype(int)
        matrix = group_rates(y, taken, sensitive_features=group[who]).matrix
        inside.append((matrix >= interval[..., 0]) & (matrix <= interval[..., 1]))
    assert 0.84 <= np.mean(inside) <= 0.97
    with pytest.raises(EvenhandError, match="level"):
        classifier.interval(1)
