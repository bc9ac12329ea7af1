"""`evenhand rank`: ranks models by a metric, from files of their predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.output import as_json, check_output, wide_console, write_or_print
from evenhand.cli.predictions import GroupOption, LabelOption, OptionalFiles, PredictionOption, WeightOption
from evenhand.cli.source import InterviewOption, MetricArgument, Source
from evenhand.elicitation import Finding
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.ranking import rank as in_order
from evenhand.rates.files import Columns


def rank(
    metric: MetricArgument,
    files: OptionalFiles = None,
    *,
    label: LabelOption = "label",
    prediction: PredictionOption = ["prediction*"],  # noqa: B006
    group: GroupOption = ["group"],  # noqa: B006
    weight: WeightOption = None,
    interview: InterviewOption = None,
    level: Annotated[float, typer.Option(help="The confidence level of the intervals.")] = 0.95,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the ranking as JSON to this file; - prints it.")
    ] = None,
) -> None:
    """Rank models by their cost, the best first.

    For example: evenhand rank metric.json predictions.csv --label repaid --prediction 'model_*' --group sex
    """
    from evenhand.report.reliability import order_in_words  # noqa: PLC0415  # commands must start quickly
    from evenhand.report.terminal.ranking_table import RankingTable  # noqa: PLC0415

    check_output(json_file, inputs=[metric, *(files or [])])
    source = Source(metric, interview)
    candidates = Columns(label, prediction, group, weight).rates(files, source.setting) if files else source.candidates
    if not candidates:
        raise EvenhandError(f"there are no models to rank: name files of their predictions after {metric}")
    found = source.result(candidates)
    if isinstance(found, Finding) and not found.verdict.decided and json_file is None:
        raise EvenhandError(f"there is no order to show. {found.verdict.reason} {found.verdict.advice}")
    for warning in () if isinstance(found, FairMetric) else found.warnings:
        typer.echo(f"Warning: {warning}", err=True)
    ranking = in_order(found, candidates, level=level)
    if json_file is not None:
        columns = ranking.columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        document = as_json(rows)
        write_or_print(json_file, document)
        return
    console = wide_console()
    console.print(RankingTable(ranking))
    if isinstance(found, Finding) and found.ranking == ranking.names:
        for line in order_in_words(found):
            console.print(line)
