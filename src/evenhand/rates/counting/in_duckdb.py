"""Counts many models in a table of DuckDB: how often each predicts each class, by group and true class.

One pass counts a hundred models: DuckDB is faster with a sum for each prediction of each model than with the
combinations of several models. The query is written in SQL, since building so many sums through narwhals would double
the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.rates.counting.engine import Counts, whole
from evenhand.typing import Label

if TYPE_CHECKING:
    import narwhals as nw

_AT_ONCE = 100
_MOST_CLASSES = 5
"""With more classes, and so more sums, counting combinations is faster."""


def count_in_duckdb(
    table: nw.LazyFrame[Any], shared: Sequence[str], models: Sequence[str], classes: Sequence[Label]
) -> dict[str, Counts]:
    """Count the combinations of the shared columns with each model's predictions.

    Return an empty dictionary if the table is not DuckDB's, if the classes are not a few consecutive integers, or if a
    model predicts anything else.
    """
    if not table.implementation.is_duckdb() or not _whole_numbers_in_a_row(classes) or len(classes) > _MOST_CLASSES:
        return {}
    schema = table.collect_schema()
    if not all(schema[model].is_integer() for model in models):
        return {}
    relation = table.to_native()
    counted: dict[str, Counts] = {}
    for start in range(0, len(models), _AT_ONCE):
        some = models[start : start + _AT_ONCE]
        # Every prediction that is not a later class is counted as the first class. So check before and after, since the
        # table may change in between.
        before = _any_other(relation, some, classes)
        found = {} if before else _count(relation, shared, some, classes)
        if not found or _any_other(relation, some, classes):
            return {}
        counted |= found
    return counted


def _whole_numbers_in_a_row(classes: Sequence[Label]) -> bool:
    return all(type(one) is int for one in classes) and int(max(classes)) - int(min(classes)) == len(classes) - 1


def _any_other(relation: Any, models: Sequence[str], classes: Sequence[Label]) -> bool:
    """Whether some prediction is not a class. Fast: DuckDB often knows the bounds of a column without reading it."""
    bounds = f"BETWEEN {min(classes)} AND {max(classes)}"
    others = " OR ".join(f"{_quoted(model)} IS NULL OR {_quoted(model)} NOT {bounds}" for model in models)
    return bool(relation.filter(others).aggregate("count(*)").fetchall() != [(0,)])


def _count(relation: Any, shared: Sequence[str], models: Sequence[str], classes: Sequence[Label]) -> dict[str, Counts]:
    import narwhals as nw  # noqa: PLC0415

    columns = list(map(_quoted, shared))
    sums = [f"count_if({_quoted(model)} = {one})" for model in models for one in classes[1:]]
    named = [f"{value} AS value_{place}" for place, value in enumerate([*columns, "count(*)", *sums])]
    found = relation.aggregate(", ".join(named), ", ".join(columns))
    every = list(zip(*nw.from_native(found).collect().rows(), strict=True))
    if not every:
        return {}
    labels = [tuple(whole(label) for label in column for _ in classes) for column in every[: len(shared)]]
    people, *numbers = np.array(every[len(shared) :], dtype=np.float64)
    counted = {}
    for model, sums_of_model in zip(models, np.reshape(numbers, (len(models), -1, people.size)), strict=True):
        rows = np.stack([people - sums_of_model.sum(axis=0), *sums_of_model], axis=1).ravel()
        counted[model] = Counts([*labels, tuple(classes) * people.size], rows, rows, rows)
    return counted


def _quoted(name: str) -> str:
    return f'''"{name.replace('"', '""')}"'''
