"""`evenhand rates`: measures the rates of models in each group, from files of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli.output import as_json, check_output, wide_console, write_or_print
from evenhand.cli.predictions import Files, GroupOption, LabelOption, PredictionOption, WeightOption
from evenhand.rates import GroupRates
from evenhand.rates.files import Columns
from evenhand.wording.names import shown_names

if TYPE_CHECKING:
    from rich.table import Table


def rates(
    files: Files,
    *,
    label: LabelOption = "label",
    prediction: PredictionOption = ["prediction*"],  # noqa: B006
    group: GroupOption = ["group"],  # noqa: B006
    weight: WeightOption = None,
    level: Annotated[float, typer.Option(help="The confidence level of the intervals.")] = 0.95,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the rates as JSON to this file; - prints them.")
    ] = None,
) -> None:
    """Measure the rates of each model in each group, with confidence intervals.

    For example: evenhand rates predictions.parquet --label repaid --prediction 'model_*' --group sex
    """
    check_output(json_file, inputs=files)
    measured = Columns(label, prediction, group, weight).rates(files)
    if json_file is not None:
        document = as_json({name: _document(one, level) for name, one in measured.items()})
        write_or_print(json_file, document)
        return
    console = wide_console()
    for name, one in zip(shown_names(list(measured)), measured.values(), strict=True):
        console.print(_table(name, one, level))


def _document(rates: GroupRates, level: float) -> dict[str, Any]:
    return rates.setting.to_document() | {
        "rates": rates.matrix.tolist(),
        "counts": None if rates.counts is None else rates.counts.tolist(),
        "level": level,
        "intervals": rates.interval(level).tolist(),
    }


def _table(name: str, rates: GroupRates, level: float) -> Table:
    from rich.table import Table  # noqa: PLC0415  # commands must start quickly
    from rich.text import Text  # noqa: PLC0415

    groups, classes = shown_names(rates.setting.groups), shown_names(rates.setting.classes)
    table = Table(title=Text(f"{name}: predictions per 100 people of a group and true class"), title_justify="left")
    table.add_column("group")
    table.add_column("true class")
    table.add_column("people", justify="right")
    for one in classes:
        table.add_column(Text(one), justify="right")
    intervals = rates.interval(level)
    people = rates.matrix.sum(axis=-1) if rates.counts is None else rates.counts.sum(axis=-1)
    for g, group in enumerate(groups):
        for i, true in enumerate(classes):
            cells = [
                f"{100 * rates.matrix[g, i, j]:.1f} ({100 * low:.1f} – {100 * high:.1f})"
                for j, (low, high) in enumerate(intervals[g, i].tolist())
            ]
            table.add_row(Text(group), Text(true), f"{people[g, i]:,.6g}", *cells, end_section=i == len(classes) - 1)
    table.caption = f"in brackets: {level:.0%} confidence interval"
    return table
