"""The engines that a table may live in: each gets the same columns, and makes a table of them in its own way."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

Columns = Mapping[str, Sequence[Any]]


def in_pandas(columns: Columns) -> Any:
    import pandas as pd  # noqa: PLC0415  # engines are heavy: only those that a test uses are imported

    return pd.DataFrame(columns)


def in_pandas_with_arrow_types(columns: Columns) -> Any:
    return in_pandas(columns).convert_dtypes(dtype_backend="pyarrow")


def in_polars(columns: Columns) -> Any:
    import polars as pl  # noqa: PLC0415

    return pl.DataFrame(columns)


def in_polars_lazily(columns: Columns) -> Any:
    return in_polars(columns).lazy()


def in_pyarrow(columns: Columns) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    return pa.table(columns)


def in_duckdb(columns: Columns) -> Any:
    import duckdb  # noqa: PLC0415

    return duckdb.from_arrow(in_pyarrow(columns))


def in_dask(columns: Columns) -> Any:
    import dask.dataframe as dd  # noqa: PLC0415

    return dd.from_pandas(in_pandas(columns), npartitions=3)


@cache
def spark_session() -> Any:
    from pyspark.sql import SparkSession  # noqa: PLC0415

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    options: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.log.level": "ERROR",
    }
    return SparkSession.builder.master("local[1]").config(map=options).getOrCreate()


def in_pyspark(columns: Columns) -> Any:
    if shutil.which("java") is None:
        pytest.skip("PySpark needs Java, and there is none (Debian: apt-get install default-jre-headless)")
    return spark_session().createDataFrame(in_pyarrow(columns))


QUICK = (in_pandas, in_pandas_with_arrow_types, in_polars, in_polars_lazily, in_pyarrow, in_duckdb)
SLOW = (in_dask, in_pyspark)
EVERY = [
    pytest.param(engine, id=engine.__name__.removeprefix("in_"), marks=pytest.mark.xdist_group(engine.__name__))
    for engine in (*QUICK, *SLOW)
]
