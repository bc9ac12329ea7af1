"""Charts for reports and notebooks: the weights, the ranking, and the metrics with a name that are near.

Each function returns an Altair chart; `as_svg` and `as_png` of `drawing` draw one without a browser or a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from evenhand.display.names import shown_names
from evenhand.metric import FairMetric
from evenhand.metric.nearest import Near
from evenhand.metric.weight_names import WeightNames
from evenhand.ranking import Ranking
from evenhand.report.drawing import (
    FAINT,
    INK,
    MISTAKES,
    ROW,
    VIOLATION,
    WIDE,
    Chart,
    Layout,
    alt,
    base,
    heading,
    names,
    stacked,
    styled,
)
from evenhand.typing import Floats
from evenhand.wording.numerals import a_cost, of_100, percent
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from evenhand.elicitation import Intervals

_MOST_ROWS = 12
_COST = "cost (lower is better)"


def weights_chart(metric: FairMetric, intervals: Intervals | None = None, layout: Layout = WIDE) -> Chart:
    """Draw what each mistake and what is unfair costs, and the trade-off; with intervals, how well each is known."""
    called = WeightNames.of(metric.form, Words.plain(metric.setting))
    a, B, trade_off = (None, None, None) if intervals is None else _ends(intervals)
    title = f"{called.cost_of_mistakes} (true class → predicted class)"
    charts = [_weights(title, called.mistakes, metric.misclassification, a, MISTAKES, layout)]
    if metric.violation.size:
        charts += [
            _weights(called.cost_of_violation, called.violation, metric.violation.ravel(), B, VIOLATION, layout),
            _trade_off(called.trade_off, metric.trade_off, trade_off, layout),
        ]
    return styled(alt.vconcat(*charts, spacing=18))


def _ends(intervals: Intervals) -> tuple[Floats, Floats, Floats]:
    return intervals.misclassification, intervals.violation.reshape(-1, 2), intervals.trade_off.reshape(-1, 2)


def _weights(
    title: str, called: Sequence[str], weights: Floats, ends: Floats | None, colour: str, layout: Layout
) -> Chart:
    rows: list[dict[str, Any]] = [
        {"name": name, "weight": float(weight)} for name, weight in zip(called, weights, strict=True)
    ]
    if ends is not None:
        for row, (low, high) in zip(rows, ends.tolist(), strict=True):
            row |= {"low": low, "high": high}
    heaviest = sorted(rows, key=lambda row: -row["weight"])[:_MOST_ROWS]
    shown = [row for row in rows if row in heaviest]
    left = len(rows) - len(shown)
    subtitle = f"… and {left} lighter ones" if left else ""
    chart, y = base(shown, layout), names(shown, layout)
    bars = chart.mark_bar(color=colour, opacity=0.55, height=ROW * 0.6).encode(
        y=y, x=alt.X("weight:Q", title=None, scale=alt.Scale(domainMin=0))
    )
    number = alt.X("high:Q" if ends is not None else "weight:Q")
    text = chart.mark_text(align="left", dx=6, color=INK).encode(y=y, x=number, text=alt.Text("weight:Q", format=".2f"))
    layers: list[Any] = [bars, text]
    if ends is not None:
        layers.insert(1, _whiskers(chart, y))
    return alt.layer(*layers).properties(title=heading(title, [subtitle], layout))


def _whiskers(chart: alt.Chart, y: alt.Y, title: str | None = None) -> Chart:
    line = chart.mark_rule(color=INK, strokeWidth=1.5).encode(y=y, x=alt.X("low:Q", title=title), x2="high:Q")
    ends = [
        chart.mark_tick(color=INK, thickness=1.5, size=ROW * 0.4).encode(y=y, x=alt.X(f"{end}:Q", title=title))
        for end in ("low", "high")
    ]
    return alt.layer(line, *ends)


def _trade_off(title: str, trade_off: float, ends: Floats | None, layout: Layout) -> Chart:
    row = {"name": "trade-off", "weight": trade_off}
    if ends is not None:
        row |= {"low": float(ends[0, 0]), "high": float(ends[0, 1])}
    chart, y = base([row], layout), names([row], layout)
    x = alt.X(
        "weight:Q",
        title=None,
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f"),
    )
    point = chart.mark_point(filled=True, size=110, color=INK, opacity=1).encode(y=y, x=x)
    text = chart.mark_text(dy=-14, color=INK).encode(y=y, x=x, text=alt.Text("weight:Q", format=".2f"))
    layers: list[Any] = [point, text]
    if ends is not None:
        layers.insert(0, _whiskers(chart, y))
    return alt.layer(*layers).properties(title=heading(title, layout=layout))


def ranking_chart(
    ranking: Ranking, most: int = 20, *, unfair: str = "gaps between groups", layout: Layout = WIDE
) -> Chart:
    """Draw the candidates, best first: the cost with its two parts, its interval, and the chance of the first place."""
    called = [f"{row.place}. {name}" for row, name in zip(ranking, shown_names(ranking.names), strict=True)][:most]
    parts, whole = [], []
    for name, row in zip(called, ranking, strict=False):
        both = (("mistakes", row.misclassification), (unfair, row.violation))
        parts += [{"name": name, "part": part, "order": order, "cost": cost} for order, (part, cost) in enumerate(both)]
        low, high = row.interval or (None, None)  # then there is no line, rather than one without length
        chance = row.place_probabilities
        label = a_cost(row.cost) + ("" if chance is None else f"  (best: {percent(chance[0])})")
        whole.append({"name": name, "low": low, "high": high, "end": max(high or 0.0, row.cost), "label": label})
    chart, y = base(whole, layout), names(whole, layout)
    text = chart.mark_text(align="left", dx=6, color=INK).encode(y=y, x=alt.X("end:Q", title=_COST), text="label:N")
    known = any(row.interval is not None for row in ranking)
    bars = stacked(parts, ("mistakes", unfair), _COST, layout=layout)
    layers = alt.layer(bars, *([_whiskers(chart, y, _COST)] if known else []), text)
    left = len(ranking) - len(called)
    notes = [f"lines: {percent(ranking.level)} interval from the sampling error of the rates"] if known else []
    notes += ["best: with which probability as good as the best"] if ranking[0].place_probabilities else []
    notes += [f"… and {left} that cost more"] if left > 0 else []
    return styled(layers.properties(title=heading("The candidates, the best first", notes, layout)))


def nearest_chart(near: Iterable[Near], most: int = 6, layout: Layout = WIDE) -> Chart:
    """Draw how many of 100 comparisons each named metric would decide differently, the nearest first."""
    rows: list[dict[str, Any]] = [
        {"name": one.name, "differs": 100 * one.differs, "shown": of_100(one.differs)} for one in near
    ][:most]
    chart, y = base(rows, layout), names(rows, layout)
    x = alt.X(
        "differs:Q",
        title=wrap("of 100 comparisons, decided differently", layout.name + 12),
        scale=alt.Scale(domain=[0, max(50.0, *(row["differs"] for row in rows))]),
    )
    bars = chart.mark_bar(color=FAINT, opacity=0.6, height=ROW * 0.6).encode(y=y, x=x)
    text = chart.mark_text(align="left", dx=6, color=INK).encode(y=y, x=x, text="shown:N")
    title = heading("How near the metrics with a name are", layout=layout)
    return styled(alt.layer(bars, text).properties(title=title))
