"""Models in the order of their cost: the order by the true metric beside the order by a recovered one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.rates.ties import comparable
from evenhand.report.terminal.bars import bar
from evenhand.report.terminal.screen import BAR, FAINT, OTHER_BAR, WIDEST, WORSE
from evenhand.typing import Floats
from evenhand.wording.numerals import a_cost


@dataclass(frozen=True, eq=False)
class OrderPicture:
    """Draws the models, best first by their true cost; a place that moved has an arrow and a colour."""

    names: Sequence[str]
    true_cost: Floats
    recovered_cost: Floats

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        name_width = max(map(len, self.names))
        bar_width = max(0, min(24, (min(options.max_width, WIDEST) - name_width - 29) // 2))
        most = max(self.true_cost.max(), self.recovered_cost.max())
        recovered_place = places(self.recovered_cost)
        table = Table.grid(padding=(0, 1), pad_edge=False)
        table.add_column(width=name_width + 1)
        for _ in range(2):
            table.add_column(width=5, justify="right")
            table.add_column(width=bar_width + 7)
        heads = ("", "place", "true cost", "place", "recovered cost")
        table.add_row(*(Text(head, style=FAINT) for head in heads))
        for place, model in enumerate(np.argsort(comparable(self.true_cost), kind="stable").tolist(), 1):
            moved = place - recovered_place[model]
            arrow = f"{'▲' if moved > 0 else '▼'}" if moved else " "
            table.add_row(
                Text(f" {self.names[model]}"),
                Text(str(place)),
                _cost(self.true_cost[model], most, bar_width, BAR),
                Text(f"{arrow} {recovered_place[model]}", style=WORSE if moved else ""),
                _cost(self.recovered_cost[model], most, bar_width, OTHER_BAR),
            )
        yield table


def places(cost: Floats) -> list[int]:
    """Return the place of each model, 1 for the one that costs least.

    >>> places(np.array([0.3, 0.1, 0.2]))
    [3, 1, 2]
    """
    place = np.empty(cost.size, dtype=np.intp)
    place[np.argsort(comparable(cost), kind="stable")] = np.arange(1, cost.size + 1)
    return place.tolist()


def _cost(cost: float, most: float, width: int, style: str) -> Text:
    return Text.assemble(f"{a_cost(cost)} ", (bar(cost / most, width), style))
