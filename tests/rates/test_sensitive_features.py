"""Groups may be named by several columns, in any kind of table that Fairlearn takes, and some that it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from evenhand import EvenhandError, FairMetric, FeasibleRegion, GroupRates, Setting, group_rates, group_rates_from_table

SEX = np.array(["women", "men"] * 20)
AGE = np.array([30, 30, 60, 60] * 10)
TRUE = np.repeat(["no", "yes"], 20)
PREDICTED = np.array(["no", "yes", "yes", "no", "yes"] * 8)
COLUMNS = {"sex": SEX, "age": AGE}


@pytest.mark.parametrize(
    "table",
    [
        COLUMNS,
        {name: column.tolist() for name, column in COLUMNS.items()},
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"sex": "category"}),
        pd.DataFrame(COLUMNS, index=range(7, 47)),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        np.stack([SEX.astype(object), AGE.astype(object)], axis=1),
    ],
    ids=["mapping", "lists", "pandas", "category", "index", "polars", "arrow", "array"],
)
def test_several_columns_are_their_intersections_as_in_a_table(table: Any) -> None:
    people = pd.DataFrame(COLUMNS | {"true": TRUE, "model": PREDICTED})
    expected = group_rates_from_table(people, label="true", prediction="model", group=["sex", "age"])
    rates = group_rates(TRUE, PREDICTED, sensitive_features=table)
    assert rates == expected
    assert rates.setting.groups == ("men & 30", "men & 60", "women & 30", "women & 60")
    assert Setting.from_labels(TRUE, sensitive_features=table) == expected.setting


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict, pa.table])
def test_a_table_of_one_column_is_that_column(make: Any) -> None:
    assert group_rates(TRUE, PREDICTED, sensitive_features=make({"age": AGE})) == group_rates(
        TRUE, PREDICTED, sensitive_features=AGE
    )


def test_scores_and_regions_take_tables_too() -> None:
    setting = Setting.from_labels(TRUE, sensitive_features=COLUMNS)
    metric = FairMetric.random(setting, 0)
    assert metric.score(TRUE, PREDICTED, sensitive_features=pd.DataFrame(COLUMNS)) == pytest.approx(
        -metric.cost(group_rates(TRUE, PREDICTED, sensitive_features=COLUMNS))
    )
    scores = np.random.default_rng(0).dirichlet([1, 1], 40)
    region = FeasibleRegion.from_scores(scores, TRUE, sensitive_features=COLUMNS)
    nearest = region.classifier_for(GroupRates.uniform(region.setting))
    assert nearest.predict_proba(scores, pl.DataFrame(COLUMNS)).shape == (40, 2)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "has no columns"),
        (COLUMNS | {"age": AGE[:3]}, r"sensitive_features\['age'\] has 3 rows, but y_true has 40"),
        (COLUMNS | {"age": [None, *AGE[1:]]}, r"sensitive_features\['age'\] is missing \(None\) in row 0"),
        (pl.LazyFrame(COLUMNS), "lazy table"),
        (pd.DataFrame(np.stack([SEX, SEX], axis=1), columns=["sex", "sex"]), "more than one column of the same name"),
        (pa.table([SEX, SEX], names=["sex", "sex"]), "more than one column of the same name"),
        ({"a": ["x & y", "x"] * 20, "b": ["z", "y & z"] * 20}, "cannot be told apart"),
    ],
    ids=["empty", "short", "missing", "lazy", "twice", "twice in arrow", "alike"],
)
def test_a_table_that_names_no_group_for_everybody_is_refused(table: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        group_rates(TRUE, PREDICTED, sensitive_features=table)
