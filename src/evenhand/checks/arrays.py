"""Checks of numbers and arrays that come from outside."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.typing import Floats, RandomState


def numbers(values: ArrayLike, name: str, meaning: str) -> Floats:
    """Return `values` as an array of floats, copied only if necessary; refuse text, even if it looks like a number."""
    refuse_masked(values, name)
    try:
        array = np.asarray(values)
        _check_real(array)
        with np.errstate(over="ignore"):  # too large for a float: becomes infinite, which every caller refuses
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise EvenhandError(f"{name} must be numbers, {meaning}: {error}") from error


def _check_real(array: NDArray[Any]) -> None:
    if array.dtype.kind not in "biufO":
        raise TypeError(f"received dtype {array.dtype}")
    if array.dtype.kind == "O":
        for value in array.flat:
            if isinstance(value, str | bytes | complex):
                raise TypeError(f"received {shown(value)}")


def refuse_masked(values: object, name: str) -> None:
    """Refuse a masked array with masked entries: NumPy would use the hidden values."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        row = np.argwhere(np.atleast_1d(np.ma.getmaskarray(values)))[0][0]
        raise EvenhandError(f"{name} is missing (masked) in row {row}: fill or drop such rows")


def float_array(values: ArrayLike, name: str, shape: tuple[int, ...], meaning: str) -> Floats:
    """Return a read-only copy of `values` as floats, and refuse any other shape."""
    array = numbers(values, name, meaning)
    if array.shape != shape:
        raise EvenhandError(f"{name} has shape {array.shape}, but must have {shape}: {meaning}")
    frozen: Floats = array + 0.0  # a copy in which −0 becomes 0, so that equal arrays have equal bytes
    frozen.flags.writeable = False
    return frozen


def number(value: object, name: str, meaning: str, fits: Callable[[float], bool]) -> float:
    """Return one number as a float; refuse what is not a number (NaN included) or does not pass `fits`."""
    # Numbers first: to look whether anything else is like one takes its time.
    if isinstance(value, float | int | SupportsFloat) and not isinstance(value, bool | np.bool_ | np.ndarray | np.str_):
        try:
            real = float(value)
        except (TypeError, ValueError, OverflowError):
            real = np.nan
        if fits(real):
            return real + 0.0
    raise EvenhandError(f"{name} must be {meaning}, but received {shown(value)}")


def whole_number(value: object, name: str, least: int) -> int:
    """Return an integer of at least `least`, and refuse anything else."""
    try:
        whole = index(value)  # type: ignore[arg-type]
    except TypeError:
        whole = least - 1
    if whole < least or isinstance(value, bool):
        raise EvenhandError(f"{name} must be a whole number of at least {least}, but received {shown(value)}")
    return whole


def generator(random_state: RandomState) -> np.random.Generator:
    """Return a NumPy generator for `random_state`."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise EvenhandError(
            "random_state must be a non-negative whole number or a numpy.random.Generator, "
            f"but received {shown(random_state)}"
        ) from error
