"""A question as a picture: both models side by side, a bar of 100 people for every group and mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.rates.rounding import OUT_OF
from evenhand.report.terminal.bars import bar, span
from evenhand.report.terminal.screen import BAR, FAINT, WIDEST, WORSE
from evenhand.wording.comparison import SAME, Comparison, Count, MistakeCounts

_WIDEST_BAR = 25
_NARROWEST_BAR = 4


@dataclass(frozen=True)
class ComparisonPicture:
    """Draws a comparison as wide as the terminal allows; where a model does worse, a sign and a colour say so."""

    comparison: Comparison

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = _Columns.fitting(self.comparison, min(options.max_width, WIDEST))
        yield columns.head()
        for mistake in self.comparison.mistakes:
            yield Text(mistake.heading, style="bold")
            yield columns.table(mistake)
            yield Text()
        if self.comparison.same:
            yield Text(SAME)


@dataclass(frozen=True)
class _Columns:
    """How wide each column is, the same in every part of the picture."""

    who: int
    bar: int
    number: int
    more: int

    @classmethod
    def fitting(cls, comparison: Comparison, width: int) -> _Columns:
        counts = [count for mistake in comparison.mistakes for count in (*mistake.groups, mistake.gap)]
        # At least as wide as whole people need, so that the columns stay in their place from question to question.
        number = max(3, *(len(text) for count in counts for text in count.texts))
        more = max(5, *(len(text) for count in counts for text in count.more))
        who = min(max(cell_len(count.who) for count in counts), max(10, width // 4))
        free = (width - 2 - who - 2 * (number + more + 4)) // 2
        return cls(who, min(free, _WIDEST_BAR) if free >= _NARROWEST_BAR else 0, number, more)

    @property
    def side(self) -> int:
        """How many columns one model takes."""
        return 1 + self.bar + 1 + self.number + 1 + self.more

    def _grid(self) -> Table:
        table = Table.grid(padding=0, pad_edge=False)
        table.add_column(width=2)
        table.add_column(width=self.who, overflow="fold")
        for _ in range(2):
            table.add_column(width=self.side + 1, overflow="crop", no_wrap=True)
        return table

    def head(self) -> Table:
        table = self._grid()
        table.add_row("", "", *(Text(f" Model {model}", style="bold") for model in "AB"))
        return table

    def table(self, mistake: MistakeCounts) -> Table:
        table = self._grid()
        for count in mistake.groups:
            drawn = [self._bar(people, min(count.a, count.b)) for people in (count.a, count.b)]
            table.add_row("", Text(count.who), *self._cells(count, drawn))
        ends = [[getattr(count, model) / OUT_OF for count in mistake.groups] for model in ("a", "b")]
        drawn = [Text(span(min(shares), max(shares), self.bar), style=FAINT) for shares in ends]
        table.add_row("", Text(mistake.gap.who), *self._cells(mistake.gap, drawn))
        return table

    def _bar(self, people: float, common: float) -> Text:
        """Draw people of 100; those beyond what both models have in common stand out."""
        filled = bar(people / OUT_OF, self.bar).rstrip()
        split = int(common / OUT_OF * self.bar) if people > common else len(filled)
        return Text.assemble((filled[:split], BAR), (filled[split:], WORSE), ("·" * (self.bar - len(filled)), FAINT))

    def _cells(self, count: Count, drawn: list[Text]) -> Iterator[Text]:
        for picture, number, more in zip(drawn, count.texts, count.more, strict=True):
            style = WORSE if more else ""
            yield Text.assemble(" ", picture, (f" {number:>{self.number}} {more}", style))
