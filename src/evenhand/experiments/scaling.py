"""Tests the paper's theorem: how the errors change with ε, ε_Ω, q and m, and which exponents it allows.

The theorem bounds the errors by √q(ε + √(ε_Ω/ρ)) in a, by mq(ε + √(ε_Ω/ρ)) in B, and by
ε + √(ε_Ω/ϱ) + √(mq(ε + √(ε_Ω/ρ))/ϱ) in λ. We vary one quantity at a time. As ε or ε_Ω goes to zero, an error must
vanish at least as fast as its bound; as q or m grows, it must grow no faster. (The radius ϱ shrinks as q grows, which
would allow a larger exponent of λ's error in q; we test the smaller one.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evenhand.experiments.cell import CellErrors, GridCell, Noise, measure_cells
from evenhand.experiments.exponents import Exponent, exponents
from evenhand.experiments.parallel import Progress
from evenhand.experiments.recovery import notes_about, settings_as_json
from evenhand.experiments.rows import SYMBOLS

CLASSES = (2, 3, 4, 5, 6)
GROUPS = (2, 3, 4, 5, 6, 7, 8)
"""Beyond the paper's grid, since the errors in B stop growing only with more than five groups."""

_TOLERANCES = tuple(4.0**-n for n in range(2, 8))  # each step halves every interval exactly twice more
_BANDS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
_TOLERANCE_UNDER_NOISE = 1e-5  # so small that the noise dominates
_AT_THE_END = 3  # points
BASE = 3  # classes and groups, when another quantity varies


@dataclass(frozen=True)
class Quantity:
    """A quantity in the theorem's bounds, with its exponent in each of them."""

    name: str
    symbol: str
    in_words: str
    allowed: dict[str, float]
    vanishing: bool

    def exceeded_by(self, part: str, slope: Exponent) -> bool:
        """Whether the slope violates the bound by more than chance explains."""
        low = slope.value if slope.low is None else slope.low
        high = slope.value if slope.high is None else slope.high
        return high < self.allowed[part] if self.vanishing else low > self.allowed[part]


QUANTITIES = (
    Quantity(
        "tolerance",
        "ε",
        "search tolerance ε (exact answers)",
        {"misclassification": 1.0, "violation": 1.0, "trade_off": 0.5},
        vanishing=True,
    ),
    Quantity(
        "band",
        "ε_Ω",
        "oracle noise ε_Ω",
        {"misclassification": 0.5, "violation": 0.5, "trade_off": 0.25},
        vanishing=True,
    ),
    Quantity(
        "mistakes",
        "q",
        "kinds of mistake q = k² − k",
        {"misclassification": 0.5, "violation": 1.0, "trade_off": 0.5},
        vanishing=False,
    ),
    Quantity(
        "groups",
        "m",
        "number of groups m",
        {"misclassification": 0.0, "violation": 1.0, "trade_off": 0.5},
        vanishing=False,
    ),
)


@dataclass(frozen=True, eq=False)
class Slope:
    """How one error changes with one quantity: a point for each value, and the fitted exponent."""

    quantity: Quantity
    part: str
    method: str
    values: tuple[float, ...]
    questions: tuple[int, ...]
    medians: tuple[float, ...]
    exponent: Exponent | None
    at_the_end: Exponent | None

    @property
    def within(self) -> bool | None:
        """Whether the exponent over all points agrees with the theorem; None if there is only one point."""
        return self._within(self.exponent)

    @property
    def within_at_the_end(self) -> bool | None:
        """The same for the last few points, which are closest to the limit in the theorem's O(·)."""
        return self._within(self.at_the_end)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.within is None:
            return "inconclusive"
        if self.within:
            return "within"
        return "within at the end" if self.within_at_the_end else "beyond"

    def _within(self, exponent: Exponent | None) -> bool | None:
        return None if exponent is None else not self.quantity.exceeded_by(self.part, exponent)

    def as_json(self) -> dict[str, Any]:
        """Return the slope as plain values."""
        return {
            "quantity": self.quantity.name,
            "error": f"{self.part}_error",
            "method": self.method,
            "points": [
                {"value": value, "questions": questions, "median": median}
                for value, questions, median in zip(self.values, self.questions, self.medians, strict=True)
            ],
            "slope": None if self.exponent is None else self.exponent.as_json(),
            "slope_at_the_end": None if self.at_the_end is None else self.at_the_end.as_json(),
            "theorem": {
                "exponent": self.quantity.allowed[self.part],
                "slope_must_be": "at least" if self.quantity.vanishing else "at most",
            },
            "within": self.within,
            "within_at_the_end": self.within_at_the_end,
        }


@dataclass(frozen=True, eq=False)
class Scaling:
    """The slopes for each quantity, part of the metric and method."""

    slopes: tuple[Slope, ...]
    base: GridCell
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        settings = settings_as_json(self.base)
        del settings["band"]  # it is one of the quantities
        return {
            "scaling": [slope.as_json() for slope in self.slopes],
            "settings": {**settings, "oracles": self.base.oracles},
            "notes": list(self.notes),
        }


def measure_scaling(
    *,
    classes: Sequence[int] = CLASSES,
    groups: Sequence[int] = GROUPS,
    oracles: int = 100,
    methods: Sequence[str] = ("paper",),
    tolerance: float = 1e-3,
    radius: float | None = None,
    adversarial: bool = False,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Scaling:
    """Measure the median errors while one quantity varies at a time, and fit their exponents.

    `classes` are the values of k (with three groups), `groups` those of m (with three classes), both at this
    `tolerance`. The other options are those of `recover`.
    """
    base = GridCell(
        classes=BASE,
        groups=BASE,
        oracles=oracles,
        tolerance=tolerance,
        radius=radius,
        noise=Noise(adversarial=adversarial),
        seed=seed,
    )
    sweeps = [
        [replace(base, tolerance=value) for value in _TOLERANCES],
        [replace(base, tolerance=_TOLERANCE_UNDER_NOISE, noise=replace(base.noise, band=value)) for value in _BANDS],
        sorted({replace(base, classes=k) for k in classes}, key=lambda cell: cell.classes),
        sorted({replace(base, groups=m) for m in groups}, key=lambda cell: cell.groups),
    ]
    cells = list(dict.fromkeys(cell for sweep in sweeps for cell in sweep))
    methods = list(dict.fromkeys(methods))
    measured = dict(zip(cells, measure_cells(cells, methods, jobs=jobs, progress=progress), strict=True))
    slopes = [
        _slope(quantity, part, method, [(_value(quantity, cell), measured[cell][method]) for cell in sweep])
        for quantity, sweep in zip(QUANTITIES, sweeps, strict=True)
        for method in methods
        for part in SYMBOLS
    ]
    return Scaling(tuple(slopes), base, notes_about(cells))


def _slope(quantity: Quantity, part: str, method: str, points: list[tuple[float, CellErrors]]) -> Slope:
    """Fit the points, which are in order of approach to the theorem's limit."""
    place = list(SYMBOLS).index(part)
    values = [value for value, _ in points]
    errors = [outcome.errors[place] for _, outcome in points]

    def fitted(points: slice) -> Exponent | None:
        return exponents(errors[points], {quantity.name: values[points]}, "median").get(quantity.name)

    return Slope(
        quantity,
        part,
        method,
        tuple(values),
        tuple(outcome.questions for _, outcome in points),
        tuple(float(np.median(of_cell)) for of_cell in errors),
        exponent=fitted(slice(None)),
        at_the_end=fitted(slice(-_AT_THE_END, None)),
    )


def _value(quantity: Quantity, cell: GridCell) -> float:
    """Return the value of the quantity in a cell."""
    return {
        "tolerance": cell.tolerance,
        "band": cell.noise.band,
        "mistakes": float(cell.classes * (cell.classes - 1)),
        "groups": float(cell.groups),
    }[quantity.name]
