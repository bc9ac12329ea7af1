"""Many models in a table of DuckDB: few whole numbers take a shorter way to the rates of single calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rates.engines import in_duckdb, in_polars_lazily
from tests.rates.many_models import assert_as_alone, people

from evenhand import EvenhandError, Setting, group_rates_from_table
from evenhand.rates.counting.engine import open_table
from evenhand.rates.counting.in_duckdb import count_in_duckdb


@given(
    st.sampled_from([np.int8, np.int64, np.uint16]),
    st.sampled_from([np.int64, np.float64, np.str_, np.bool_]),
    st.integers(2, 5),
    st.integers(0, 100),
    st.integers(0, 1000),
)
@settings(max_examples=30)
def test_each_model_gets_the_rates_of_a_single_call(label: Any, group: Any, k: int, low: int, seed: int) -> None:
    columns = people(160 * k, k, m=2, seed=seed)
    low = low if label is np.uint16 else low - 50
    for name in ("y", "p0", "p1", "p2"):
        columns[name] = (columns[name] + low).astype(label)
    columns["g"] = columns["g"].astype(group)
    frame = in_duckdb(columns)
    assert len(count_in_duckdb(open_table(frame), ["y", "g"], ["p0", "p1", "p2"], range(low, low + k))) == 3
    assert_as_alone(frame, ["p2", "p0", "p1"], label="y", group="g")


def test_more_models_than_one_statement_counts() -> None:
    columns = people(240, models=230)
    assert_as_alone(in_duckdb(columns), [f"p{place}" for place in range(0, 230, 10)], label="y", group=["g", "h"])
    every = group_rates_from_table(in_duckdb(columns), label="y", prediction="p*", group="g")
    assert list(every) == [f"p{place}" for place in range(230)]
    alone = group_rates_from_table(in_duckdb(columns), label="y", prediction="p229", group="g")
    assert every["p229"] == alone


def test_a_table_of_a_database_whose_columns_may_be_called_anything() -> None:
    import duckdb  # noqa: PLC0415

    columns = people(240)
    odd = {"y": "value_1", "g": "value_0", "p0": 'a "b"; --', "p1": "rows", "p2": "count(*)"}
    frame = in_duckdb({odd[name]: columns[name] for name in odd}).to_arrow_table()
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
        models = [odd["p0"], "rows", "count(*)"]
        for relation in (connection.table("people"), connection.sql("SELECT * FROM people WHERE value_0 < 3")):
            assert len(count_in_duckdb(open_table(relation), ["value_1", "value_0"], models, (0, 1, 2))) == 3
            assert_as_alone(relation, models, label="value_1", group="value_0")


def test_whole_decimals_are_labels() -> None:
    frame = in_duckdb(people(240)).project("y::DECIMAL(3, 0) AS y, g::HUGEINT AS g, p0::HUGEINT AS p0, p1")
    assert len(count_in_duckdb(open_table(frame), ["y", "g"], ["p0", "p1"], (0, 1, 2))) == 2
    assert_as_alone(frame, ["p0", "p1"], label="y", group="g")


def test_a_setting_has_its_own_order() -> None:
    setting = Setting([2, 0, 1], [3, 2, 1, 0], [[0.25] * 3] * 4)
    assert_as_alone(in_duckdb(people(240)), ["p0", "p1"], label="y", group="g", setting=setting)


@pytest.mark.parametrize(
    ("changed", "classes"),
    [
        ({}, ("0", "1", "2")),
        ({}, (False, True)),
        ({}, (0, 1, 3)),
        ({}, tuple(range(9))),
        ({"p0": [0.0, 1.0] * 120}, (0, 1, 2)),
        ({"p0": [None] + [0] * 239}, (0, 1, 2)),
        ({"p0": [3] + [0] * 239}, (0, 1, 2)),
        ({"p0": [-1] + [0] * 239}, (0, 1, 2)),
    ],
    ids=["text", "true", "gap", "many", "floats", "missing", "above", "below"],
)
def test_other_predictions_go_the_other_way(changed: dict[str, Any], classes: tuple[Any, ...]) -> None:
    table = open_table(in_duckdb({**people(240), **changed}))
    assert not count_in_duckdb(table, ["y", "g"], ["p0", "p1"], classes)


def test_other_engines_go_the_other_way() -> None:
    assert not count_in_duckdb(open_table(in_polars_lazily(people(240))), ["y", "g"], ["p0", "p1"], (0, 1, 2))


def test_what_is_wrong_with_one_model_is_said_as_in_a_single_call() -> None:
    columns = people(240)
    for wrong, message in (
        ([None, None, *columns["p1"][2:].tolist()], r"the column 'p1' is missing \(.*\) in 2 rows"),
        ([7] * 5 + columns["p1"][5:].tolist(), "the column 'p1' has 7 in 5 rows, but the classes are 0, 1, 2"),
    ):
        frame = in_duckdb({**columns, "p1": wrong})
        for prediction in ("p1", ["p0", "p1"]):
            with pytest.raises(EvenhandError, match=message):
                group_rates_from_table(frame, label="y", prediction=prediction, group="g")


@pytest.mark.parametrize("star", ["y", "g", "p0"])
def test_a_column_that_duckdb_would_take_for_all_is_refused(star: str) -> None:
    frame = in_duckdb({"*" if name == star else name: values for name, values in people(240).items()})
    roles = {"label": "y", "group": "g", "prediction": ["p0", "p1"]}
    called = {role: "*" if name == star else ["*", "p1"] if star in name else name for role, name in roles.items()}
    with pytest.raises(EvenhandError, match=r"DuckDB takes the name '\*' for all columns"):
        group_rates_from_table(frame, **called)  # type: ignore[call-overload]
