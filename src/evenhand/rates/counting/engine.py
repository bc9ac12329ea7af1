"""Counts the rows of a table in the engine that holds it, so that only the counts are loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.typing import Floats

if TYPE_CHECKING:
    import narwhals as nw

_MOST_COMBINATIONS = 100_000
"""With more combinations of label, group and prediction than this, some column must hold scores or identifiers."""


@dataclass(frozen=True, eq=False)
class Counts:
    """The combinations of labels that occur, column by column; for each its rows, total weight and squared weights."""

    labels: list[tuple[Any, ...]]
    rows: Floats
    weight: Floats
    squares: Floats


def open_table(frame: Any) -> nw.LazyFrame[Any]:
    """Return any data frame as a lazy frame of narwhals."""
    import narwhals as nw  # noqa: PLC0415  # only needed for tables

    try:
        table: nw.LazyFrame[Any] = nw.from_native(frame).lazy()
        if table.implementation.is_dask() and not frame.columns.is_unique:  # narwhals checks the other engines itself
            raise nw.exceptions.DuplicateError(f"columns must have different names, but are {listed(frame.columns)}")
    except TypeError as error:
        raise EvenhandError(
            "a table must be a data frame of pandas, Polars, PyArrow, DuckDB, Dask, PySpark or another that narwhals "
            f"supports, but received {shown(frame)}"
        ) from error
    except nw.exceptions.NarwhalsError as error:  # columns of the same name
        raise EvenhandError(f"this table cannot be read: {' '.join(str(error).split())}") from error
    return table


def check_unambiguous(table: nw.LazyFrame[Any], columns: Sequence[str]) -> None:
    """Refuse a column whose name the engine would take for another column, or for several."""
    engine = table.implementation
    if engine.is_polars():  # Polars reads such names as patterns
        odd = [name for name in columns if name == "*" or (name.startswith("^") and name.endswith("$"))]
        if odd:
            raise EvenhandError(f"Polars takes the name {shown(odd[0])} for a pattern of names: rename the column")
    if engine.is_duckdb() and "*" in columns:
        raise EvenhandError("DuckDB takes the name '*' for all columns: rename the column")
    if engine.is_duckdb() or engine.is_spark_like():  # names are case-insensitive, and a join may repeat them
        times = Counter(map(str.casefold, table.to_native().columns))
        twice = [name for name in columns if times[name.casefold()] > 1]
        if twice:
            raise EvenhandError(
                f"the table has {times[twice[0].casefold()]} columns that are all called {shown(twice[0])}: rename "
                "them, so that it is clear which is meant"
            )


def count(table: nw.LazyFrame[Any], columns: Sequence[str], weight: str | None = None) -> Counts:
    """Count the rows of each combination of labels in these columns; null counts as a label, so no row is dropped."""
    import narwhals as nw  # noqa: PLC0415

    # Our own names: a column may be selected twice, and users' names could clash with those of the totals.
    keys = [f"label_{place}" for place in range(len(columns))]
    chosen = [nw.col(_in_engine(table, column)).alias(key) for key, column in zip(keys, columns, strict=True)]
    totals = [nw.len().alias("rows")]
    if weight is not None:
        number = nw.col(_in_engine(table, weight)).cast(nw.Float64())
        chosen += [number.alias("weight"), (number**2).alias("square")]
        totals += [
            nw.col("weight").sum().alias("sum"),
            nw.col("square").sum().alias("squares"),
            nw.col("weight").min().alias("least"),
            nw.col("weight").count().alias("known"),
        ]
    found = _grouped(table.select(*chosen), keys, totals)
    if len(found) > _MOST_COMBINATIONS:
        raise EvenhandError(
            f"the columns {listed(columns)} have more than {_MOST_COMBINATIONS:,} combinations of values: labels, "
            "predictions and groups must be classes and groups, not scores or identifiers"
        )
    if not found:
        raise EvenhandError("the table is empty: there are no rows to count")
    every = list(zip(*found, strict=True))
    labels = [tuple(map(whole, column)) for column in every[: len(keys)]]
    numbers = np.array(every[len(keys) :], dtype=np.float64)
    if weight is None:
        return Counts(labels, numbers[0], numbers[0], numbers[0])
    _check_weights(numbers, weight)
    return Counts(labels, *numbers[:3])


def _grouped(table: nw.LazyFrame[Any], keys: list[str], totals: list[nw.Expr]) -> list[tuple[Any, ...]]:
    try:
        rows = table.group_by(*keys).agg(*totals).head(_MOST_COMBINATIONS + 1).collect().rows()
        set(rows)  # raises TypeError for unhashable labels, such as Spark's maps, as other engines do
    except ModuleNotFoundError as error:  # DuckDB and PySpark return results through PyArrow
        raise MissingExtraError(error.name or "pyarrow", "tables") from error
    except TypeError as error:  # a column of unhashable Python objects, such as lists
        raise EvenhandError(
            f"the rows cannot be counted: {error}. Labels must be text, numbers or true/false"
        ) from error
    return rows


def _in_engine(table: nw.LazyFrame[Any], column: str) -> str:
    """Return a column's name as the engine expects it: Spark would take a dot for access to a field."""
    return f"`{column.replace('`', '``')}`" if table.implementation.is_spark_like() else column


def whole(label: Any) -> Any:
    """Return a decimal without a fraction, such as DuckDB's HUGEINT or Spark's DECIMAL(1, 0), as an integer."""
    if isinstance(label, Decimal) and label.is_finite() and label == label.to_integral_value():
        return int(label)
    return label


def _check_weights(numbers: Floats, column: str) -> None:
    rows, total, squares, least, known = numbers
    missing = int((rows - known).sum())
    if missing:
        raise EvenhandError(
            f"the weight {shown(column)} is missing in {missing} row{'s' * (missing > 1)}: fill or drop them"
        )
    right = (least >= 0) & np.isfinite(total)
    if not right.all():
        place = int(right.argmin())
        raise EvenhandError(
            f"the weight {shown(column)} is as low as {least[place]:.6g} and sums to {total[place]:.6g}: weights "
            "must be finite and not negative"
        )
    if not (np.isfinite(squares) & ((squares > 0) | (total == 0))).all():
        raise EvenhandError(
            f"the squares of the weight {shown(column)} are too large or too small for a float: divide all weights by "
            "the largest"
        )
