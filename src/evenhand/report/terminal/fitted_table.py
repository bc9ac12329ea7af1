"""A table that loses nothing where the terminal is narrow: names fold, and columns that do not fit go on below.

In a pipe or a file it is as wide as it needs to be, without lines, so that other programs can read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.report.terminal.screen import FAINT

_BETWEEN = 2


@dataclass(frozen=True)
class Column:
    """A head, which may have several lines, and a cell for each row; names may fold, numbers may not."""

    head: str
    cells: Sequence[str | Text]
    name: bool = False
    at_least: int = 16
    """How narrow names may become."""

    @property
    def width(self) -> int:
        """How wide the column is if nothing folds."""
        return max(cell_len(line) for cell in (self.head, *self.cells) for line in str(cell).splitlines() or [""])

    @property
    def narrowest(self) -> int:
        """How narrow it may be."""
        return min(self.width, self.at_least) if self.name else self.width

    def of_one_line(self) -> Column:
        """Return the same column with its head on one line."""
        return replace(self, head=" ".join(self.head.split()))


@dataclass(frozen=True)
class FittedTable:
    """Columns under a title.

    Attributes
    ----------
    columns
        From left to right.
    title, caption
        Above and below.
    keys
        How many of the first columns say what a row is about; they are repeated where columns go on below.
    ends
        After which rows, counted from 0, there is a gap.
    """

    columns: Sequence[Column]
    title: str = ""
    caption: str = ""
    keys: int = 1
    ends: frozenset[int] = field(default_factory=frozenset)

    def fits(self, width: int, *, unfolded: bool = False) -> bool:
        """Whether all columns fit beside one another, and if need be without folding any name."""
        return _needed(column.width if unfolded else column.narrowest for column in self.columns) <= width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.title:
            yield Text(self.title, style="bold")
        whole = self if console.is_terminal else replace(self, columns=[one.of_one_line() for one in self.columns])
        for place, part in enumerate(whole.parts(options.max_width)):
            if place:
                yield Text()
            yield self._drawn(part, options.max_width, lines=console.is_terminal)
        if self.caption:
            yield Text(self.caption, style=FAINT)

    def parts(self, width: int) -> list[list[Column]]:
        """Share the columns out over as many tables as the width takes, each with the key columns."""
        keys, parts = list(self.columns[: self.keys]), []
        part = list(keys)
        for column in self.columns[self.keys :]:
            if len(part) > len(keys) and _needed(one.narrowest for one in (*part, column)) > width:
                parts.append(part)
                part = list(keys)
            part.append(column)
        return [*parts, part]

    def _drawn(self, columns: Sequence[Column], width: int, *, lines: bool) -> Table:
        table = Table(
            box=box.SIMPLE_HEAD if lines else None,
            padding=(0, _BETWEEN, 0, 0),
            pad_edge=False,
            show_edge=False,
        )
        for column, space in zip(columns, _widths(columns, width), strict=True):
            table.add_column(
                Text(column.head),
                justify="left" if column.name else "right",
                width=space,
                overflow="fold",
                no_wrap=not column.name,
            )
        for place, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
            cells = (Text(cell) if isinstance(cell, str) else cell for cell in row)
            table.add_row(*cells, end_section=place in self.ends)
        return table


def _needed(widths: Iterable[int]) -> int:
    """Return how wide a table is with columns of these widths."""
    columns = list(widths)
    return sum(columns) + (_BETWEEN + 1) * (len(columns) - 1)


def _widths(columns: Sequence[Column], width: int) -> list[int]:
    """Return the width of each column; the widest names give way first."""
    widths = [column.width for column in columns]
    while _needed(widths) > width:
        spare = [
            wide if column.name and wide > column.narrowest else 0 for column, wide in zip(columns, widths, strict=True)
        ]
        if not any(spare):
            break
        widths[spare.index(max(spare))] -= 1
    return widths
