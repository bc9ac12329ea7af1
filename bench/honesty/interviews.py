"""Interviews about the weights, looked at on the way: what is told after some answers, as if they were the last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bench.people import person
from evenhand import FairMetric, GroupRates, Setting
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.methods.adaptive import Adaptive
from evenhand.elicitation.question import Answer, History, Question
from evenhand.elicitation.thresholds import STOPPING
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Stage:
    """An interview after some answers: who answered what, and what was learned, by the last, careful sample."""

    truth: FairMetric
    history: History
    posterior: Posterior
    seconds: float
    """The processor time of the careful sample."""


@dataclass(frozen=True, eq=False)
class Told:
    """What is told about the weights: which intervals hold, their widths, and the three errors."""

    held: NDArray[np.bool_]
    widths: Floats
    errors: Floats


def stages(seed: int, *, k: int, m: int, kind: str, after: tuple[int, ...]) -> Iterator[Stage]:
    """Interview one person about the weights, and yield how far it is after so many answers each."""
    setting = Setting.random(k, m, np.random.default_rng([seed, k, m]))
    truth, oracle = person(setting, seed, kind)
    interviewer = Adaptive(setting=setting, stop="budget", max_questions=max(after)).interviewer(seed)
    learned, history = interviewer.learned(), list[tuple[Question, Answer]]()
    while len(history) < max(after):
        question = interviewer.question(learned)
        answer = oracle(*(GroupRates.from_vector(setting, side) for side in (question.first, question.second)))
        learned = interviewer.after(learned, question, answer)
        history.append((question, answer))
        if len(history) in after:
            since = process_time()
            fine = learned.beliefs.refined(np.random.default_rng([seed, len(history)]))
            assert isinstance(fine, Posterior)  # noqa: S101
            yield Stage(truth, tuple(history), fine, process_time() - since)


def weights_of(metric: FairMetric) -> Floats:
    """Return the weights of a metric in a row: a, B, λ."""
    return metric.weights.in_a_row


def ends(beliefs: Beliefs) -> tuple[Floats, Floats]:
    """Return the lower and the upper ends of the intervals of all weights, in the same order."""
    both = np.concatenate([part.reshape(-1, 2) for part in beliefs.intervals(STOPPING.level)])
    return both[:, 0], both[:, 1]


def told(seed: int, *, k: int, m: int, kind: str, after: tuple[int, ...]) -> list[Told]:
    """Return what one person is told after so many answers each."""
    return [_told(stage) for stage in stages(seed, k=k, m=m, kind=kind, after=after)]


def _told(stage: Stage) -> Told:
    low, high = ends(stage.posterior.told)
    weights = weights_of(stage.truth)
    errors = np.array(stage.posterior.metric(stage.truth.setting).distance(stage.truth))
    return Told((low <= weights) & (weights <= high), high - low, errors)
