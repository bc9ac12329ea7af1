"""Counts many models in a table in memory: the cell of each row is found once, for all models.

The engines would read the label and the group again for each model, and treat integers like any other labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates.counting.cells import cell_of_each
from evenhand.rates.counting.close_integers import count_close_integers
from evenhand.rates.counting.engine import Counts

_MOST_CELLS = 1000


def count_in_memory(frame: Any, shared: Sequence[str], models: Sequence[str]) -> dict[str, Counts]:
    """Count the combinations of the shared columns with each model's predictions.

    Models whose predictions are not integers in a small range are left out, and all models if the table is not in
    memory.
    """
    import narwhals as nw  # noqa: PLC0415

    table = nw.from_native(frame)
    engine = table.implementation
    if isinstance(table, nw.LazyFrame) or not (engine.is_pandas() or engine.is_polars() or engine.is_pyarrow()):
        return {}
    schema = table.schema
    too_wide = (nw.Int128, nw.UInt128)  # for NumPy
    whole = [
        model
        for model in models
        if (schema[model].is_integer() or schema[model] == nw.Boolean) and schema[model] not in too_wide
    ]
    if not whole or any(schema[name] in too_wide for name in shared):
        return {}
    try:
        columns = [labels.read(_array(table[name]), name, what="labels") for name in shared]
    except EvenhandError:  # engines accept labels that NumPy cannot hold, such as decimals
        return {}
    sizes = [len(column.labels) for column in columns]
    if prod(sizes) > _MOST_CELLS:
        return {}
    cell = columns[0].codes
    for place, column in enumerate(columns[1:], start=1):
        cell = cell_of_each(cell, prod(sizes[:place]), column)
    counted = {}
    for model in whole:
        counts = count_close_integers([cell, table[model].to_numpy()])
        if counts is not None:
            cells, predicted = counts.labels
            places = np.unravel_index(cells, sizes)
            known = [
                tuple(column.labels[place] for place in of_each)
                for column, of_each in zip(columns, places, strict=True)
            ]
            counted[model] = Counts([*known, predicted], counts.rows, counts.weight, counts.squares)
    return counted


def _array(column: Any) -> Any:
    """Return a column as an array; text as objects, since at a fixed width one long label would widen every row."""
    native = column.to_native()
    return native.to_numpy() if column.implementation.is_polars() else column.to_numpy()
