"""Hypothesis for shared machines: no deadlines, and the same examples on every run of continuous integration.

And raw files of data sets, and a place for a store of each kind.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from evenhand.experiments.datasets import files
from tests.support import raw_files

settings.register_profile("evenhand", deadline=None, max_examples=60)
settings.register_profile("ci", settings.get_profile("evenhand"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "evenhand")


@pytest.fixture(
    scope="module",
    params=[pytest.param(kind, marks=pytest.mark.xdist_group(f"{kind} raw files")) for kind in ("made up", "real")],
)
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the raw files of the four data sets: small made-up ones, then the real ones.

    One worker runs all tests on one kind, so that what a module makes of it is made once.
    """
    if request.param == "real":
        folder = raw_files.folder()
        assert folder is not None, "without real files the test is skipped before it gets here"
        if missing := raw_files.missing(folder):
            pytest.fail(f"EVENHAND_DATA names {folder}, which lacks {', '.join(missing)}: see docs/ranking.md")
        yield folder
        return
    folder = tmp_path_factory.mktemp("raw")
    with pytest.MonkeyPatch.context() as patch:
        for name, text in raw_files.made_up().items():
            raw_files.write(folder, name, text)
            patch.setitem(files.SHA256, name, hashlib.sha256(text.encode()).hexdigest())
        yield folder


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests on the real raw files where there are none: here and not in the fixture, so that one line says it."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("data") == "real" and raw_files.folder() is None:
        pytest.skip(
            "tests on the real data sets of the paper need their raw files, which are not here: name their folder with "
            "EVENHAND_DATA, or run `evenhand experiments ranking` to download them (docs/ranking.md)"
        )


@pytest.fixture(scope="session")
def postgresql() -> str:
    """Return the URL of a PostgreSQL server, one for each worker: it stops when the worker ends."""
    from tests.support import postgresql as own  # noqa: PLC0415  # only some tests need it

    return own.server()


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty store, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    from tests.support.postgresql import new_database  # noqa: PLC0415

    return new_database(request.getfixturevalue("postgresql"))
