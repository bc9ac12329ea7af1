"""Interviews about the weights, looked at on the way: what is told after some answers, as if they were the last.

An interview takes longer than all that is asked of it. So what the people of one kind are told is kept, and every part
of the bench that asks for it in one go looks at the same interviews.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bench.people import NOISES, PEOPLE, TUNING, everybody, person
from evenhand import FairMetric, GroupRates, Setting
from evenhand.elicitation.adaptive.summary import summary
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
    verdict: str
    """The kind of the verdict on the answers."""
    seconds: float
    """The processor time of the careful sample."""


@dataclass(frozen=True, eq=False)
class Told:
    """What is told: which intervals of the weights hold, their widths, the three errors, and the verdict."""

    held: NDArray[np.bool_]
    widths: Floats
    errors: Floats
    verdict: str


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
            seconds, by_then = process_time() - since, replace(interviewer, max_questions=len(history))
            found = summary(replace(learned, beliefs=fine), by_then, np.random.default_rng([seed, len(history)]))
            yield Stage(truth, tuple(history), fine, found.verdict.kind, seconds)


def weights_of(metric: FairMetric) -> Floats:
    """Return the weights of a metric in a row: a, B, λ."""
    return metric.weights.in_a_row


def ends(beliefs: Beliefs) -> tuple[Floats, Floats]:
    """Return the lower and the upper ends of the intervals of all weights, in the same order."""
    both = np.concatenate([part.reshape(-1, 2) for part in beliefs.intervals(STOPPING.level)])
    return both[:, 0], both[:, 1]


LOOKED_AT = (20, 30, 35, 45, 90)
"""The numbers of answers after which people are looked at about two classes and two groups."""


def told(seed: int, *, k: int, m: int, kind: str, after: tuple[int, ...]) -> dict[int, Told]:
    """Return what one person is told after so many answers each."""
    return {len(stage.history): _told(stage) for stage in stages(seed, k=k, m=m, kind=kind, after=after)}


def told_everybody(kind: str, *, k: int = 2, m: int = 2, after: tuple[int, ...] = LOOKED_AT) -> list[dict[int, Told]]:
    """Return what all people of a kind are told after so many answers each."""
    return _told_everybody(kind, k, m, after)


@cache  # which would take calls with and without a default for two
def _told_everybody(kind: str, k: int, m: int, after: tuple[int, ...]) -> list[dict[int, Told]]:
    return everybody(told, k=k, m=m, kind=kind, after=after)


def _told(stage: Stage) -> Told:
    low, high = ends(stage.posterior.told)
    weights = weights_of(stage.truth)
    errors = np.array(stage.posterior.metric(stage.truth.setting).distance(stage.truth))
    return Told((low <= weights) & (weights <= high), high - low, errors, stage.verdict)


def print_held(names: Sequence[str], told_by: Callable[..., Floats]) -> None:
    """Print which share of the weights intervals hold, and their median width, by each of some ways of telling.

    `told_by` returns both for one person, (ways, 2), and the people are those with whom priors are chosen.
    """
    columns = [f"{name:<25}" for name in names]
    print(f"  {PEOPLE} people a line, from {TUNING} on: share held, median width")
    print(f"  {'people':<16}  {'   '.join(columns)}")
    for kind in NOISES:
        found = np.array(everybody(told_by, first=TUNING, kind=kind))
        cells = zip(found[..., 0].mean(axis=0), np.median(found[..., 1], axis=0), strict=True)
        line = "   ".join(f"{f'{held:.1%}, {width:.4f}':<25}" for held, width in cells)
        print(f"  {kind:<16}  {line}", flush=True)
