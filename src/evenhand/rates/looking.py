"""A first look at a file of predictions: its columns, its first rows, and what each column may be for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.rates.files import Columns, open_file, unreadable

_ROWS_READ = 1000
_ROWS_SHOWN = 5
_FEW = 12  # classes, or groups: a column with more values is neither
_FEWEST_COLUMNS = 4
_LONGEST_NAME = 200

_LABELS = re.compile(r"(?i)(label|y|y_?true|true|truth|target|outcome|actual|class|observed|repaid|default(ed)?)")
_MODELS = re.compile(r"(?i)(y_?hat|y_?pred|pred|model|clf|classifier)")
_GROUPS = re.compile(r"(?i)(sex|gender|race|ethnic|age|group|region|nation|religion|disab|a_?g)")
_WEIGHTS = re.compile(r"(?i)(sample_?)?weights?")


class Role(StrEnum):
    """What a column is for."""

    NONE = ""
    LABEL = "label"
    PREDICTION = "prediction"
    GROUP = "group"
    WEIGHT = "weight"


@dataclass(frozen=True)
class LookedColumn:
    """A column as its first rows show it: `values` are its different values, where they are few."""

    name: str
    first: tuple[str, ...]
    values: frozenset[Any] | None = None


@dataclass(frozen=True)
class Look:
    """The columns of a file, and how many rows it has."""

    columns: tuple[LookedColumn, ...]
    rows: int

    @classmethod
    def at(cls, file: Path, *, most_rows: int, most_columns: int) -> Look:
        """Look at a file, or refuse one that is too large."""
        import polars as pl  # noqa: PLC0415  # an extra

        table = open_file(file, lambda _: False)
        try:
            names = table.collect_schema().names()
            _check_names(file, names, most_columns)
            rows = int(table.select(pl.len()).collect().item())
            if rows > most_rows:
                raise EvenhandError(f"{file} has {rows:,} rows, but {most_rows:,} is the most: take a random sample")
            start = table.head(_ROWS_READ).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise unreadable(file, error) from error
        if not rows:
            raise EvenhandError(f"{file} has no rows but the names of its columns: there are no people to count")
        return cls(tuple(_column(start[name]) for name in names), rows)

    def guess(self) -> tuple[Role, ...]:
        """Guess what each column is for; a person corrects it.

        Predictions have the values of the true classes, and are told from groups of two by their names.
        """
        few = {column.name: column.values for column in self.columns if column.values is not None}
        known = {name: values for name, values in few.items() if not _GROUPS.match(name)}
        label = max(known, key=lambda name: self._as_label(name, known), default=None)
        models = [] if label is None else _models_of(label, known)
        if label is None or not models:
            label, models = None, []
        groups = [name for name, values in few.items() if name not in {label, *models} and len(values) > 1]
        group = max(groups, key=lambda name: bool(_GROUPS.match(name)), default=None)
        roles = {group: Role.GROUP, label: Role.LABEL} | dict.fromkeys(models, Role.PREDICTION)
        roles |= {column.name: Role.WEIGHT for column in self.columns if _WEIGHTS.fullmatch(column.name)}
        return tuple(roles.get(column.name, Role.NONE) for column in self.columns)

    def _as_label(self, name: str, known: dict[str, frozenset[Any]]) -> tuple[bool, int, bool, int]:
        """Return how well a column fits as the true class: by its name, then by how many models there would be."""
        names = [column.name for column in self.columns]
        models = _models_of(name, known)
        named = bool(_LABELS.fullmatch(name))
        return bool(models) and named, len(models), not _MODELS.match(name), -names.index(name)


def columns_of(names: Sequence[str], roles: Iterable[str]) -> Columns:
    """Return the columns with these roles, or say which role is missing."""
    of: dict[str, list[str]] = {role: [] for role in Role}
    for name, role in zip(names, roles, strict=True):
        if role not in of:
            raise EvenhandError(f"the column {shown(name)} cannot be {shown(role)}: choose one of the list")
        of[role].append(name)
    wanted = {Role.LABEL: "what really happened", Role.GROUP: "the group of each person"}
    for role, what in wanted.items():
        if not of[role]:
            raise EvenhandError(f"no column says {what}: choose one")
    for role, what in {Role.LABEL: "what really happened", Role.WEIGHT: "the weight of each person"}.items():
        if len(of[role]) > 1:
            raise EvenhandError(f"more than one column says {what} ({', '.join(map(shown, of[role]))}): choose one")
    if len(of[Role.PREDICTION]) < 2:
        raise EvenhandError("a study needs at least two models: choose two or more columns of predictions")
    return Columns(of[Role.LABEL][0], of[Role.PREDICTION], of[Role.GROUP], next(iter(of[Role.WEIGHT]), None))


def _models_of(label: str, known: dict[str, frozenset[Any]]) -> list[str]:
    """Return the columns that may hold predictions of these classes."""
    classes = known[label]
    if len(classes) < 2:
        return []
    fitting = [name for name, values in known.items() if name != label and values <= classes]
    return [name for name in fitting if _MODELS.match(name)] or fitting


def _column(column: Any) -> LookedColumn:
    values = column.drop_nulls().unique().to_list() if _is_of_labels(column) else []
    first = tuple("" if value is None else str(value)[:_LONGEST_NAME] for value in column.head(_ROWS_SHOWN).to_list())
    return LookedColumn(column.name, first, frozenset(values) if 0 < len(values) <= _FEW else None)


def _is_of_labels(column: Any) -> bool:
    import polars as pl  # noqa: PLC0415

    return bool(column.dtype.is_numeric() or column.dtype in (pl.String, pl.Boolean, pl.Categorical))


def _check_names(file: Path, names: Sequence[str], most: int) -> None:
    if len(names) > most:
        raise EvenhandError(f"{file} has {len(names):,} columns, but {most} is the most: leave out those not needed")
    if len(names) < _FEWEST_COLUMNS:
        raise EvenhandError(
            f"{file} has fewer columns than a study needs ({listed(names)}): what really happened, the group, and the "
            "predictions of two models; are there commas, semicolons, tabs or bars between the values?"
        )
    for place, name in enumerate(names, 1):
        if len(name) > _LONGEST_NAME:
            raise EvenhandError(
                f"the name of column {place} of {file} has {len(name):,} characters, but {_LONGEST_NAME} is the most: "
                "does the first line hold the names of the columns?"
            )
