"""The weights of a metric as rows of a chart, in a study's own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from evenhand.elicitation import Finding
from evenhand.metric.weight_names import WeightNames
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
    violation: tuple[WeightRow, ...]
    trade_off: WeightRow
    called: WeightNames
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
        called = WeightNames.of(metric.form, study.words.in_order(study.setting))
        kinds = [f"mistake-{j}" for _, j in off_diagonal_entries(len(study.setting.classes))]
        return cls(
            mistakes=tuple(_rows(called.mistakes, kinds, metric.misclassification, ends[0])),
            violation=tuple(_rows(called.violation, cycle(kinds), metric.violation.ravel(), ends[1].reshape(-1, 2))),
            trade_off=WeightRow(metric.form.title, "", metric.trade_off, *trade_off.tolist()),
            called=called,
            level=level,
        )


def _rows(words: Iterable[str], kinds: Iterable[str], values: Floats, ends: Floats) -> Iterator[WeightRow]:
    for text, kind, value, (low, high) in zip(words, kinds, values.tolist(), ends.tolist(), strict=False):
        yield WeightRow(text, kind, value, low, high)
