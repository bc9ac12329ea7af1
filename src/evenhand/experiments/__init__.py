"""The paper's experiments, replicated and extended."""

from evenhand.experiments.cell import CellErrors, GridCell, Noise, measure_cells
from evenhand.experiments.compare import Attempt, compare, information_limit
from evenhand.experiments.observations import ClaimCheck, observe
from evenhand.experiments.parallel import available_cores
from evenhand.experiments.recovery import Recovery, recover
from evenhand.experiments.rows import GridRow
from evenhand.experiments.samples import SampleSize, samples
from evenhand.experiments.scaling import Scaling, Slope, measure_scaling

__all__ = [
    "Attempt",
    "CellErrors",
    "ClaimCheck",
    "GridCell",
    "GridRow",
    "Noise",
    "Recovery",
    "SampleSize",
    "Scaling",
    "Slope",
    "available_cores",
    "compare",
    "information_limit",
    "measure_cells",
    "measure_scaling",
    "observe",
    "recover",
    "samples",
]
