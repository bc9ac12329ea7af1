"""Selects columns of a table by name, list or pattern, and checks that they exist and have the right type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    import narwhals as nw

_WILDCARDS = frozenset("*?[")


def check_labels(schema: nw.Schema, columns: Sequence[str], option: str) -> None:
    """Refuse a column that does not exist, or whose type cannot hold labels."""
    for column in columns:
        dtype = _dtype(schema, column, option)
        if dtype.is_nested() or dtype.is_temporal() or str(dtype) == "Binary":
            raise EvenhandError(
                f"the {option} column {shown(column)} is of type {dtype}: labels must be text, numbers or true/false"
            )


def check_weight(schema: nw.Schema, column: str) -> None:
    """Refuse a column that does not exist, or does not hold numbers."""
    dtype = _dtype(schema, column, "weight")
    if not dtype.is_numeric():
        raise EvenhandError(f"the weight column {shown(column)} is of type {dtype}: weights must be numbers")


def _dtype(schema: nw.Schema, column: object, option: str) -> Any:
    if isinstance(column, str) and column in schema:
        return schema[column]
    close = get_close_matches(str(column), [name for name in schema.names() if isinstance(name, str)], n=1)
    raise EvenhandError(
        f"the table has no column {shown(column)}, given as {option}: its columns are "
        f"{listed(schema.names()) or 'none'}" + (f"; did you mean {shown(close[0])}?" if close else "")
    )


def names(given: object, option: str) -> list[str]:
    """Return one column, or several different ones, as a list."""
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise EvenhandError(f"{option} must be a column or a list of columns, but received {shown(given)}")
    if not given or len(set(given)) < len(given):
        raise EvenhandError(f"{option} must be one or more different columns, but received {shown(list(given))}")
    return list(given)


def matching(pattern: object, schema: nw.Schema, others: Sequence[str], option: str = "prediction") -> list[str] | None:
    """Return the columns that match a pattern, without the `others`; None if `pattern` names columns instead."""
    columns = [name for name in schema.names() if isinstance(name, str)]  # pandas allows numbers as names
    if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
        found = [name for name in columns if pattern.search(name)]
    elif isinstance(pattern, str) and pattern not in schema and _WILDCARDS & set(pattern):
        found = [name for name in columns if fnmatchcase(name, pattern)]
    else:
        return None
    found = [name for name in found if name not in others]
    if not found:
        raise EvenhandError(
            f"no column matches the {option} {shown(pattern)}: the columns are {listed(schema.names()) or 'none'}, "
            f"of which {listed(list(others))} are the label, a group or the weight"
        )
    return found
