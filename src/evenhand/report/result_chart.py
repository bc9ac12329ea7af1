"""The result of an interview as one picture, to be kept: what counts for the person, and the models in that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from evenhand.errors import MissingExtraError

try:
    import altair as alt
except ModuleNotFoundError as error:
    raise MissingExtraError(error.name or "altair", "report") from error

MISTAKES, GAPS, INK, FAINT = "#4b5868", "#2451c4", "#1b2430", "#56616f"
_WIDTH, _ROW, _LINE = 380, 26, 15
_LONGEST_LINE = 60
_MOST_ROWS = 30
_MOST_WEIGHTS = 12

Row = Mapping[str, str | float]


def result_picture(*, title: str, subtitle: str, weights: Mapping[str, Sequence[Row]], ranking: Sequence[Row]) -> Any:
    """Return an Altair chart.

    Parameters
    ----------
    weights
        Rows of name, value, low and high (from 0 to 1) under the title of the chart that they make.
    ranking
        Rows of name, mistakes and gaps, which are what a model costs; the best first.
    """
    charts = [_intervals(name, rows) for name, rows in weights.items()]
    chart = alt.vconcat(*charts, _ranking(ranking[:_MOST_ROWS], len(ranking)), spacing=20).resolve_legend("independent")
    return (
        chart.properties(title=alt.Title(title, subtitle=subtitle, offset=14))
        .configure(font="Liberation Sans, Arial, sans-serif", background="white", padding=18)
        .configure_axis(labelColor=INK, labelFontSize=12, titleColor=FAINT, gridColor="#e6eaee", tickCount=5)
        .configure_title(
            anchor="start", color=INK, fontSize=15, subtitleColor=FAINT, subtitleFontSize=12, frame="group"
        )
        .configure_legend(labelColor=INK, labelFontSize=12)
        .configure_view(stroke=None)
    )


def _intervals(title: str, rows: Sequence[Row]) -> Any:
    shown = [{**row, "name": _wrapped(str(row["name"]))} for row in rows[:_MOST_WEIGHTS]]
    base = alt.Chart(_data(shown), width=_WIDTH, height=(_ROW + _LINE * (_lines(shown) - 1)) * len(shown))
    y = _names(shown)
    most = max(float(row["high"]) for row in rows) if len(rows) > 1 else 1.0  # one alone is a share of the whole
    scale = alt.Scale(domain=[0, most])
    line = base.mark_rule(color=MISTAKES, strokeWidth=5, strokeCap="round", opacity=0.4).encode(
        y=y, x=alt.X("low:Q", title=None, scale=scale), x2="high:Q"
    )
    dot = base.mark_point(filled=True, size=110, color=MISTAKES, opacity=1).encode(y=y, x=alt.X("value:Q", scale=scale))
    return alt.layer(line, dot).properties(title=alt.Title(title, fontSize=13))


def _ranking(rows: Sequence[Row], of: int) -> Any:
    parts = ("mistakes", "gaps between groups")
    cells = [
        {"name": _wrapped(f"{place}. {row['name']}"), "part": part, "order": order, "cost": row[key]}
        for place, row in enumerate(rows, 1)
        for order, (part, key) in enumerate(zip(parts, ("mistakes", "gaps"), strict=True))
    ]
    colour = alt.Color(
        "part:N",
        title=None,
        sort=list(parts),
        scale=alt.Scale(domain=list(parts), range=[MISTAKES, GAPS]),
        legend=alt.Legend(orient="bottom"),
    )
    title = f"All {of} models, the best first" if of == len(rows) else f"The best {len(rows)} of {of} models"
    return (
        alt.Chart(_data(cells), width=_WIDTH, height=(_ROW + _LINE * (_lines(cells) - 1)) * len(rows))
        .mark_bar(height=_ROW * 0.55)
        .encode(
            y=_names(cells),
            x=alt.X("sum(cost):Q", title="what it costs you (lower is better)", stack="zero"),
            order=alt.Order("order:Q"),
            color=colour,
        )
        .properties(title=alt.Title(title, fontSize=13))
    )


def _names(rows: Sequence[Row]) -> Any:
    axis = alt.Axis(
        labelLimit=480,
        labelPadding=8,
        ticks=False,
        domain=False,
        labelExpr="split(datum.label, '\\n')",
        labelOffset=-_LINE * (_lines(rows) - 1) / 2,  # only the first line is at the middle otherwise
    )
    return alt.Y("name:N", sort=list(dict.fromkeys(str(row["name"]) for row in rows)), title=None, axis=axis)


def _data(rows: Sequence[Row]) -> Any:
    return alt.InlineData(values=[dict(row) for row in rows])


def _lines(rows: Sequence[Row]) -> int:
    return max((str(row["name"]).count("\n") + 1 for row in rows), default=1)


def _wrapped(text: str) -> str:
    return "\n".join(wrap(text, _LONGEST_LINE)) or text


def as_svg(chart: Any) -> str:
    """Return a chart as an SVG document that fetches nothing."""
    import vl_convert  # noqa: PLC0415  # loads a JavaScript engine

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg


def as_png(chart: Any) -> bytes:
    """Return a chart as a PNG picture."""
    import vl_convert  # noqa: PLC0415

    png: bytes = vl_convert.vegalite_to_png(chart.to_dict(), scale=2)
    return png
