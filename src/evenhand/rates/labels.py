"""Reads columns of labels as integer codes; refuses missing labels and columns that mix text and numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.arrays import generator, refuse_masked
from evenhand.checks.messages import listed, shown
from evenhand.checks.text import check_writable
from evenhand.errors import EvenhandError
from evenhand.rates.counting.tally import tally
from evenhand.typing import Floats, Label, RandomState

_NUMBERS = (int, float, np.bool_, np.integer, np.floating)
# Integers within a range of this size are counted in a table. Other labels, if they are at most _FEW, are found one by
# one: several times faster than sorting all rows.
_WIDEST_TABLE = 1 << 16
_FEW = 32


class Coded(NamedTuple):
    """A column as integer codes: `labels[codes[row]]` is the label of a row."""

    labels: tuple[Label, ...]
    codes: NDArray[Any]


def read(
    values: object,
    name: str,
    *,
    what: str,
    known: tuple[Label, ...] | None = None,
    rows: int | None = None,
    beside: str = "y_true",
) -> Coded:
    """Return a column as codes, or name the first row that is wrong.

    Parameters
    ----------
    values
        The column.
    name, what
        What messages call the column, and its labels: "classes" or "groups".
    known
        The labels that may occur, in the order of their codes; by default those of the column, sorted.
    rows, beside
        If given, the column must have as many rows as the column called `beside`.
    """
    array = column(values, name, rows=rows, beside=beside)
    codes, found = _coded(array)
    if known is None:
        known = tuple(sorted(set(found.values())))
    place = {label: code for code, label in enumerate(known)}
    unseen = [code for code, label in found.items() if label not in place]
    if unseen:
        row = int(np.isin(codes, unseen).argmax())
        label = found[int(codes[row])]
        msg = f"{name} has {shown(label)} in row {row}, but the {what} are {listed(known)}"
        if str(label) in map(str, known):
            msg += "; text and numbers are different labels: turn both columns into one kind"
        raise EvenhandError(msg)
    table = np.zeros(max(found) + 1, dtype=np.min_scalar_type(len(known) - 1))
    for code, label in found.items():
        table[code] = place[label]
    in_place = np.array_equal(table, np.arange(table.size)) and codes.dtype == table.dtype
    return Coded(known, codes if in_place else table[codes])


def column(values: object, name: str, *, rows: int | None = None, beside: str = "y_true") -> NDArray[Any]:
    """Return `values` as a one-dimensional array of labels, or name the first row that is wrong."""
    array = as_array(values, name)
    if array.ndim != 1:
        raise EvenhandError(f"{name} must be one label per row, but it has shape {array.shape}")
    if array.size == 0:
        raise EvenhandError(f"{name} is empty: there are no rows to count")
    if rows is not None and array.size != rows:
        raise EvenhandError(
            f"{name} has {array.size} rows, but {beside} has {rows}: they must describe the same people"
        )
    if array.dtype.kind == "T":  # NumPy's StringDType, which may define its own missing value
        array = array.astype(object)
    if array.dtype.kind not in "biufUO":
        raise EvenhandError(f"{name} has dtype {array.dtype}: labels must be text, numbers or true/false")
    if array.dtype.kind == "O" or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        _check(array.tolist(), name, "in row {}")
    return array


def as_array(values: object, name: str) -> NDArray[Any]:
    """Return `values` as an array of any shape, without turning the 1 of `[1, "1"]` into text."""
    refuse_masked(values, name)
    if isinstance(values, np.ndarray) or hasattr(values, "__array__"):
        return np.asarray(values)
    if isinstance(values, str | bytes | bytearray | AbstractSet | Mapping) or not isinstance(values, Iterable):
        raise EvenhandError(f"{name} must be a column with its rows in order, but received {shown(values)}")
    items = list(values)
    if any(isinstance(item, list | tuple | np.ndarray) for item in items):
        try:
            return np.asarray(items, dtype=object)
        except ValueError as error:
            raise EvenhandError(f"{name} has rows of different shapes: {error}") from error
    return np.fromiter(items, dtype=object, count=len(items))


def names(values: object, name: str, *, least: int = 2) -> tuple[Label, ...]:
    """Return distinct labels as plain Python values, in the order given; refuse fewer than `least`."""
    array = as_array(values, name)
    if array.ndim != 1:
        raise EvenhandError(f"{name} must be a sequence of labels, but it has shape {array.shape}")
    items = array.tolist()
    _check(items, name, "at place {}")
    labels = tuple(map(plain, items))
    for label in labels:
        check_writable(str(label), f"{name}:")
    if len(set(labels)) != len(labels):
        twice = next(label for place, label in enumerate(labels) if label in labels[:place])
        raise EvenhandError(f"{name} names {shown(twice)} twice: each must be different")
    if len(labels) < least:
        raise EvenhandError(f"at least two {name} are needed, but received {len(labels)} ({listed(labels) or 'none'})")
    return labels


def drawn(probabilities: Floats, known: tuple[Label, ...], random_state: RandomState) -> NDArray[Any]:
    """Draw a label for each row of probabilities (n, k)."""
    draw = generator(random_state).random((len(probabilities), 1))
    places = (draw >= np.cumsum(probabilities, axis=1)[:, :-1]).sum(axis=1)
    array = np.asarray(known)
    if array.tolist() != list(known):  # NumPy rounds integers that share an array with very large ones
        array = np.fromiter(known, dtype=object, count=len(known))
    labels: NDArray[Any] = array[places]
    return labels


def place_of(label: Any, known: tuple[Label, ...], name: str, among: str = "classes") -> int:
    """Return the index of a label among the classes, or the groups."""
    try:
        return known.index(label)
    except ValueError:  # not found, or an array, which == compares element by element
        raise EvenhandError(f"{name} {shown(label)} is not one of the {among} {listed(known)}") from None


def _check(items: Sequence[object], name: str, where: str) -> None:
    """Refuse the first item that is missing, is not a label, or differs in kind from the first item."""
    types = set(map(type, items))
    if all(issubclass(of, str) for of in types):
        return
    if all(issubclass(of, _NUMBERS) for of in types) and all(kind(item) == "a number" for item in set(items)):
        return
    kinds = [kind(item) for item in items]
    for place, (item, its_kind) in enumerate(zip(items, kinds, strict=True)):
        if its_kind == "missing":
            some = kinds.count("missing")
            raise EvenhandError(
                f"{name} is missing ({shown(item)}) {where.format(place)}: fill or drop such rows ({some} in all)"
            )
        if its_kind not in {"text", "a number"}:
            raise EvenhandError(
                f"{name} holds {shown(item)} {where.format(place)}, which is {its_kind}: labels must be text, numbers "
                "or true/false"
            )
        if its_kind != kinds[0]:
            raise EvenhandError(
                f"{name} mixes text and numbers: {shown(items[0])} {where.format(0)} but {shown(item)} "
                f"{where.format(place)}; turn them all into one kind"
            )


def kind(item: object) -> str:
    """Return the kind of a label ("text", "a number", "missing"), or what the item is instead of a label."""
    if isinstance(item, str):
        return "text"
    if item is None or item is np.ma.masked or type(item).__name__ in {"NAType", "NaTType"}:
        return "missing"
    if isinstance(item, float | np.floating):
        return "a number" if np.isfinite(item) else "missing"
    if isinstance(item, int) and not -(1 << 63) <= item < 1 << 64:
        return "a whole number of more than 64 bits"
    return "a number" if isinstance(item, _NUMBERS) else f"of type {type(item).__name__}"


def plain(label: Any) -> Label:
    """Return a label as a plain Python value."""
    if isinstance(label, np.floating):
        return float(label)
    plain: Label = label.item() if isinstance(label, np.generic) else label
    return plain


def _coded(array: NDArray[Any]) -> tuple[NDArray[Any], dict[int, Label]]:
    """Return a code for each row, and the label of each code."""
    if array.dtype.kind == "O":
        return _coded_objects(array.tolist())
    if array.dtype.kind in "biu":
        low, high = int(array.min()), int(array.max())
        if high - low < _WIDEST_TABLE:
            return _coded_integers(array, low, high)
    return _coded_few(array)


def _coded_integers(array: NDArray[Any], low: int, high: int) -> tuple[NDArray[Any], dict[int, Label]]:
    """Code integers by their distance from the lowest, in unsigned arithmetic, which wraps around."""
    small = np.min_scalar_type(high - low)
    codes = array.astype(small)
    codes -= np.array(low % (np.iinfo(small).max + 1), dtype=small)
    found = np.flatnonzero(tally(codes, high - low + 1)).tolist()
    return codes, {code: array.dtype.type(low + code).item() for code in found}


def _coded_few(array: NDArray[Any]) -> tuple[NDArray[Any], dict[int, Label]]:
    codes = np.zeros(array.size, dtype=np.uint8)
    left = np.ones(array.size, dtype=np.bool_)
    found: dict[int, Label] = {}
    while left.any():
        if len(found) == _FEW:
            labels, places = np.unique(array, return_inverse=True)
            return places, dict(enumerate(map(plain, labels)))
        label = array[left.argmax()]
        same = array == label
        codes |= same.view(np.uint8) * np.uint8(len(found))
        left ^= same
        found[len(found)] = plain(label)
    return codes, found


def _coded_objects(items: list[Any]) -> tuple[NDArray[Any], dict[int, Label]]:
    place: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(place.__getitem__, items), dtype=np.intp, count=len(items))
    return codes, {code: plain(label) for label, code in place.items()}
