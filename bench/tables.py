"""Rates from tables, against the engines' own grouped counts and Fairlearn; many models against one."""

import os
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from fairlearn.metrics import MetricFrame
from sklearn.metrics import confusion_matrix

from bench.best import best_of
from evenhand import group_rates, group_rates_from_table

ROWS = int(os.environ.get("EVENHAND_BENCH_ROWS", "20_000_000"))
CLASSES, GROUPS, MODELS = 3, 4, 100


def people(rows: int, models: int) -> dict[str, Any]:
    """Draw true classes, groups, and predictions, seven in ten of them right."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, CLASSES, rows)
    columns = {"label": true, "group": rng.integers(0, GROUPS, rows)}
    for model in range(models):
        columns[f"model_{model}"] = np.where(rng.random(rows) < 0.7, true, rng.integers(0, CLASSES, rows))
    return columns


def one_model() -> None:
    """Print how much longer rates take than the engines' own counts, and the time with NumPy."""
    columns = people(ROWS, 1)
    frame, connection = pl.DataFrame(columns), duckdb.connect()
    connection.register("frame", frame)
    connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    table = connection.table("people")
    ours = partial(group_rates_from_table, label="label", prediction="model_0", group="group")
    times = best_of(
        5,
        {
            "Polars' own": lambda: frame.lazy().group_by("label", "group", "model_0").agg(pl.len()).collect(),
            "Polars": lambda: ours(frame),
            "DuckDB's own": lambda: connection.execute(
                'SELECT label, "group", model_0, count(*) FROM people GROUP BY ALL'
            ).fetchall(),
            "DuckDB": lambda: ours(table),
            "NumPy": lambda: group_rates(columns["label"], columns["model_0"], sensitive_features=columns["group"]),
        },
    )
    print(f"  One model, {ROWS:,} rows, {CLASSES} classes, {GROUPS} groups")
    for engine in ("Polars", "DuckDB"):
        ratio = times[engine] / times[f"{engine}' own" if engine.endswith("s") else f"{engine}'s own"]
        print(f"  {engine}: {times[engine]:.3f} s, {ratio:.2f} times its own grouped count")
    print(
        f"  NumPy: {times['NumPy']:.3f} s, {times['NumPy'] / min(times['Polars'], times['DuckDB']):.2f} times the best"
    )


def beside_fairlearn() -> None:
    """Print how much faster rates are than a MetricFrame of confusion matrices."""
    columns = people(200_000, 1)
    frame = pd.DataFrame(columns)
    times = best_of(
        3,
        {
            "Fairlearn": lambda: (
                MetricFrame(
                    metrics=confusion_matrix,
                    y_true=columns["label"],
                    y_pred=columns["model_0"],
                    sensitive_features=columns["group"],
                ).by_group
            ),
            "pandas": lambda: group_rates_from_table(frame, label="label", prediction="model_0", group="group"),
            "NumPy": lambda: group_rates(columns["label"], columns["model_0"], sensitive_features=columns["group"]),
        },
    )
    print(
        f"  200,000 rows: Fairlearn's MetricFrame {times['Fairlearn']:.3f} s; group_rates "
        f"{times['Fairlearn'] / times['NumPy']:.0f} times as fast, group_rates_from_table of a pandas table "
        f"{times['Fairlearn'] / times['pandas']:.0f} times"
    )


def many_models() -> None:
    """Print how many calls for one model take as long as one call for 100 models."""
    for rows in (200_000, 1_000_000):
        frame, connection = pl.DataFrame(people(rows, MODELS)), duckdb.connect()
        connection.register("frame", frame)
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
        tables: dict[str, Any] = {"Polars": frame, "DuckDB": connection.table("people"), "pandas": frame.to_pandas()}
        shared = {"label": "label", "group": "group"}
        for engine, table in tables.items():
            single = partial(group_rates_from_table, table, prediction="model_0", **shared)
            every = partial(group_rates_from_table, table, prediction="model_*", **shared)
            times = best_of(3, {"single": single, "every": every})
            print(
                f"  {MODELS} models, {rows:,} rows, {engine}: {times['every']:.2f} s, "
                f"{times['every'] / times['single']:.0f} single calls"
            )


def run() -> None:
    """Print all three comparisons."""
    one_model()
    beside_fairlearn()
    many_models()
