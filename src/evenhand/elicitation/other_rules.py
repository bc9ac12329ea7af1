"""Do the answers fit a rule outside this family of metrics better? Then the elicited metric is not the whole story.

A rule is weighed against the metric as Bayes would: by how likely each makes all the answers. The adaptive method gives
the probability of each answer just before it was given (`Reliability.predictive`), and their product is exactly that. A
rule has nothing to learn but how often it is not followed, and how much plain error counts besides; both are averaged
over. Without these probabilities, the rule must agree with more answers than the metric that was fitted to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from evenhand.elicitation.question import History
from evenhand.metric import FairMetric
from evenhand.rates import GroupRates, Setting, matrix_from_vector
from evenhand.rates.profile import gaps
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

_SHARES = (1.0, 0.75, 0.5, 0.25)
"""How much of the cost is the rule; the rest is plain error."""
_ERROR_RATES = (np.arange(50) + 0.5) / 100
"""A person who follows a rule answers against it less than half of the time …"""
_PRIOR = (1 - _ERROR_RATES) ** 8 / np.sum((1 - _ERROR_RATES) ** 8)
"""… and mostly far less."""
_DECISIVE = log(20)


@dataclass(frozen=True)
class OtherRule:
    """A rule that the answers fit better than any metric of this family: how many it agrees with, and of how many."""

    name: str
    agrees: int
    answers: int


def other_rules(
    history: History,
    metric: FairMetric,
    predictive: Sequence[float] | None = None,
    population: Floats | None = None,
) -> tuple[OtherRule, ...]:
    """Return the rules that fit better than the metric does, the best first.

    `population` (m, k) says how many people there are of each group and true class; without it, all classes are taken
    to be equally common, which matters to demographic and predictive parity.
    """
    decided = [(place, one) for place, one in enumerate(history) if isinstance(one[1], bool | np.bool_)]
    if not decided:
        return ()
    firsts = np.stack([question.first for _, (question, _) in decided])
    seconds = np.stack([question.second for _, (question, _) in decided])
    prefers_first = np.array([bool(answer) for _, (_, answer) in decided])

    def agreement(cost: Callable[[Floats], Floats]) -> Floats:
        saving = cost(seconds) - cost(firsts)
        tie = np.abs(saving) <= ROUNDING
        return np.where(tie, 0.5, (saving > 0) == prefers_first)

    # Not every answer has a probability: those without information were left out, and so must they be here.
    told = [answer for _, answer in history if isinstance(answer, bool | np.bool_) or answer is None]
    likely = [chance for chance, answer in zip(predictive or (), told, strict=False) if answer is not None]
    threshold = sum(map(log, likely)) + _DECISIVE if len(likely) == len(decided) else None
    by_metric = float(agreement(metric.cost_of_profiles).sum())
    found = []
    for name, rule in _rules(metric.setting, population).items():
        agreements = [agreement(_mixed(rule, share)) for share in _SHARES]
        evidence = log(float(np.mean([_evidence(right) for right in agreements])))
        most = max(float(right.sum()) for right in agreements)
        if evidence > threshold if threshold is not None else most > by_metric:
            found.append((evidence, OtherRule(name, int(most), len(decided))))
    return tuple(rule for _, rule in sorted(found, key=lambda one: -one[0]))


def answers_by_rule(setting: Setting, rule: str) -> Callable[[GroupRates, GroupRates], bool]:
    """Return an oracle that follows a rule outside the family to the letter, to try `other_rules` on."""
    cost = _rules(setting, None)[rule]
    return lambda first, second: bool(cost(first.vector) < cost(second.vector))


def _evidence(right: Floats) -> float:
    """Return how likely the answers are if the rule is followed, on average over how often it is not."""
    agrees = right.sum()
    return float(_PRIOR @ ((1 - _ERROR_RATES) ** agrees * _ERROR_RATES ** (right.size - agrees)))


def _mixed(rule: Callable[[Floats], Floats], share: float) -> Callable[[Floats], Floats]:
    return lambda profiles: share * rule(profiles) + (1 - share) * _wrong(profiles).mean(axis=(-2, -1))


def _wrong(profiles: Floats) -> Floats:
    """Return the share (…, m, k) of each group and class that is got wrong."""
    return np.asarray(1 - np.diagonal(matrix_from_vector(profiles), axis1=-2, axis2=-1))


def _rules(setting: Setting, population: Floats | None) -> dict[str, Callable[[Floats], Floats]]:
    here = np.asarray(setting.prevalence if population is None else population)
    class_shares = here / here.sum(axis=1, keepdims=True)

    def predicted(profiles: Floats) -> Floats:
        return np.asarray(np.einsum("gi,...gij->...gj", class_shares, matrix_from_vector(profiles)))

    def precision(profiles: Floats) -> Floats:
        right = class_shares * (1 - _wrong(profiles))
        return np.asarray(right / np.maximum(predicted(profiles), 1e-12))

    return {
        "demographic parity": lambda profiles: gaps(predicted(profiles)).sum(axis=-1).mean(axis=-1) / 2,
        "predictive parity": lambda profiles: gaps(precision(profiles)).mean(axis=(-2, -1)),
        "the worst-off group": lambda profiles: _wrong(profiles).mean(axis=-1).max(axis=-1),
        "the widest gap": lambda profiles: gaps(profiles).max(axis=(-2, -1)),
    }
