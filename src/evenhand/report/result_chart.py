"""The result of an interview as one picture, to be kept: what counts for the person, and the models in that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report.drawing import INK, MISTAKES, VIOLATION, Chart, alt, base, names, stacked, styled

_MOST_ROWS = 30
_MOST_WEIGHTS = 12

Row = Mapping[str, str | float]


def result_chart(
    *, title: str, subtitle: str, weights: Mapping[str, Sequence[Row]], ranking: Sequence[Row], unfair: str
) -> Chart:
    """Return an Altair chart.

    Parameters
    ----------
    weights
        Rows of name, value, low and high (from 0 to 1) under the heading of their chart: those of mistakes, then those
        of what is unfair, then the trade-off.
    ranking
        Rows of name, mistakes and violation, which are what a model costs; the best first.
    unfair
        What the second part of a cost is called.
    """
    colours = (MISTAKES, VIOLATION, INK)
    charts = [_intervals(name, rows, colour) for (name, rows), colour in zip(weights.items(), colours, strict=False)]
    chart = alt.vconcat(*charts, _ranking(ranking, unfair), spacing=20).resolve_legend("independent")
    return styled(chart.properties(title=alt.Title(title, subtitle=subtitle, offset=14, fontSize=16)))


def _intervals(title: str, rows: Sequence[Row], colour: str) -> Any:
    shown = rows[:_MOST_WEIGHTS]
    chart, y = base(shown), names(shown)
    most = max(float(row["high"]) for row in rows) if len(rows) > 1 else 1.0  # one alone is a share of the whole
    scale = alt.Scale(domain=[0, most])
    line = chart.mark_rule(color=colour, strokeWidth=5, strokeCap="round", opacity=0.4).encode(
        y=y, x=alt.X("low:Q", title=None, scale=scale), x2="high:Q"
    )
    dot = chart.mark_point(filled=True, size=110, color=colour, opacity=1)
    return alt.layer(line, dot.encode(y=y, x=alt.X("value:Q", scale=scale))).properties(title=alt.Title(title))


def _ranking(rows: Sequence[Row], unfair: str) -> Any:
    shown = rows[:_MOST_ROWS]
    parts = ("mistakes", unfair)
    cells = [
        {"name": f"{place}. {row['name']}", "part": part, "order": order, "cost": row[key]}
        for place, row in enumerate(shown, 1)
        for order, (part, key) in enumerate(zip(parts, ("mistakes", "violation"), strict=True))
    ]
    title = (
        f"All {len(rows)} models, the best first"
        if len(shown) == len(rows)
        else f"The best {len(shown)} of {len(rows)} models"
    )
    bars = stacked(cells, parts, "what it costs you (lower is better)", legend="bottom")
    return bars.properties(title=alt.Title(title))
