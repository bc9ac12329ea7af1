"""Columns of labels, read with care: nothing missing, nothing of mixed kind, nothing dropped in silence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.errors import EvenhandError

Label = str | int | float | bool

# A table from label to code is worth its memory only while integer labels lie close together.
_WIDEST_TABLE = 1 << 16


def column(values: ArrayLike, name: str, *, rows: int | None = None) -> NDArray[Any]:
    """Return `values` as a one-dimensional array of labels, or say which row is wrong."""
    array = values if isinstance(values, np.ndarray) else _from_sequence(values)
    if array.ndim != 1:
        raise EvenhandError(f"{name} must be one label per row, but it has shape {array.shape}")
    if array.size == 0:
        raise EvenhandError(f"{name} is empty: there are no rows to count")
    if rows is not None and array.size != rows:
        raise EvenhandError(
            f"{name} has {array.size} rows, but y_true has {rows}: they must describe the same people"
        )
    if array.dtype.kind not in "biufUO":
        raise EvenhandError(f"{name} has dtype {array.dtype}: labels must be text, numbers or true/false")
    missing = _missing(array)
    if missing.any():
        row = int(missing.argmax())
        raise EvenhandError(
            f"{name} is missing ({array[row]!r}) in row {row}: fill or drop the {missing.sum()} such rows"
        )
    if array.dtype.kind == "O":
        _check_one_kind(array.tolist(), name)
    return array


def _from_sequence(values: ArrayLike) -> NDArray[Any]:
    """Keep 1 and "1" apart in a list, where NumPy would turn both into text."""
    if hasattr(values, "__array__"):
        return np.asarray(values)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        return np.asarray(values)
    listed = list(values)
    if any(isinstance(value, list | tuple | np.ndarray) for value in listed):
        return np.asarray(listed, dtype=object)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array), dtype=np.bool_)
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=np.bool_)
    return np.fromiter((_is_missing(value) for value in array.tolist()), dtype=np.bool_, count=array.size)


def _is_missing(value: object) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _kind(value: object) -> str:
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | int | float | np.bool_ | np.integer | np.floating):
        return "number"
    return type(value).__name__


def _check_one_kind(labels: Sequence[object], name: str) -> None:
    first = _kind(labels[0])
    if first not in {"text", "number"}:
        raise EvenhandError(f"{name} holds {labels[0]!r} in row 0: labels must be text, numbers or true/false")
    for row, label in enumerate(labels):
        if _kind(label) != first:
            raise EvenhandError(
                f"{name} mixes text and numbers: {labels[0]!r} in row 0 but {label!r} in row {row}; "
                "turn them all into one kind"
            )


def plain(labels: Iterable[object], name: str) -> tuple[Label, ...]:
    """Return distinct labels as plain Python values, in their order."""
    if isinstance(labels, str):
        raise EvenhandError(f"{name} must be a sequence of labels, but received the single text {labels!r}")
    values: list[Any] = [label.item() if isinstance(label, np.generic) else label for label in labels]
    for place, value in enumerate(values):
        if _is_missing(value):
            raise EvenhandError(f"{name}[{place}] is missing ({value!r}): every one needs a name")
    if values:
        _check_one_kind(values, name)
    if len(set(values)) != len(values):
        twice = next(value for place, value in enumerate(values) if value in values[:place])
        raise EvenhandError(f"{name} names {twice!r} twice: each must be different")
    return tuple(values)


def distinct(array: NDArray[Any], name: str) -> tuple[Label, ...]:
    """Return the sorted distinct labels of a column."""
    if array.dtype.kind == "O":
        return plain(sorted(set(array.tolist())), name)
    return plain(np.unique(array).tolist(), name)


def codes(array: NDArray[Any], known: tuple[Label, ...], name: str, what: str) -> NDArray[np.intp]:
    """Return the place of each row's label in `known`, or name the row whose label was never seen."""
    numeric = array.dtype.kind in "biu"
    if numeric and all(isinstance(label, int) for label in known):
        found = _codes_by_table(array, known)
    else:
        place = {label: code for code, label in enumerate(known)}
        found = np.fromiter((place.get(label, -1) for label in array.tolist()), np.intp, array.size)
    unseen = found < 0
    if unseen.any():
        row = int(unseen.argmax())
        label = array[row].item() if isinstance(array[row], np.generic) else array[row]
        msg = f"{name} has {label!r} in row {row}, but the {what} are {', '.join(map(repr, known))}"
        if str(label) in map(str, known):
            msg += "; text and numbers are different labels: turn both columns into one kind"
        raise EvenhandError(msg)
    return found


def _codes_by_table(array: NDArray[Any], known: tuple[Label, ...]) -> NDArray[np.intp]:
    labels = np.array(known, dtype=np.int64)
    low, high = int(labels.min()), int(labels.max())
    if high - low >= _WIDEST_TABLE:
        order = np.argsort(labels)
        spot = np.searchsorted(labels, array, sorter=order).clip(max=labels.size - 1)
        return np.where(labels[order[spot]] == array, order[spot], -1)
    table = np.full(high - low + 1, -1, dtype=np.intp)
    table[labels - low] = np.arange(labels.size)
    inside = (array >= low) & (array <= high)
    return np.where(inside, table[np.where(inside, array, low).astype(np.int64) - low], -1)
