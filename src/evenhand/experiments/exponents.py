"""Fits how errors grow: exponents of a power law, with bootstrap intervals over the oracles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.typing import Floats

FEWEST_ORACLES = 10
"""With fewer oracles in a cell, the bootstrap says little about other oracles."""

_RESAMPLES = 1000
_NUMBERS_AT_ONCE = 1_000_000
_LEAST_ERROR = 1e-15  # for errors of exactly 0, which have no logarithm

STATISTICS: dict[str, Callable[..., Floats]] = {"mean": np.mean, "median": np.median}


@dataclass(frozen=True)
class Exponent:
    """The p of error ∝ xᵖ, with its 95 % interval; None if there are too few oracles for an interval."""

    value: float
    low: float | None
    high: float | None

    @property
    def trend(self) -> str:
        """The trend: "grows", "falls", or "no trend" if the interval contains 0; "unknown" without an interval."""
        if self.low is None or self.high is None:
            return "unknown"
        if self.low > 0:
            return "grows"
        return "falls" if self.high < 0 else "no trend"

    def __str__(self) -> str:
        interval = "" if self.low is None or self.high is None else f" [{_signed(self.low)}, {_signed(self.high)}]"
        return _signed(self.value) + interval

    def as_json(self) -> dict[str, float | None]:
        """Return the numbers by name."""
        return {"exponent": self.value, "low": self.low, "high": self.high}


def exponents(
    errors: Sequence[Floats], powers_of: Mapping[str, Sequence[float]], statistic: str
) -> dict[str, Exponent]:
    """Fit a product of powers to the cells' mean (or median) errors, by least squares on logarithms.

    The interval is a percentile bootstrap: oracles are resampled within each cell, and the fit is repeated.

    Parameters
    ----------
    errors
        One error per oracle (n,), for each cell.
    powers_of
        The variables that the error may depend on, by name: one positive value for each cell. Variables with the same
        value in all cells are left out of the result.
    statistic
        Which error of a cell to fit: `"mean"` or `"median"`.
    """
    varying = {name: np.log(values) for name, values in powers_of.items() if len(set(values)) > 1}
    fit = np.linalg.pinv(np.column_stack([np.ones(len(errors)), *varying.values()]))[1:]
    estimate = fit @ [_log(STATISTICS[statistic](of_cell)) for of_cell in errors]
    if min(of_cell.size for of_cell in errors) < FEWEST_ORACLES:
        return {name: Exponent(float(value), None, None) for name, value in zip(varying, estimate, strict=True)}
    rng = np.random.default_rng(0)  # a fixed seed: the same errors always give the same interval
    again = fit @ np.stack([_log(_resampled(of_cell, statistic, rng)) for of_cell in errors])
    low, high = np.quantile(again, [0.025, 0.975], axis=-1)
    return {
        name: Exponent(float(value), float(a), float(b))
        for name, value, a, b in zip(varying, estimate, low, high, strict=True)
    }


def _resampled(errors: Floats, statistic: str, rng: np.random.Generator) -> Floats:
    """Return the statistic of many samples drawn with replacement from the errors."""
    rows = max(1, _NUMBERS_AT_ONCE // errors.size)
    parts = [
        STATISTICS[statistic](
            errors[rng.integers(errors.size, size=(min(rows, _RESAMPLES - start), errors.size))], axis=1
        )
        for start in range(0, _RESAMPLES, rows)
    ]
    return np.concatenate(parts)


def _log(error: Floats) -> Floats:
    logarithm: Floats = np.log(np.maximum(error, _LEAST_ERROR))
    return logarithm


def _signed(value: float) -> str:
    """Format a number with a proper minus sign, and never as "−0.00"."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")
