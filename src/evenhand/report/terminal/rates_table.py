"""The rates of a model at the terminal; where it is narrow, intervals go below rates, then each rate has a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from evenhand.display.names import shown_names
from evenhand.rates import GroupRates
from evenhand.report.terminal.fitted_table import Column, FittedTable
from evenhand.report.terminal.screen import FAINT
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class RatesTable:
    """Draws how many of 100 people of each group and true class get each prediction."""

    name: str
    rates: GroupRates
    level: float

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        layouts, width = (self._of_one_line(), self._of_two_lines()), options.max_width
        unfolded = [one for one in layouts if one.fits(width, unfolded=True)]
        fitting = next((one for one in (*unfolded, *layouts) if one.fits(width)), None)
        yield Text(f"{self.name}: predictions per 100 people of a group and true class", style="bold")
        yield from [fitting] if fitting is not None else self._group_by_group()
        yield Text()

    def _of_one_line(self) -> FittedTable:
        """Return a table with the interval beside each rate."""
        return self._table(
            lambda rate, interval: f"{rate} ({interval})", f"in brackets: {self.level:.0%} confidence interval"
        )

    def _of_two_lines(self) -> FittedTable:
        """Return a table with the interval under each rate."""
        return self._table(
            lambda rate, interval: Text.assemble(rate, (f"\n{interval}", FAINT)),
            f"under each rate: {self.level:.0%} confidence interval",
        )

    def _table(self, cell: Callable[[str, str], str | Text], caption: str) -> FittedTable:
        k = len(self.classes)
        rows = [(g, i) for g in range(len(self.groups)) for i in range(k)]
        about = [
            Column("group", [self.groups[g] for g, _ in rows], name=True),
            Column("true class", [self.classes[i] for _, i in rows], name=True),
            Column("people", [self._people(*row) for row in rows]),
        ]
        rates = [
            Column(predicted, [cell(self._rate(*row, j), self._interval(*row, j)) for row in rows])
            for j, predicted in enumerate(self.classes)
        ]
        ends = frozenset(row for row in range(len(rows)) if row % k == k - 1)
        return FittedTable([*about, *rates], caption=caption, keys=3, ends=ends)

    def _group_by_group(self) -> Iterator[FittedTable]:
        """Return a table for each group with a row for each rate."""
        cells = [(i, j) for i in range(len(self.classes)) for j in range(len(self.classes))]
        for g, group in enumerate(self.groups):
            columns = [
                Column("true → predicted", [f"{self.classes[i]} → {self.classes[j]}" for i, j in cells], name=True),
                Column("people", [self._people(g, i) for i, _ in cells]),
                Column("of 100", [self._rate(g, *cell) for cell in cells]),
                Column(f"{self.level:.0%} interval", [self._interval(g, *cell) for cell in cells]),
            ]
            yield FittedTable(columns, title=f"\n{group}")

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups as they are shown."""
        return shown_names(self.rates.setting.groups)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes as they are shown."""
        return shown_names(self.rates.setting.classes)

    @cached_property
    def _ends(self) -> Floats:
        return 100 * self.rates.interval(self.level)

    def _people(self, g: int, i: int) -> str:
        return f"{(self.rates.matrix if self.rates.counts is None else self.rates.counts)[g, i].sum():,.6g}"

    def _rate(self, g: int, i: int, j: int) -> str:
        return f"{100 * self.rates.matrix[g, i, j]:.1f}"

    def _interval(self, g: int, i: int, j: int) -> str:
        return "{:.1f} – {:.1f}".format(*self._ends[g, i, j])
