"""Answers that follow a rule outside the family are noticed, and answers that follow a metric are not blamed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from evenhand import SKIP, FairMetric, GroupRates, Question, Setting, SimulatedOracle, elicit
from evenhand.elicitation.other_rules import other_rules
from evenhand.rates.models import made_up_models
from evenhand.typing import Floats

SETTING = Setting(["no", "yes"], ["women", "men"], [[0.3, 0.6], [0.7, 0.4]])
PEOPLE = np.array([[30.0, 60.0], [70.0, 40.0]])


def predicted_yes(profile: Floats) -> Floats:
    shares = PEOPLE / PEOPLE.sum(axis=1, keepdims=True)
    return np.asarray(shares[:, 0] * profile[:, 0] + shares[:, 1] * (1 - profile[:, 1]))


def parity(profile: Floats) -> float:
    return float(abs(np.subtract(*predicted_yes(profile))))


def worst_off(profile: Floats) -> float:
    return float(profile.mean(axis=1).max())


def answered(cost: Callable[[Floats], float], n: int = 40) -> list[tuple[Question, bool]]:
    first, second = made_up_models(SETTING, 2 * n, np.random.default_rng(0)).reshape(2, n, 2, 2)
    return [(Question(a, b), cost(a) < cost(b)) for a, b in zip(first, second, strict=True)]


@pytest.mark.parametrize(
    ("cost", "name"), [(parity, "demographic parity"), (worst_off, "the worst-off group")], ids=["parity", "worst"]
)
def test_a_rule_that_explains_every_answer_is_named_first(cost: Callable[[Floats], float], name: str) -> None:
    metric = FairMetric.random(SETTING, 0)
    rules = other_rules(answered(cost), metric, [0.6] * 40, PEOPLE)
    assert (rules[0].name, rules[0].agrees, rules[0].answers) == (name, 40, 40)
    assert other_rules(answered(cost), metric, None, PEOPLE)[0].name == name


def test_a_metric_that_foresees_the_answers_is_left_in_peace() -> None:
    metric = FairMetric.random(SETTING, 0)
    history = answered(lambda profile: float(metric.cost_of_profiles(profile)))
    assert other_rules(history, metric, [0.95] * 40, PEOPLE) == ()
    assert other_rules(history, metric, None, PEOPLE) == ()


def test_answers_that_say_nothing_do_not_count() -> None:
    metric = FairMetric.random(SETTING, 0)
    undecided = [(question, None) for question, _ in answered(parity, 5)]
    skipped = [(question, SKIP) for question, _ in answered(parity, 5)]
    assert other_rules([*undecided, *skipped], metric, [0.1] * 5, PEOPLE) == ()
    assert other_rules([], metric) == ()
    rules = other_rules([*undecided, *skipped, *answered(parity)], metric, [0.1] * 5 + [0.6] * 40, PEOPLE)
    assert rules[0].answers == 40


def test_an_interview_with_somebody_who_wants_parity_ends_with_that_word() -> None:
    def wants_parity(a: GroupRates, b: GroupRates) -> bool:
        return parity(a.vector) < parity(b.vector)

    elicited = elicit(wants_parity, SETTING, method="adaptive", stop="budget", max_questions=30, random_state=0)
    assert elicited.reliability is not None
    rules = other_rules(elicited.history, elicited.metric, elicited.reliability.predictive, PEOPLE)
    assert "demographic parity" in [rule.name for rule in rules]
    oracle = SimulatedOracle(FairMetric.random(SETTING, 1))
    elicited = elicit(oracle, SETTING, method="adaptive", stop="budget", max_questions=30, random_state=0)
    assert elicited.reliability is not None
    assert other_rules(elicited.history, elicited.metric, elicited.reliability.predictive, PEOPLE) == ()
