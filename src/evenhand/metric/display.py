"""A metric's weights by row, with intervals where these are known: as a table, as columns, and as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.display.names import told_apart
from evenhand.display.plot import MISTAKES, OTHER, VIOLATION, axes_of, key_above, tidied
from evenhand.display.table import Bar, Table
from evenhand.typing import Floats
from evenhand.wording.numerals import from_to, percent, two_decimals
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evenhand.metric.fair_metric import FairMetric

Ends = tuple[Floats, Floats, Floats]
"""Where the weights of mistakes, of what is unfair, and the trade-off lie: arrays with a last axis of two."""
_PARTS = ("mistake", "violation", "trade-off")


@dataclass(frozen=True)
class ShownWeight:
    """One weight: the part of the metric that it belongs to, what it is called, and how large it is."""

    part: str
    name: str
    weight: float
    low: float | None = None
    high: float | None = None

    @property
    def number(self) -> str:
        """The weight in digits: an estimate has no more of them than are known."""
        return f"{self.weight:.3f}" if self.low is None else two_decimals(self.weight)


def weight_rows(metric: FairMetric, ends: Ends | None = None) -> list[ShownWeight]:
    """Return all weights of a metric, in its order."""
    words = Words.plain(metric.setting)
    violation = [f"{row}: {column}" for row in metric.form.rows(words) for column in metric.form.columns(words)]
    values = (metric.misclassification, metric.violation.ravel(), np.array([metric.trade_off]))
    rows = []
    for place, (part, names, weights) in enumerate(
        zip(_PARTS, (words.mistakes, told_apart(violation), ("trade-off",)), values, strict=True)
    ):
        lies = np.full((weights.size, 2), np.nan) if ends is None else np.reshape(ends[place], (-1, 2))
        for name, weight, (low, high) in zip(names, weights.tolist(), lies.tolist(), strict=True):
            known = (None, None) if ends is None else (low, high)
            rows.append(ShownWeight(part, name, weight, *known))
    return rows


def columns(rows: Sequence[ShownWeight]) -> dict[str, list[Any]]:
    """Return the rows by column; ends of intervals only where they are known."""
    table: dict[str, list[Any]] = {name: [getattr(row, name) for row in rows] for name in ("part", "name", "weight")}
    if any(row.low is not None for row in rows):
        table |= {name: [getattr(row, name) for row in rows] for name in ("low", "high")}
    return table


def table_with_intervals(metric: FairMetric, ends: Ends | None, level: float | None) -> Table:
    """Return a row for each weight, with where it lies."""
    rows: list[list[str | Bar]] = [
        [
            _heading(metric, row.part),
            row.name,
            Bar(row.number, min(1.0, row.weight)),
            *([] if row.low is None or row.high is None else [from_to(row.low, row.high)]),
        ]
        for row in weight_rows(metric, ends)
    ]
    head = ["", "", "weight", *([] if level is None or ends is None else [f"{percent(level)} interval"])]
    return Table(head, rows, names=2)


def plot(metric: FairMetric, ends: Ends | None, level: float | None, ax: Axes | None) -> Axes:
    """Draw each weight as a row, with a line for where it lies."""
    rows = weight_rows(metric, ends)
    axes = axes_of(ax, len(rows))
    places = np.arange(len(rows))
    for part, colour, marker in zip(_PARTS, (MISTAKES, VIOLATION, OTHER), ("o", "s", "D"), strict=True):
        mine = np.array([row.part == part for row in rows])
        weights = np.array([row.weight for row in rows])[mine]
        beside = None
        if ends is not None:
            low, high = np.array([[row.low, row.high] for row in rows], dtype=np.float64)[mine].T
            beside = np.maximum(0.0, np.stack([weights - low, high - weights]))  # a mean may lie outside
        style: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": "", "label": _heading(metric, part)}
        axes.errorbar(weights, places[mine], xerr=beside, **style)
    tidied(axes, [row.name for row in rows])
    axes.set_xlim(-0.02, 1.02)
    lines = "" if ends is None or level is None else f"\nlines: {percent(level)} intervals"
    axes.set_xlabel(f"weight{lines}")
    key_above(axes)
    return axes


def _heading(metric: FairMetric, part: str) -> str:
    return {"mistake": "mistakes", "violation": metric.form.title, "trade-off": "trade-off"}[part]
