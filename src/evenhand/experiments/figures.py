"""Draws the figures of the experiments on simulated respondents with Matplotlib.

Matplotlib is an extra and slow to import, so this module is imported only to draw a figure.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from evenhand.errors import MissingExtraError
from evenhand.experiments.compare import Attempt, information_limit
from evenhand.experiments.recovery import Recovery
from evenhand.experiments.rows import SYMBOLS
from evenhand.experiments.samples import SampleSize
from evenhand.experiments.scaling import QUANTITIES, Scaling, Slope
from evenhand.files import write_file

try:
    from matplotlib import rc_context
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
except ModuleNotFoundError as error:
    raise MissingExtraError("matplotlib", "figures") from error

# Okabe and Ito's palette, which colour-blind readers can tell apart; markers repeat the distinction.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES: dict[str, Literal["-", "--", "-."]] = {"paper": "-", "least-squares": "--", "bisection": "-."}
GREY = "#666666"

_ERRORS = {
    "misclassification": ("misclassification weights", r"$\|a-\hat{a}\|_2$"),
    "violation": ("violation weights", r"$\|\mathrm{vec}\,B-\mathrm{vec}\,\hat{B}\|_2$"),
    "trade_off": ("trade-off", r"$|\lambda-\hat{\lambda}|$"),
}


def recovery_figure(recovery: Recovery) -> Figure:
    """Draw the mean error of each part of the metric against the number of groups, a line per number of classes."""
    rows = recovery.rows
    classes = sorted({row.classes for row in rows})
    methods = list(dict.fromkeys(row.method for row in rows))
    figure = Figure(figsize=(11.5, 4.6), layout="constrained")
    for axes, (part, (name, formula)) in zip(figure.subplots(1, 3), _ERRORS.items(), strict=True):
        for style, k in enumerate(classes):
            for method in methods:
                line = sorted((row for row in rows if (row.classes, row.method) == (k, method)), key=lambda r: r.groups)
                axes.plot(
                    [row.groups for row in line],
                    [row.summaries[part].mean for row in line],
                    linestyle=_LINES[method],
                    **look(style, filled=method == "paper"),
                )
        axes.set_title(f"Error in the {name}", fontsize=11)
        axes.set_ylabel(f"mean of {formula}")
        axes.set_xlabel("number of groups m")
        axes.set_yscale("log")
        axes.set_xticks(sorted({row.groups for row in rows}))
        _decimals(axes)
        plain(axes)
    keys = [Line2D([], [], label=f"k = {k} classes", **look(style)) for style, k in enumerate(classes)]
    if len(methods) > 1:
        keys += [Line2D([], [], color=GREY, linestyle=_LINES[method], label=method) for method in methods]
    figure.legend(handles=keys, loc="outside lower center", ncols=len(keys), frameon=False)
    cell = rows[0].cell
    figure.suptitle(
        f"Recovering random oracles' metrics: {cell.oracles} in each cell, ε = {cell.tolerance:g}{cell.noise}",
        fontsize=12,
    )
    return figure


def scaling_figure(scaling: Scaling) -> Figure:
    """Draw the median errors against ε, ε_Ω, q and m, with the fitted slopes and those that the theorem allows."""
    figure = Figure(figsize=(10.5, 8.2), layout="constrained")
    for axes, quantity in zip(figure.subplots(2, 2).flat, QUANTITIES, strict=True):
        slopes = [slope for slope in scaling.slopes if slope.quantity is quantity]
        for slope in slopes:
            _draw_slope(axes, slope, several_methods=len(slopes) > len(SYMBOLS))
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(quantity.in_words.replace("ε_Ω", r"$\epsilon_\Omega$"))
        axes.set_ylabel("median error")
        if not quantity.vanishing:
            values = slopes[0].values
            axes.set_xticks(values, [f"{value:g}" for value in values])
            axes.set_xticks([], minor=True)
            _decimals(axes)
        plain(axes)
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * (high / low) ** (0.1 + 0.05 * len(slopes)))  # room for the legend
        axes.legend(
            title="slope (theorem)",
            alignment="left",
            fontsize=9,
            title_fontsize=9,
            frameon=False,
            loc="upper left",
        )
    figure.suptitle(
        f"Medians over {scaling.base.oracles} oracles; dotted: the slopes that the theorem allows",
        fontsize=12,
    )
    return figure


def comparison_figure(attempts: Sequence[Attempt]) -> Figure:
    """Draw the median of the largest error against the questions: a panel per kind of respondent, a line per method."""
    kinds = list(dict.fromkeys((one.classes, one.groups, one.noise) for one in attempts))
    methods = list(dict.fromkeys(one.method for one in attempts))
    columns = min(3, len(kinds))
    figure = Figure(figsize=(1 + 4.4 * columns, 1 + 3.6 * -(-len(kinds) // columns)), layout="constrained")
    panels = list(figure.subplots(-(-len(kinds) // columns), columns, squeeze=False, sharey=True).flat)
    for axes in panels:
        axes.set_visible(False)
    for axes, (k, m, noise) in zip(panels, kinds, strict=False):
        axes.set_visible(True)
        of_kind = [one for one in attempts if (one.classes, one.groups, one.noise) == (k, m, noise)]
        for style, method in enumerate(methods):
            line = [one for one in of_kind if one.method == method]
            axes.plot(
                [one.questions for one in line],
                [float(np.median(one.largest)) for one in line],
                label=method,
                **look(style),
            )
        errors = np.geomspace(min(float(np.median(one.largest)) for one in of_kind), 0.4, 50)
        limits = [information_limit(k, m, float(error), noise.flip) for error in errors]
        axes.plot(limits, errors, color=GREY, linestyle=":", label="information limit")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(left=2)
        axes.set_title(f"k = {k}, m = {m}, flips {noise.flip:.0%}, band {noise.band:g}", fontsize=11)
        axes.set_xlabel("questions")
        axes.set_ylabel("median of the largest error")
        plain(axes)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def samples_figure(results: Sequence[SampleSize]) -> Figure:
    """Draw the distance between metrics elicited on samples and on the population: a panel per part of the metric."""
    methods = list(dict.fromkeys(one.method for one in results))
    figure = Figure(figsize=(11.5, 4.2), layout="constrained")
    for place, (axes, (name, formula)) in enumerate(zip(figure.subplots(1, 3), _ERRORS.values(), strict=True)):
        for style, method in enumerate(methods):
            line = [one for one in results if one.method == method]
            sizes = [one.people_in_sample for one in line]
            medians = [float(np.median(one.distances[place])) for one in line]
            axes.plot(sizes, medians, linestyle=_LINES[method], label=method, **look(style))
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(f"The {name}", fontsize=11)
        axes.set_xlabel("people in the sample")
        axes.set_ylabel(f"median of {formula}")
        plain(axes)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle("Distance of a metric elicited on a sample from the one elicited on the population", fontsize=12)
    return figure


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure as PNG and SVG, and return both paths."""
    paths = [folder / f"{name}.png", folder / f"{name}.svg"]
    for path in paths:
        metadata = {"Date": None} if path.suffix == ".svg" else None
        drawn = io.BytesIO()
        # Without a date and random names, the same results give the same file.
        with rc_context({"svg.hashsalt": "evenhand"}):
            figure.savefig(drawn, format=path.suffix[1:], dpi=150, metadata=metadata)
        write_file(path, drawn.getvalue())
    return paths


def _draw_slope(axes: Axes, slope: Slope, *, several_methods: bool) -> None:
    style = list(SYMBOLS).index(slope.part)
    exponent, allowed = slope.exponent, slope.quantity.allowed[slope.part]
    sign = "≥" if slope.quantity.vanishing else "≤"
    label = f"{SYMBOLS[slope.part]}" + (f", {slope.method}" if several_methods else "")
    if exponent is not None:
        label += f": {str(exponent).split(' ', 1)[0]} ({sign} {allowed:g})"
    axes.plot(
        slope.values,
        slope.medians,
        linestyle=_LINES[slope.method],
        label=label,
        **look(style, filled=slope.method == "paper"),
    )
    anchor_value, anchor_error = slope.values[0], slope.medians[0]
    axes.plot(
        slope.values,
        [anchor_error * (value / anchor_value) ** allowed for value in slope.values],
        linestyle=":",
        linewidth=1,
        color=_COLOURS[style],
        alpha=0.7,
    )


def look(style: int, *, filled: bool = True) -> dict[str, Any]:
    """Return the colour and marker of a line by its number."""
    colour = _COLOURS[style % len(_COLOURS)]
    return {
        "color": colour,
        "marker": _MARKERS[style % len(_MARKERS)],
        "markersize": 5.5,
        "markerfacecolor": colour if filled else "white",
        "linewidth": 1.6,
    }


def _decimals(axes: Axes) -> None:
    """Label an axis that spans few powers of ten with plain decimals."""
    low, high = axes.get_ylim()
    if high < 4 * low:  # one point, or several close together: leave room for ticks
        middle = float(np.sqrt(low * high))
        axes.set_ylim(middle / 2, 2 * middle)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda error, _: np.format_float_positional(error, precision=3, fractional=False, trim="-"))
    )
    axes.yaxis.set_minor_formatter(NullFormatter())


def plain(axes: Axes) -> None:
    """Draw a light grid, and no frame at the top and right."""
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
