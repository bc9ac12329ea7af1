"""Several runs of the tests, side by side, do not disturb one another's PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import make_url


def test_its_folder_is_not_one_that_the_next_run_of_pytest_closes(
    postgresql: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = Path(str(make_url(postgresql).query.get("host", "")))
    assert not folder.is_relative_to(tmp_path_factory.getbasetemp().parent)
