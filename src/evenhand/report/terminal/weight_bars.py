"""A metric as a picture: a bar for every weight, a slider for the trade-off; two metrics are drawn line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.elicitation import Uncertainty
from evenhand.metric import FairMetric
from evenhand.metric.weight_names import WeightNames
from evenhand.report.reliability import where_it_lies
from evenhand.report.terminal.bars import bar, interval, slider
from evenhand.report.terminal.screen import BAR, FAINT, OTHER_BAR, WIDEST
from evenhand.wording.numerals import from_to, two_decimals
from evenhand.wording.vocabulary import Words

_MOST_ROWS = 12
_DIGITS = 3
_WIDEST_BAR = 50
_STYLES = (BAR, OTHER_BAR)
_KNOBS = "●◆"


@dataclass(frozen=True)
class _Weight:
    """A weight and, if that is known, from where to where it may lie."""

    value: float
    ends: tuple[float, float] | None = None

    @property
    def largest(self) -> float:
        return self.value if self.ends is None else max(self.value, self.ends[1])

    @property
    def number(self) -> str:
        if self.ends is None:
            return f"{self.value:.{_DIGITS}f}"
        return f"{two_decimals(self.value)}  {from_to(*self.ends)}"

    def drawn(self, largest: float, width: int) -> str:
        if self.ends is None:
            return bar(self.value / largest, width)
        low, high = self.ends
        return interval(low / largest, self.value / largest, high / largest, width)


@dataclass(frozen=True)
class MetricPicture:
    """Draws metrics of the same classes and groups, each under its name, beside one another.

    With their uncertainty, for all of the metrics, dots on lines take the place of bars. Mistakes are called by a
    study's own words, if there are some.
    """

    metrics: Mapping[str, FairMetric]
    uncertainty: Mapping[str, Uncertainty] = field(default_factory=dict)
    words: Words | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, WIDEST)
        setting = next(iter(self.metrics.values())).setting
        family = next(iter(self.metrics.values())).form
        called = WeightNames.of(family, self.words or Words.plain(setting))
        title = called.cost_of_mistakes + (" (true class → predicted class)" if self.words is None else "")
        yield from self._weights(title, called.mistakes, "misclassification", width)
        if called.violation:
            yield from self._weights(called.cost_of_violation, called.violation, "violation", width)
            yield from self._trade_off(called.trade_off, family.title, width)
        for level in {one.level for one in self.uncertainty.values()}:
            yield Text()
            yield Text(f"●: what fits the answers, on average; ━: {where_it_lies(level)}", style=FAINT)

    def _column(self, name: str, part: str) -> list[_Weight]:
        """Return the weights of one part of a metric."""
        values = getattr(self.metrics[name], part).ravel().tolist()
        if name not in self.uncertainty:
            return [_Weight(value) for value in values]
        ends = getattr(self.uncertainty[name].intervals, part).reshape(-1, 2).tolist()
        return [_Weight(value, (low, high)) for value, (low, high) in zip(values, ends, strict=True)]

    def _weights(self, title: str, names: Sequence[str], part: str, width: int) -> RenderResult:
        weights = {name: self._column(name, part) for name in self.metrics}
        yield Text(title, style="bold")
        heaviest = sorted(range(len(names)), key=lambda place: -max(column[place].value for column in weights.values()))
        shown = sorted(heaviest[:_MOST_ROWS])
        largest = max(weight.largest for column in weights.values() for weight in column)
        labels = [name if len(weights) > 1 else "" for name in weights]
        label_width = max(map(len, labels))
        number_width = max(len(weight.number) for column in weights.values() for weight in column)
        name_width = min(max(cell_len(names[place]) for place in shown) + 1, width // (2 if width > 60 else 3))
        bar_width = min(_WIDEST_BAR, width - name_width - label_width - number_width - 3)
        table = Table.grid(padding=(0, 1), pad_edge=False)
        table.add_column(width=0)
        table.add_column(width=name_width - 1, overflow="fold")
        for column_width in (label_width, number_width, max(0, bar_width)):
            table.add_column(width=column_width, no_wrap=True)
        for place in shown:
            for line, (label, column) in enumerate(zip(labels, weights.values(), strict=True)):
                table.add_row(
                    "",
                    Text(names[place] if line == 0 else ""),
                    Text(label, style=FAINT),
                    Text(column[place].number),
                    Text(column[place].drawn(largest, max(0, bar_width)), style=_STYLES[line % 2]),
                )
        yield table
        if len(shown) < len(names):
            yield Text(f" … and {len(names) - len(shown)} lighter ones", style=FAINT)
        yield Text()

    def _trade_off(self, title: str, unfair: str, width: int) -> RenderResult:
        yield Text(title, style="bold")
        label_width = max(map(len, self.metrics)) if len(self.metrics) > 1 else 0
        for line, (name, metric) in enumerate(self.metrics.items()):
            ends = tuple(self.uncertainty[name].intervals.trade_off.tolist()) if name in self.uncertainty else None
            weight = _Weight(metric.trade_off, ends)
            track = max(8, min(_WIDEST_BAR, width - label_width - len(weight.number) - len(unfair) - 15))
            drawn = slider(weight.value, track, _KNOBS[line % 2]) if ends is None else weight.drawn(1.0, track)
            yield Text.assemble(
                " ",
                (f"{name:<{label_width}} " if label_width else "", FAINT),
                f"{weight.number}  mistakes ",
                (drawn, _STYLES[line % 2]),
                f" {unfair}",
            )
