"""Draws the paper's Figure 2 on real data: what each group can reach, o, the sphere, and the user's own models.

Matplotlib is an extra and slow to import, so this module is imported only to draw a picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import numbers
from evenhand.checks.messages import listed, shown
from evenhand.display import names
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates import GroupRates, Label, trivial_rates
from evenhand.region.group_region import GroupRegion
from evenhand.region.sphere import Sphere
from evenhand.typing import Floats

try:
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon
except ModuleNotFoundError as error:
    raise MissingExtraError("matplotlib", "figures") from error

if TYPE_CHECKING:
    from evenhand.region.feasible import FeasibleRegion

# Okabe and Ito's palette, which colour-blind readers can tell apart; line styles repeat the distinction.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))
_MARKERS = ("o", "s", "^", "v", "P", "X", "<", ">", "p", "*", "h", "8")
_DIRECTIONS = 240
_MOST_MISTAKES = 6
_INK, _GREY = "#222222", "#666666"


def picture(
    region: FeasibleRegion, models: Mapping[str, GroupRates] | None, sphere: Sphere, mistakes: ArrayLike | None
) -> Axes:
    """Draw one panel for two classes; for more, a panel for each projection on a pair of mistakes. Return the first."""
    chosen = _chosen(region, mistakes)
    own = _checked_models(region, models)
    pairs = list(combinations(chosen, 2))
    columns = 1 if len(pairs) == 1 else min(len(chosen) - 1, 5)
    rows = -(-len(pairs) // columns)
    size = 6.4 if len(pairs) == 1 else 2.6
    figure = plt.figure(figsize=(size * columns + 0.8, size * rows + 1.4), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat[len(pairs) :]:
        axes.set_visible(False)
    for axes, pair in zip(panels.flat, pairs, strict=False):
        _panel(axes, region, own, sphere, pair, large=len(pairs) == 1)
    figure.legend(
        handles=_key(region, own), loc="outside lower center", ncols=4 if columns > 1 else 2, frameon=False, fontsize=9
    )
    radius = f"{sphere.radius:.3f}"
    title = f"Rates within reach: all groups can reach a sphere of radius {radius}"
    if sphere.upper is not None:
        highest = f"{sphere.upper:.3f}"
        title += " and no larger one" if highest == radius else f" and none larger than {highest}"
    figure.suptitle(title, fontsize=11 if columns > 1 else 10)
    first: Axes = panels[0, 0]
    return first


def shown_names(labels: Sequence[Label]) -> tuple[str, ...]:
    """Return names escaped for Matplotlib, which would read text between dollars as a formula."""
    return tuple(name.replace("$", r"\$") for name in names.shown_names(labels))


def _line(place: int) -> Any:
    """Return the line style of a group; when the colours repeat, each gets another style."""
    return _LINES[(place + place // len(_COLOURS)) % len(_LINES)]


def _chosen(region: FeasibleRegion, mistakes: ArrayLike | None) -> list[int]:
    q = len(region.setting.mistakes)
    if mistakes is None:
        return list(range(min(q, _MOST_MISTAKES)))
    places = numbers(mistakes, "mistakes", "indices in setting.mistakes").tolist()
    fits = isinstance(places, list) and all(isinstance(place, float) and place in range(q) for place in places)
    if not fits or not 2 <= len(set(places)) == len(places) <= _MOST_MISTAKES:
        raise EvenhandError(
            f"mistakes must be 2 to {_MOST_MISTAKES} different indices from 0 to {q - 1}, but received "
            f"{shown(mistakes)}"
        )
    return [int(place) for place in places]


def _checked_models(region: FeasibleRegion, models: Mapping[str, GroupRates] | None) -> dict[str, Floats]:
    if models is None:
        return {}
    if not isinstance(models, Mapping):
        raise EvenhandError(f"models must map names to GroupRates, but received {shown(models)}")
    for name, rates in models.items():
        if not isinstance(rates, GroupRates) or not rates.setting.same_names(region.setting):
            raise EvenhandError(
                f"model {shown(name)} must be GroupRates with the classes {listed(region.setting.classes)} and groups "
                f"{listed(region.setting.groups)}"
            )
    return {name: rates.vector for name, rates in zip(shown_names(list(models)), models.values(), strict=True)}


def outline(group: GroupRegion, pair: tuple[int, int]) -> Floats:
    """Return points (n, 2) on the border of what a group can reach, projected on two kinds of mistake."""
    angles = np.linspace(0, 2 * pi, _DIRECTIONS, endpoint=False)
    directions = np.zeros((_DIRECTIONS, group.uniform.size))
    directions[:, pair[0]], directions[:, pair[1]] = np.cos(angles), np.sin(angles)
    points = group.corners(directions).rates[:, pair]
    return np.asarray(points)


def _panel(
    axes: Axes, region: FeasibleRegion, own: dict[str, Floats], sphere: Sphere, pair: tuple[int, int], *, large: bool
) -> None:
    for place, group in enumerate(region.groups):
        colour = _COLOURS[place % len(_COLOURS)]
        border = outline(group, pair)
        axes.add_patch(Polygon(border, facecolor=colour, alpha=0.06, edgecolor="none"))
        axes.add_patch(Polygon(border, fill=False, edgecolor=colour, linestyle=_line(place), linewidth=1.6))
    x, y = sphere.center[list(pair)]
    axes.add_patch(Circle((x, y), sphere.radius, fill=False, edgecolor=_INK, linewidth=1.2))
    above = sphere.above_center()
    if large:
        plus = above.center[list(pair)]
        axes.add_patch(Circle((plus[0], plus[1]), above.radius, fill=False, edgecolor=_INK, linestyle=":"))
        axes.annotate("S⁺", (plus[0], plus[1]), ha="center", va="center", fontsize=9, color=_INK)
        axes.annotate(
            "S", (x - sphere.radius * 0.71, y - sphere.radius * 0.71), xytext=(4, 4), textcoords="offset points"
        )
    axes.plot(x, y, marker="+", color=_INK, markersize=9)
    axes.annotate("o", (x, y), xytext=(-9, -11), textcoords="offset points", color=_INK)
    for name, e in zip(shown_names(region.setting.classes), trivial_rates(len(region.setting.classes)), strict=True):
        at = e[list(pair)]
        axes.plot(*at, marker="D", color=_INK, markersize=5, clip_on=False, zorder=4)
        if large:
            right = at[0] > 0.5
            axes.annotate(
                f"always {name}",
                (at[0], at[1]),
                xytext=(-7 if right else 7, 7 if right else -13),
                textcoords="offset points",
                ha="right" if right else "left",
                fontsize=9,
            )
    for style, profile in enumerate(own.values()):
        marker = _MARKERS[style % len(_MARKERS)]
        for place, rates in enumerate(profile):
            colour = _COLOURS[place % len(_COLOURS)]
            axes.plot(*rates[list(pair)], marker=marker, color=colour, markersize=6, markeredgecolor="white", zorder=5)
    axes.set_aspect("equal")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(_mistake(region, pair[0], large=large), fontsize=10 if large else 8)
    axes.set_ylabel(_mistake(region, pair[1], large=large), fontsize=10 if large else 8)
    axes.tick_params(labelsize=9 if large else 7)
    axes.spines[["top", "right"]].set_visible(False)


def _mistake(region: FeasibleRegion, place: int, *, large: bool) -> str:
    true, predicted = (shown_names([label])[0] for label in region.setting.mistakes[place])
    return f"share of true {true} predicted {predicted}" if large else f"{true} → {predicted}"


def _key(region: FeasibleRegion, own: dict[str, Floats]) -> list[Line2D]:
    keys = [
        Line2D([], [], color=_COLOURS[place % len(_COLOURS)], linestyle=_line(place), label=name)
        for place, name in enumerate(shown_names(region.setting.groups))
    ]
    keys.append(Line2D([], [], color=_INK, linewidth=1.2, label="the sphere around o"))
    keys.append(Line2D([], [], color=_INK, marker="D", linestyle="", markersize=5, label="always one class"))
    keys += [
        Line2D([], [], color=_GREY, marker=_MARKERS[style % len(_MARKERS)], linestyle="", label=name)
        for style, name in enumerate(own)
    ]
    return keys
