"""What was learned from some answers as bytes, field by field: to go on from there without learning it all again.

A snapshot is disposable. It is read back only if the same version wrote it, with the same thresholds; where there is
none, the answers are replayed.
Nothing in it is run: it holds numbers and text, and of the classes only those that its reader names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from importlib.metadata import version
from math import prod
from typing import Any, Final

import numpy as np

_TYPES: Final = ("<f8", "<i8", "|b1")
_LENGTH = 8  # bytes that say how long the head is
_STAMP = hashlib.sha256().digest_size


class NoSnapshotError(ValueError):
    """These bytes are no snapshot that can be read here."""


@dataclass(frozen=True, eq=False)
class SnapshotForm:
    """Which objects are written, and how those that are not come back.

    Attributes
    ----------
    kinds
        The dataclasses that may be written; every field of theirs is, unless it is named in `left_out`.
    left_out
        Fields that follow from the others, or from what the reader knows: class → names.
    thresholds
        What else the contents depend on.
    """

    kinds: tuple[type, ...]
    left_out: Mapping[type, tuple[str, ...]]
    thresholds: tuple[object, ...] = ()

    @cached_property
    def _stamp(self) -> bytes:
        """What changes with the fields, and with the version and the thresholds of what works with them."""
        written_by = [version("evenhand"), repr(self.thresholds)]
        text = json.dumps([*written_by, *((kind.__name__, self._names(kind)) for kind in self.kinds)])
        return hashlib.sha256(text.encode()).digest()

    def _names(self, kind: type) -> list[str]:
        return [one.name for one in fields(kind) if one.name not in self.left_out.get(kind, ())]

    def write(self, value: object) -> bytes:
        """Return an object as bytes."""
        arrays: list[np.ndarray[Any, Any]] = []
        tree = self._tree(value, arrays)
        head = json.dumps([tree, [[array.dtype.str, array.shape] for array in arrays]]).encode()
        return b"".join(
            [self._stamp, len(head).to_bytes(_LENGTH, "little"), head, *(array.tobytes() for array in arrays)]
        )

    def _tree(self, value: object, arrays: list[np.ndarray[Any, Any]]) -> object:
        if value is None or type(value) in {bool, int, float, str}:
            return value
        if isinstance(value, np.ndarray) and value.dtype.str in _TYPES:
            arrays.append(value)
            return {"array": len(arrays) - 1}
        if isinstance(value, tuple):
            return [self._tree(one, arrays) for one in value]
        if is_dataclass(value) and type(value) in self.kinds:
            names = self._names(type(value))
            return {type(value).__name__: {name: self._tree(getattr(value, name), arrays) for name in names}}
        raise TypeError(f"{type(value).__name__} has no place in a snapshot: name it in the form, or leave it out")

    def read(self, held: bytes, complete: Mapping[type, Callable[[Mapping[str, Any]], Mapping[str, Any]]]) -> Any:
        """Return what was written; `complete` gives the fields that were left out, from those that were written."""
        if held[:_STAMP] != self._stamp:
            raise NoSnapshotError("it was written by another version")
        start = _STAMP + _LENGTH
        end = start + int.from_bytes(held[_STAMP:start], "little")
        try:
            tree, shapes = json.loads(held[start:end])
            return self._read(tree, _arrays(held, end, shapes), complete)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise NoSnapshotError(f"it is damaged: {error}") from error

    def _read(self, tree: Any, arrays: list[np.ndarray[Any, Any]], complete: Mapping[type, Any]) -> Any:
        if isinstance(tree, list):
            return tuple(self._read(one, arrays, complete) for one in tree)
        if not isinstance(tree, dict):
            return tree
        ((name, held),) = tree.items()
        if name == "array":
            return arrays[held]
        kind = {kind.__name__: kind for kind in self.kinds}[name]
        values = {one: self._read(held[one], arrays, complete) for one in self._names(kind)}
        return kind(**values, **(complete[kind](values) if kind in complete else {}))


def _arrays(held: bytes, start: int, shapes: list[tuple[str, list[int]]]) -> list[np.ndarray[Any, Any]]:
    arrays = []
    for name, shape in shapes:
        if name not in _TYPES:
            raise NoSnapshotError("it holds more than numbers")
        dtype, size = np.dtype(name), prod(shape)
        # Copied, so that what is computed with it never depends on where it lay in the file.
        arrays.append(np.frombuffer(held, dtype, size, start).reshape(shape).copy())
        start += size * dtype.itemsize
    if start != len(held):
        raise NoSnapshotError("it was cut short")
    return arrays
