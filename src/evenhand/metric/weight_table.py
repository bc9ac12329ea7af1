"""A metric as a person reads it, in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evenhand.display.names import columns_of, filled
from evenhand.display.table import Bar, Table, html_of
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.metric.fair_metric import FairMetric

Row = tuple[str, Floats]


def as_text(metric: FairMetric) -> str:
    """Return a table of the weights: a row for the mistakes, and the rows of what is unfair."""
    lines, tables = [f"FairMetric: {_headline(metric)}"], _tables(metric)
    longest = max(columns_of(name) for _, rows in tables for name, _ in rows)
    for columns, rows in tables:
        table = [["", *columns], *([name, *(f"{weight:.3f}" for weight in weights)] for name, weights in rows)]
        widths = [max(map(columns_of, column)) for column in zip(*table, strict=True)][1:]
        for name, *cells in table:
            line = "  ".join(filled(cell, width, left=False) for cell, width in zip(cells, widths, strict=True))
            lines.append(f"  {filled(name, longest, left=True)}  {line}")
    return "\n".join(lines)


def as_html(metric: FairMetric) -> str:
    """Return the same table for a notebook, each weight with a bar behind it."""
    tables = [
        Table(["", *columns], [[name, *map(_bar, weights.tolist())] for name, weights in rows])
        for columns, rows in _tables(metric)
    ]
    return html_of(tables, title=f"FairMetric: {_headline(metric)}")


def _headline(metric: FairMetric) -> str:
    title = metric.form.title
    width = "" if metric.width is None else f", beyond a width of {metric.width:.3f}"
    return f"trade-off {metric.trade_off:.3f} (0: only mistakes, 1: only {title}){width}"


def _tables(metric: FairMetric) -> list[tuple[Sequence[str], list[Row]]]:
    """Return names of columns with the rows under them: one table, or two where the violation has other columns."""
    words = Words.plain(metric.setting)
    mistakes: list[Row] = [("mistakes", metric.misclassification)]
    violation: list[Row] = list(zip(metric.form.rows(words), metric.violation, strict=True))
    columns = metric.form.columns(words)
    if columns == words.mistakes:
        return [(columns, mistakes + violation)]
    return [(words.mistakes, mistakes), (columns, violation)]


def _bar(weight: float) -> Bar:
    return Bar(f"{weight:.3f}", min(1.0, weight))
