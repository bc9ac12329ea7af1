"""`group_rates_from_table`: measures the rates of one or many models from a data frame or database table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from evenhand.checks.messages import expect
from evenhand.rates.counting.columns import check_labels, check_weight, matching, names
from evenhand.rates.counting.counts import Population
from evenhand.rates.counting.engine import check_unambiguous, count, open_table
from evenhand.rates.counting.in_duckdb import count_in_duckdb
from evenhand.rates.counting.in_memory import count_in_memory
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.setting import Setting

if TYPE_CHECKING:
    import narwhals as nw

_VALUES_AT_ONCE = 1 << 24
"""As many predictions of a table with many models are read into memory, some 130 MB of integers."""
_FEW = 20
"""So many models are counted where they are."""


# Text is one column or, with wildcards, a pattern, which no type tells apart. The union of both results would make
# every plain call a mistake to type checkers, so it is Any; a list or a compiled pattern gives the precise type.
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
    """Measure the rates of classifiers in each group, from a table that may be larger than memory.

    The engine that holds the table (pandas, Polars, PyArrow, DuckDB, Dask, PySpark or another that narwhals supports)
    counts the rows, lazily if it can, and only the counts are loaded. For many models whose predictions are integers in
    a table in memory, NumPy counts instead, which is faster.

    Parameters
    ----------
    frame
        A data frame, lazy or not, with one row per person.
    label
        The column of true classes.
    prediction
        The column of predicted classes. For many models, give a list of columns or a pattern: text with wildcards such
        as `"model_*"`, or a compiled regular expression, which is searched for in each name. The result is then a
        dictionary with the rates of each column. A pattern never selects the label, a group or the weight.
    group
        The column of groups. Several columns give intersections such as `"women & under 30"`.
    weight
        The column of weights; by default all people count equally.
    setting
        The classes, groups and prevalence; by default those of the table.

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
    check_unambiguous(table, [label, *groups, *models, *([] if weight is None else [weight])])
    shared = [label, *groups]

    if isinstance(prediction, str) and fitting is None:
        counts = count(table, [*shared, *models], weight)
        return Population.of(counts, shared, setting).rates(counts, models)[prediction]
    everybody = count(table, shared, weight)
    population = Population.of(everybody, shared, setting)
    rates: dict[str, GroupRates] = {}
    at_once = max(1, _VALUES_AT_ONCE // int(everybody.rows.sum()))
    for part, some in _parts(frame, table, [*shared, *([] if weight is None else [weight])], models, at_once):
        rates |= _rates_of_many(part, population, some, weight)
    return rates


def _parts(
    frame: Any, table: nw.LazyFrame[Any], beside: list[str], models: list[str], at_once: int
) -> Iterator[tuple[Any, list[str]]]:
    """Yield the table in parts of some models each, where that saves reading it anew for every few of them.

    Polars reads a file, and the names of all its columns, each time that it counts.
    """
    if not table.implementation.is_polars() or min(at_once, len(models)) <= _FEW:
        yield frame, models
        return
    for start in range(0, len(models), at_once):
        some = models[start : start + at_once]
        columns = list(dict.fromkeys([*beside, *some]))
        yield table.select(columns).collect().to_native(), some


def _rates_of_many(frame: Any, population: Population, models: list[str], weight: str | None) -> dict[str, GroupRates]:
    shared, table = population.shared, open_table(frame)
    rates: dict[str, GroupRates] = {}
    if weight is None:
        quickly = count_in_memory(frame, shared, models)
        quickly = quickly or count_in_duckdb(table, shared, models, population.setting.classes)
        for model, counts in quickly.items():
            rates |= population.rates(counts, [model])
    left = [model for model in models if model not in rates]
    several = population.counted_together()
    for start in range(0, len(left), several):
        some = left[start : start + several]
        rates |= population.rates(count(table, [*shared, *some], weight), some)
    return {model: rates[model] for model in models}
