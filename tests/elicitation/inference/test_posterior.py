"""The posterior over metrics."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, TRUTH, within

from evenhand import (
    SKIP,
    FairMetric,
    GroupRates,
    Setting,
    SimulatedOracle,
    elicit,
)
from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import FIRST, SECOND
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.inference.response import ResponsePrior
from evenhand.metric.prior import Prior
from evenhand.metric.weights import Dimensions


def test_the_intervals_of_somebody_who_does_not_attend_are_as_wide_as_before() -> None:
    """Answers of nobody in particular say nothing about the weights, however well some metric fits them."""
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=12, random_state=0
    )

    def trade_off_width(inattentive: float) -> float:
        rng = np.random.default_rng(0)
        model = AnswerModel(Prior(dimensions=Dimensions(2, 1, 2)), ResponsePrior(inattentive=inattentive))
        posterior = Posterior.without_answers(model, particles=800, rng=rng)
        for question, answer in elicited.history:
            pair = Pairs.between(question.first[None], question.second[None], SETTING)
            posterior = posterior.updated(pair, FIRST if answer else SECOND, rng)
        *_, ends = posterior.intervals(0.9)
        return float(np.ptp(ends))

    assert trade_off_width(1 - 1e-9) == 1.0, "nothing is known"
    assert trade_off_width(1e-9) < 0.4


def test_undecided_is_information_and_skipping_is_not() -> None:
    skipping = elicit(lambda *_: SKIP, SETTING, method="adaptive", stop="budget", max_questions=5, random_state=0)
    assert skipping.reliability is not None
    assert skipping.reliability.predictive == ()
    assert "skipped" in skipping.warnings[0]
    assert skipping.reliability.attending == pytest.approx(1 - ResponsePrior().inattentive)

    def undecided(first: GroupRates, second: GroupRates) -> bool | None:
        difference = TRUTH.cost(second) - TRUTH.cost(first)
        return None if abs(difference) < 0.01 else bool(difference > 0)

    elicited = elicit(undecided, SETTING, method="adaptive", stop="budget", max_questions=40, random_state=0)
    assert any(answer is None for _, answer in elicited.history)
    assert within(elicited, TRUTH, 0.1)


_FROM_A_LOG = """
import json, sys
from evenhand import Question, Setting, next_question
history = [(Question(first, second), answer) for first, second, answer in json.load(sys.stdin)]
found = next_question(Setting.random(3, 2, 0), history, stop="budget", max_questions=len(history))
print(json.dumps([found.metric.misclassification.tolist(), found.metric.violation.tolist(), found.metric.trade_off]))
"""


@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])
def test_a_stored_log_gives_the_same_metric_on_another_processor(processor: str) -> None:
    """Linear algebra differs in the last digits; no draw of the sample may hang on them."""
    setting = Setting.random(3, 2, 0)
    truth = FairMetric.random(setting, 0)
    oracle = SimulatedOracle(truth, flip=0.1, random_state=0)
    elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=40, random_state=0)
    log = json.dumps([(question.first.tolist(), question.second.tolist(), told) for question, told in elicited.history])
    elsewhere = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", _FROM_A_LOG],
        input=log,
        env={**os.environ, "OPENBLAS_CORETYPE": processor, "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    a, B, trade_off = json.loads(elsewhere.stdout)
    assert a == pytest.approx(elicited.metric.misclassification, abs=1e-9)
    assert np.array(B) == pytest.approx(elicited.metric.violation, abs=1e-9)
    assert trade_off == pytest.approx(elicited.metric.trade_off, abs=1e-9)


def test_intervals_are_about_the_metrics_own_weights() -> None:
    elicited = elicit(
        SimulatedOracle(TRUTH), SETTING, method="adaptive", stop="budget", max_questions=20, random_state=0
    )
    intervals, metric = elicited.intervals, elicited.metric
    assert elicited.uncertainty is not None
    assert intervals is not None
    assert elicited.uncertainty.level == 0.9
    assert intervals.misclassification.shape == (2, 2)
    assert intervals.violation.shape == (1, 2, 2)
    assert intervals.trade_off.shape == (2,)
    assert intervals.trade_off[0] <= metric.trade_off <= intervals.trade_off[1]
    assert (intervals.misclassification[:, 0] <= intervals.misclassification[:, 1]).all()


def test_the_sample_starts_as_random_metrics_are_drawn() -> None:
    model = AnswerModel(Prior(dimensions=Dimensions(2, 3, 2)))
    posterior = Posterior.without_answers(model, particles=20_000, rng=np.random.default_rng(0))
    metrics = posterior.weights
    a, B, trade_off = metrics.misclassification, metrics.violation, metrics.trade_off
    drawn = [FairMetric.random(Setting.random(2, 3, 0), seed) for seed in range(4000)]
    assert np.mean(a, axis=0) == pytest.approx(np.mean([one.misclassification for one in drawn], axis=0), abs=0.02)
    assert np.std(B, axis=0) == pytest.approx(np.std([one.violation for one in drawn], axis=0), abs=0.01)
    assert np.quantile(trade_off, [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.02)


def test_samples_of_the_same_answers_agree_on_how_likely_soft_and_sharp_respondents_are() -> None:
    oracle = SimulatedOracle(TRUTH, temperature=0.01, random_state=3)
    elicited = elicit(oracle, SETTING, method="adaptive", stop="budget", max_questions=30, random_state=3)

    def refined(seed: int) -> Posterior:
        rng = np.random.default_rng(seed)
        posterior = Posterior.without_answers(AnswerModel(Prior.of(SETTING)), particles=800, rng=rng)
        for question, answer in elicited.history:
            pair = Pairs.between(question.first[None], question.second[None], SETTING)
            posterior = posterior.updated(pair, FIRST if answer else SECOND, rng)
        return posterior.refined(rng)

    samples = [refined(seed) for seed in range(5)]
    assert np.std([sample.log_evidence for sample in samples]) < 0.2
    soft, _ = samples[0].model.components
    shares = [sample.probability[soft.hold(sample.latent)].sum() for sample in samples]
    assert np.std(np.log(shares)) < 0.3


def test_few_particles_of_many_numbers_are_refined_too() -> None:
    setting = Setting.random(5, 5, 1)
    oracle = SimulatedOracle(FairMetric.random(setting, 1))
    elicited = elicit(oracle, setting, method="adaptive", stop="budget", max_questions=3, particles=100, random_state=1)
    assert elicited.uncertainty is not None
    assert np.isfinite(elicited.uncertainty.intervals.violation).all()
