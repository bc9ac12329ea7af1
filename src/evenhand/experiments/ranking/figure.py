"""Draws the paper's Figure 5 with one more panel: NDCG, τ-b and the weighted τ of every method on every data set."""

from __future__ import annotations

import numpy as np

from evenhand.errors import MissingExtraError
from evenhand.experiments.figures import GREY, look, plain
from evenhand.experiments.ranking.experiment import RankingResult, method_in_words
from evenhand.experiments.ranking.scores import MEASURES

try:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
except ModuleNotFoundError as error:
    raise MissingExtraError("matplotlib", "figures") from error

_PANELS = ("ndcg", "kendall", "weighted_kendall")
_SPREAD = 0.6
"""The share of a row's height over which the data sets are spread."""


def ranking_figure(result: RankingResult) -> Figure:
    """Draw the mean of each method on each data set as a dot, and the interquartile range as a line."""
    methods = list(result.ranked[0].scores)
    figure = Figure(figsize=(13.5, 1.6 + 0.46 * len(methods)), layout="constrained")
    offsets = _SPREAD * (np.arange(len(result.ranked)) + 0.5) / len(result.ranked) - _SPREAD / 2
    rows = np.arange(len(methods))
    for axes, measure in zip(figure.subplots(1, len(_PANELS), sharey=True), _PANELS, strict=True):
        for style, (one, offset) in enumerate(zip(result.ranked, offsets, strict=True)):
            values = np.stack([getattr(one.scores[method], measure) for method in methods])
            low, high = np.quantile(values, [0.25, 0.75], axis=1)
            drawn = look(style)
            axes.hlines(rows + offset, low, high, color=drawn["color"], linewidth=1.2, alpha=0.6)
            axes.plot(values.mean(axis=1), rows + offset, **{**drawn, "linestyle": "none"})
        axes.set_title(MEASURES[measure], fontsize=11)
        axes.set_xlabel("1 = the true order")
        axes.set_yticks(rows, [method_in_words(method) for method in methods])
        axes.set_ylim(len(methods) - 0.5, -0.5)
        elicited = sum(method.startswith(("paper", "bisection", "adaptive")) for method in methods)
        axes.axhline(elicited - 0.5, color=GREY, linewidth=0.8, linestyle=":")
        plain(axes)
    keys = [
        Line2D([], [], label=one.name, **{**look(style), "linestyle": "none"})
        for style, one in enumerate(result.ranked)
    ]
    figure.legend(handles=keys, loc="outside lower center", ncols=len(keys), frameon=False)
    figure.suptitle(
        f"Ranking {result.classifiers} classifiers by {result.metrics} hidden metrics: means and interquartile ranges",
        fontsize=12,
    )
    return figure
