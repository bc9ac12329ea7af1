"""Files of predictions: their formats, their columns, and the names of the models in them."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from glob import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenhand.checks.messages import listed, shown
from evenhand.checks.nesting import check_lines
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.rates.counting.counts import WrongLabelsError
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.separated import check_text, misfit, separator_of
from evenhand.rates.setting import Setting
from evenhand.rates.table import group_rates_from_table
from evenhand.rates.wrong_rows import where_first_wrong
from evenhand.typing import Label

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Columns:
    """The columns to read."""

    label: str
    prediction: list[str]
    group: list[str]
    weight: str | None

    def rates(self, files: Sequence[Path], names: Setting | None = None) -> dict[str, GroupRates]:
        """Measure all models in all files, with the classes and groups of `names`, if given.

        A CSV file has no types, so columns whose labels in `names` are text are read as text.
        """
        found: dict[str, GroupRates] = {}
        for file in files:
            table = open_file(file, self._text_columns(names))
            measured = self._measured(table, file, names)
            stem = file.name.split(".")[0]
            for column, rates in measured.items():
                if not column:
                    raise EvenhandError(f"{file} has a column of predictions without a name: write one above it")
                name = column if len(files) == 1 else stem if len(measured) == 1 else f"{stem}: {column}"
                if name in found:
                    raise EvenhandError(f"two models would both be called {name!r}: rename one of the files")
                found[name] = rates
        return found

    def _measured(self, table: pl.LazyFrame, file: Path, names: Setting | None) -> dict[str, GroupRates]:
        import polars as pl  # noqa: PLC0415  # an extra, and commands must start quickly
        from narwhals.exceptions import NarwhalsError  # noqa: PLC0415

        rates: dict[str, GroupRates] = {}
        try:
            for prediction in self._predictions(table.collect_schema().names()):
                measured = group_rates_from_table(
                    table, label=self.label, prediction=prediction, group=self.group, weight=self.weight, setting=names
                )
                rates |= {str(prediction): measured} if isinstance(measured, GroupRates) else measured
        except EvenhandError as error:
            columns = (self.label, self.group, self.prediction)
            of_rows = isinstance(error, WrongLabelsError)
            where = where_first_wrong(table, *columns, of_rows=of_rows, lines=_has_lines(file))
            raise EvenhandError(f"{file}: {error}{where}") from error
        except (NarwhalsError, pl.exceptions.PolarsError, OSError) as error:
            raise unreadable(file, error) from error
        return {name: one.in_measured_prevalence() for name, one in rates.items()}

    def _predictions(self, columns: Sequence[str]) -> Iterator[str | list[str]]:
        """Yield names of columns together, which are counted together, and each pattern by itself."""
        for are_names, some in groupby(self.prediction, key=lambda one: one in columns):
            together = list(dict.fromkeys(some))
            if are_names and len(together) > 1:
                yield together
            else:
                yield from together

    def _text_columns(self, names: Setting | None) -> Callable[[str], bool]:
        if names is None:
            return lambda column: False  # noqa: ARG005
        classes, groups = _are_text(names.classes), _are_text(names.groups)
        others = {self.label: classes} | dict.fromkeys(self.group, groups)
        return lambda column: others.get(column, classes if column != self.weight else False)


def _are_text(labels: Sequence[Label]) -> bool:
    return all(isinstance(label, str) for label in labels)


def open_file(file: Path, is_text: Callable[[str], bool]) -> pl.LazyFrame:
    """Open a file of predictions lazily."""
    try:
        import polars as pl  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow.json import read_json  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "polars", "tables") from error

    place = escape(str(file))  # Polars would take brackets for a pattern

    def separated() -> pl.LazyFrame:
        compressed = file.suffix == ".gz"
        if not compressed:
            check_text(file)
        usual = "\t" if file.with_suffix("").suffix == ".tsv" else ","
        separator = usual if compressed else separator_of(file)
        first = pl.scan_csv(place, separator=separator, has_header=False, n_rows=1, infer_schema=False).collect()
        columns = [name or "" for name in first.row(0)]
        twice = [name for name, times in Counter(columns).items() if times > 1]
        if twice:  # Polars would rename the others
            raise EvenhandError(f"{file} has more than one column called {listed(twice)}: rename them")
        overrides: dict[str, Any] = {column: pl.String for column in columns if is_text(column)}
        found = pl.scan_csv(
            place, separator=separator, schema_overrides=overrides, infer_schema_length=None, new_columns=columns
        )
        # Polars would read the whole file again for the types of its columns, each time that something is counted.
        types = found.collect_schema()
        return pl.scan_csv(place, separator=separator, has_header=False, skip_rows=1, schema=types)

    def json_lines() -> pl.LazyFrame:
        # Polars would turn mixed columns into text, and drop columns that are missing from the first rows.
        with pa.input_stream(file, compression="detect") as stream:
            check_lines(io.BufferedReader(stream), file)
        with pa.input_stream(file, compression="detect") as stream:
            return pl.DataFrame(read_json(stream)).lazy()

    formats: dict[str, Callable[[], pl.LazyFrame]] = {
        ".csv": separated,
        ".tsv": separated,
        ".parquet": lambda: pl.scan_parquet(place),
        ".arrow": lambda: pl.scan_ipc(place),
        ".feather": lambda: pl.scan_ipc(place),
        ".jsonl": json_lines,
        ".ndjson": json_lines,
    }
    if file.is_dir():
        raise EvenhandError(f"{file} is a folder: name a file in it")
    suffix = file.with_suffix("").suffix if file.suffix == ".gz" else file.suffix
    if suffix.lower() not in formats:
        raise EvenhandError(f"{file} has an unknown format: name a file that ends in {listed(list(formats))}")
    if not file.is_file():
        raise EvenhandError(f"there is no file {file}")
    try:
        str(file).encode()
        table = formats[suffix.lower()]()
        names = table.collect_schema().names()
    except UnicodeEncodeError as error:
        raise EvenhandError(f"the name {shown(str(file))} is not in UTF-8: rename the file") from error
    except (pl.exceptions.PolarsError, pa.ArrowException, OSError) as error:
        raise unreadable(file, error) from error
    _check_plain(file, names)
    return table


def _check_plain(file: Path, names: Sequence[str]) -> None:
    """Refuse names that Polars takes for patterns, wherever a column is named."""
    for name in names:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise EvenhandError(f"{file} has a column called {shown(name)}, which stands for other columns: rename it")


def unreadable(file: Path, error: Exception) -> EvenhandError:
    """Return the error that says why a file cannot be read: by its line, if it is one of separated values."""
    if _has_lines(file):
        return EvenhandError(f"{file} cannot be read: {misfit(file, separator_of(file)) or str(error).splitlines()[0]}")
    why = (
        "it is empty"
        if not file.stat().st_size
        else f"is it damaged, or of another format? ({str(error).splitlines()[0]})"
    )
    return EvenhandError(f"{file} cannot be read: {why}")


def _has_lines(file: Path) -> bool:
    return file.suffix.lower() in {".csv", ".tsv"}
