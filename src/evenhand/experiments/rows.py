"""`GridRow`, a row of the recovery table: one cell of the grid, measured with one method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evenhand.experiments.cell import GridCell
from evenhand.typing import Floats

SYMBOLS = {"misclassification": "a", "violation": "B", "trade_off": "λ"}
"""The paper's letter for each part of the metric, in the order of `Distance`."""


class Summary(NamedTuple):
    """Mean, median and 95th percentile of many oracles' errors."""

    mean: float
    median: float
    p95: float

    @classmethod
    def of(cls, errors: Floats) -> Summary:
        """Summarise errors (n,)."""
        return cls(float(np.mean(errors)), float(np.median(errors)), float(np.quantile(errors, 0.95)))


@dataclass(frozen=True, eq=False)
class GridRow:
    """A cell of the grid, measured with one method; the errors are (3, oracles) in the order of `Distance`."""

    cell: GridCell
    method: str
    questions: int
    errors: Floats

    @property
    def classes(self) -> int:
        """The number of classes, the paper's k."""
        return self.cell.classes

    @property
    def groups(self) -> int:
        """The number of groups, the paper's m."""
        return self.cell.groups

    @cached_property
    def summaries(self) -> dict[str, Summary]:
        """A summary of the errors in each part of the metric."""
        return {part: Summary.of(errors) for part, errors in zip(SYMBOLS, self.errors, strict=True)}

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {
            "classes": self.classes,
            "groups": self.groups,
            "method": self.method,
            "oracles": self.cell.oracles,
            "radius": self.cell.sphere.radius,
            "questions": self.questions,
            **{f"{part}_error": summary._asdict() for part, summary in self.summaries.items()},
        }
