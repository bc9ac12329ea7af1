"""The paper's recovery experiment: does Algorithm 1 find the metrics of random oracles, for all k and m?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.experiments.cell import GridCell, Noise, measure_cells
from evenhand.experiments.observations import ClaimCheck, observe
from evenhand.experiments.parallel import Progress
from evenhand.experiments.rows import GridRow
from evenhand.region import largest_radius

THE_PAPERS_GRID = (2, 3, 4, 5)
"""The numbers of classes, and of groups, in the paper's figure."""


@dataclass(frozen=True, eq=False)
class Recovery:
    """The measured grid, and the paper's observations checked on it."""

    rows: tuple[GridRow, ...]
    observations: tuple[ClaimCheck, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how the grid was measured."""
        return notes_about([row.cell for row in self.rows])

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        cell = self.rows[0].cell
        return {
            "cells": [row.as_json() for row in self.rows],
            "observations": [observation.as_json() for observation in self.observations],
            "settings": settings_as_json(cell),
            "notes": list(self.notes),
        }


def notes_about(cells: Iterable[GridCell]) -> tuple[str, ...]:
    """Return a note on the cells whose questions are vectors that are not rates, if there are any."""
    beyond = [cell for cell in cells if not cell.asks_about_rates]
    if not beyond:
        return ()
    classes = sorted({cell.classes for cell in beyond})
    limits = ", ".join(f"{largest_radius(k):.3f} for k = {k}" for k in classes)
    note = (
        f"With radius {beyond[0].radius:g}, the questions for k = {', '.join(map(str, classes))} are about vectors "
        f"that are not rates (which needs a radius of at most {limits}), so a person could not answer them. "
        "With exact answers, neither the errors nor the numbers of questions depend on the radius."
    )
    return (note,)


def settings_as_json(cell: GridCell) -> dict[str, Any]:
    """Return what all cells of an experiment have in common."""
    noise = cell.noise
    return {
        "tolerance": cell.tolerance,
        "seed": cell.seed,
        "band": noise.band,
        "adversarial": noise.adversarial,
        "flip": noise.flip,
        "temperature": noise.temperature,
    }


def recover(
    *,
    classes: Sequence[int] = THE_PAPERS_GRID,
    groups: Sequence[int] = THE_PAPERS_GRID,
    oracles: int = 100,
    methods: Sequence[str] = ("paper", "least-squares"),
    tolerance: float = 1e-3,
    radius: float | None = None,
    noise: Noise | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Recovery:
    """Elicit the metrics of random oracles for every combination of k and m, and summarise the errors.

    Parameters
    ----------
    classes, groups
        The values of k and of m.
    oracles
        The number of random metrics in each cell. They depend only on the seed and on the cell, so that every method,
        and every grid with this cell, has the same ones.
    methods
        Any of `"paper"`, `"least-squares"` and `"bisection"`.
    tolerance
        The paper's ε.
    radius
        The radius of the sphere; by default 0.2 as in the paper, or the largest at which all points are rates, if that
        is smaller. Any other radius is used as given.
    noise
        The mistakes of the oracles; none by default.
    seed
        The seed of the oracles and of their wrong answers.
    jobs
        The number of processes. The results do not depend on it.
    progress
        Called from time to time with the share of the work that is done.

    Examples
    --------
    >>> recovery = recover(classes=[2], groups=[2], oracles=5, methods=["paper"])
    >>> recovery.rows[0].questions
    574
    >>> recovery.rows[0].summaries["misclassification"].median < 0.0005
    True
    """
    cells = [
        GridCell(
            classes=k,
            groups=m,
            oracles=oracles,
            tolerance=tolerance,
            radius=radius,
            noise=noise or Noise(),
            seed=seed,
        )
        for k in dict.fromkeys(classes)
        for m in dict.fromkeys(groups)
    ]
    methods = list(dict.fromkeys(methods))
    outcomes = measure_cells(cells, methods, jobs=jobs, progress=progress)
    rows = tuple(
        GridRow(cell, method, outcome[method].questions, outcome[method].errors)
        for cell, outcome in zip(cells, outcomes, strict=True)
        for method in methods
    )
    return Recovery(rows, observe(rows))
