"""`load`: loads one of the four data sets, from your own folder or from UCI (cached)."""

from __future__ import annotations

import os
from pathlib import Path

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.experiments.datasets import files
from evenhand.experiments.datasets.dataset import Dataset
from evenhand.experiments.datasets.recipes import RECIPES

NAMES = tuple(RECIPES)
"""The data sets of Table 1, in its order."""
VARIABLE = "EVENHAND_DATA"


def load(name: str, data: str | Path | None = None) -> Dataset:
    """Return the features, labels and groups of *default*, *adult*, *wine* or *crime*, as in the paper's Table 1.

    Parameters
    ----------
    name
        The name of the data set.
    data
        The folder with the raw files (`adult.csv.gz`, `default.csv.gz`, `wine_red.csv.gz`, `wine_white.csv.gz`,
        `communities.csv.gz`); by default the folder in the environment variable `EVENHAND_DATA`. If neither is given,
        the files are downloaded from UCI once, into a cache. Their checksums are always verified.
    """
    if not isinstance(name, str) or name not in RECIPES:
        raise EvenhandError(f"there is no data set {shown(name)}: the paper's are {listed(NAMES)}")
    recipe, needed = RECIPES[name]
    folder = data if data is not None else os.environ.get(VARIABLE) or None
    return recipe({file: files.columns(_content(file, folder)) for file in needed})


def _content(file: str, folder: str | Path | None) -> bytes:
    if folder is None:
        from evenhand.experiments.datasets.download import downloaded  # noqa: PLC0415  # an extra may be missing

        return downloaded(file)
    if not Path(folder).is_dir():
        raise EvenhandError(f"the data folder {shown(str(folder))} does not exist, or is not a folder")
    return files.read(Path(folder) / files.file_name(file))
