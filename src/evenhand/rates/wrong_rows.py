"""The first row of a file with a label that cannot be counted: an error says which column, this says where in it."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from evenhand.checks.messages import shown

if TYPE_CHECKING:
    import polars as pl


def where_first_wrong(
    table: pl.LazyFrame, label: str, groups: Iterable[str], predictions: Iterable[str], *, of_rows: bool, lines: bool
) -> str:
    """Say where a label is missing, or a prediction is no class, for the first time; nothing if that is nowhere.

    Where the error is not one of rows (`of_rows`), a value that is no true class may still be the reason for it. In a
    file of separated values the first line has the names, and rows are counted by `lines`.
    """
    import polars as pl  # noqa: PLC0415  # an extra

    schema, others = table.collect_schema(), [label, *groups]
    patterns = tuple(predictions)
    models = [name for name in schema if name not in others and any(fnmatchcase(name, one) for one in patterns)]
    wrong = {name: pl.col(name).is_null() for name in [*others, *models] if name in schema}
    for name in wrong:
        if schema[name].is_float():
            wrong[name] |= ~pl.col(name).is_finite()
    if label in schema:
        known = table.select(pl.col(label).drop_nulls().unique()).collect()[label]
        for name in models:
            if schema[name] == schema[label]:
                wrong[name] |= ~pl.col(name).is_in(known.implode())
            elif schema[name].is_numeric() and schema[label].is_numeric():
                wrong[name] |= ~pl.col(name).cast(pl.Float64).is_in(known.cast(pl.Float64).implode())
            elif schema[name] == pl.String and schema[label].is_numeric():
                wrong[name] |= pl.col(name).cast(schema[label], strict=False).is_null()
        numbers = [schema[name] for name in models if schema[name].is_numeric()]
        if schema[label] == pl.String and numbers:
            wrong[label] |= pl.col(label).cast(numbers[0], strict=False).is_null()
    if not wrong:
        return ""
    found = table.select(one.arg_true().first().alias(name) for name, one in wrong.items()).collect().row(0, named=True)
    rows = {name: row for name, row in found.items() if row is not None and (of_rows or name == label)}
    if not rows:
        return ""
    column = min(rows, key=rows.__getitem__)
    value = table.select(column).slice(rows[column], 1).collect().item()
    number = f"line {rows[column] + 2}" if lines else f"row {rows[column] + 1}"
    return f"; first in {number}, where {shown(column)} is {'missing' if value is None else shown(value)}"
