"""Lists of what is kept and measured, as tables that lose nothing in a narrow terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evenhand.display.names import printable
from evenhand.report.terminal.fitted_table import Column, FittedTable


def listing(
    heads: Sequence[str], rows: Sequence[Sequence[object]], *, words: Collection[str], keys: int = 1, caption: str = ""
) -> FittedTable:
    """Return a table of rows; the columns that hold `words` stand at the left and may fold, the others hold numbers."""
    cells = [[printable(str(cell)) for cell in column] for column in zip(*rows, strict=True)] or [[] for _ in heads]
    columns = [Column(head, column, name=head in words) for head, column in zip(heads, cells, strict=True)]
    return FittedTable(columns, caption=caption, keys=keys)
