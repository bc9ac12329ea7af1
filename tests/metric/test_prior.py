"""What is known before anybody answers: it holds in every metric considered, and saves questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evenhand import EvenhandError, FairMetric, Setting, SimulatedOracle, compare_structures, elicit
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Dimensions, Weights

SETTING = Setting.random(3, 3, random_state=3)
MISTAKES = SETTING.mistakes


def _weights(**known: Any) -> Weights:
    prior = Prior.of(SETTING, **known)
    return prior.weights(np.random.default_rng(0).random((200, prior.size)))


@pytest.mark.parametrize(
    "known",
    [{}, {"equal_pairs": True}, {"gaps_in": MISTAKES[:2]}, {"cost_order": MISTAKES[:3]}],
    ids=["free", "equal pairs", "gaps in two", "ordered"],
)
def test_every_structure_gives_normalised_metrics(known: dict[str, Any]) -> None:
    weights = _weights(**known)
    a, B, trade_off = weights.misclassification, weights.violation, weights.trade_off
    assert np.linalg.norm(a, axis=1) == pytest.approx(1)
    assert np.linalg.norm(B, axis=2).sum(axis=1) == pytest.approx(1)
    assert ((trade_off >= 0) & (trade_off <= 1)).all()


def test_a_single_free_gap_is_a_number_however_small_it_is_drawn() -> None:
    prior = Prior(dimensions=Dimensions(2, 1, 2), columns=np.array([0]))
    with np.errstate(all="raise"):
        B = prior.weights(np.zeros((1, prior.size))).violation
    assert B[0].tolist() == [[1.0, 0.0]]


def test_equal_pairs_weigh_alike() -> None:
    B = _weights(equal_pairs=True).violation
    assert np.ptp(B, axis=1) == pytest.approx(0)


def test_gaps_matter_only_where_they_are_said_to() -> None:
    B = _weights(gaps_in=[MISTAKES[4], MISTAKES[1]]).violation
    assert (B[:, :, [1, 4]] > 0).all()
    assert B.sum() == pytest.approx(B[:, :, [1, 4]].sum())


def test_a_known_order_of_costs_holds_from_the_first_draw_to_the_answer() -> None:
    order = [MISTAKES[5], MISTAKES[0], MISTAKES[2]]
    a = _weights(cost_order=order).misclassification
    assert (np.diff(a[:, [5, 0, 2]], axis=1) <= 0).all()
    truth = FairMetric.from_weights(
        SETTING, misclassification=[3.0, 1.0, 2.0, 1.0, 1.0, 4.0], violation=np.ones((3, 6)), trade_off=0.3
    )
    found = elicit(
        SimulatedOracle(truth), SETTING, method="adaptive", cost_order=order, stop="budget", max_questions=25
    ).metric.misclassification
    assert found[5] > found[0] > found[2]


def test_a_known_order_leaves_weights_distributed_as_those_of_a_random_metric_in_that_order() -> None:
    every = range(len(MISTAKES))
    prior = Prior.of(SETTING, cost_order=list(MISTAKES))
    drawn = prior.weights(np.random.default_rng(1).random((4000, prior.size))).misclassification
    expected = -np.sort(-Weights.random(prior.dimensions, np.random.default_rng(2), (4000,)).misclassification, axis=1)
    for place in every:
        quantiles = [np.quantile(each[:, place], [0.1, 0.5, 0.9]) for each in (drawn, expected)]
        assert quantiles[0] == pytest.approx(quantiles[1], abs=0.02)


def test_a_given_part_is_taken_as_given() -> None:
    truth = FairMetric.random(SETTING, random_state=4)
    elicited = elicit(
        SimulatedOracle(truth),
        SETTING,
        method="adaptive",
        misclassification=truth.misclassification,
        violation=truth.violation,
        stop="budget",
        max_questions=16,
        random_state=0,
    )
    error = elicited.metric.distance(truth)
    assert error[0] == pytest.approx(0, abs=1e-9)
    assert error[1] == pytest.approx(0, abs=1e-9)
    assert error[2] < 0.02, "16 questions about the trade-off alone"


def test_a_structure_that_holds_saves_questions() -> None:
    setting = Setting.random(2, 4, random_state=0)
    alike = FairMetric.from_weights(
        setting, misclassification=[1.0, 2.0], violation=[[3.0, 1.0]] * len(setting.pairs), trade_off=0.5
    )
    errors = {False: 0.0, True: 0.0}
    for equal_pairs in errors:
        for seed in range(3):
            elicited = elicit(
                SimulatedOracle(alike),
                setting,
                method="adaptive",
                equal_pairs=equal_pairs,
                stop="budget",
                max_questions=20,
                random_state=seed,
            )
            errors[equal_pairs] += elicited.metric.distance(alike)[1]
    assert errors[True] < errors[False] / 4


def test_the_answers_tell_which_structure_they_support() -> None:
    setting = Setting.random(2, 2, random_state=0)
    first_only = FairMetric.from_weights(setting, misclassification=[1.0, 2.0], violation=[[1.0, 0.0]], trade_off=0.6)
    history = elicit(
        SimulatedOracle(first_only), setting, method="adaptive", stop="budget", max_questions=30, random_state=2
    ).history
    support = compare_structures(setting, history)
    true, predicted = setting.mistakes[0]
    assert max(support, key=lambda name: support[name]) == f"gaps in {true} taken for {predicted} only"
    assert sum(support.values()) == pytest.approx(1)
    wrong_order = {
        "as it is": {"cost_order": setting.mistakes[::-1]},
        "the other way": {"cost_order": setting.mistakes},
    }
    assert compare_structures(setting, history, wrong_order)["as it is"] > 0.95


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"gaps_in": []}, "at least 1"),
        ({"gaps_in": "01"}, "must list"),
        ({"gaps_in": 3}, "must list"),
        ({"gaps_in": [(1, 1)]}, "kinds of mistake are"),
        ({"gaps_in": [(1, 2), [1, 2]]}, "twice"),
        ({"cost_order": [(1, 2)]}, "at least 2"),
        ({"cost_order": [(1, 2), (9, 1)]}, "kinds of mistake are"),
        ({"equal_pairs": "yes"}, "equal_pairs must be"),
        ({"equal_pairs": True, "violation": np.ones((3, 6))}, "leave it out"),
        ({"cost_order": [(1, 2), (1, 3)], "misclassification": np.ones(6)}, "leave it out"),
    ],
)
def test_what_makes_no_structure_is_refused(known: dict[str, Any], words: str) -> None:
    with pytest.raises(EvenhandError, match=words):
        elicit(lambda *_: True, SETTING, method="adaptive", **known)


def test_a_comparison_needs_two_structures_and_known_options() -> None:
    with pytest.raises(EvenhandError, match="at least two"):
        compare_structures(SETTING, [], {"one": {}})
    with pytest.raises(EvenhandError, match="random_state"):
        compare_structures(SETTING, [], random_state=None)  # type: ignore[arg-type]
    with pytest.raises(EvenhandError, match="options among"):
        compare_structures(SETTING, [], {"one": {}, "other": {"colour": 1}})
