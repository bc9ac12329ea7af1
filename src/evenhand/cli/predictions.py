"""The options that name files of predictions and their columns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="CSV, TSV, Parquet, Arrow or JSON lines.")]
LabelOption = Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column of true classes.")]
PredictionOption = Annotated[
    list[str],
    typer.Option(
        "--prediction",
        metavar="COLUMN",
        help="The column of a model's predicted classes; repeat for more models, or use wildcards: 'model_*'.",
    ),
]
GroupOption = Annotated[
    list[str], typer.Option("--group", metavar="COLUMN", help="The column of groups; repeat for intersections.")
]
WeightOption = Annotated[
    str | None, typer.Option("--weight", metavar="COLUMN", help="The column of weights of people.")
]
