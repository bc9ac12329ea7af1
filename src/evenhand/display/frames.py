"""Columns as a data frame of the user's own library: the one that is imported already, or the first that is there."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, get_args

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError, MissingExtraError

Library = Literal["pandas", "polars", "pyarrow"]
LIBRARIES: tuple[Library, ...] = get_args(Library)


def as_frame(columns: Mapping[str, Sequence[Any]], library: Library | None = None) -> Any:
    """Return a data frame of these columns.

    >>> as_frame({"a": [1, 2]}, "polars").columns
    ['a']
    """
    if library is not None and library not in LIBRARIES:
        raise EvenhandError(f"library must be one of {listed(LIBRARIES)}, but received {shown(library)}")
    chosen = library or _usual()
    if chosen is None or find_spec(chosen) is None:
        raise MissingExtraError(chosen or "polars", "tables")
    import narwhals as nw  # noqa: PLC0415  # only data frames need it

    return nw.from_dict({name: list(values) for name, values in columns.items()}, backend=chosen).to_native()


def _usual() -> Library | None:
    """Return the library that the program uses or, where it uses none yet, the first that is installed."""
    imported = (name for name in LIBRARIES if name in sys.modules)
    return next(imported, None) or next((name for name in LIBRARIES if find_spec(name) is not None), None)
