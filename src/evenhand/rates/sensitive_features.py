"""Reads the group of each person: a column, or a table whose columns together name a group."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from evenhand.checks.messages import listed
from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates.labels import Coded
from evenhand.typing import Label

_AND = " & "


def read(
    values: object, *, known: tuple[Label, ...] | None = None, rows: int | None = None, beside: str = "y_true"
) -> Coded:
    """Return the group of each row as a code; a table with several columns gives their intersections.

    Parameters
    ----------
    values
        A column, an array with several columns, a data frame, or a mapping of columns.
    known, rows, beside
        As in `labels.read`.
    """
    columns = _columns(values)
    if columns is None:
        return labels.read(values, "sensitive_features", what="groups", known=known, rows=rows, beside=beside)
    if not columns:
        raise EvenhandError("sensitive_features has no columns: at least one is needed")
    if isinstance(values, Mapping):
        _check_whole(values, rows, beside)
    if len(columns) == 1:
        only = next(iter(columns.values()))
        return labels.read(only, "sensitive_features", what="groups", known=known, rows=rows, beside=beside)
    parts = [
        labels.read(column, f"sensitive_features[{name!r}]", what="groups", rows=rows, beside=beside)
        for name, column in columns.items()
    ]
    if len({part.codes.size for part in parts}) > 1:
        sizes = [part.codes.size for part in parts]
        raise EvenhandError(f"the columns of sensitive_features have {listed(sizes)} rows: they must have equally many")
    sizes = [len(part.labels) for part in parts]
    cell = np.ravel_multi_index([part.codes.astype(np.intp) for part in parts], sizes)
    present, code = np.unique(cell, return_inverse=True)
    places = zip(*np.unravel_index(present, sizes), strict=True)
    combined = [tuple(part.labels[place] for part, place in zip(parts, row, strict=True)) for row in places]
    names = joined(combined, list(map(str, columns)))
    return labels.read(
        np.array(names)[code], "sensitive_features", what="groups", known=known, rows=rows, beside=beside
    )


def _check_whole(columns: Mapping[Any, Any], rows: int | None, beside: str) -> None:
    """Refuse columns that are about other people than there are, as where scikit-learn has split only the people."""
    sizes = {len(column) for column in columns.values() if hasattr(column, "__len__")}
    if rows is not None and len(sizes) == 1 and rows not in sizes:
        raise EvenhandError(
            f"sensitive_features has columns of {sizes.pop()} rows, but {beside} has {rows}: they must describe the "
            "same people. scikit-learn splits arrays and data frames into folds, but no dict: where it does, give a "
            "data frame of these columns"
        )


def joined(groups: Sequence[tuple[Label, ...]], columns: Sequence[object]) -> list[str]:
    """Return the name of each combination of groups, such as "women & under 30"."""
    names = {parts: _AND.join(map(str, parts)) for parts in set(groups)}
    if len(set(names.values())) < len(names):
        raise EvenhandError(
            f"the groups of the columns {listed(columns)} cannot be told apart when they are joined by {_AND!r}: "
            "rename the groups that contain it"
        )
    return [names[parts] for parts in groups]


def name_of_columns(columns: Sequence[str]) -> str:
    """Return what a group column made of several columns is called."""
    return _AND.join(columns)


def _columns(values: object) -> dict[Hashable, Any] | None:
    """Return the columns of a table by name, or None for what is a single column."""
    if isinstance(values, Mapping):
        return dict(values)
    if isinstance(values, np.ndarray):
        return None if values.ndim != 2 else dict(enumerate(values.T))
    if not hasattr(type(values), "columns"):
        return None
    import narwhals as nw  # noqa: PLC0415  # only tables need it

    try:
        frame = nw.from_native(values, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise EvenhandError("sensitive_features has more than one column of the same name: rename them") from error
    if isinstance(frame, nw.LazyFrame):
        raise EvenhandError("sensitive_features is a lazy table, whose rows have no order: collect it first")
    return {name: frame[name].to_numpy() for name in frame.columns} if isinstance(frame, nw.DataFrame) else None
