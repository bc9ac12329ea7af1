"""Bisection against the paper's method: questions and errors in every cell, and under the paper's noise."""

from evenhand.elicitation import questions_by_part
from evenhand.experiments.cell import Noise
from evenhand.experiments.recovery import recover

JOBS = 2


def cells() -> None:
    """Print how many times fewer questions bisection needs, and its mean errors."""
    print("  100 metrics a line; mean errors of a, B, λ promised: 0.0006, 0.0008, 0.0003")
    print(f"  {'':<6} {'questions':>9} {'paper':>7} {'times fewer':>12} {'promised':>9}   mean errors")
    for row in recover(methods=["bisection"], jobs=JOBS).rows:
        paper = sum(questions_by_part(row.classes, row.groups, row.cell.tolerance).values())
        promised = 28 if row.classes == row.groups == 5 else 15
        errors = ", ".join(f"{summary.mean:.4f}" for summary in row.summaries.values())
        print(
            f"  k{row.classes}m{row.groups}   {row.questions:>9,} {paper:>7,} {paper / row.questions:>12.1f} "
            f"{f'≥ {promised}':>9}   {errors}"
        )


def band_noise() -> None:
    """Print the median errors as a share of the paper's method's, with random answers to near ties."""
    for k in (2, 3):
        rows = recover(
            classes=[k], groups=[2], methods=["paper", "bisection"], radius=0.2, noise=Noise(band=1e-3), jobs=JOBS
        ).rows
        paper, ours = (row.summaries.values() for row in rows)
        shares = ", ".join(f"{one.median / theirs.median:.3f}" for one, theirs in zip(ours, paper, strict=True))
        print(f"  k{k}m2 band noise 0.001: of the paper's median errors of a, B, λ (≤ 0.1, 0.2, 0.2)   {shares}")


def run() -> None:
    """Print each promise with the measurement."""
    cells()
    band_noise()
