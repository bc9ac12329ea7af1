"""A metric in the study's own words: what each mistake and each gap costs, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evenhand.elicitation import Finding
from evenhand.rates import off_diagonal_entries
from evenhand.rates.rounding import OUT_OF
from evenhand.study.study import Study
from evenhand.typing import Floats

_ALIKE = 1.15
_GAP = 10
_NOTHING = 0.02
_MANY = 1000


@dataclass(frozen=True)
class Weight:
    """One weight with where it may lie; all on a scale from 0 to 1."""

    words: str
    kind: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Weights:
    """All that a metric is made of."""

    mistakes: tuple[Weight, ...]
    gaps: tuple[Weight, ...]
    trade_off: Weight
    level: float

    @classmethod
    def of(cls, study: Study, finding: Finding) -> Weights:
        """Put the weights of a finding in the study's words."""
        metric, uncertainty = finding.metric, finding.uncertainty
        if uncertainty is None:
            ends = [np.stack([w, w], -1) for w in (metric.misclassification, metric.violation)]
            level, trade_off = 0.0, np.array([metric.trade_off] * 2)
        else:
            intervals = uncertainty.intervals
            ends = [intervals.misclassification, intervals.violation]
            level, trade_off = uncertainty.level, intervals.trade_off
        kinds = [f"mistake-{j}" for _, j in off_diagonal_entries(len(study.setting.classes))]
        mistakes, pairs = _mistakes(study), _pairs(study)
        return cls(
            mistakes=tuple(_weights(mistakes, kinds, metric.misclassification, ends[0])),
            gaps=tuple(
                weight
                for (one, other), values, of_pair in zip(pairs, metric.violation, ends[1], strict=True)
                for weight in _weights(
                    mistakes if len(pairs) == 1 else [f"{mistake}: {one} and {other}" for mistake in mistakes],
                    kinds,
                    values,
                    of_pair,
                )
            ),
            trade_off=Weight("gaps between groups", "", metric.trade_off, *trade_off.tolist()),
            level=level,
        )


def sentences(study: Study, finding: Finding) -> Iterator[str]:
    """Say what the metric means: the costliest mistake, and what a gap is worth in mistakes."""
    metric = finding.metric
    a, mistakes = metric.misclassification, _mistakes(study)
    order = np.argsort(-a, kind="stable")
    most, next_most = int(order[0]), int(order[1])
    ratio = a[most] / max(a[next_most], 1e-9)
    if ratio < _ALIKE:
        yield f"Two mistakes cost you about the same: when {mistakes[most]}, and when {mistakes[next_most]}."
    else:
        yield (
            f"It costs you most when {mistakes[most]}: {_times(ratio)} as much as when {mistakes[next_most]}"
            f"{'' if len(a) == 2 else ', which comes next'}."
        )
    yield _gap_sentence(study, finding)


def _gap_sentence(study: Study, finding: Finding) -> str:
    metric = finding.metric
    if metric.trade_off < _NOTHING:
        return "Gaps between the groups hardly count for you: only how many mistakes there are in all."
    pair, place = np.unravel_index(int(metric.violation.argmax()), metric.violation.shape)
    (one, other), mistake = _pairs(study)[pair], _mistakes(study)[place]
    price = (1 - metric.trade_off) * metric.misclassification[place]
    gap = metric.trade_off * metric.violation[pair, place] * _GAP
    start = f"The gap that counts most for you is between {one} and {other} in how often {mistake}."
    if gap >= price * OUT_OF:
        return f"{start} It counts for more than any number of such mistakes."
    return (
        f"{start} If it is {_GAP} of {OUT_OF} wide, that is as bad to you as {_about(gap / price)} of {OUT_OF} more "
        "such mistakes in every group."
    )


def _weights(words: list[str], kinds: list[str], values: Floats, ends: Floats) -> Iterator[Weight]:
    for text, kind, value, (low, high) in zip(words, kinds, values.tolist(), ends.tolist(), strict=True):
        yield Weight(text, kind, value, low, high)


def _mistakes(study: Study) -> list[str]:
    """Return each kind of mistake as part of a sentence: "people who will get much worse are missed"."""
    words = study.words
    return [
        f"those {words.classes[true]} {words.mistakes[true, predicted]}" for true, predicted in study.setting.mistakes
    ]


def _pairs(study: Study) -> list[tuple[str, str]]:
    groups = study.words.groups
    return [(groups[one], groups[other]) for one, other in study.setting.pairs]


def _times(ratio: float) -> str:
    return "many times" if ratio >= _MANY else f"about {_about(ratio)} times"


def _about(value: float) -> str:
    """Return two digits of a number: more would not be true.

    >>> _about(2.345), _about(23.4), _about(0.12), _about(0.0)
    ('2.3', '23', '0.1', '0')
    """
    return f"{value:.0f}" if value >= 10 or value < 0.05 else f"{value:.1f}"
