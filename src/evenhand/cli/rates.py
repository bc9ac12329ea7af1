"""`evenhand rates`: measures the rates of models in each group, from files of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evenhand.cli.output import as_json, check_output, wide_console, write_or_print
from evenhand.cli.predictions import Files, GroupOption, LabelOption, PredictionOption, WeightOption
from evenhand.display.names import shown_names
from evenhand.rates import GroupRates
from evenhand.rates.files import Columns


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
    from evenhand.report.terminal.rates_table import RatesTable  # noqa: PLC0415  # commands must start quickly

    console = wide_console()
    for name, one in zip(shown_names(list(measured)), measured.values(), strict=True):
        console.print(RatesTable(name, one, level))


def _document(rates: GroupRates, level: float) -> dict[str, Any]:
    return rates.setting.to_document() | {
        "rates": rates.matrix.tolist(),
        "counts": None if rates.counts is None else rates.counts.tolist(),
        "level": level,
        "intervals": rates.interval(level).tolist(),
    }
