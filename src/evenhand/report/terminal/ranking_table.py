"""A ranking at the terminal: where it is narrow, parts of the cost fold into one column, then under the names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from evenhand.ranking import Ranking
from evenhand.ranking.tables import shown_columns
from evenhand.report.terminal.fitted_table import Column, FittedTable
from evenhand.report.terminal.screen import FAINT
from evenhand.wording.numerals import a_cost

CAPTION = "cost: lower is better; its parts are mistakes and gaps between groups; –: takes no model"
EVERY_NUMBER = "--json - prints every number"
_LATER_PLACES = ("p(2nd)", "p(3rd)")
_NARROWEST_NAME = 24
_ALWAYS = ("place", "name", "cost", "p(1st)")


@dataclass(frozen=True, eq=False)
class RankingTable:
    """Draws a row for each model, and every number that the width takes."""

    ranking: Ranking
    every_number: str = EVERY_NUMBER
    """Said where numbers are left out: how to get them."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        layouts = list(self._layouts(shortened=console.is_terminal))
        yield self._quiet(next((one for one in layouts if one.fits(options.max_width)), layouts[-1]))

    def _quiet(self, table: FittedTable) -> FittedTable:
        """Let the rows of yardsticks stand back, and say which candidates do not beat them."""
        candidates = len(self.ranking)
        columns = [
            replace(one, cells=[*one.cells[:candidates], *(_faint(cell) for cell in one.cells[candidates:])])
            for one in table.columns
        ]
        no_better = self.ranking.not_worth_it
        return replace(table, columns=columns, caption="\n".join(filter(None, (table.caption, no_better))))

    def _layouts(self, *, shortened: bool) -> Iterator[FittedTable]:
        shorter = f"{CAPTION}; {self.every_number}"
        every = shown_columns(self.ranking, shortened=shortened)
        yield _table(every, CAPTION)
        first, *others = self.ranking.rows[0].gaps
        together = [a_cost(row.violation) for row in (*self.ranking, *self.ranking.yardsticks)]
        folded = {
            "gaps" if head == first else head: together if head == first else cells
            for head, cells in every.items()
            if head not in others
        }
        yield _table(folded, shorter if others else CAPTION)
        for head in _LATER_PLACES:
            folded.pop(head, None)
        yield _table(folded, shorter)
        parts = [
            f"mistakes {mistakes}, gaps {gaps}" for mistakes, gaps in zip(folded["mistakes"], together, strict=True)
        ]
        sampling = [head for head in folded if head not in {*_ALWAYS, "mistakes", "gaps"}]
        below = [
            "\n  ".join(["", part, *(f"{head} {folded[head][row]}" for head in sampling if folded[head][row])])
            for row, part in enumerate(parts)
        ]
        names = [Text.assemble(name, (more, FAINT)) for name, more in zip(folded["name"], below, strict=True)]
        yield _table({head: names if head == "name" else folded[head] for head in _ALWAYS if head in folded}, shorter)


def _faint(cell: str | Text) -> Text:
    return Text(str(cell), style=FAINT)


def _table(columns: Mapping[str, Sequence[str | Text]], caption: str) -> FittedTable:
    shown = [Column(head, cells, name=head == "name", at_least=_NARROWEST_NAME) for head, cells in columns.items()]
    return FittedTable(shown, caption=caption, keys=2)
