"""Rates and settings as people who program look at them: a table, columns, and a plot by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.display.names import shown_names
from evenhand.display.plot import COLOURS, axes_of, key_above, plain, tidied
from evenhand.display.table import Table
from evenhand.rates.profile import off_diagonal_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evenhand.rates.group_rates import GroupRates
    from evenhand.rates.setting import Setting

_LEVEL = 0.95
_SPREAD = 0.5
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def table_of_setting(setting: Setting) -> Table:
    """Return a row for each group: its share of each class."""
    rows = [
        [group, *(f"{100 * share:.1f}" for share in shares)]
        for group, shares in zip(shown_names(setting.groups), setting.prevalence, strict=True)
    ]
    title = "Setting: of 100 people of each class, how many are in each group"
    return Table(["", *shown_names(setting.classes)], rows, title=title)


def columns_of_setting(setting: Setting) -> dict[str, list[Any]]:
    """Return a row for each group and class."""
    m, k = setting.prevalence.shape
    return {
        "group": [setting.groups[g] for g in range(m) for _ in range(k)],
        "class": [setting.classes[i] for _ in range(m) for i in range(k)],
        "prevalence": setting.prevalence.ravel().tolist(),
    }


def table_of_rates(rates: GroupRates) -> Table:
    """Return a row for each group and true class: how many of 100 get each prediction."""
    groups, classes = shown_names(rates.setting.groups), shown_names(rates.setting.classes)
    ends = None if rates.sizes is None else 100 * rates.interval(_LEVEL)
    head, rows = ["group", "true class", *(["people"] if rates.counts is not None else []), *classes], []
    for g, group in enumerate(groups):
        for i, true in enumerate(classes):
            cells = [f"{100 * rate:.1f}" for rate in rates.matrix[g, i]]
            if ends is not None:
                cells = [f"{cell} ({low:.1f}–{high:.1f})" for cell, (low, high) in zip(cells, ends[g, i], strict=True)]
            people = [] if rates.counts is None else [f"{rates.counts[g, i].sum():,.6g}"]
            rows.append([group, true, *people, *cells])
    title = "GroupRates: predictions per 100 people of a group and true class"
    notes = [] if ends is None else [f"in brackets: {_LEVEL:.0%} confidence interval"]
    return Table(head, rows, title=title, notes=notes, names=2)


def columns_of_rates(rates: GroupRates) -> dict[str, list[Any]]:
    """Return a row for each group, true class and predicted class."""
    setting = rates.setting
    cells = list(np.ndindex(rates.matrix.shape))
    columns: dict[str, list[Any]] = {
        "group": [setting.groups[g] for g, _, _ in cells],
        "true_class": [setting.classes[i] for _, i, _ in cells],
        "predicted_class": [setting.classes[j] for _, _, j in cells],
        "rate": rates.matrix.ravel().tolist(),
    }
    if rates.sizes is not None:
        ends = rates.interval(_LEVEL)
        columns |= {"low": ends[..., 0].ravel().tolist(), "high": ends[..., 1].ravel().tolist()}
    if rates.counts is not None:
        columns["people"] = rates.counts.ravel().tolist()
    return columns


def plot_of_rates(rates: GroupRates, ax: Axes | None) -> Axes:
    """Draw each kind of mistake as a row, with a mark for each group."""
    groups, classes = shown_names(rates.setting.groups), shown_names(rates.setting.classes)
    mistakes = list(off_diagonal_entries(len(classes)))
    axes = axes_of(ax, round(len(mistakes) * max(2, len(groups)) * 0.7))
    ends = None if rates.sizes is None else rates.interval(_LEVEL)
    for g, group in enumerate(groups):
        offset = _SPREAD * (g / max(1, len(groups) - 1) - 0.5)
        rate = 100 * np.array([rates.matrix[g, i, j] for i, j in mistakes])
        style: dict[str, Any] = {"color": COLOURS[g % len(COLOURS)], "marker": _MARKERS[g % len(_MARKERS)]}
        beside = None
        if ends is not None:
            low, high = 100 * np.array([ends[g, i, j] for i, j in mistakes]).T
            beside = np.stack([rate - low, high - rate])
        axes.errorbar(rate, np.arange(len(mistakes)) + offset, xerr=beside, linestyle="", label=plain(group), **style)
    names = [f"{classes[i]} → {classes[j]}" for i, j in mistakes]
    tidied(axes, names)
    axes.set_xlim(left=0)
    lines = "" if ends is None else f"\nlines: {_LEVEL:.0%} confidence intervals"
    axes.set_xlabel(f"mistakes (true → predicted) per 100 people of the group and true class{lines}")
    key_above(axes)
    return axes
