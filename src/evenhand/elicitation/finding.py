"""What was learned from somebody's answers, by whichever method."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.metric import FairMetric, MetricSample
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Intervals:
    """Credible intervals of all weights, each array with a last axis of two: from, to."""

    level: float
    misclassification: Floats
    violation: Floats
    trade_off: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding:
    """A metric, the reasons to doubt it and, from a method that keeps track of it, how sure it is.

    Attributes
    ----------
    metric
        The metric that the answers point to.
    warnings
        A sentence for each reason to doubt it.
    intervals
        Where each weight lies, with probability `intervals.level`; that nobody attended is allowed for.
    sample
        Metrics drawn from all those that the answers leave possible, for probabilities of whatever follows from them.
    candidate_probabilities
        For each candidate, the probability that it is the very best, if somebody attends; the sampling error of its
        rates is part of it, as if no two candidates had been measured on the same people.
    best
        The candidate that the answers favour: the one that is most surely as good as the best.
    best_certainty
        The probability that somebody attends and that this one is as good as the best, by the rates as measured.
    ranking
        All candidates, the best first, by expected cost.
    ranking_certainty
        The probability that a pair of candidates is ordered rightly, on average over pairs, if somebody attends.
    consistency
        How often a question asked again with its sides swapped was answered alike; None if none was.
    repeats
        How many questions were asked again.
    lapse_rate
        The estimated share of answers that have nothing to do with the question.
    attending
        The probability that the answers have anything to do with the questions.
    foreseen
        How likely each answer was thought to be just before it was given; skipped ones are left out.
    misfit
        How unusual such answers are for the metrics that fit them best: a posterior-predictive p-value.
    stopped_because
        `"best"`, `"ranking"`, `"weights"` or `"budget"`.
    """

    metric: FairMetric
    warnings: tuple[str, ...] = ()
    intervals: Intervals | None = None
    sample: MetricSample | None = field(default=None, repr=False)
    candidate_probabilities: dict[str, float] | None = None
    best: str | None = None
    best_certainty: float | None = None
    ranking: tuple[str, ...] | None = None
    ranking_certainty: float | None = None
    consistency: float | None = None
    repeats: int = 0
    lapse_rate: float | None = None
    attending: float | None = None
    foreseen: tuple[float, ...] | None = None
    misfit: float | None = None
    stopped_because: str | None = None

    @property
    def expected(self) -> int:
        """How many answers were thought more likely than not just before they were given."""
        return sum(chance > 0.5 for chance in self.foreseen or ())
