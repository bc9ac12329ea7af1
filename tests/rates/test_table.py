"""A table gives the rates that arrays give, whichever engine it lives in, and nothing in it is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.io.plugins import register_io_source
from tests.rates.engines import EVERY, Columns, in_dask, in_pandas, in_polars, in_polars_lazily, in_pyarrow, in_pyspark

from evenhand import EvenhandError, GroupRates, Setting, group_rates, group_rates_from_table

Engine = Callable[[Columns], Any]
MODELS = [f"model_{place}" for place in range(7)]


def people(rows: int = 400, seed: int = 0) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    repaid = rng.choice(["late", "no", "yes"], rows)
    columns: dict[str, Any] = {
        "repaid": repaid,
        "sex": rng.choice(["women", "men"], rows),
        "age": rng.choice([30, 60], rows),
        "weight": rng.integers(1, 9, rows) / 4,
    }
    for model in MODELS:
        columns[model] = np.where(rng.random(rows) < 0.6, repaid, rng.permutation(repaid))
    return {name: values.tolist() for name, values in columns.items()}


PEOPLE = people()


def assert_same(one: GroupRates, other: GroupRates) -> None:
    assert one.setting.same_names(other.setting)
    np.testing.assert_allclose(one.setting.prevalence, other.setting.prevalence, rtol=1e-12)
    for name in ("matrix", "counts", "sizes"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-12)


@pytest.mark.parametrize("engine", EVERY)
def test_a_table_gives_what_its_columns_give(engine: Engine) -> None:
    rates = group_rates_from_table(engine(PEOPLE), label="repaid", prediction="model_3", group="sex")
    assert_same(rates, group_rates(PEOPLE["repaid"], PEOPLE["model_3"], sensitive_features=PEOPLE["sex"]))


@pytest.mark.parametrize("engine", EVERY)
def test_weighted_intersections_of_many_models_in_one_call(engine: Engine) -> None:
    every = group_rates_from_table(
        engine(PEOPLE), label="repaid", prediction="model_*", group=["sex", "age"], weight="weight"
    )
    assert list(every) == MODELS
    groups = [f"{sex} & {age}" for sex, age in zip(PEOPLE["sex"], PEOPLE["age"], strict=True)]
    for model in MODELS:
        alone = group_rates(PEOPLE["repaid"], PEOPLE[model], sensitive_features=groups, sample_weight=PEOPLE["weight"])
        assert_same(every[model], alone)


@pytest.mark.parametrize("engine", EVERY)
def test_columns_may_be_called_anything(engine: Engine) -> None:
    odd = {"repaid": "label_0", "sex": "a.b `c`; --", "model_0": "rows", "weight": "least"}
    frame = engine({odd[name]: PEOPLE[name] for name in odd})
    rates = group_rates_from_table(frame, label="label_0", prediction="rows", group="a.b `c`; --", weight="least")
    same = group_rates(
        PEOPLE["repaid"], PEOPLE["model_0"], sensitive_features=PEOPLE["sex"], sample_weight=PEOPLE["weight"]
    )
    assert_same(rates, same)


def twice_in_duckdb(also: str) -> Any:
    import duckdb  # noqa: PLC0415

    frame = in_polars(PEOPLE)  # noqa: F841  # DuckDB finds it by its name
    return duckdb.sql(f"select *, age as {also} from frame")  # noqa: S608


def twice_in_dask(also: str) -> Any:
    return in_dask(PEOPLE).rename(columns={"age": also})


def twice_in_pyspark(also: str) -> Any:
    return in_pyspark(PEOPLE).withColumnRenamed("age", also)


@pytest.mark.parametrize(
    ("twice", "also", "message"),
    [
        (twice_in_duckdb, "sex", "2 columns that are all called 'sex'"),
        (twice_in_duckdb, "SEX", "2 columns that are all called 'sex'"),
        (twice_in_dask, "sex", "columns must have different names, but are 'repaid', 'sex', 'sex'"),
        pytest.param(
            *(twice_in_pyspark, "sex", "2 columns that are all called 'sex'"),
            marks=pytest.mark.xdist_group("in_pyspark"),
        ),
    ],
    ids=["duckdb", "duckdb, in capitals", "dask", "pyspark"],
)
def test_two_columns_of_one_name_are_refused(twice: Callable[[str], Any], also: str, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        group_rates_from_table(twice(also), label="repaid", prediction="model_0", group="sex")


@pytest.mark.parametrize("name", ["*", "^sex$", "^.*$"])
def test_polars_patterns_are_not_taken_for_columns(name: str) -> None:
    frame = in_polars(PEOPLE).rename({"age": name})
    with pytest.raises(EvenhandError, match="for a pattern of names: rename the column"):
        group_rates_from_table(frame, label="repaid", prediction="model_0", group=name)


def test_whole_numbers_that_an_engine_keeps_as_decimals_are_labels() -> None:
    import duckdb  # noqa: PLC0415

    frame = duckdb.sql("select a.i::hugeint as y, b.i::decimal(3, 1) as p, c.i as g from range(2) as a(i), "
                       "range(2) as b(i), range(2) as c(i)")  # fmt: skip
    rates = group_rates_from_table(frame, label="y", prediction="p", group="g")
    assert rates.setting.classes == (0, 1)
    assert type(rates.setting.classes[0]) is int


@pytest.mark.parametrize("engine", EVERY)
def test_nothing_is_dropped_in_silence(engine: Engine) -> None:
    for column in ("repaid", "sex", "model_1", "weight"):
        holes: dict[str, list[Any]] = {**PEOPLE, column: [None, None, *PEOPLE[column][2:]]}
        with pytest.raises(EvenhandError, match=rf"{column}' is missing.* in 2 rows"):
            group_rates_from_table(
                engine(holes), label="repaid", prediction=["model_0", "model_1"], group="sex", weight="weight"
            )


@given(st.data())
@settings(max_examples=20)
def test_any_labels_and_any_number_of_models(data: st.DataObject) -> None:
    k, m = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 4))
    label = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
    classes = data.draw(st.lists(label | st.just("*"), min_size=k, max_size=k, unique=True))
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    rows = np.arange(200)
    true, groups = [classes[i] for i in rows % k], (rows // k % m).tolist()
    models = {f"{place}": [classes[i] for i in rng.integers(0, k, rows.size)] for place in range(9)}
    frame = in_polars({"true": true, "group": groups, **models})
    several = group_rates_from_table(frame, label="true", prediction=list(models), group="group")
    for model, predictions in models.items():
        assert_same(several[model], group_rates(true, predictions, sensitive_features=groups))


def test_a_regular_expression_or_wildcards_choose_models_but_never_the_other_columns() -> None:
    frame = in_polars(PEOPLE)
    roles: dict[str, Any] = {"label": "repaid", "group": "sex", "weight": "weight"}
    some = group_rates_from_table(frame, prediction=re.compile("_[135]$"), **roles)
    assert list(some) == ["model_1", "model_3", "model_5"]
    frame = frame.drop("age")
    assert list(group_rates_from_table(frame, prediction="*", **roles)) == MODELS
    odd = frame.rename({"model_0": "model_?"})
    assert isinstance(group_rates_from_table(odd, prediction="model_?", **roles), GroupRates)


@pytest.mark.parametrize("engine", [in_pandas, in_polars, in_pyarrow])
def test_true_and_false_are_labels_and_so_are_whole_floats(engine: Engine) -> None:
    columns: dict[str, list[Any]] = {
        "y": [True, False] * 4,
        "p": [1, 0, 1, 0, 0, 1, 1, 0],
        "g": [1.0, 1.0, 2.0, 2.0] * 2,
    }
    rates = group_rates_from_table(engine(columns), label="y", prediction="p", group="g")
    assert rates.setting.classes == (False, True)
    assert rates.setting.groups == (1.0, 2.0)


def test_categories_are_labels_and_unused_ones_are_nobody() -> None:
    import polars as pl  # noqa: PLC0415

    frame = in_pandas(PEOPLE).astype({"repaid": "category", "sex": "category", "model_0": "category"})
    frame["sex"] = frame["sex"].cat.add_categories(["unused"])
    rates = group_rates_from_table(frame, label="repaid", prediction="model_0", group="sex")
    enum = in_polars(PEOPLE).with_columns(pl.col("sex").cast(pl.Enum(["women", "men", "unused"])))
    assert rates == group_rates_from_table(enum, label="repaid", prediction="model_0", group="sex")
    assert rates.setting.groups == ("men", "women")


def test_a_setting_fixes_the_order_and_the_prevalence() -> None:
    setting = Setting(["yes", "no", "late"], ["women", "men"], [[0.5] * 3] * 2)
    rates = group_rates_from_table(
        in_polars_lazily(PEOPLE), label="repaid", prediction=["model_0"], group="sex", setting=setting
    )["model_0"]
    assert rates.setting is setting
    wanted = group_rates(PEOPLE["repaid"], PEOPLE["model_0"], sensitive_features=PEOPLE["sex"], setting=setting)
    assert_same(rates, wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": "paid"}, "no column 'paid', given as label: its columns are 'repaid', .*did you mean 'repaid'"),
        ({"group": "gender"}, "no column 'gender', given as group: its columns are 'repaid', 'sex'"),
        ({"prediction": ["model_0", "m"]}, "no column 'm', given as prediction"),
        ({"prediction": "zz*"}, "no column matches the prediction 'zz\\*': the columns are 'repaid'"),
        ({"weight": "w"}, "no column 'w', given as weight"),
        ({"weight": "sex"}, "weights must be numbers"),
        ({"prediction": []}, "one or more different columns"),
        ({"prediction": ["model_0", "model_0"]}, "different columns"),
        ({"prediction": 3}, "prediction must be a column or a list of columns, but received 3"),
        ({"prediction": re.compile(b"model")}, "prediction must be a column or a list of columns"),
        ({"group": ["sex", 3]}, "group must be a column or a list of columns"),
        ({"prediction": "age"}, "the column 'age' has 30, 60 in 400 rows, but the classes are 'late', 'no', 'yes'"),
        ({"setting": 3}, "setting must be a Setting"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_wrong_option_is_named_with_what_exists(options: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"label": "repaid", "prediction": "model_0", "group": "sex", **options}
    with pytest.raises(EvenhandError, match=message):
        group_rates_from_table(in_polars(PEOPLE), **given)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"p": ["0", "1"] * 4}, "text and numbers are different labels"),
        ({"p": [0, 2] * 4}, "column 'p' has 2 in 4 rows, but the classes are 0, 1"),
        ({"g": ["a"] * 8}, "at least two groups are needed"),
        ({"y": [0] * 8}, "at least two classes are needed"),
        ({"g": ["a"] * 7 + ["b"]}, "group 'b' has no people of true class 0"),
        ({"y": [float("nan")] + [1.0, 0.0] * 3 + [1.0]}, "column 'y' is missing .* in 1 row"),
        ({"w": [-1.0] + [1.0] * 7}, "weights must be finite and not negative"),
        ({"w": [float("inf")] + [1.0] * 7}, "weights must be finite"),
        ({"w": [float("nan")] + [1.0] * 7}, "the weight 'w' "),
        ({"w": [0.0] * 8}, "no people of true class"),
        ({"w": [1e-200] * 8}, "too small for a float"),
        ({"w": [1e200] * 8}, "too large"),
        ({"y": [[0], [1]] * 4}, "labels must be text, numbers or true/false"),
        ({"y": [b"0", b"1"] * 4}, "labels must be text, numbers or true/false"),
    ],
    ids=str,
)
@pytest.mark.parametrize("engine", [in_polars, in_pyarrow])
def test_a_wrong_table_is_refused_in_words(engine: Engine, columns: dict[str, list[Any]], message: str) -> None:
    sound: dict[str, list[Any]] = {"y": [0, 1] * 4, "p": [0, 1] * 4, "g": list("aabb") * 2, "w": [1.0] * 8}
    with pytest.raises(EvenhandError, match=message):
        group_rates_from_table(engine({**sound, **columns}), label="y", prediction="p", group="g", weight="w")


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(EvenhandError, match="the table is empty"):
        group_rates_from_table(in_polars(PEOPLE).head(0), label="repaid", prediction="model_0", group="sex")


def test_a_column_of_mixed_kind_is_refused() -> None:
    frame = in_pandas({"y": [0, "0", 1, 1], "p": [0, 0, 1, 1], "g": list("abab")})
    with pytest.raises(EvenhandError, match=r"the column 'y' mixes text and numbers, such as '0' and [01]"):
        group_rates_from_table(frame, label="y", prediction="p", group="g")


def test_odd_columns_of_pandas_are_refused_in_words() -> None:
    frame = in_pandas(PEOPLE)
    for odd, message in (
        (frame.rename(columns={"age": "sex"}), "this table cannot be read"),
        (frame.rename(columns={"repaid": 0}), "no column 'repaid', given as label: its columns are 0, 'sex'"),
        (frame.assign(repaid=[["yes"]] * len(frame)), "Labels must be text, numbers or true/false"),
    ):
        with pytest.raises(EvenhandError, match=message):
            group_rates_from_table(odd, label="repaid", prediction="model_0", group="sex")
    numbered = frame.rename(columns={"age": 0})
    for pattern in ("model_*", re.compile("model")):
        assert list(group_rates_from_table(numbered, label="repaid", prediction=pattern, group="sex")) == MODELS


def test_groups_that_would_run_together_are_refused() -> None:
    frame = in_polars(
        {"y": [0, 1] * 2, "p": [0, 1] * 2, "g": ["a & b", "a & b", "a", "a"], "h": ["c", "c"] + ["b & c"] * 2}
    )
    with pytest.raises(EvenhandError, match="cannot be told apart"):
        group_rates_from_table(frame, label="y", prediction="p", group=["g", "h"])


def test_scores_are_not_taken_for_classes_and_stay_where_they_are() -> None:
    rows = 150_000
    frame = in_polars(
        {"y": [0, 1] * (rows // 2), "p": np.linspace(0, 1, rows).tolist(), "g": [0, 0, 1, 1, 0] * (rows // 5)}
    )
    with pytest.raises(EvenhandError, match=r"more than 100,000 combinations of values.*not scores"):
        group_rates_from_table(frame, label="y", prediction="p", group="g")


def test_identifiers_are_not_taken_for_classes_and_fill_no_memory() -> None:
    person = [number // 2 for number in range(60_000)]
    frame = in_polars({"y": person, "p": person, "q": person, "g": [0, 1] * 30_000})
    with pytest.raises(EvenhandError, match=r"the column 'y' has 30,000 classes, and there are 2 groups.*not scores"):
        group_rates_from_table(frame, label="y", prediction=["p", "q"], group="g")


@pytest.mark.parametrize("frame", [None, 3, "people.csv", {"y": [0, 1]}, np.eye(3)], ids=str)
def test_what_is_no_table_is_refused(frame: object) -> None:
    with pytest.raises(EvenhandError, match="a table must be a data frame"):
        group_rates_from_table(frame, label="y", prediction="p", group="g")


@pytest.mark.parametrize("weight", [None, "w"], ids=["alike", "weighted"])
def test_a_lazy_table_with_many_models_is_read_once_for_all_and_once_for_the_people(weight: str | None) -> None:
    models = {f"model_{number}": ["late", "yes"] * 4 if number % 2 else ["yes", "late"] * 4 for number in range(100)}
    people = pl.DataFrame({"repaid": ["yes", "late"] * 4, "sex": list("aabbaabb"), "w": [1, 2] * 4, **models})
    reads: list[list[str] | None] = []

    def read(columns: list[str] | None, *_: object) -> Iterator[pl.DataFrame]:
        reads.append(columns)
        yield people if columns is None else people.select(columns)

    lazy = register_io_source(read, schema=people.schema)
    found = group_rates_from_table(lazy, label="repaid", prediction="model_*", group="sex", weight=weight)
    assert len(reads) == 2
    assert found == group_rates_from_table(people, label="repaid", prediction=list(models), group="sex", weight=weight)
    assert found["model_4"].matrix[0].tolist() == [[1, 0], [0, 1]]
