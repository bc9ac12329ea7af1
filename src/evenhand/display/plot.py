"""What all plots share: axes to draw on, colours, and names that Matplotlib takes as they are."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette, which readers who see colours differently can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
MISTAKES, VIOLATION, OTHER = COLOURS[0], COLOURS[1], COLOURS[2]
_ROW, _AROUND, _WIDTH = 0.34, 1.3, 7.2
_LONGEST_LINE, _SIDE_BY_SIDE = 44, 4
_LONG = 30
"""Names of rows that are longer than this take room from what stands above the plot."""


def axes_of(ax: Axes | None, rows: int) -> Axes:
    """Return the axes to draw on: those given or, on a new figure, some that are high enough for so many rows."""
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415  # an extra, and slow to import
        from matplotlib.axes import Axes as Kind  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "matplotlib", "figures") from error
    if ax is None:
        return plt.subplots(figsize=(_WIDTH, _ROW * rows + _AROUND), layout="constrained")[1]
    if not isinstance(ax, Kind):
        raise EvenhandError(f"ax must be axes of Matplotlib, but received {shown(ax)}")
    return ax


def plain(name: str) -> str:
    """Return a name as Matplotlib draws it: long ones take several lines, and no part is taken for a formula."""
    return "\n".join(wrap(name, _LONGEST_LINE)).replace("$", r"\$") or name


def tidied(axes: Axes, names: list[str], *, grid: str = "x") -> Axes:
    """Label the rows from the top down, and leave out what tells nothing."""
    axes.set_yticks(range(len(names)), [plain(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    style: Any = {"axis": grid, "alpha": 0.25}
    axes.grid(visible=True, **style)
    axes.set_axisbelow(True)
    return axes


def key_above(axes: Axes) -> None:
    """Put what the colours mean above the plot: side by side, or one below the other where names are long."""
    marks, names = axes.get_legend_handles_labels()
    rows = [line for tick in axes.get_yticklabels() for line in tick.get_text().splitlines()]
    room = _LONGEST_LINE - max(0, max(map(len, rows), default=0) - _LONG)
    columns = len(names) if sum(map(len, names)) <= room and len(names) <= _SIDE_BY_SIDE else 1
    axes.legend(marks, names, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
