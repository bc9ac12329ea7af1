"""Answers that follow a rule outside the family, or two metrics in turn, are noticed; those of one metric are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evenhand import SKIP, FairMetric, GroupRates, Question, Setting, SimulatedOracle, elicit
from evenhand.elicitation.finding import OtherRule
from evenhand.elicitation.misfit import Decided, Misfit, misfit, misfit_of_metric
from evenhand.elicitation.thresholds import MISFIT
from evenhand.rates.models import made_up_models
from evenhand.rates.profile import gaps
from evenhand.typing import Floats

SETTING = Setting(["no", "yes"], ["women", "men"], [[0.3, 0.6], [0.7, 0.4]])
PEOPLE = np.array([[30.0, 60.0], [70.0, 40.0]])
QUESTIONS = 40


def predicted_yes(profile: Floats) -> Floats:
    shares = PEOPLE / PEOPLE.sum(axis=1, keepdims=True)
    return np.asarray(shares[:, 0] * profile[:, 0] + shares[:, 1] * (1 - profile[:, 1]))


def parity(profile: Floats) -> float:
    return float(abs(np.subtract(*predicted_yes(profile))))


def worst_off(profile: Floats) -> float:
    return float(profile.mean(axis=1).max())


def within_twenty_points(profile: Floats) -> float:
    """No gap above twenty points, else the narrower; apart from that, mistakes of the first kind."""
    widest = float(gaps(profile).max())
    return 1 + widest if widest > 0.2 else float(profile[:, 0] @ SETTING.tau[:, 0])


def answered(cost: Callable[[Floats], float], n: int = QUESTIONS) -> list[tuple[Question, bool]]:
    first, second = made_up_models(SETTING, 2 * n, np.random.default_rng(0)).reshape(2, n, 2, 2)
    return [(Question(a, b), cost(a) < cost(b)) for a, b in zip(first, second, strict=True)]


def compared(history: list[tuple[Question, bool]], predicted: Floats) -> Misfit:
    """Compare with rules alone: every metric that is drawn finds each pair equal."""
    return misfit(
        Decided.of(history), predicted, lambda draws: np.zeros((draws, len(history))), SETTING, population=PEOPLE
    )


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (parity, "the gap in how often each class is predicted (demographic parity)"),
        (worst_off, "the rate of mistakes in the worst-off group"),
        (within_twenty_points, "the widest gap between groups must not exceed 20 points; apart from that"),
    ],
    ids=["parity", "worst-off", "limit"],
)
def test_a_rule_that_explains_every_answer_is_named(cost: Callable[[Floats], float], said: str) -> None:
    history = answered(cost)
    for found in (compared(history, np.full(QUESTIONS, 0.6)), misfit_of_metric(history, FairMetric.random(SETTING, 0))):
        assert found.odds >= MISFIT.decisive
        assert found.rule is not None
        assert said in found.rule.name
        assert (found.rule.agrees, found.rule.answers) == (QUESTIONS, QUESTIONS)


def test_a_metric_that_predicts_the_answers_is_left_in_peace() -> None:
    metric = FairMetric.random(SETTING, 0)
    history = answered(lambda profile: float(metric.cost_of_profiles(profile)))
    for found in (compared(history, np.full(QUESTIONS, 0.95)), misfit_of_metric(history, metric)):
        assert found.rule is None
        assert found.odds < 1


@pytest.mark.parametrize("place", range(2))
def test_a_metric_in_a_corner_of_the_family_is_no_other_rule(place: int) -> None:
    """Somebody who minds one gap alone answers as by many limits and orders; the simple metrics stand beside them."""
    history = answered(lambda profile: float(gaps(profile)[0, place]))
    assert compared(history, np.full(QUESTIONS, 0.6)).rule is None


@pytest.mark.parametrize("costs", [[1, 2], [2, 1], [1, 3]])
def test_somebody_who_minds_two_kinds_of_mistake_and_no_gap_follows_no_other_rule(costs: list[float]) -> None:
    """They see no difference in a third of the questions, which some rules explain as well as a limit that is kept."""
    metric = FairMetric.from_weights(SETTING, misclassification=costs, violation=[[1, 1]], trade_off=0.0)
    whole: dict[str, Any] = {"stop": "budget", "max_questions": 45, "out_of": 100, "visible": 0.02}
    for seed in (1, 2):
        person = SimulatedOracle(metric, random_state=seed)
        assert elicit(person, SETTING, method="adaptive", random_state=seed, **whole).verdict.kind != "another rule"


def test_random_answers_follow_no_rule() -> None:
    """By Markov's inequality one in twenty at most; the family predicts them worse than a coin."""
    rng = np.random.default_rng(1)
    told = 0
    for _ in range(100):
        history = [(question, bool(rng.random() < 0.5)) for question, _ in answered(parity)]
        told += compared(history, np.full(QUESTIONS, 0.4)).rule is not None
    assert told <= 5


def test_a_change_of_mind_is_said_to_have_been_where_it_was() -> None:
    """Up to the 20th answer each is predicted; from then on one metric drawn in ten explains them, and the old none."""
    rng = np.random.default_rng(2)
    history = [(question, bool(rng.random() < 0.5)) for question, _ in answered(parity)]
    predicted = np.repeat([0.9, 0.1], QUESTIONS // 2)
    right = np.array([answer for _, answer in history])
    explains = np.where(right == (np.arange(QUESTIONS) >= 20), 1.0, -1.0)

    def drawn(draws: int) -> Floats:
        return np.where(np.arange(draws)[:, None] % 10 == 0, explains, -explains)

    found = misfit(Decided.of(history), predicted, drawn, SETTING)
    assert found.rule is not None
    assert found.rule.name == "a change of mind after about 20 answers"
    assert found.rule.agrees is None


def test_where_a_rule_prefers_neither_either_answer_is_as_likely() -> None:
    """Questions at which the rule is tied tell nothing, and so leave its lead where they are predicted by halves."""
    history = answered(worst_off)
    same = [(Question(question.first, question.first[::-1].copy()), True) for question, _ in history[:20]]
    alone = compared(history, np.full(QUESTIONS, 0.6))
    tied = compared([*history, *same], np.append(np.full(QUESTIONS, 0.6), np.full(20, 0.5)))
    assert alone.rule is not None
    assert tied.rule is not None
    assert tied.odds > alone.odds / 2


def test_answers_that_say_nothing_do_not_count() -> None:
    metric = FairMetric.random(SETTING, 0)
    undecided = [(question, None) for question, _ in answered(parity, 5)]
    skipped = [(question, SKIP) for question, _ in answered(parity, 5)]
    for history in ([], [*undecided, *skipped]):
        assert misfit_of_metric(history, metric) == Misfit()
    found = misfit_of_metric([*undecided, *skipped, *answered(parity)], metric, PEOPLE)
    assert found.rule is not None
    assert found.rule.answers == QUESTIONS


def test_an_interview_with_somebody_who_wants_parity_ends_with_that_word() -> None:
    def wants_parity(a: GroupRates, b: GroupRates) -> bool:
        return parity(a.vector) < parity(b.vector)

    models = {
        str(n): GroupRates.from_vector(SETTING, profile)
        for n, profile in enumerate(made_up_models(SETTING, 2, np.random.default_rng(1)))
    }
    candidates = {
        name: GroupRates(setting=SETTING, matrix=one.matrix, sizes=10 * PEOPLE) for name, one in models.items()
    }
    told: dict[str, Any] = {
        "method": "adaptive",
        "stop": "budget",
        "max_questions": 40,
        "random_state": 0,
        "candidates": candidates,
    }
    elicited = elicit(wants_parity, SETTING, **told)
    assert elicited.reliability is not None
    assert elicited.reliability.other_rule is not None
    assert elicited.verdict.kind == "another rule"
    assert "demographic parity" in elicited.verdict.reason
    assert "demographic parity" in elicited.describe()
    elicited = elicit(SimulatedOracle(FairMetric.random(SETTING, 1)), SETTING, **told)
    assert elicited.reliability is not None
    assert elicited.reliability.other_rule is None
    assert elicited.reliability.misfit < 1


def test_a_change_of_mind_has_a_verdict_of_its_own() -> None:
    rule, change = OtherRule("the rule “x”", 40, 45), OtherRule("a change of mind after about 20 answers", None, 45)
    assert (rule.verdict.kind, change.verdict.kind) == ("another rule", "change of mind")
    assert "it agrees with 40 of 45 answers" in rule.verdict.reason
    assert rule.verdict.advice != change.verdict.advice
