"""Hypothesis for shared machines: no deadlines, and the same examples on every run of continuous integration."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("evenhand", deadline=None, max_examples=60)
settings.register_profile("ci", settings.get_profile("evenhand"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "evenhand")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the raw files of the four real data sets, which are not part of the repository."""
    folder = Path(os.environ.get("EVENHAND_DATA") or Path(__file__).parents[2] / "shared" / "data").resolve()
    if not (folder / "adult.csv.gz").is_file():
        pytest.fail(
            f"the raw data files are not in {folder}: name their folder with EVENHAND_DATA (docs/ranking.md says "
            "which files; `evenhand experiments ranking` without --data downloads them into its cache)"
        )
    return folder
