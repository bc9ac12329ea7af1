"""How all charts are drawn: one style, names beside bars, and pictures that fetch nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from evenhand.errors import MissingExtraError

try:
    import altair as alt
except ModuleNotFoundError as error:
    raise MissingExtraError(error.name or "altair", "report") from error

__all__ = [
    "FAINT",
    "INK",
    "MISTAKES",
    "NARROW",
    "ROW",
    "VIOLATION",
    "WIDE",
    "Chart",
    "Layout",
    "alt",
    "as_png",
    "as_svg",
    "base",
    "heading",
    "names",
    "stacked",
    "styled",
]

Chart = alt.LayerChart | alt.FacetChart | alt.VConcatChart | alt.Chart

# Told apart by people who see colours differently, and dark enough for text beside them (Okabe and Ito's set).
MISTAKES, VIOLATION, INK, FAINT = "#0072b2", "#d55e00", "#22262b", "#5b636d"
ROW = 24
_LINE = 15
_LONGEST_NAME = 480
# Fonts of one width, so that what was measured when the chart was drawn is what a browser shows; and room to spare.
_FONT = "Arial, Helvetica, Liberation Sans, sans-serif"
_PADDING = 24


@dataclass(frozen=True)
class Layout:
    """How wide bars are, and how many characters fit in a line of a name and of a heading."""

    width: int
    name: int
    heading: int


WIDE, NARROW = Layout(420, 60, 100), Layout(150, 18, 40)
"""For a screen or paper, and for a phone, where nothing may be cut."""


def heading(text: str, notes: Sequence[str] = (), layout: Layout = WIDE) -> alt.Title:
    """Return the title of a chart, with notes below it, in lines that fit."""
    below = "; ".join(note for note in notes if note)
    return alt.Title(wrap(text, layout.heading), subtitle=wrap(below, layout.heading) if below else "")


def base(rows: Sequence[Mapping[str, object]], layout: Layout = WIDE) -> alt.Chart:
    """Return a chart of rows, each with a "name", as high as they need."""
    values = [{**row, "name": _wrapped(str(row["name"]), layout)} for row in rows]
    called = list(dict.fromkeys(str(row["name"]) for row in values))
    data: Any = alt.Data(values=values)  # type: ignore[no-untyped-call]
    return alt.Chart(data, width=layout.width, height=(ROW + _LINE * (_lines(called) - 1)) * len(called))


def names(rows: Sequence[Mapping[str, object]], layout: Layout = WIDE) -> alt.Y:
    """Return the axis of names, in the order of the rows; long names take several lines."""
    shown = list(dict.fromkeys(_wrapped(str(row["name"]), layout) for row in rows))
    axis = alt.Axis(
        labelLimit=_LONGEST_NAME,
        labelPadding=6,
        ticks=False,
        domain=False,
        labelExpr=_in_the_middle(_lines(shown)),
        labelOffset=-_LINE * (_lines(shown) - 1) / 2,  # only the first line is at the middle otherwise
    )
    return alt.Y("name:N", sort=shown, title=None, axis=axis)


def _in_the_middle(most: int) -> str:
    """Return the expression of a label's lines: empty ones above where it has fewer lines than the longest."""
    lines = "split(datum.label, '\\n')"
    expression = lines
    for n in range(1, most - 1):
        above = "\\n" * ((most - n) // 2)
        expression = f"length({lines}) == {n} ? split('{above}' + datum.label, '\\n') : {expression}"
    return expression


def stacked(
    rows: Sequence[Mapping[str, object]],
    parts: Sequence[str],
    title: str,
    *,
    legend: str = "top",
    layout: Layout = WIDE,
) -> alt.Chart:
    """Draw bars of two parts, mistakes and what is unfair: rows of "name", "part", its "order" in a bar, and "cost"."""
    colour = alt.Color(
        "part:N",
        title=None,
        sort=list(parts),
        scale=alt.Scale(domain=list(parts), range=[MISTAKES, VIOLATION]),
        legend=alt.Legend(orient=legend),  # type: ignore[arg-type]
    )
    bars: alt.Chart = (
        base(rows, layout)
        .mark_bar(opacity=0.6, height=ROW * 0.6)
        .encode(
            y=names(rows, layout),
            x=alt.X("sum(cost):Q", title=title, stack="zero"),
            order=alt.Order("order:Q"),
            color=colour,
        )
    )
    return bars


def styled(chart: Chart) -> Chart:
    """Give a chart that is complete the style of all charts."""
    in_style: Chart = (
        chart.configure(font=_FONT, background="white", padding=_PADDING)
        .configure_axis(
            labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12, gridColor="#e6e8eb", tickCount=5
        )
        .configure_title(
            anchor="start", color=INK, fontSize=14, subtitleColor=FAINT, subtitleFontSize=12, frame="group"
        )
        .configure_legend(labelColor=INK, labelFontSize=12)
        .configure_view(stroke=None)
        .configure_text(fontSize=12)
        .configure_concat(spacing=16)
    )
    return in_style


def as_svg(chart: Chart) -> str:
    """Return a chart as an SVG document that fetches nothing."""
    import vl_convert  # noqa: PLC0415  # loads a JavaScript engine

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg


def as_png(chart: Chart, scale: float = 2.0) -> bytes:
    """Return a chart as a PNG picture."""
    import vl_convert  # noqa: PLC0415

    png: bytes = vl_convert.vegalite_to_png(chart.to_dict(), scale=scale)
    return png


def _wrapped(text: str, layout: Layout) -> str:
    """Break a long name into lines."""
    return "\n".join(wrap(text, layout.name)) or text


def _lines(names: Sequence[str]) -> int:
    return max((name.count("\n") + 1 for name in names), default=1)
