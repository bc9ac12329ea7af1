"""A ranking as a plot: what each model costs, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.display.names import shown_names
from evenhand.display.plot import MISTAKES, OTHER, VIOLATION, axes_of, key_above, plain, tidied
from evenhand.errors import EvenhandError
from evenhand.wording.numerals import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evenhand.ranking.rank import Ranking


def plot(ranking: Ranking, ax: Axes | None, most: int) -> Axes:
    """Draw a bar of two parts for each model, the best first, with a line for the sampling error."""
    if ranking.doubt:
        raise EvenhandError(
            f"{ranking.doubt} So there is no order to plot; rank(elicited.metric, …).plot() draws it all the same"
        )
    rows = list(ranking)[: whole_number(most, "most", 1)]
    axes = axes_of(ax, len(rows) + 1)
    places = np.arange(len(rows))
    mistakes, unfair = (np.array([getattr(row, part) for row in rows]) for part in ("misclassification", "violation"))
    bars: dict[str, Any] = {"height": 0.62, "alpha": 0.75}
    axes.barh(places, mistakes, color=MISTAKES, label="mistakes", **bars)
    axes.barh(places, unfair, left=mistakes, color=VIOLATION, label="what is unfair", **bars)
    for place, row in enumerate(rows):
        if row.interval is not None:
            low, high = row.interval
            axes.plot([low, high], [place, place], color="black", linewidth=1.4, marker="|", markersize=6)
        if row.place_probabilities is not None:
            end = row.cost if row.interval is None else max(row.cost, row.interval[1])
            axes.annotate(
                percent(row.place_probabilities[0]),
                (end, place),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
            )
    if ranking.yardsticks:
        best = ranking.yardsticks[0]
        style: dict[str, Any] = {"color": OTHER, "linestyle": ":", "linewidth": 1.6, "zorder": 0}
        axes.axvline(best.cost, label=plain(f"no model: {best.name}"), **style)
    tidied(axes, [f"{row.place}. {name}" for row, name in zip(rows, shown_names([r.name for r in rows]), strict=True)])
    axes.margins(x=0.12)
    axes.set_xlim(left=0)
    said = []
    if any(row.interval is not None for row in rows):
        said.append(f"lines: {ranking.level:.0%} intervals by sampling")
    if any(row.place_probabilities is not None for row in rows):
        said.append("numbers: probability of being as good as the best")
    if len(rows) < len(ranking):
        said.append(f"the best {len(rows)} of {len(ranking)}")
    axes.set_xlabel("\n".join(["cost (lower is better)", *said]))
    key_above(axes)
    return axes
