"""How errors grow: exponents of a power law, with the uncertainty that comes from having drawn so few oracles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.typing import Floats

FEWEST_ORACLES = 10
"""With fewer oracles in a cell, resampling them says little about what other oracles would have shown."""

_RESAMPLES = 1000
_NUMBERS_AT_ONCE = 1_000_000
_LEAST_ERROR = 1e-15  # an error of exactly zero has no logarithm

STATISTICS: dict[str, Callable[..., Floats]] = {"mean": np.mean, "median": np.median}


@dataclass(frozen=True)
class Exponent:
    """The p of error ∝ xᵖ, with its 95 % interval; the interval is None where oracles are too few for one."""

    value: float
    low: float | None
    high: float | None

    @property
    def trend(self) -> str:
        """What can be said: "grows", "falls", or "no trend" if the interval holds 0; "unknown" without one."""
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
    """Fit the cells' mean (or median) error by a product of powers, on logarithms, by least squares.

    Parameters
    ----------
    errors
        One error per oracle (n,), for each cell.
    powers_of
        What the error may depend on, by name: one positive value for each cell. What has the same value in
        all cells is left out of the result.
    statistic
        `"mean"` or `"median"`: which error of a cell is fitted.

    The interval is the percentile bootstrap's: oracles are drawn again within each cell, and all is fitted anew.
    """
    varying = {name: np.log(values) for name, values in powers_of.items() if len(set(values)) > 1}
    fit = np.linalg.pinv(np.column_stack([np.ones(len(errors)), *varying.values()]))[1:]
    estimate = fit @ [_log(STATISTICS[statistic](of_cell)) for of_cell in errors]
    if min(of_cell.size for of_cell in errors) < FEWEST_ORACLES:
        return {name: Exponent(float(value), None, None) for name, value in zip(varying, estimate, strict=True)}
    rng = np.random.default_rng(0)  # a fixed draw: the same errors always give the same interval
    again = fit @ np.stack([_log(_resampled(of_cell, statistic, rng)) for of_cell in errors])
    low, high = np.quantile(again, [0.025, 0.975], axis=-1)
    return {
        name: Exponent(float(value), float(a), float(b))
        for name, value, a, b in zip(varying, estimate, low, high, strict=True)
    }


def _resampled(errors: Floats, statistic: str, rng: np.random.Generator) -> Floats:
    """Return the statistic of many samples drawn from the errors, with replacement."""
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
    """Write a number with a real minus sign, and never as "−0.00"."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")
