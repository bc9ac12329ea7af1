"""Hypothesis for shared machines: no deadlines, and the same examples on every run of continuous integration.

And a place for a store, of each kind.
"""

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


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the URL of a PostgreSQL server, one for each worker: it stops when the worker ends."""
    from bench import postgresql as own  # noqa: PLC0415  # only some tests need it

    return own.server(tmp_path_factory.getbasetemp() / "postgresql")


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty store, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    from bench.postgresql import new_database  # noqa: PLC0415

    return new_database(request.getfixturevalue("postgresql"))
