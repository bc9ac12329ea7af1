"""A simulated respondent with a known metric, who may make mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenhand.checks.arrays import generator, number
from evenhand.checks.messages import expect
from evenhand.metric import FairMetric, MetricBatch
from evenhand.rates import GroupRates
from evenhand.typing import RandomState

_SAME_COST = 1e-15
"""Costs that differ only by rounding errors are a tie; the second is then preferred, on every processor."""


class SimulatedOracle:
    """Answers by a metric: True if the first classifier costs less than the second.

    Parameters
    ----------
    metric
        The hidden metric, or a batch of metrics, which gives an answer for each.
    band
        If two costs differ by at most this much, the answer is random: the paper's ε_Ω.
    adversarial
        Answer wrongly instead of randomly within the band.
    flip
        The probability that an answer is flipped, to any question.
    temperature
        If given, the first is preferred with probability 1 / (1 + exp(−(Ψ₂ − Ψ₁) / temperature)) (Bradley and Terry),
        so that small differences are hard to see.
    random_state
        The seed or generator of the wrong answers.

    Attributes
    ----------
    questions
        The number of questions asked so far.

    Examples
    --------
    >>> from evenhand import GroupRates, Setting
    >>> from evenhand.metrics import cost_sensitive_error
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
    >>> person = SimulatedOracle(cost_sensitive_error(setting))
    >>> good, bad = (GroupRates.from_vector(setting, [[wrong] * 2] * 2) for wrong in (0.1, 0.3))
    >>> person(good, bad), person(bad, good)
    (True, False)
    """

    def __init__(
        self,
        metric: FairMetric | MetricBatch,
        *,
        band: float = 0.0,
        adversarial: bool = False,
        flip: float = 0.0,
        temperature: float | None = None,
        random_state: RandomState = None,
    ) -> None:
        expect(metric, "metric", FairMetric, MetricBatch)
        if temperature is not None:
            temperature = number(temperature, "temperature", "a positive number", lambda value: value > 0)
        self.metric = metric
        self.band = number(band, "band", "a number that is not negative", lambda value: value >= 0)
        self.adversarial = adversarial
        self.flip = number(flip, "flip", "a probability from 0 to 1", lambda value: 0 <= value <= 1)
        self.temperature = temperature
        self.questions = 0
        self._rng = generator(random_state)

    def __call__(self, first: Any, second: Any) -> Any:
        """Return whether the first is preferred; for a batch, one answer for each of its metrics."""
        saving = np.asarray(self._cost(second) - self._cost(first))
        self.questions += 1
        right = saving > _SAME_COST
        prefers = right
        if self.temperature is not None:
            with np.errstate(over="ignore"):  # an infinite ratio is right: the answer is certain
                certainty = np.tanh(saving / (2 * self.temperature))
            prefers = self._rng.random(saving.shape) < (1 + certainty) / 2
        if self.band > 0:
            within = ~right if self.adversarial else self._rng.random(saving.shape) < 0.5
            prefers = np.where(np.abs(saving) <= self.band, within, prefers)
        if self.flip > 0:
            prefers = prefers ^ (self._rng.random(saving.shape) < self.flip)
        return bool(prefers) if saving.ndim == 0 else prefers

    def _cost(self, rates: Any) -> Any:
        if isinstance(rates, GroupRates) and isinstance(self.metric, FairMetric):
            return self.metric.cost(rates)
        return self.metric.cost_of_profiles(rates)
