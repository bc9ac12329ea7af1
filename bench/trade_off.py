"""The error of the trade-off elicited on S⁺ and on the whole sphere, given a and B and random answers to near ties."""

import numpy as np

from evenhand.elicitation import fair_performance, interview
from evenhand.experiments.cell import FORMS, GridCell, Noise
from evenhand.typing import Floats

ORACLES = 20_000
BAND = 1e-5
TOLERANCE = 1e-5  # so small that the noise dominates


def errors(cell: GridCell, method: str) -> Floats:
    """Return |λ − λ̂| for each oracle of the cell."""
    found = []
    for block in cell.blocks():
        hidden = block.hidden_metrics()
        only_trade_off = fair_performance(
            hidden.tau,
            cell.sphere,
            tolerance=cell.tolerance,
            form=FORMS[method],
            given_misclassification=hidden.weights.misclassification,
            given_violation=hidden.weights.violation,
        )
        trade_off = interview(only_trade_off, cell.noise.oracle(hidden, block.generators()[1])).weights.trade_off
        found.append(np.abs(trade_off - hidden.weights.trade_off))
    return np.concatenate(found)


def run() -> None:
    """Print the median and mean errors for each number of classes."""
    print(f"  two groups, {ORACLES:,} metrics a line, ε_Ω = {BAND:g}, ε = {TOLERANCE:g}; errors of λ in thousandths")
    for k in (2, 3, 4):
        cell = GridCell(classes=k, groups=2, oracles=ORACLES, tolerance=TOLERANCE, noise=Noise(band=BAND))
        small, whole = (errors(cell, method) for method in FORMS)
        for name, of in (("median", np.median), ("mean", np.mean)):
            before, after = (1000 * float(of(each)) for each in (small, whole))
            print(f"  k = {k}, {name:<6}   S⁺ {before:.3f}   S_ρ {after:.3f}   {before / after:.2f} times smaller")


if __name__ == "__main__":
    run()
