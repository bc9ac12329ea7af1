"""The options that name files of predictions and their columns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli.several import of_option

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="CSV, TSV, Parquet, Arrow or JSON lines.")]
OptionalFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE…",
        help="Predictions of models: CSV, TSV, Parquet, Arrow or JSON lines. Default: the models of the study that "
        "was exported.",
    ),
]
LabelOption = Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column of true classes.")]
PredictionOption = Annotated[
    list[str],
    typer.Option(
        "--prediction",
        metavar="COLUMN",
        callback=of_option,
        help="The column of a model's predicted classes. For more models: a,b or wildcards, 'model_*'. If a name has a "
        "comma, repeat the option.",
    ),
]
GroupOption = Annotated[
    list[str],
    typer.Option(
        "--group",
        metavar="COLUMN",
        callback=of_option,
        help="The column of groups; sex,age for intersections. If a name has a comma, repeat the option.",
    ),
]
WeightOption = Annotated[
    str | None, typer.Option("--weight", metavar="COLUMN", help="The column of weights of people.")
]
