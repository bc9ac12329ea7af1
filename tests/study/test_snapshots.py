"""Snapshots are kept within so many bytes, for all processes of one user, and can go at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenhand.study.snapshots import InFolder, InProcess, Snapshots


@pytest.fixture(params=["process", "folder"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Snapshots:
    return InProcess(1600) if request.param == "process" else InFolder(tmp_path / "snapshots", 1600)


def test_what_is_kept_comes_back(kept: Snapshots) -> None:
    assert kept.get("one", "a") is None
    kept.put("one", "a", b"first")
    kept.put("one", "b", b"second")
    kept.put("two", "a", b"other")
    kept.put("one", "a", b"again")
    assert [kept.get("one", "a"), kept.get("one", "b"), kept.get("two", "a")] == [b"again", b"second", b"other"]
    kept.drop("one", "a")
    kept.drop("one", "never kept")
    assert [kept.get("one", "a"), kept.get("one", "b"), kept.get("two", "a")] == [None, b"second", b"other"]
    kept.forget("one")
    assert [kept.get("one", "a"), kept.get("one", "b"), kept.get("two", "a")] == [None, None, b"other"]


def test_there_are_never_many_bytes_more_than_allowed_and_what_was_used_last_stays(kept: Snapshots) -> None:
    kept.put("one", "first", bytes(100))
    for n in range(40):
        kept.put(f"other {n}", "a", bytes(100))
        assert kept.get("one", "first") is not None
    there = sum(kept.get(f"other {n}", "a") is not None for n in range(40))
    assert 8 <= there <= 17


def test_another_process_finds_them(tmp_path: Path) -> None:
    InFolder(tmp_path / "snapshots").put("one", "a", b"held")
    assert InFolder(tmp_path / "snapshots").get("one", "a") == b"held"


def test_the_folder_of_a_store_is_that_of_no_other_store_and_of_no_other_user() -> None:
    one, again, other = (InFolder.of_store(f"sqlite:////srv/{name}.db") for name in ("one", "one", "other"))
    assert one.folder == again.folder != other.folder
    one.put("one", "a", b"held")
    try:
        assert one.folder.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in one.folder.iterdir()} == {0o600}
    finally:
        one.remove()
    assert not one.folder.exists()


@pytest.mark.parametrize("trap", ["open to others", "a link", "a file"])
def test_a_folder_that_somebody_else_has_laid_out_is_not_used(
    tmp_path: Path, trap: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder, elsewhere = tmp_path / "snapshots", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if trap == "open to others":
        folder.mkdir()
        folder.chmod(0o777)  # the trap
    elif trap == "a link":
        folder.symlink_to(elsewhere)
    else:
        folder.touch()
    kept = InFolder(folder)
    kept.put("one", "a", b"held")
    kept.put("one", "b", b"held")
    assert kept.get("one", "a") is None
    assert not list(elsewhere.iterdir())
    assert [record.getMessage().partition(",")[0] for record in caplog.records] == [
        f"snapshots cannot be kept in {folder}"
    ]


def test_a_folder_that_another_process_removed_is_made_anew(tmp_path: Path) -> None:
    kept = InFolder(tmp_path / "snapshots")
    kept.put("one", "a", b"held")
    InFolder(tmp_path / "snapshots").remove()
    assert kept.get("one", "a") is None
    kept.put("one", "a", b"held")
    assert kept.get("one", "a") == b"held"


def test_what_cannot_be_erased_is_said_and_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = InFolder(tmp_path / "snapshots")
    kept.put("one", "a", b"held")
    kept.put("one", "b", b"held")
    [stubborn] = [path for path in kept.folder.iterdir() if path.name.endswith("-a")]
    stubborn.unlink()
    stubborn.mkdir()  # which `unlink` refuses, as it does a file in a folder that is read-only
    kept.forget("one")
    assert kept.get("one", "b") is None
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["a snapshot cannot be erased"]
