"""The raw files of the real data sets: where to find them, and small made-up ones in the same formats."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from evenhand.experiments.cache import cache_folder
from evenhand.experiments.datasets import files

BESIDE = Path(__file__).parents[3] / "shared" / "data"


def folder() -> Path | None:
    """Return the folder with all raw files: what EVENHAND_DATA names, the one beside the checkout, or the cache."""
    if named := os.environ.get("EVENHAND_DATA"):
        return Path(named).resolve()
    places = (BESIDE, cache_folder() / "data")
    return next((place.resolve() for place in places if not missing(place)), None)


def missing(place: Path) -> list[str]:
    """Return the names of the raw files that are not in a folder."""
    return [name for name in map(files.file_name, files.SHA256) if not (place / name).is_file()]


def write(place: Path, name: str, text: str) -> None:
    """Write a raw file."""
    (place / files.file_name(name)).write_bytes(gzip.compress(text.encode(), mtime=0))


def made_up() -> dict[str, str]:
    """Return a few hundred rows for each raw file, in its format, with every peculiarity that the recipes handle."""
    rng = np.random.default_rng(0)
    return {
        "adult": _adult(rng),
        "default": _default(rng),
        "wine_red": _wine(rng, 240),
        "wine_white": _wine(rng, 360),
        "communities": _communities(rng),
    }


ADULT_ROWS = {  # by race and country, without and with a missing value
    ("White", "United-States"): (150, 6),
    ("Black", "United-States"): (70, 2),
    ("Asian-Pac-Islander", "Mexico"): (60, 0),
    ("White", "Mexico"): (40, 1),  # with the row above the 100 that a country needs
    ("White", "Canada"): (99, 3),  # one complete row too few
    ("Other", "United-States"): (30, 0),
}


def _adult(rng: np.random.Generator) -> str:
    header = (
        "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
        "capital-gain,capital-loss,hours-per-week,native-country,income,split"
    )
    rows = []
    for (race, country), (complete, incomplete) in ADULT_ROWS.items():
        for number in range(complete + incomplete):
            age, hours = rng.integers(17, 80), rng.integers(20, 60)
            half = "train" if rng.random() < 0.66 else "test"
            income = (">50K" if age + hours + rng.normal(0, 8) > 95 else "<=50K") + "." * (half == "test")
            work = "?" if number >= complete else rng.choice(["Private", "State-gov"])
            sex = rng.choice(["Female", "Male"])
            cells = [age, work, rng.integers(10_000, 300_000), "Bachelors", 13, "Divorced", "Sales", "Unmarried", race]
            rows.append(",".join(map(str, [*cells, sex, 0, 0, hours, country, income, half])))
    rows.sort(key=lambda row: row.endswith("test"))  # the training half comes first
    return _lines([header, *rows])


def _default(rng: np.random.Generator) -> str:
    header = (
        "ID,LIMIT_BAL,SEX,EDUCATION,MARRIAGE,AGE,PAY_0,PAY_2,PAY_3,PAY_4,PAY_5,PAY_6,"
        "BILL_AMT1,BILL_AMT2,BILL_AMT3,BILL_AMT4,BILL_AMT5,BILL_AMT6,"
        "PAY_AMT1,PAY_AMT2,PAY_AMT3,PAY_AMT4,PAY_AMT5,PAY_AMT6,default payment next month"
    )
    rows = []
    for number in range(1, 301):
        late = rng.integers(-2, 4, size=6)
        defaults = int(late.sum() + rng.normal(0, 2) > 5)
        # The known copy writes a whole number in the shorter of two ways.
        limit = rng.choice(["20000", "5e+05", "120000", "1e+06"])
        amounts = rng.integers(0, 90_000, size=12) + 1
        cells = [number, limit, rng.integers(1, 3), rng.integers(0, 7), rng.integers(0, 4), rng.integers(21, 70)]
        rows.append(",".join(map(str, [*cells, *late, *amounts, defaults])))
    return _lines([header, *rows])


def _wine(rng: np.random.Generator, rows: int) -> str:
    names = ["fixed acidity", "volatile acidity", "citric acid", "residual sugar", "chlorides", "free sulfur dioxide"]
    names += ["total sulfur dioxide", "density", "pH", "sulphates", "alcohol", "quality"]
    measured = rng.normal(10, 1, size=(rows, 11)).round(2)
    quality = np.clip(np.rint(6 + 0.9 * (measured[:, 10] - 10) + rng.normal(0, 0.5, rows)), 3, 9).astype(int)
    lines = [";".join(map(str, [*row, q])) for row, q in zip(measured, quality, strict=True)]
    return _lines([";".join(f'"{name}"' for name in names), *lines])


COMMUNITIES = {  # by the race attributes: Black, White, Asian, Hispanic
    (0.1, 0.8, 0.1, 0.1): 150,
    (0.7, 0.3, 0.1, 0.1): 80,
    (0.5, 0.5, 0.1, 0.1): 10,  # a tie goes to Black
    (0.1, 0.2, 0.1, 0.6): 79,
    (0.1, 0.1, 0.6, 0.6): 1,  # a tie goes to Hispanic
    (0.1, 0.2, 0.6, 0.1): 7,  # Asian: dropped
}


def _communities(rng: np.random.Generator) -> str:
    names = ["state", "county", "community", "communityname", "fold", "racepctblack", "racePctWhite"]
    names += ["racePctAsian", "racePctHisp", "medIncome", "PctUnemployed", "OtherPerCap", "LemasSwornFT"]
    rows = []
    for number, shares in enumerate(shares for shares, rows in COMMUNITIES.items() for _ in range(rows)):
        income, unemployed = rng.random(2).round(2)
        crime = np.clip(0.4 + 0.6 * (unemployed - income) + rng.normal(0, 0.1), 0, 1).round(2)
        other = "?" if number == 3 else round(rng.random(), 2)
        sworn = "?" if number % 5 else round(rng.random(), 2)
        cells = [8, "?", "?", f"Town{number}city", number % 10 + 1, *shares, income, unemployed, other, sworn, crime]
        rows.append(",".join(map(str, cells)))
    return _lines([",".join([*names, "ViolentCrimesPerPop"]), *rows])


def _lines(rows: Iterable[str]) -> str:
    return "\n".join(rows) + "\n"
