"""Do the answers follow a rule outside this family of metrics, or two metrics one after the other?

Each explanation gives the probability of all the answers; their ratios are Bayes factors (Kass & Raftery 1995).

- *The family.* The adaptive method gives the probability of each answer just before it was given, and the product of
  these is the probability of all. Beside it stand the simplest metrics of the family (`simple_metrics`).
- *Another rule* (`outside`) has nothing to learn but how often it is not followed; that is averaged over, and so are
  the limits, tolerances and shares that a rule may have.
- *A change of mind.* Up to some answer as the family predicts; from then on as a metric drawn from the prior says, with
  plain errors. It is averaged over when that may have been.
- *Inattention.* Each answer has the probability 1/2.

All that is not the family counts together, as an average over kinds of rules. So the answers of somebody who has a
metric of the family favour it by a factor of 20 with probability 1/20 at most (Markov's inequality), as far as the
family's predictions are right. It is the same for somebody who answers at random.

"Can't tell" counts for none of them: each answer is conditional on being decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.finding import OtherRule
from evenhand.elicitation.question import History
from evenhand.elicitation.rules.criteria import Measured
from evenhand.elicitation.rules.dictionary import outside, simple_metrics
from evenhand.elicitation.rules.rule import DecisionRule
from evenhand.elicitation.thresholds import MISFIT, RESPONSE
from evenhand.metric import FairMetric
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

_ERROR_RATES = (np.arange(MISFIT.error_rates) + 0.5) / (2 * MISFIT.error_rates)
_PRIOR = (1 - _ERROR_RATES) ** MISFIT.error_power / np.sum((1 - _ERROR_RATES) ** MISFIT.error_power)


@dataclass(frozen=True)
class Misfit:
    """How many times as likely the answers are by something other than the family, and by what."""

    odds: float = 1.0
    rule: OtherRule | None = None


@dataclass(frozen=True, eq=False)
class Decided:
    """The decided answers (n,), and the profiles (n, m, q) that they were about."""

    firsts: Floats
    seconds: Floats
    prefers_first: NDArray[np.bool_]

    @classmethod
    def of(cls, history: History) -> Decided:
        """Leave out skipped questions and "can't tell"."""
        kept = [(question, answer) for question, answer in history if isinstance(answer, bool | np.bool_)]
        shape = (0, *history[0][0].first.shape) if history else (0, 1, 2)
        return cls(
            np.array([question.first for question, _ in kept]).reshape(len(kept), *shape[1:]),
            np.array([question.second for question, _ in kept]).reshape(len(kept), *shape[1:]),
            np.array([bool(answer) for _, answer in kept], dtype=bool),
        )

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.prefers_first)

    def agreement(self, saving: Floats) -> Floats:
        """Return 1 where what the first saves (…, n) agrees with the answer, 0 where it does not, 1/2 at a tie."""
        right = (saving > 0) == self.prefers_first
        return np.where(np.abs(saving) <= ROUNDING, 0.5, right)


def misfit(
    decided: Decided,
    predicted: Floats,
    drawn: Callable[[int], Floats],
    setting: Setting,
    population: Floats | None = None,
) -> Misfit:
    """Compare the family with all else.

    `predicted` (n,) are the probabilities that the family gave to the answers, and `drawn` returns what the first of
    each pair saves by metrics of the family that were drawn before any answer, (draws, n). Of `population` see
    `Measured`.
    """
    if not len(decided):
        return Misfit()
    family = float(np.log(predicted).sum())
    rules = _Rules.of(decided, setting, population)
    change = _change_of_mind(decided, predicted, drawn)
    others = np.array([*rules.evidence.values(), _log_mean(change)])
    inside = np.logaddexp(family, rules.inside) - log(2)
    log_odds = _log_mean(others) - max(float(inside), len(decided) * log(0.5))
    odds = exp(min(log_odds, RESPONSE.max_log_odds))
    if odds < MISFIT.decisive:
        return Misfit(odds)
    if others.argmax() < len(rules.evidence):
        return Misfit(odds, rules.best)
    after = MISFIT.least_before + int(change.argmax())
    return Misfit(odds, OtherRule(f"a change of mind after about {after} answers", None, len(decided)))


def misfit_of_metric(history: History, metric: FairMetric, population: Floats | None = None) -> Misfit:
    """Compare a metric that was fitted to a history, by a method that gives no probabilities, with other rules.

    Its evidence is that of a rule, less ½·log n for each weight that was fitted (Schwarz 1978).
    """
    decided = Decided.of(history)
    if not len(decided):
        return Misfit()
    rules = _Rules.of(decided, metric.setting, population)
    saving = metric.cost_of_profiles(decided.seconds) - metric.cost_of_profiles(decided.firsts)
    fitted = metric.misclassification.size + metric.violation.size - 1
    by_metric = float(_log_evidence(decided.agreement(saving)[None])[0]) - 0.5 * fitted * log(len(decided))
    inside = max(by_metric, rules.inside, len(decided) * log(0.5))
    odds = exp(min(_log_mean(np.array(list(rules.evidence.values()))) - inside, RESPONSE.max_log_odds))
    return Misfit(odds, rules.best if odds >= MISFIT.decisive else None)


@dataclass(frozen=True, eq=False)
class _Rules:
    """The log evidence of rules outside the family, by kind; that of the simple metrics inside; and the best rule."""

    evidence: dict[str, float]
    inside: float
    best: OtherRule

    @classmethod
    def of(cls, decided: Decided, setting: Setting, population: Floats | None) -> _Rules:
        first, second = (Measured(each, setting, population) for each in (decided.firsts, decided.seconds))
        evidence: dict[str, float] = {}
        best: list[tuple[float, DecisionRule, int]] = []
        for kind, rules in outside(setting, counted=population is not None).items():
            agreement = decided.agreement(rules.savings(first, second))
            of_each = _log_evidence(agreement)
            evidence[kind] = _log_mean(of_each)
            place = int(of_each.round(9).argmax())
            best.append((round(float(of_each[place]), 9), rules[place], int(agreement[place].sum())))
        inside = _log_evidence(decided.agreement(simple_metrics(setting).savings(first, second)))
        _, rule, agrees = max(best, key=lambda one: one[0])  # of equals the first, which is the simplest
        return cls(evidence, _log_mean(inside), OtherRule(rule.phrase(Words.spoken(setting)), agrees, len(decided)))


def _log_evidence(agreement: Floats) -> Floats:
    """Return how likely the answers are (rules,) by each rule, on average over how often it is not followed.

    Where a rule prefers neither, either answer has the probability 1/2.
    """
    agrees, differs = (np.asarray(agreement == value).sum(axis=-1)[:, None] for value in (1, 0))
    each = agrees * np.log1p(-_ERROR_RATES) + differs * np.log(_ERROR_RATES)
    most = each.max(axis=-1)
    by_rule = most + np.log(np.exp(each - most[:, None]) @ _PRIOR)
    return np.asarray(by_rule - log(2) * (agreement.shape[-1] - agrees - differs)[:, 0])


def _change_of_mind(decided: Decided, predicted: Floats, drawn: Callable[[int], Floats]) -> Floats:
    """Return the log evidence of a change of mind after each number of answers, from the least on."""
    n, least = len(decided), MISFIT.least_before
    if n < 2 * least:
        return np.array([-np.inf])
    agrees = decided.agreement(drawn(MISFIT.draws)) > 0.5
    before = np.cumsum(np.log(predicted))
    from_here = np.cumsum(agrees[:, ::-1], axis=1, dtype=np.int32)
    evidence = []
    for changed in range(least, n - least + 1):
        left = n - changed
        right = np.arange(left + 1)[:, None]
        by_number = np.exp(right * np.log1p(-_ERROR_RATES) + (left - right) * np.log(_ERROR_RATES)) @ _PRIOR
        how_many = np.bincount(from_here[:, left - 1], minlength=left + 1)
        evidence.append(before[changed - 1] + log(float(how_many @ by_number) / len(agrees)))
    return np.array(evidence)


def _log_mean(logs: Floats) -> float:
    """Return the logarithm of the mean."""
    most = float(logs.max())
    return most if np.isinf(most) else most + log(float(np.exp(logs - most).mean()))
