"""From a table, wherever it lives, to the rates of each group: for one model or for many at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import EvenhandError
from evenhand.rates import labels
from evenhand.rates.cells import nobody
from evenhand.rates.columns import check_labels, check_weight, matching, names
from evenhand.rates.counted import Counts, count, open_table
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.labels import Label
from evenhand.rates.received import expect, listed, shown
from evenhand.rates.setting import Setting
from evenhand.rates.vector import Floats

_MOST_TOGETHER = 4096
"""Models are counted together, several in one pass, as long as there are no more combinations than this."""
_AND = " & "


@overload
def group_rates_from_table(
    frame: Any,
    *,
    label: str,
    prediction: str,
    group: str | Sequence[str],
    weight: str | None = ...,
    setting: Setting | None = ...,
) -> Any: ...
@overload
def group_rates_from_table(
    frame: Any,
    *,
    label: str,
    prediction: list[str] | tuple[str, ...] | re.Pattern[str],
    group: str | Sequence[str],
    weight: str | None = ...,
    setting: Setting | None = ...,
) -> dict[str, GroupRates]: ...
def group_rates_from_table(
    frame: Any,
    *,
    label: str,
    prediction: str | list[str] | tuple[str, ...] | re.Pattern[str],
    group: str | Sequence[str],
    weight: str | None = None,
    setting: Setting | None = None,
) -> GroupRates | dict[str, GroupRates]:
    """Measure what classifiers do to each group, from a table that may be larger than memory.

    The rows are counted by the engine that holds the table (pandas, Polars, PyArrow, DuckDB, Dask, PySpark or another
    that narwhals knows), lazily where it can, and only the counts come back.

    Parameters
    ----------
    frame
        A data frame, lazy or not, with one row per person.
    label
        The column of true classes.
    prediction
        The column of predicted classes. For many models at once, a list of columns or a pattern, which give a
        dictionary with the rates of each column: a compiled regular expression, searched for in each name, or text
        with wildcards such as `"model_*"`. A pattern leaves out the columns that are the label, a group or the weight.
    group
        The column of groups. Several columns make intersections such as `"women & under 30"`.
    weight
        The column that says how much each person counts; equally, if not given.
    setting
        The classes, groups and prevalence to measure in; read off the table if not given.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"repaid": [0, 0, 1, 1], "model": [0, 1, 1, 1], "sex": list("abab")})
    >>> rates = group_rates_from_table(people, label="repaid", prediction="model", group="sex")
    >>> rates.vector
    array([[0., 0.],
           [1., 0.]])
    """
    if setting is not None:
        expect(setting, "setting", Setting)
    table = open_table(frame)
    schema = table.collect_schema()
    groups = names(group, "group")
    check_labels(schema, [label], "label")
    check_labels(schema, groups, "group")
    if weight is not None:
        check_weight(schema, weight)
    fitting = matching(prediction, schema, [label, *groups, *([] if weight is None else [weight])])
    models = names(prediction, "prediction") if fitting is None else fitting
    check_labels(schema, models, "prediction")
    shared = [label, *groups]

    def counted_with(models: list[str]) -> Counts:
        return count(table, [*shared, *models], weight)

    if isinstance(prediction, str) and fitting is None:
        counts = counted_with(models)
        return _People.of(counts, shared, setting).rates(counts, models)[prediction]
    people = _People.of(counted_with([]), shared, setting)
    several = people.counted_together()
    rates: dict[str, GroupRates] = {}
    for start in range(0, len(models), several):
        some = models[start : start + several]
        rates |= people.rates(counted_with(some), some)
    return rates


@dataclass(frozen=True, eq=False)
class _People:
    """Who is in the table: the classes and groups, and how many people of each there are, effectively."""

    shared: list[str]
    setting: Setting
    sizes: Floats

    @classmethod
    def of(cls, counts: Counts, shared: list[str], setting: Setting | None) -> _People:
        if setting is None:
            classes, groups = (
                tuple(sorted(set(map(labels.plain, column))))
                for column in (_true_classes(counts, shared), _groups(counts, shared))
            )
        else:
            classes, groups = setting.classes, setting.groups
        cell = _cells(counts, shared, classes, groups)
        m, k = len(groups), len(classes)
        weight, squares = (
            np.bincount(cell, total, minlength=m * k).reshape(m, k) for total in (counts.weight, counts.squares)
        )
        if not weight.all():
            g, i = np.argwhere(weight == 0)[0]
            raise nobody(groups[g], classes[i])
        sizes = weight * (weight / squares)  # Kish's effective number; with equal weights that is how many there are
        return cls(shared, setting or Setting(classes, groups, weight / weight.sum(axis=0)), sizes)

    def counted_together(self) -> int:
        """Return how many models one pass over the table should count."""
        classes = len(self.setting.classes)
        left = _MOST_TOGETHER / self.sizes.size
        return max(1, int(log(max(left, 1)) / log(classes)))

    def rates(self, counts: Counts, models: list[str]) -> dict[str, GroupRates]:
        """Return the rates of the models that were counted together."""
        cell = _cells(counts, self.shared, self.setting.classes, self.setting.groups)
        m, k = self.sizes.shape
        rates = {}
        for model, column in zip(models, counts.labels[len(self.shared) :], strict=True):
            _check(column, counts, model)
            predicted = _places(column, self.setting.classes, counts, model, "classes")
            decisions: Floats = np.bincount(cell * k + predicted, counts.weight, minlength=m * k * k).astype(np.float64)
            decisions = decisions.reshape(m, k, k)
            matrix = decisions / decisions.sum(axis=-1, keepdims=True)
            rates[model] = GroupRates(setting=self.setting, matrix=matrix, counts=decisions, sizes=self.sizes)
        return rates


def _true_classes(counts: Counts, shared: list[str]) -> Sequence[Label]:
    _check(counts.labels[0], counts, shared[0])
    return counts.labels[0]


def _groups(counts: Counts, shared: list[str]) -> Sequence[Label]:
    """Return the group of each combination; several columns are joined by "&"."""
    columns = counts.labels[1 : len(shared)]
    for name, column in zip(shared[1:], columns, strict=True):
        _check(column, counts, name)
    if len(columns) == 1:
        return columns[0]
    together = list(zip(*columns, strict=True))
    joined = {parts: _AND.join(map(str, parts)) for parts in set(together)}
    if len(set(joined.values())) < len(joined):
        raise EvenhandError(
            f"the groups of the columns {listed(shared[1:])} cannot be told apart once they are joined by {_AND!r}: "
            "rename those that hold it"
        )
    return [joined[parts] for parts in together]


def _cells(
    counts: Counts, shared: list[str], classes: tuple[Label, ...], groups: tuple[Label, ...]
) -> NDArray[np.intp]:
    true = _places(_true_classes(counts, shared), classes, counts, shared[0], "classes")
    group = _places(_groups(counts, shared), groups, counts, _AND.join(shared[1:]), "groups")
    return group * len(classes) + true


def _check(column: Sequence[Any], counts: Counts, name: str) -> None:
    """Refuse labels that are missing, no labels at all, or of mixed kind."""
    kinds = {value: labels.kind(value) for value in set(column)}
    for value, kind in kinds.items():
        if kind == "missing":
            rows = _rows(column, counts, lambda label: labels.kind(label) == "missing")
            raise EvenhandError(f"the column {shown(name)} is missing ({shown(value)}) in {rows}: fill or drop them")
        if kind not in {"text", "a number"}:
            raise EvenhandError(
                f"the column {shown(name)} holds {shown(value)}, which is {kind}: labels must be text, numbers or "
                "true/false"
            )
    if len(set(kinds.values())) > 1:
        one, other = (next(value for value in column if kinds[value] == kind) for kind in ("text", "a number"))
        raise EvenhandError(
            f"the column {shown(name)} mixes text and numbers, such as {shown(one)} and {shown(other)}: turn them all "
            "into one kind"
        )


def _places(
    column: Sequence[Label], known: tuple[Label, ...], counts: Counts, name: str, what: str
) -> NDArray[np.intp]:
    place = {label: code for code, label in enumerate(known)}
    unseen = set(column) - place.keys()
    if unseen:
        label = next(label for label in column if label in unseen)
        message = (
            f"the column {shown(name)} has {shown(labels.plain(label))} in {_rows(column, counts, label.__eq__)}, "
            f"but the {what} are {listed(known)}"
        )
        if str(label) in map(str, known):
            message += "; text and numbers are different labels: turn both columns into one kind"
        raise EvenhandError(message)
    return np.fromiter(map(place.__getitem__, column), dtype=np.intp, count=len(column))


def _rows(column: Sequence[Any], counts: Counts, such: Callable[[Any], bool]) -> str:
    rows = sum(rows for label, rows in zip(column, counts.rows.tolist(), strict=True) if such(label))
    return f"{rows:,.0f} {'row' if rows == 1 else 'rows'}"
