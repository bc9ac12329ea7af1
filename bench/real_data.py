"""The real data sets as numbers, for benchmarks and tests: features, classes and groups by the recipe of their README."""

from __future__ import annotations

import csv
import gzip
import os
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(os.environ.get("EVENHAND_DATA", Path(__file__).parents[1] / ".." / "shared" / "data"))


class Table(NamedTuple):
    """Features (n, d), true classes (n,) and groups (n,)."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    group: NDArray[Any]


def _rows(name: str, delimiter: str = ",") -> list[dict[str, str]]:
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def _column(rows: list[dict[str, str]], name: str) -> NDArray[np.float64]:
    return np.array([float(row[name]) for row in rows])


def _one_hot(rows: list[dict[str, str]], name: str) -> NDArray[np.float64]:
    values = np.array([row[name] for row in rows])
    return (values[:, None] == np.unique(values)).astype(np.float64)


def adult() -> Table:
    """43,156 people; >50K or not; White, Black, Asian-Pac-Islander."""
    rows = [row for row in _rows("adult") if "?" not in row.values()]
    rows = [row for row in rows if row["race"] in {"White", "Black", "Asian-Pac-Islander"}]
    countries = Counter(row["native-country"] for row in rows)
    rows = [row for row in rows if countries[row["native-country"]] >= 100]
    numbers = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
    kinds = (
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "native-country",
    )
    parts = [_column(rows, name)[:, None] for name in numbers] + [_one_hot(rows, name) for name in kinds]
    y = np.array([int(row["income"].startswith(">")) for row in rows])
    return Table(_scaled(np.hstack(parts)), y, np.array([row["race"] for row in rows]))


def wine() -> Table:
    """6,497 wines; quality up to 5, 6, 7 and more; red and white."""
    red, white = _rows("wine_red", ";"), _rows("wine_white", ";")
    rows = red + white
    colour = np.array(["red"] * len(red) + ["white"] * len(white))
    parts = [_column(rows, name)[:, None] for name in rows[0] if name != "quality"]
    parts.append((colour[:, None] == np.array(["red", "white"])).astype(np.float64))
    quality = _column(rows, "quality")
    return Table(_scaled(np.hstack(parts)), np.digitize(quality, [5.5, 6.5]), colour)


def crime() -> Table:
    """1,907 communities; few, some, many violent crimes; by the largest of three groups of people."""
    rows = _rows("communities")
    shares = np.stack([_column(rows, name) for name in ("racepctblack", "racePctWhite", "racePctHisp", "racePctAsian")])
    group = np.array(["Black", "White", "Hispanic", "Asian"])[shares.argmax(axis=0)]
    rows = [row for row, of in zip(rows, group, strict=True) if of != "Asian"]
    names = [name for name in list(rows[0])[5:-1] if all(row[name] != "?" for row in rows)]
    X = np.stack([_column(rows, name) for name in names], axis=1)
    y = np.digitize(_column(rows, "ViolentCrimesPerPop"), [0.12, 0.3])
    return Table(_scaled(X), y, group[group != "Asian"])


def _scaled(X: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
