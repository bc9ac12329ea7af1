"""The weights of a metric as rows of a chart, in a study's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.elicitation import Finding
from evenhand.rates import off_diagonal_entries
from evenhand.study.study import Study
from evenhand.typing import Floats


@dataclass(frozen=True)
class WeightRow:
    """One weight with where it may lie; all on a scale from 0 to 1."""

    words: str
    kind: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class WeightRows:
    """All weights of a metric."""

    mistakes: tuple[WeightRow, ...]
    gaps: tuple[WeightRow, ...]
    trade_off: WeightRow
    level: float

    @classmethod
    def of(cls, study: Study, finding: Finding) -> WeightRows:
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
        words = study.words.in_order(study.setting)
        mistakes, pairs = words.mistakes, words.pairs
        return cls(
            mistakes=tuple(_rows(mistakes, kinds, metric.misclassification, ends[0])),
            gaps=tuple(
                row
                for (one, other), values, of_pair in zip(pairs, metric.violation, ends[1], strict=True)
                for row in _rows(
                    mistakes if len(pairs) == 1 else [f"{mistake}: {one} and {other}" for mistake in mistakes],
                    kinds,
                    values,
                    of_pair,
                )
            ),
            trade_off=WeightRow("gaps between groups", "", metric.trade_off, *trade_off.tolist()),
            level=level,
        )


def _rows(words: Sequence[str], kinds: Sequence[str], values: Floats, ends: Floats) -> Iterator[WeightRow]:
    for text, kind, value, (low, high) in zip(words, kinds, values.tolist(), ends.tolist(), strict=True):
        yield WeightRow(text, kind, value, low, high)
