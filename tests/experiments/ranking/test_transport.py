"""A metric is elicited in one population, and judged by how it ranks the models of another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evenhand.experiments.datasets import Dataset
from evenhand.experiments.ranking import transport as moving
from evenhand.experiments.ranking.classifier_pool import Classifier, ClassifierPool, Trained
from evenhand.experiments.ranking.estimates import equal
from evenhand.experiments.ranking.split import Split
from evenhand.experiments.ranking.transport import Transported, transport
from evenhand.metric import MetricBatch

WOMEN = {"default": 0.6, "adult": 0.3}


def population(name: str) -> ClassifierPool:
    """Return ten made-up models on people of whom so many are women."""
    rng = np.random.default_rng(list(name.encode()))
    label = rng.integers(2, size=2000)
    female = rng.random(2000) < WOMEN[name]
    dataset = Dataset(
        name,
        female[:, None].astype(float),
        np.array(["no", "yes"])[label],
        np.array(["men", "women"])[female.astype(int)],
        ("sex=Female",),
    )
    split = Split.of(dataset, 0)
    true = split.label[split.test]
    members = []
    for number in range(10):
        wrong = rng.random(true.size) < rng.uniform(0.1, 0.4, size=(2, 2))[female[split.test].astype(int), true]
        members.append(Trained(Classifier("made up", number, 0), {}, 0, np.where(wrong, 1 - true, true)))
    return ClassifierPool(split, tuple(members), 0)


@pytest.fixture
def pools() -> dict[str, ClassifierPool]:
    return {name: population(name) for name in WOMEN}


def share_of_women(hidden: MetricBatch) -> float:
    return float(hidden.tau[..., 1, :].mean())


def elicited_well_only_in(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let interviews find the true metrics in one population, and equal weights, without a trade-off, in the other."""

    def elicited(hidden: MetricBatch, method: str) -> tuple[MetricBatch, int]:
        here = abs(share_of_women(hidden) - WOMEN[place]) < 0.1
        alike = equal(hidden)
        mistakes_only = replace(alike.weights, trade_off=np.zeros_like(alike.weights.trade_off))
        return hidden if here else replace(alike, weights=mistakes_only), 0

    monkeypatch.setattr(moving, "elicited", elicited)


def by_source(moved: list[Transported]) -> dict[str, Transported]:
    return {one.source: one for one in moved if one.method == "paper"}


def test_away_is_elicited_at_the_source_and_at_home_at_the_target(
    pools: dict[str, ClassifierPool], monkeypatch: pytest.MonkeyPatch
) -> None:
    elicited_well_only_in("default", monkeypatch)
    moved = by_source(transport(pools, metrics=20, seed=0))
    assert moved["default"].away.kendall == pytest.approx(1)
    assert moved["default"].at_home.kendall.mean() < 0.9
    assert moved["adult"].away.kendall.mean() < 0.9
    assert moved["adult"].at_home.kendall == pytest.approx(1)


@pytest.mark.parametrize(("elicited_in", "imperfect"), [("default", "at_home"), ("adult", "away")])
def test_the_models_that_are_ranked_are_the_targets(
    elicited_in: str, imperfect: str, pools: dict[str, ClassifierPool], monkeypatch: pytest.MonkeyPatch
) -> None:
    elicited_well_only_in(elicited_in, monkeypatch)
    fewer = {**pools, "adult": replace(pools["adult"], members=pools["adult"].members[:5])}
    before, after = (by_source(transport(given, metrics=20, seed=0)) for given in (pools, fewer))
    assert np.array_equal(before["adult"].away.kendall, after["adult"].away.kendall)
    assert np.array_equal(before["adult"].at_home.kendall, after["adult"].at_home.kendall)
    of_target = [getattr(moved["default"], imperfect).kendall for moved in (before, after)]
    assert not np.array_equal(*of_target)


def test_with_exact_answers_it_hardly_matters_where_a_metric_was_elicited(pools: dict[str, ClassifierPool]) -> None:
    moved = transport(pools, metrics=10, seed=0)
    assert [(one.source, one.target, one.method) for one in moved] == [
        ("default", "adult", "paper"),
        ("default", "adult", "bisection"),
        ("adult", "default", "paper"),
        ("adult", "default", "bisection"),
    ]
    for one in moved:
        assert min(one.away.mean("kendall"), one.at_home.mean("kendall")) > 0.97
