"""People by group and true class: the cell of each row, and how many there are in each."""

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
    """Return each person's cell in a table of so many outer codes, each with a cell for every inner label."""
    cell = outer.astype(np.min_scalar_type(size * len(inner.labels)))
    cell *= cell.dtype.type(len(inner.labels))
    cell += inner.codes
    return cell


def count_people(
    cell: NDArray[Any], groups: tuple[Label, ...], classes: tuple[Label, ...], weight: Floats | None
) -> Floats:
    """Return the (weighted) number of people of each group and class, (m, k), or name the first without any."""
    m, k = len(groups), len(classes)
    if m * k > cell.size:  # then one is empty for certain, and the table may be too large to make
        seen = np.append(np.unique(cell).astype(np.int64), -1)
        empty = int((seen != np.arange(seen.size)).argmax())
    else:
        people = tally(cell, m * k, weight)
        if (people > 0).all():
            return people.reshape(m, k)
        empty = int((people <= 0).argmax())
    raise nobody(groups[empty // k], classes[empty % k])


def nobody(group: Label, true: Label) -> EvenhandError:
    """Return the error that a group has nobody of a true class."""
    return EvenhandError(
        f"group {shown(group)} has nobody of true class {shown(true)}, so its rates "
        "there are undefined: add such people, merge groups or classes, or leave one out"
    )
