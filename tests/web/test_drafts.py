"""Drafts of studies: bounded, gone after a while, and nobody else's to see."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.support.quick import QuickRunner
from tests.web.owner import follow, owner_of, upload

from evenhand.errors import EvenhandError
from evenhand.study.demo.example_file import NAME, example_file
from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.drafts import Draft, Drafts, UnknownDraftError


def begun(drafts: Drafts) -> Draft:
    return drafts.begin_with_file(NAME, io.BytesIO(example_file().encode()))


def age(folder: Path, draft: Draft, seconds: int) -> None:
    file = folder / draft.id / "draft.json"
    os.utime(file, (file.stat().st_atime, file.stat().st_mtime - seconds))


def test_there_are_never_more_than_so_many_and_the_one_left_alone_longest_makes_room(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts", most=3)
    kept = [begun(drafts) for _ in range(3)]
    for place, draft in enumerate(kept):
        age(tmp_path / "drafts", draft, 30 - 10 * place)
    drafts.keep(kept[0], roles=kept[0].roles)  # it was just worked on
    newest = begun(drafts)
    assert len(list((tmp_path / "drafts").iterdir())) == 3
    for draft in (kept[0], kept[2], newest):
        assert drafts.draft(draft.id) == draft
    with pytest.raises(UnknownDraftError):
        drafts.draft(kept[1].id)


def test_what_is_left_alone_expires_and_is_removed(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts", seconds=100)
    old, new = begun(drafts), begun(drafts)
    age(tmp_path / "drafts", old, 101)
    with pytest.raises(UnknownDraftError):
        drafts.draft(old.id)
    drafts.sweep()
    assert [place.name for place in (tmp_path / "drafts").iterdir()] == [new.id]


def test_what_expires_is_removed_although_nobody_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = Drafts(tmp_path / "drafts", seconds=100)
    old, new = begun(drafts), begun(drafts)
    age(tmp_path / "drafts", old, 101)
    left: list[list[str]] = []

    def sleep(_: float) -> None:
        left.append([place.name for place in (tmp_path / "drafts").iterdir()])
        if len(left) == 2:
            raise InterruptedError
        age(tmp_path / "drafts", new, 101)

    monkeypatch.setattr("evenhand.web.drafts.time.sleep", sleep)
    with pytest.raises(InterruptedError):
        drafts.keep_tidy()
    assert left == [[new.id], []]


def test_what_a_crash_left_is_removed_too(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts", seconds=100)
    begun(drafts)
    torn = tmp_path / "drafts" / "x" / "rows.csv"
    torn.parent.mkdir()
    torn.write_text("half a fi")
    os.utime(torn.parent, (0, 0))
    drafts.sweep()
    assert not torn.parent.exists()


def test_other_users_of_the_machine_see_nothing(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    draft = begun(drafts)
    for place in (tmp_path / "drafts", tmp_path / "drafts" / draft.id):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


@pytest.mark.parametrize("trap", ["open to others", "a link", "a file"])
def test_a_folder_that_others_can_use_is_refused(tmp_path: Path, trap: str) -> None:
    folder = tmp_path / "drafts"
    if trap == "open to others":
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
    elif trap == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.touch()
    with pytest.raises(EvenhandError, match="cannot be used: it is not a folder of our own"):
        begun(Drafts(folder))
    assert not (tmp_path / "elsewhere").exists() or list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("name", ["..", "../drafts", ".", "", "/etc", "x" * 22 + "/..", "\0", "é" * 22, "x" * 21])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    drafts = Drafts(tmp_path / "drafts")
    begun(drafts)
    (tmp_path / "draft.json").write_text("{}")
    with pytest.raises(UnknownDraftError):
        drafts.draft(name)
    drafts.leave(name)
    assert (tmp_path / "draft.json").exists()
    assert len(list((tmp_path / "drafts").iterdir())) == 1


def test_an_uploaded_file_is_seen_by_its_owner_only(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/store.db", runner=QuickRunner(1)) as store:
        owner = owner_of(store, tmp_path / "drafts")
        here = follow(owner, upload(owner), "columns")
        stranger = TestClient(owner.app, base_url="http://study.example:8000")
        for path in ("columns", "models", "words", "preview"):
            assert stranger.get(f"{here}/{path}").status_code == 401
        another = TestClient(
            create_app(store, drafts=Drafts(tmp_path / "drafts")), base_url="http://study.example:8000"
        )
        another.cookies = owner.cookies  # of a server with another token
        assert another.get(f"{here}/columns").status_code == 401


def test_another_process_goes_on_with_a_draft(tmp_path: Path) -> None:
    one, other = Drafts(tmp_path / "drafts"), Drafts(tmp_path / "drafts")
    draft = one.keep(begun(one), left_out=("model_plain",), texts={"title": "Who gets a loan?"})
    assert other.draft(draft.id) == draft
