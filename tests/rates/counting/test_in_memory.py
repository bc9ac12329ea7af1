"""Many models in a table that is in memory: whole numbers take a shorter way to the rates of single calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rates.engines import (
    Columns,
    in_duckdb,
    in_pandas,
    in_pandas_with_arrow_types,
    in_polars,
    in_polars_lazily,
    in_pyarrow,
)
from tests.rates.many_models import assert_as_alone, people

from evenhand import EvenhandError, group_rates_from_table
from evenhand.rates.counting.in_memory import count_in_memory

Engine = Callable[[Columns], Any]
IN_MEMORY = [in_pandas, in_pandas_with_arrow_types, in_polars, in_pyarrow]


@given(
    st.sampled_from(IN_MEMORY),
    st.sampled_from([np.int8, np.int64, np.uint16, np.bool_]),
    st.sampled_from([np.int64, np.float64, np.str_]),
    st.integers(2, 5),
    st.integers(0, 100),
    st.integers(0, 1000),
)
def test_each_model_gets_the_rates_of_a_single_call(
    engine: Engine, label: Any, group: Any, k: int, low: int, seed: int
) -> None:
    k, low = (2, 0) if label is np.bool_ else (k, low)
    columns = people(160 * k, k, seed=seed)
    for name in ("y", "p0", "p1", "p2"):
        columns[name] = (columns[name] + low).astype(label)
    columns["g"] = columns["g"].astype(group)
    frame = engine(columns)
    assert len(count_in_memory(frame, ["y", "g"], ["p0", "p1", "p2"])) == 3
    assert_as_alone(frame, ["p2", "p0", "p1"], label="y", group="g")


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_intersections_and_rows_in_order(engine: Engine) -> None:
    columns = people(300_000)
    order = np.lexsort((columns["y"], columns["g"]))  # the first rows show but one group, of one class
    frame = engine({name: values[order] for name, values in columns.items()})
    assert len(count_in_memory(frame, ["y", "g", "h"], ["p0"])) == 1
    assert_as_alone(frame, ["p0", "p1"], label="y", group=["g", "h"])


def test_groups_may_be_categories_and_labels_of_a_type_that_knows_missing_ones() -> None:
    import polars as pl  # noqa: PLC0415

    columns = people(240)
    columns["g"] = columns["g"].astype(str)
    table = in_pyarrow(columns)
    for frame in (
        in_pandas(columns).astype({"g": "category", "y": "Int8", "p0": "Int64"}),
        in_polars(columns).with_columns(pl.col("g").cast(pl.Categorical)),
        table.set_column(1, "g", table["g"].dictionary_encode()),
    ):
        assert len(count_in_memory(frame, ["y", "g"], ["p0", "p1"])) == 2
        assert_as_alone(frame, ["p0", "p1"], label="y", group="g")


def test_more_cells_than_a_table_should_have_are_left_to_the_engine() -> None:
    columns = people(1200, m=400)
    assert not count_in_memory(in_polars(columns), ["y", "g"], ["p0"])
    assert_as_alone(in_polars(columns), ["p0", "p1"], label="y", group="g")


@pytest.mark.parametrize("engine", [in_pandas, in_polars, in_pyarrow])
def test_models_that_are_no_whole_numbers_are_counted_by_the_engine(engine: Engine) -> None:
    columns = people(240)
    columns["p1"] = columns["p1"].astype(float)
    columns["far"] = columns["p0"] * 10**6
    frame = engine(columns)
    assert list(count_in_memory(frame, ["y", "g"], ["p0", "p1", "far", "p2"])) == ["p0", "p2"]
    assert_as_alone(frame, ["p0", "p1", "p2"], label="y", group="g")


@pytest.mark.parametrize("engine", [in_duckdb, in_polars_lazily])
def test_a_table_that_is_not_in_memory_stays_where_it_is(engine: Engine) -> None:
    assert not count_in_memory(engine(people(240)), ["y", "g"], ["p0"])


@pytest.mark.parametrize("engine", IN_MEMORY)
def test_what_is_wrong_with_one_model_is_said_as_in_a_single_call(engine: Engine) -> None:
    columns = people(240)
    holes = [None, None, *columns["p1"][2:].tolist()]
    other = np.where(np.arange(240) < 5, 7, columns["p1"])
    wrongs: list[tuple[list[Any], str]] = [
        (holes, r"the column 'p1' is missing \(.*\) in 2 rows"),
        (other.tolist(), "the column 'p1' has 7 in 5 rows, but the classes are 0, 1, 2"),
        (
            list(map(str, columns["p1"])),
            "the column 'p1' has '0', '1', '2' in 240 rows, but the classes are 0, 1, 2; te",
        ),
    ]
    for wrong, message in wrongs:
        frame = engine({**columns, "p1": wrong})
        for prediction in ("p1", ["p0", "p1"]):
            with pytest.raises(EvenhandError, match=message):
                group_rates_from_table(frame, label="y", prediction=prediction, group="g")


def test_labels_that_only_the_engine_understands_are_left_to_it() -> None:
    from decimal import Decimal  # noqa: PLC0415

    columns = people(240)
    frame = in_polars({**columns, "y": [Decimal(int(label)) for label in columns["y"]]})
    assert not count_in_memory(frame, ["y", "g"], ["p0"])
    assert_as_alone(frame, ["p0", "p1"], label="y", group="g")


def test_numbers_too_wide_for_numpy_are_left_to_polars() -> None:
    import polars as pl  # noqa: PLC0415

    frame = in_polars(people(240))
    for name in ("y", "g", "p0"):
        assert_as_alone(frame.with_columns(pl.col(name).cast(pl.Int128)), ["p0", "p1"], label="y", group="g")


def test_long_labels_and_labels_that_end_in_nothing_visible_stay_as_they_are() -> None:
    columns = people(240, m=2)
    columns["g"] = np.array(["a", "a\0" + 2000 * "b" + "\0"], dtype=object)[columns["g"]]
    for engine in (in_polars, in_pandas):
        assert_as_alone(engine(columns), ["p0", "p1"], label="y", group="g")
