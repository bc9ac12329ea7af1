"""`evenhand report`: a metric, its uncertainty, and what it decides, in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.output import make_writable, write
from evenhand.cli.predictions import GroupOption, LabelOption, OptionalFiles, PredictionOption, WeightOption
from evenhand.cli.source import InterviewOption, MetricArgument, Source
from evenhand.files import check_place, write_file
from evenhand.rates.files import Columns

TITLE = "Which fairness metric do the answers point to?"


def report(
    metric: MetricArgument,
    files: OptionalFiles = None,
    *,
    label: LabelOption = "label",
    prediction: PredictionOption = ["prediction*"],  # noqa: B006
    group: GroupOption = ["group"],  # noqa: B006
    weight: WeightOption = None,
    interview: InterviewOption = None,
    title: Annotated[str, typer.Option(help="The heading of the report.")] = TITLE,
    respondent: Annotated[str, typer.Option(help="Who was asked, in words.")] = "",
    when: Annotated[
        str, typer.Option(help="When they were asked, in words; by default the days that an interview has.")
    ] = "",
    out: Annotated[Path, typer.Option(metavar="FILE.html", help="Where to write the report.")] = Path("report.html"),
    charts: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write each chart as SVG and PNG to this folder.")
    ] = None,
) -> None:
    """Write a report on a metric in words and charts, with the models it ranks and its limits.

    For example: evenhand report my.interview.jsonl predictions.csv --label repaid --prediction 'model_*' --group sex
    """
    from evenhand.report import document  # noqa: PLC0415  # commands must start quickly
    from evenhand.report.drawing import as_png, as_svg  # noqa: PLC0415

    check_place(out, inputs=[metric, *(files or [])])
    if charts is not None:
        make_writable(charts)
    source = Source(metric, interview)
    candidates = Columns(label, prediction, group, weight).rates(files, source.setting) if files else source.candidates
    made = document.report(
        source.result(candidates),
        candidates=candidates,
        history=source.history,
        respondent=respondent,
        when=when or source.when,
        title=title,
    )
    write(out, made.html())
    typer.echo(f"The report is in {out}.")
    if charts is not None:
        for name, chart in made.charts.items():
            write(charts / f"{name}.svg", as_svg(chart))
            write_file(charts / f"{name}.png", as_png(chart))
        typer.echo(f"The charts are in {charts}." if made.charts else "There are no charts, since nothing is decided.")
