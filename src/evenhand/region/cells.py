"""People with similar class probabilities, counted together: what a group can reach, without a row for anybody.

A cell holds how many people it has and their mean class probabilities. Classifiers that treat a cell's people alike are
classifiers of the people, so what the cells can reach, the people can reach: counting makes a region a little smaller,
and never larger.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.region.group_region import GroupRegion
from evenhand.typing import Floats

FEWEST = 10
"""No cell has fewer people, so that nobody's scores can be read from it."""
_DIGITS = 6


def counted(group: GroupRegion, most: int) -> GroupRegion:
    """Return a group in at most so many cells of at least ten people.

    The cell whose people differ most is split where the probability that differs most has its median, again and again.
    """
    chances, weight = group.columns.T, group.weight
    cells = [np.arange(len(weight))]
    spreads = [_spread(chances, weight, cells[0])]
    while len(cells) < most:
        widest = int(np.argmax(spreads))
        if spreads[widest] <= 0:
            break
        parts = _split(chances, cells[widest])
        if parts is None:
            spreads[widest] = 0.0
            continue
        cells[widest : widest + 1] = parts
        spreads[widest : widest + 1] = [_spread(chances, weight, part) for part in parts]
    people = np.array([weight[cell].sum() for cell in cells])
    means = np.array([np.average(chances[cell], axis=0, weights=weight[cell]) for cell in cells])
    means = np.round(means, _DIGITS)
    means /= means.sum(axis=1, keepdims=True)
    return GroupRegion(group.name, np.ascontiguousarray(means.T), people)


def _spread(chances: Floats, weight: Floats, cell: NDArray[np.intp]) -> float:
    """Return how much the probabilities of a cell's people differ, in all."""
    if len(cell) < 2 * FEWEST:
        return 0.0
    return float(weight[cell].sum() * np.var(chances[cell], axis=0).max())


def _split(chances: Floats, cell: NDArray[np.intp]) -> list[NDArray[np.intp]] | None:
    """Return the two halves of a cell, people with the same probabilities together; None if one would be too small."""
    by = chances[cell, int(np.var(chances[cell], axis=0).argmax())]
    order = np.argsort(by, kind="stable")
    ordered = by[order]
    half = len(cell) // 2
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    for side in sides:
        at = int(np.searchsorted(ordered, ordered[half], side=side))
        if FEWEST <= at <= len(cell) - FEWEST:
            return [cell[order[:at]], cell[order[at:]]]
    return None
