"""A file of predictions to try things with: five models that decide about loans, on 600 people who do not exist."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import numpy as np

NAME = "loans-example.csv"

_PEOPLE = 600
_MODELS = {  # where each draws its line, and how much lower that is for women
    "model_plain": (50, 0),
    "model_cautious": (62, 0),
    "model_generous": (38, 0),
    "model_balanced": (53, 10),
    "model_balanced_2": (53, 10),
}


def example_file() -> str:
    """Return the file: whole numbers only are drawn, so that it is the same on every machine."""
    rng = np.random.default_rng(2026)
    women = rng.integers(0, 2, _PEOPLE).astype(bool)
    under_30 = rng.integers(0, 10, _PEOPLE) < 4
    worth = rng.integers(20, 101, _PEOPLE) - 6 * under_30
    repaid = rng.integers(0, 101, _PEOPLE) < worth
    # What the models see of a person: their worth, blurred; of women it shows too little.
    seen = 4 * worth // 5 + rng.integers(-22, 23, _PEOPLE) - 10 * women + 10 * repaid
    columns: dict[str, Iterable[object]] = {
        "person": range(1, _PEOPLE + 1),
        "sex": np.where(women, "f", "m"),
        "age": np.where(under_30, "under 30", "30 or over"),
        "repaid": repaid.astype(int),
    }
    for name, (line, lower) in _MODELS.items():
        columns[name] = (seen + rng.integers(-1, 2, _PEOPLE) > line - lower * women).astype(int)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()
