"""The models of a new study: what each does to 100 people, how exactly that is known, and which are alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evenhand.display.names import printable
from evenhand.rates import GroupRates, off_diagonal_entries
from evenhand.rates.rounding import OUT_OF
from evenhand.typing import Floats

VISIBLE = 2
"""People of 100 that two models must differ by somewhere, for somebody to see a difference."""

_MOST_COMPARED = 200


@dataclass(frozen=True)
class Cell:
    """People of 100, and between which numbers it may really be, if the model was measured on people."""

    people: int
    between: tuple[int, int] | None


@dataclass(frozen=True)
class ModelRow:
    """One model."""

    name: str
    kept: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Heading:
    """The people of one group, and how many of them there are in each true class of a mistake."""

    group: str
    mistakes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class ModelTable:
    """All models, and the pairs that can hardly be told apart."""

    headings: tuple[Heading, ...]
    rows: tuple[ModelRow, ...]
    alike: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, models: Mapping[str, GroupRates], left_out: tuple[str, ...] = ()) -> ModelTable:
        """Put the rates of models into a table."""
        first = next(iter(models.values()))
        setting, sizes = first.setting, first.sizes
        entries = off_diagonal_entries(len(setting.classes))
        classes = [printable(str(name)) for name in setting.classes]
        return cls(
            headings=tuple(
                Heading(
                    printable(str(group)),
                    tuple(
                        (f"{classes[i]} → {classes[j]}", 0 if sizes is None else round(sizes[g, i])) for i, j in entries
                    ),
                )
                for g, group in enumerate(setting.groups)
            ),
            rows=tuple(ModelRow(name, name not in left_out, _cells(rates)) for name, rates in models.items()),
            alike=tuple(
                (one, other)
                for one, other in combinations(list(models)[:_MOST_COMPARED], 2)
                if OUT_OF * np.abs(models[one].vector - models[other].vector).max() < VISIBLE
            ),
        )


def _cells(rates: GroupRates) -> tuple[Cell, ...]:
    people, interval = _shown(rates.matrix), None if rates.sizes is None else _shown(rates.interval())
    return tuple(
        Cell(people[g, i, j], None if interval is None else tuple(interval[g, i, j]))
        for g in range(len(rates.setting.groups))
        for i, j in off_diagonal_entries(len(rates.setting.classes))
    )


def _shown(rates: Floats) -> NDArray[np.int64]:
    return np.rint(OUT_OF * rates).astype(np.int64)
