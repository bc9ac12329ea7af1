"""A metric as a picture: a bar for every weight, a slider for the trade-off; two metrics are drawn line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from evenhand.metric import FairMetric
from evenhand.rates import group_pairs, off_diagonal_entries
from evenhand.rates.names import shown_names
from evenhand.report.bars import bar, slider
from evenhand.report.screen import BAR, FAINT, OTHER_BAR, WIDEST

_MOST_ROWS = 12
_DIGITS = 3
_WIDEST_BAR = 50
_STYLES = (BAR, OTHER_BAR)
_KNOBS = "●◆"


@dataclass(frozen=True)
class MetricPicture:
    """Draws metrics of the same classes and groups, each under its name, beside one another."""

    metrics: Mapping[str, FairMetric]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, WIDEST)
        setting = next(iter(self.metrics.values())).setting
        classes, groups = shown_names(setting.classes), shown_names(setting.groups)
        mistakes = [f"{classes[i]} → {classes[j]}" for i, j in off_diagonal_entries(len(classes))]
        pairs = [f"{groups[u]} | {groups[v]}" for u, v in group_pairs(len(groups))]
        gaps = mistakes if len(pairs) == 1 else [f"{pair}: {mistake}" for pair in pairs for mistake in mistakes]

        yield from self._weights(
            "What each mistake costs (true class → predicted class)",
            mistakes,
            {name: metric.misclassification.tolist() for name, metric in self.metrics.items()},
            width,
        )
        between = f" between {pairs[0].replace(' | ', ' and ')}" if len(pairs) == 1 else ""
        yield from self._weights(
            f"What each gap{between} costs",
            gaps,
            {name: metric.violation.ravel().tolist() for name, metric in self.metrics.items()},
            width,
        )
        yield from self._trade_off(width)

    def _weights(self, title: str, names: list[str], weights: dict[str, list[float]], width: int) -> RenderResult:
        yield Text(title, style="bold")
        heaviest = sorted(range(len(names)), key=lambda place: -max(column[place] for column in weights.values()))
        shown = sorted(heaviest[:_MOST_ROWS])
        largest = max(max(column) for column in weights.values())
        labels = [name if len(weights) > 1 else "" for name in weights]
        label_width = max(map(len, labels))
        name_width = min(max(cell_len(names[place]) for place in shown) + 1, width // (2 if width > 60 else 3))
        bar_width = min(_WIDEST_BAR, width - name_width - label_width - _DIGITS - 2 - 3)
        table = Table.grid(padding=(0, 1), pad_edge=False)
        table.add_column(width=name_width, overflow="fold")
        for column_width in (label_width, _DIGITS + 2, max(0, bar_width)):
            table.add_column(width=column_width, no_wrap=True)
        for place in shown:
            for line, (label, column) in enumerate(zip(labels, weights.values(), strict=True)):
                table.add_row(
                    Text(f" {names[place]}" if line == 0 else ""),
                    Text(label, style=FAINT),
                    Text(f"{column[place]:.{_DIGITS}f}"),
                    Text(bar(column[place] / largest, max(0, bar_width)), style=_STYLES[line % 2]),
                )
        yield table
        if len(shown) < len(names):
            yield Text(f" … and {len(names) - len(shown)} lighter ones", style=FAINT)
        yield Text()

    def _trade_off(self, width: int) -> RenderResult:
        yield Text("How the two trade off (0: only mistakes count, 1: only gaps count)", style="bold")
        label_width = max(map(len, self.metrics)) if len(self.metrics) > 1 else 0
        track = max(8, min(_WIDEST_BAR, width - label_width - 24))
        for line, (name, metric) in enumerate(self.metrics.items()):
            yield Text.assemble(
                " ",
                (f"{name:<{label_width}} " if label_width else "", FAINT),
                f"{metric.trade_off:.{_DIGITS}f}  mistakes ",
                (slider(metric.trade_off, track, _KNOBS[line % 2]), _STYLES[line % 2]),
                " gaps",
            )
