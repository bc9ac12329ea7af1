"""Charts for pages, reports and notebooks: the weights, the ranking, and the metrics with a name that are near.

Each function returns an Altair chart; `as_svg` and `as_png` draw one without a browser or a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evenhand.errors import MissingExtraError
from evenhand.metric import FairMetric
from evenhand.metric.nearest import Near
from evenhand.ranking import Ranking
from evenhand.typing import Floats
from evenhand.wording.names import shown_names, told_apart
from evenhand.wording.numerals import percent
from evenhand.wording.vocabulary import Words

try:
    import altair as alt
except ModuleNotFoundError as error:
    raise MissingExtraError(error.name or "altair", "report") from error

if TYPE_CHECKING:
    from evenhand.elicitation import Intervals

Chart = alt.LayerChart | alt.FacetChart | alt.VConcatChart

# Told apart by people who see colours differently, and dark enough for text beside them (Okabe and Ito's set).
MISTAKES, GAPS, INK, FAINT = "#0072b2", "#d55e00", "#22262b", "#5b636d"
_WIDTH, _ROW = 420, 24
_MOST_ROWS = 12
_LONGEST_NAME = 330
# Fonts of one width, so that what was measured when the chart was drawn is what a browser shows; and room to spare.
_FONT = "Arial, Helvetica, Liberation Sans, sans-serif"
_PADDING = 24
_COST = "cost (lower is better)"


def weights_chart(metric: FairMetric, intervals: Intervals | None = None) -> Chart:
    """Draw what each mistake and each gap costs, and the trade-off; with intervals, how well each is known."""
    words = Words.plain(metric.setting)
    mistakes, pairs = words.mistakes, told_apart([f"{u} | {v}" for u, v in words.pairs])
    gaps = mistakes if len(pairs) == 1 else told_apart([f"{pair}: {one}" for pair in pairs for one in mistakes])
    between = f" between {pairs[0].replace(' | ', ' and ')}" if len(pairs) == 1 else ""
    a, B, trade_off = (None, None, None) if intervals is None else _ends(intervals)
    chart = alt.vconcat(
        _weights(
            "What each mistake costs (true class → predicted class)", mistakes, metric.misclassification, a, MISTAKES
        ),
        _weights(f"What each gap{between} costs", gaps, metric.violation.ravel(), B, GAPS),
        _trade_off(metric.trade_off, trade_off),
        spacing=18,
    )
    return _styled(chart)


def _ends(intervals: Intervals) -> tuple[Floats, Floats, Floats]:
    return intervals.misclassification, intervals.violation.reshape(-1, 2), intervals.trade_off.reshape(-1, 2)


def _weights(title: str, names: Sequence[str], weights: Floats, ends: Floats | None, colour: str) -> Chart:
    rows: list[dict[str, Any]] = [
        {"name": name, "weight": float(weight)} for name, weight in zip(names, weights, strict=True)
    ]
    if ends is not None:
        for row, (low, high) in zip(rows, ends.tolist(), strict=True):
            row |= {"low": low, "high": high}
    heaviest = sorted(rows, key=lambda row: -row["weight"])[:_MOST_ROWS]
    shown = [row for row in rows if row in heaviest]
    left = len(rows) - len(shown)
    subtitle = f"… and {left} lighter ones" if left else ""
    base = alt.Chart(_data(shown), width=_WIDTH, height=_ROW * len(shown))
    y = _names([row["name"] for row in shown])
    bars = base.mark_bar(color=colour, opacity=0.55, height=_ROW * 0.6).encode(
        y=y, x=alt.X("weight:Q", title=None, scale=alt.Scale(domainMin=0))
    )
    number = alt.X("high:Q" if ends is not None else "weight:Q")
    text = base.mark_text(align="left", dx=6, color=INK).encode(y=y, x=number, text=alt.Text("weight:Q", format=".2f"))
    layers: list[Any] = [bars, text]
    if ends is not None:
        layers.insert(1, _whiskers(base, y))
    return alt.layer(*layers).properties(title=alt.Title(title, subtitle=subtitle))


def _whiskers(base: alt.Chart, y: alt.Y, title: str | None = None) -> Chart:
    line = base.mark_rule(color=INK, strokeWidth=1.5).encode(y=y, x=alt.X("low:Q", title=title), x2="high:Q")
    ends = [
        base.mark_tick(color=INK, thickness=1.5, size=_ROW * 0.4).encode(y=y, x=alt.X(f"{end}:Q", title=title))
        for end in ("low", "high")
    ]
    return alt.layer(line, *ends)


def _trade_off(trade_off: float, ends: Floats | None) -> Chart:
    row = {"name": "trade-off", "weight": trade_off}
    if ends is not None:
        row |= {"low": float(ends[0, 0]), "high": float(ends[0, 1])}
    base = alt.Chart(_data([row]), width=_WIDTH, height=_ROW)
    y = _names(["trade-off"])
    x = alt.X(
        "weight:Q",
        title=None,
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f"),
    )
    point = base.mark_point(filled=True, size=110, color=INK, opacity=1).encode(y=y, x=x)
    text = base.mark_text(dy=-14, color=INK).encode(y=y, x=x, text=alt.Text("weight:Q", format=".2f"))
    layers: list[Any] = [point, text]
    if ends is not None:
        layers.insert(0, _whiskers(base, y))
    title = "How the two trade off (0: only mistakes count, 1: only gaps count)"
    return alt.layer(*layers).properties(title=alt.Title(title))


def ranking_chart(ranking: Ranking, most: int = 20) -> Chart:
    """Draw the candidates, best first: the cost with its two parts, its interval, and the chance of the first place."""
    names = [f"{row.place}. {name}" for row, name in zip(ranking, shown_names(ranking.names), strict=True)][:most]
    parts, whole = [], []
    for name, row in zip(names, ranking, strict=False):
        both = (("mistakes", row.misclassification), ("gaps between groups", row.violation))
        parts += [{"name": name, "part": part, "order": order, "cost": cost} for order, (part, cost) in enumerate(both)]
        low, high = row.interval or (None, None)  # then there is no line, rather than one without length
        chance = row.place_probabilities
        label = f"{row.cost:.3f}" + ("" if chance is None else f"  (best: {percent(chance[0])})")
        whole.append({"name": name, "low": low, "high": high, "end": max(high or 0.0, row.cost), "label": label})
    y = _names(names)
    height = _ROW * len(names)
    bars = (
        alt.Chart(_data(parts), width=_WIDTH, height=height)
        .mark_bar(opacity=0.6, height=_ROW * 0.6)
        .encode(
            y=y,
            x=alt.X("sum(cost):Q", title=_COST, stack="zero"),
            order=alt.Order("order:Q"),
            color=alt.Color(
                "part:N",
                title=None,
                sort=["mistakes", "gaps between groups"],
                scale=alt.Scale(domain=["mistakes", "gaps between groups"], range=[MISTAKES, GAPS]),
                legend=alt.Legend(orient="top"),
            ),
        )
    )
    base = alt.Chart(_data(whole), width=_WIDTH, height=height)
    text = base.mark_text(align="left", dx=6, color=INK).encode(y=y, x=alt.X("end:Q", title=_COST), text="label:N")
    known = any(row.interval is not None for row in ranking)
    chart = alt.layer(bars, *([_whiskers(base, y, _COST)] if known else []), text)
    left = len(ranking) - len(names)
    notes = [f"lines: {ranking.level:.0%} interval from the sampling error of the rates"] if known else []
    notes += ["best: with which probability"] if ranking[0].place_probabilities else []
    notes += [f"… and {left} that cost more"] if left > 0 else []
    return _styled(chart.properties(title=alt.Title("The candidates, the best first", subtitle="; ".join(notes))))


def nearest_chart(near: Iterable[Near], most: int = 6) -> Chart:
    """Draw how many of 100 comparisons each named metric would decide differently, the nearest first."""
    rows: list[dict[str, Any]] = [{"name": one.name, "differs": 100 * one.differs} for one in near][:most]
    base = alt.Chart(_data(rows), width=_WIDTH, height=_ROW * len(rows))
    y = _names([row["name"] for row in rows])
    x = alt.X(
        "differs:Q",
        title="of 100 comparisons, decided differently",
        scale=alt.Scale(domain=[0, max(50.0, *(row["differs"] for row in rows))]),
    )
    bars = base.mark_bar(color=FAINT, opacity=0.6, height=_ROW * 0.6).encode(y=y, x=x)
    text = base.mark_text(align="left", dx=6, color=INK).encode(y=y, x=x, text=alt.Text("differs:Q", format=".0f"))
    title = alt.Title("How near the metrics with a name are")
    return _styled(alt.layer(bars, text).properties(title=title))


def _data(rows: Sequence[Mapping[str, object]]) -> alt.SchemaBase:
    data: alt.SchemaBase = alt.Data(values=list(rows))  # type: ignore[no-untyped-call]
    return data


def _names(names: Sequence[Any]) -> alt.Y:
    axis = alt.Axis(labelLimit=_LONGEST_NAME, labelPadding=6, ticks=False, domain=False)
    return alt.Y("name:N", sort=list(names), title=None, axis=axis)


def _styled(chart: Chart) -> Chart:
    styled: Chart = (
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
    return styled


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
