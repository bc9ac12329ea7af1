"""Intervals of the weights: how often they hold the truth, how wide they are, and how near the estimates are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.honesty.interviews import LOOKED_AT, told_everybody
from bench.people import FIRST_PERSON, PEOPLE


@dataclass(frozen=True)
class Cell:
    """A kind of people, about how many classes and groups, after how many answers."""

    k: int
    m: int
    kind: str
    after: tuple[int, ...]
    promised: str


_FEW = (20, 45, 90)
_CELLS = (
    *(Cell(2, 2, kind, _FEW, "≥ 86 %") for kind in ("exact", "10 % flips", "20 % flips")),
    *(Cell(2, 2, f"logistic {temperature}", _FEW, "≥ 86 %") for temperature in (0.003, 0.01)),
    Cell(2, 2, "logistic 0.03", _FEW, "≥ 80 %"),
    *(Cell(2, 2, f"{noise}, off the prior", _FEW, "≥ 80 %") for noise in ("exact", "10 % flips")),
    *(Cell(k, m, kind, (160,), "≥ 86 %") for k, m in ((3, 3), (4, 3)) for kind in ("exact", "10 % flips")),
)


def run() -> None:
    """Print a line for each kind of people and number of answers."""
    print(f"  {PEOPLE} people a line, from {FIRST_PERSON} on; 90 % intervals; widths and errors are medians; ± is the")
    print("  standard error over people")
    print(
        "  people                      k  m  answers  promised         covered  width   errors a, B, λ"
        "         all within 0.1"
    )
    for cell in _CELLS:
        looked_at = LOOKED_AT if cell.after == _FEW else cell.after
        people = told_everybody(cell.kind, k=cell.k, m=cell.m, after=looked_at)
        for answers in cell.after:
            one = [each[answers] for each in people]
            held = np.array([each.held.mean() for each in one])
            covered = f"{held.mean():.1%} ± {held.std() / len(held) ** 0.5:.1%}"
            width = np.median([each.widths.mean() for each in one])
            errors = np.array([each.errors for each in one])
            within = np.mean(errors.max(axis=1) <= 0.1)
            typical = ", ".join(f"{error:.4f}" for error in np.median(errors, axis=0))
            print(
                f"  {cell.kind:<26} {cell.k:>2} {cell.m:>2}  {answers:>7}  {cell.promised:>8}  {covered:>14}"
                f"  {width:.4f}  {typical:<22} {within:>6.0%}",
                flush=True,
            )
