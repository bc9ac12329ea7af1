"""What the demo promises: its favourite is as good as the best, and what it tells of the order is true on average."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand import Elicited, FairMetric, SimulatedOracle, elicit
from evenhand.elicitation.finding import Choice
from evenhand.elicitation.thresholds import STOPPING
from evenhand.study.demo.demo import demo_study
from evenhand.wording.vocabulary import Words

_PEOPLE = 24
_COLLEAGUES = 8


def _takes_the_demo(truth: FairMetric, seed: int) -> Elicited:
    study = demo_study()
    kept = {name: value for name, value in study.method.options().items() if value is not None}
    options = kept | {"candidates": study.candidates}
    return elicit(SimulatedOracle(truth), study.setting, method="adaptive", random_state=seed, **options)


@pytest.fixture(scope="module")
def told() -> list[tuple[FairMetric, Choice]]:
    """People with different metrics take the demo; what they hold, and what they are told."""
    setting, found = demo_study().setting, []
    for seed in range(_PEOPLE):
        truth = FairMetric.random(setting, seed)
        finding = _takes_the_demo(truth, seed)
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


@pytest.mark.parametrize(("mistake", "counts"), [("false positives", [[1, 0]]), ("false negatives", [[0, 1]])])
def test_somebody_for_whom_only_gaps_in_one_mistake_count_is_not_told_which_mistake_counts_more(
    mistake: str, counts: list[list[int]]
) -> None:
    """Models with a narrow gap often make few mistakes, too: the answers do not tell the two apart."""
    setting = demo_study().setting
    truth = FairMetric.from_weights(setting, misclassification=[0, 0], violation=counts, trade_off=1.0)
    words = Words.spoken(setting)
    for seed in range(_COLLEAGUES):
        for sentence in _takes_the_demo(truth, 1000 + seed).said(words):
            for stated in sentence.states:
                assert stated.part != "mistakes", (mistake, sentence.text)
                if stated.part == "violation":
                    heavier = stated.ratio.one if stated.order == "more" else stated.ratio.other
                    assert counts[0][heavier] == 1, (mistake, sentence.text)
