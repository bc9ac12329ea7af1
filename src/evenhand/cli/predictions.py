"""Files of predictions on the command line: which formats, which columns, and what a model is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates import GroupRates, Label, Setting, group_rates_from_table
from evenhand.rates.received import listed

if TYPE_CHECKING:
    import polars as pl

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="CSV, TSV, Parquet, Arrow or JSON lines.")]
LabelOption = Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column of true classes.")]
PredictionOption = Annotated[
    list[str],
    typer.Option(
        "--prediction",
        metavar="COLUMN",
        help="A column of predicted classes, one for each model; repeat it, or use wildcards: 'model_*'.",
    ),
]
GroupOption = Annotated[
    list[str], typer.Option("--group", metavar="COLUMN", help="The column of groups; repeat it for intersections.")
]
WeightOption = Annotated[
    str | None, typer.Option("--weight", metavar="COLUMN", help="The column that says how much each person counts.")
]


@dataclass(frozen=True)
class Columns:
    """The columns that a command was told to read."""

    label: str
    prediction: list[str]
    group: list[str]
    weight: str | None

    def rates(self, files: Sequence[Path], names: Setting | None = None) -> dict[str, GroupRates]:
        """Measure all models in all files; what is text in `names` is read as text, since a CSV file has no types."""
        found: dict[str, GroupRates] = {}
        for file in files:
            table = open_file(file, self._text_columns(names))
            measured = self._measured(table, file)
            stem = file.name.split(".")[0]
            for column, rates in measured.items():
                name = column if len(files) == 1 else stem if len(measured) == 1 else f"{stem}: {column}"
                if name in found:
                    raise EvenhandError(f"two models would both be called {name!r}: rename a file, so that they differ")
                found[name] = rates
        return found

    def _measured(self, table: pl.LazyFrame, file: Path) -> dict[str, GroupRates]:
        import polars as pl  # noqa: PLC0415  # an extra, and seconds matter in a shell
        from narwhals.exceptions import NarwhalsError  # noqa: PLC0415

        rates: dict[str, GroupRates] = {}
        try:
            for prediction in self.prediction:
                measured = group_rates_from_table(
                    table, label=self.label, prediction=prediction, group=self.group, weight=self.weight
                )
                rates |= {prediction: measured} if isinstance(measured, GroupRates) else measured
        except EvenhandError as error:
            raise EvenhandError(f"{file}: {error}") from error
        except (NarwhalsError, pl.exceptions.PolarsError, OSError) as error:
            raise EvenhandError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
        return rates

    def _text_columns(self, names: Setting | None) -> Callable[[str], bool]:
        if names is None:
            return lambda column: False  # noqa: ARG005
        classes, groups = _are_text(names.classes), _are_text(names.groups)
        others = {self.label: classes} | dict.fromkeys(self.group, groups)
        return lambda column: others.get(column, classes if column != self.weight else False)


def _are_text(labels: Sequence[Label]) -> bool:
    return all(isinstance(label, str) for label in labels)


def open_file(file: Path, is_text: Callable[[str], bool]) -> pl.LazyFrame:
    """Open a file of predictions without reading it."""
    try:
        import polars as pl  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError("polars", "tables") from error

    def separated_by(separator: str) -> Callable[[Path], pl.LazyFrame]:
        def scan(path: Path) -> pl.LazyFrame:
            columns = pl.scan_csv(path, separator=separator).collect_schema().names()
            overrides: dict[str, Any] = {column: pl.String for column in columns if is_text(column)}
            return pl.scan_csv(path, separator=separator, schema_overrides=overrides, infer_schema_length=None)

        return scan

    formats: dict[str, Callable[[Path], pl.LazyFrame]] = {
        ".csv": separated_by(","),
        ".tsv": separated_by("\t"),
        ".parquet": pl.scan_parquet,
        ".arrow": pl.scan_ipc,
        ".feather": pl.scan_ipc,
        ".jsonl": pl.scan_ndjson,
        ".ndjson": pl.scan_ndjson,
    }
    suffix = file.with_suffix("").suffix if file.suffix == ".gz" else file.suffix
    if suffix.lower() not in formats:
        raise EvenhandError(
            f"{file} is in no format that is read here: name a file that ends in {listed(list(formats))}"
        )
    if not file.is_file():
        raise EvenhandError(f"there is no file {file}")
    try:
        return formats[suffix.lower()](file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise EvenhandError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
