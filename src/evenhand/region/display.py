"""A region as people who program look at it: what each group has, and how few mistakes are within its reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.display.names import shown_names
from evenhand.display.table import Table

if TYPE_CHECKING:
    from evenhand.region.feasible import FeasibleRegion


def columns_of_region(region: FeasibleRegion) -> dict[str, list[Any]]:
    """Return a row for each group: people of each class, the fewest mistakes, and how well it is calibrated."""
    k = len(region.setting.classes)
    fewest = region.support(-np.ones(len(region.setting.mistakes))).sum(axis=-1) / k
    columns: dict[str, list[Any]] = {"group": list(region.setting.groups)}
    for i, name in enumerate(region.setting.classes):
        columns[f"people of {name}"] = region.sizes[:, i].tolist()
    columns["fewest_mistakes"] = fewest.tolist()
    if region.calibration:
        columns["calibration_error"] = [one.error for one in region.calibration]
        columns["error_by_chance"] = [one.by_chance for one in region.calibration]
    return columns


def table_of_region(region: FeasibleRegion) -> Table:
    """Return the same with what is rounded for people, and each warning below."""
    columns = columns_of_region(region)
    classes = shown_names(region.setting.classes)
    head = ["group", *(f"people of {name}" for name in classes), "fewest mistakes, of 100"]
    cells: list[list[str]] = [list(shown_names(region.setting.groups))]
    cells += [[f"{size:,.0f}" for size in sizes] for sizes in region.sizes.T]
    cells.append([f"{100 * rate:.1f}" for rate in columns["fewest_mistakes"]])
    if region.calibration:
        head.append("calibration error (by chance)")
        cells.append([f"{100 * one.error:.1f} ({100 * one.by_chance:.1f})" for one in region.calibration])
    rows = [list(row) for row in zip(*cells, strict=True)]
    title = "FeasibleRegion: what classifiers can do in each group, all classes counted alike"
    return Table(head, rows, title=title, notes=[f"Warning: {warning}" for warning in region.warnings])
