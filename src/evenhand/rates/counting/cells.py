"""Cells of group × true class: which cell each row falls into, and how many people each cell has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.rates.counting.tally import tally
from evenhand.rates.labels import Coded
from evenhand.typing import Floats, Label


def cell_of_each(outer: NDArray[Any], size: int, inner: Coded) -> NDArray[Any]:
    """Return the cell of each row in a table of `size` outer codes × the inner labels, row by row."""
    cell = outer.astype(np.min_scalar_type(size * len(inner.labels)))
    cell *= cell.dtype.type(len(inner.labels))
    cell += inner.codes
    return cell


def count_people(
    cell: NDArray[Any], groups: tuple[Label, ...], classes: tuple[Label, ...], weight: Floats | None
) -> Floats:
    """Return the (weighted) number of people of each group and class, (m, k); refuse an empty cell."""
    m, k = len(groups), len(classes)
    if m * k > cell.size:  # then some cell must be empty, and the table may be too large for memory
        seen = np.append(np.unique(cell).astype(np.int64), -1)
        empty = int((seen != np.arange(seen.size)).argmax())
    else:
        people = tally(cell, m * k, weight)
        if (people > 0).all():
            return people.reshape(m, k)
        empty = int((people <= 0).argmax())
    raise nobody(groups[empty // k], classes[empty % k])


def nobody(group: Label, true: Label) -> EvenhandError:
    """Return the error for a group without people of a true class."""
    return EvenhandError(
        f"group {shown(group)} has no people of true class {shown(true)}, so its rates "
        "there are undefined: add such people, merge groups or classes, or leave one out"
    )
