"""Simulated people: a metric each, and a way of answering."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, cycle
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle
from evenhand.elicitation.inference.response import ResponsePrior
from evenhand.elicitation.question import Answer

Oracle = Callable[[GroupRates, GroupRates], Answer]

PEOPLE = int(os.environ.get("EVENHAND_BENCH_PEOPLE", "40"))
"""The number of people a line; use at least 300 for numbers to quote."""
TUNING = 20_000
"""The first of the people with whom priors and thresholds are chosen."""
CONFIRMING = 500_000
"""The first of the people with whom they are confirmed: nothing may be chosen with these."""
FIRST_PERSON = int(os.environ.get("EVENHAND_BENCH_FIRST", CONFIRMING))

NOISES: dict[str, dict[str, float]] = {
    "exact": {},
    "10 % flips": {"flip": 0.1},
    "20 % flips": {"flip": 0.2},
    "logistic 0.003": {"temperature": 0.003},
    "logistic 0.01": {"temperature": 0.01},
    "logistic 0.03": {"temperature": 0.03},
}
"""How attentive people answer: the share of flipped answers, or the temperature in units of cost."""
BY_POSITION: dict[str, Callable[[], Iterable[bool]]] = {
    "always left": lambda: cycle([True]),
    "alternating": lambda: cycle([True, False]),
    "left, left, right": lambda: cycle([True, True, False]),
    "left for longer and longer": lambda: (one for run in count(1) for one in [True] * run + [False]),
}
"""How people answer who look at the page but not at what is on it."""
INATTENTIVE = ("at random", *BY_POSITION)


def person(setting: Setting, seed: int, kind: str) -> tuple[FairMetric, Oracle]:
    """Return a person: a metric, and an oracle that answers in a way of `NOISES`, `INATTENTIVE` or the prior.

    ", off the prior" after a noise gives a metric with sparse weights, and λ near an end.
    """
    rng = np.random.default_rng([seed, len(setting.classes), len(setting.groups)])
    noise, off_the_prior, _ = kind.partition(", off the prior")
    truth = FairMetric.random(setting, rng)
    if off_the_prior:
        truth = _sparse(truth, rng)
    if noise in BY_POSITION:
        answers = iter(BY_POSITION[noise]())
        return truth, lambda *_: next(answers)
    if noise == "at random" or (noise == "own prior" and rng.random() < ResponsePrior().inattentive):
        return truth, lambda *_: bool(rng.random() < 0.5)
    if noise in {"own prior", "own prior, attending"}:
        lapse, sensitivity, threshold = ResponsePrior().draw(1, rng)[0]
        return truth, _as_modelled(truth, lapse, sensitivity, threshold, rng)
    return truth, SimulatedOracle(truth, random_state=rng, **NOISES[noise])  # type: ignore[arg-type]


def _sparse(metric: FairMetric, rng: np.random.Generator) -> FairMetric:
    """Return a metric of the same setting that the prior hardly expects: most weights near 0, λ near 0 or 1."""
    return FairMetric.from_weights(
        metric.setting,
        misclassification=rng.random(metric.misclassification.shape) ** 6,
        violation=rng.random(metric.violation.shape) ** 6,
        trade_off=rng.beta(0.4, 0.4),
    )


def _as_modelled(
    truth: FairMetric, lapse: float, sensitivity: float, threshold: float, rng: np.random.Generator
) -> Oracle:
    """Answer by the method's own model of responses, including "can't tell"."""

    def answer(first: GroupRates, second: GroupRates) -> bool | None:
        if rng.random() < 1 / (1 + np.exp(-lapse)):
            return (True, False, None)[int(rng.choice(3, p=[0.49, 0.49, 0.02]))]
        felt = np.exp(sensitivity) * (truth.cost(second) - truth.cost(first))
        closeness = np.exp(threshold)
        prefers_first, prefers_second = (
            1 / (1 + np.exp(np.clip(closeness - sign * felt, -700, 700))) for sign in (1, -1)
        )
        drawn = rng.random()
        return True if drawn < prefers_first else False if drawn < prefers_first + prefers_second else None

    return answer


def everybody(run: Callable[..., Any], people: int = PEOPLE, *, first: int = FIRST_PERSON, **options: Any) -> list[Any]:
    """Run for many people on two cores, one core each."""
    everyone = range(first, first + people)
    with ProcessPoolExecutor(2, initializer=threadpool_limits, initargs=(1,)) as pool:
        return list(pool.map(partial(run, **options), everyone, chunksize=4))
