"""A simulated person who holds a known metric, and answers rightly or less so."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, MetricBatch


class SimulatedOracle:
    """Answers by a metric: True if the first costs less than the second.

    Parameters
    ----------
    metric
        The hidden metric, or a batch of them that answers many questions at once.
    band
        Where two costs differ by at most this much, the answer may be wrong: the paper's ε_Ω.
    adversarial
        Within the band, the answer is always wrong instead of random.
    flip
        The probability with which any answer is turned around.
    temperature
        If given, the first is preferred with probability 1 / (1 + exp(−(Ψ₂ − Ψ₁) / temperature)): near ties
        are hard.
    random_state
        Draws the wrong answers.

    Attributes
    ----------
    questions
        How many questions were asked so far.
    """

    def __init__(
        self,
        metric: FairMetric | MetricBatch,
        *,
        band: float = 0.0,
        adversarial: bool = False,
        flip: float = 0.0,
        temperature: float | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        if not band >= 0:
            raise EvenhandError(f"band must not be negative, but received {band!r}")
        if not 0 <= flip <= 1:
            raise EvenhandError(f"flip is a probability between 0 and 1, but received {flip!r}")
        if temperature is not None and not temperature > 0:
            raise EvenhandError(f"temperature must be positive, but received {temperature!r}")
        self.metric = metric
        self.band = band
        self.adversarial = adversarial
        self.flip = flip
        self.temperature = temperature
        self.questions = 0
        self._rng = np.random.default_rng(random_state)

    def __call__(self, first: Any, second: Any) -> Any:
        """Say whether the first is preferred; for a batch, one answer for each of its metrics."""
        self.questions += 1
        saving = np.asarray(self.metric.cost(second) - self.metric.cost(first))
        right = saving > 0
        prefers = right
        if self.temperature is not None:
            prefers = self._rng.random(saving.shape) < (1 + np.tanh(saving / (2 * self.temperature))) / 2
        if self.band > 0:
            within = ~right if self.adversarial else self._rng.random(saving.shape) < 0.5
            prefers = np.where(np.abs(saving) <= self.band, within, prefers)
        if self.flip > 0:
            prefers = prefers ^ (self._rng.random(saving.shape) < self.flip)
        return bool(prefers) if saving.ndim == 0 else prefers
