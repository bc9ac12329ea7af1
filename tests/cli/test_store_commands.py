"""`evenhand doctor`, `export` and `import`: what they say, and what they exit with."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import literal_column, select, update
from tests.support.quick import QuickRunner, study
from typer.testing import CliRunner

from evenhand.cli.app import app
from evenhand.errors import EvenhandError
from evenhand.study.exchange import export_study
from evenhand.study.log.schema import content, log
from evenhand.study.store import Store

runner = CliRunner()


@pytest.fixture
def url(store_url: str) -> str:
    with Store(store_url, runner=QuickRunner(3)) as store:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 4):
            store.answer(token, n, "first", "so")
        store.undo(token, 3)
    return store_url


def run(*arguments: str, status: int = 0) -> str:
    result = runner.invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return " ".join(result.output.split())


def test_a_store_that_nobody_touched_is_well(url: str) -> None:
    said = run("doctor", "--store", url)
    assert "✗" not in said
    for words in ("evenhand 0.", "sqlalchemy 2.", "version 0001, the newest", "1 study, 1 interview, 3 answers"):
        assert words in said
    assert re.search(r"(synchronous = FULL|fsync = on)", said)
    assert re.search(r"(free|its own machine|own machine knows)", said)
    assert "intact" in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE content SET choice = 'second' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE content SET why = 'because' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE content SET time = '2020-01-01' WHERE place = 6", "row 6 of the log (answered) was changed"),
        (
            "UPDATE content SET detail = replace(detail, '0.', '0.0') WHERE place = 1",
            "row 1 of the log (study) was changed",
        ),
        ("UPDATE content SET salt = 'x' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE log SET content = 'x' WHERE place = 4", "row 4 of the log (answered) was changed"),
        (
            "DELETE FROM content WHERE place = 4",
            "the content of row 4 of the log (answered) was deleted, although nobody",
        ),
        (
            "INSERT INTO log SELECT 11, 'x', study, 'withdrawn', interview, n, content FROM log WHERE place = 4",
            "row 2 of the log (begun) has content again, although the person has withdrawn",
        ),
        ("DELETE FROM log WHERE place = 5", "row 6 follows row 4"),
        ("DELETE FROM log WHERE place = 10", "ends with row 9, but it was written up to row 10"),
        ("DELETE FROM log WHERE interview IS NOT NULL", "ends with row 1, but it was written up to row 10"),
        ("DELETE FROM log", "ends with row 0, but it was written up to row 10"),
        ("UPDATE head SET hash = 'x'", "the hash of row 10 of the log, the last, is not"),
        ("UPDATE log SET hash = x'00' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE content SET detail = x'00' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE log SET interview = x'00' WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE log SET n = 1e999 WHERE place = 4", "row 4 of the log (answered) was changed"),
        ("UPDATE content SET detail = '{}' WHERE place = 1", "the study 'loans' is damaged"),
        ("UPDATE head SET place = 9, hash = (SELECT hash FROM log WHERE place = 9)", "ends with row 10, but"),
        (
            "INSERT INTO log SELECT 11, hash, study, kind, interview, n, content FROM log LIMIT 1",
            "ends with row 11, but it was written up to row 10",
        ),
    ],
    ids=range(20),
)
def test_any_later_edit_or_deletion_is_visible(tmp_path: Path, change: str, words: str) -> None:
    file = tmp_path / "store.db"
    with Store(f"sqlite:///{file}", runner=QuickRunner(3)) as store:
        store.put_study(study())
        token = store.begin("loans")
        for n in range(1, 4):
            store.answer(token, n, "first", "so")
        store.undo(token, 3)
    with sqlite3.connect(file) as connection:
        connection.execute(change)
    connection.close()
    said = run("doctor", "--store", f"sqlite:///{file}", status=1)
    assert words in said
    assert "✗ chain" in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM head", "no longer says where its log ends"),
        ("UPDATE head SET place = 'x'", "no longer says where its log ends"),
        ("DROP TABLE head", "a table of the store is missing"),
        ("UPDATE content SET detail = CAST(x'ff' AS TEXT)", "the file of the store is damaged"),
    ],
)
def test_what_cannot_be_looked_at_is_said_in_words(tmp_path: Path, change: str, words: str) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with Store(url) as store:
        store.put_study(study())
    with sqlite3.connect(tmp_path / "store.db") as connection:
        connection.execute(change)
    connection.close()
    assert words in run("doctor", "--store", url, status=1)


@pytest.mark.parametrize("value", ["x'00ff'", "'nope'"])
def test_a_damaged_study_is_not_exported(tmp_path: Path, value: str) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with Store(url, runner=QuickRunner(3)) as store:
        store.put_study(study())
        store.begin("loans")
        with store.database.writing() as connection:
            asked = select(log.c.place).where(log.c.kind == "asked")
            changed = update(content).where(content.c.place.in_(asked)).values(detail=literal_column(value))
            connection.execute(changed)
        with pytest.raises(EvenhandError, match="an event “asked” of the study 'loans' is damaged"):
            export_study(store, "loans")


def stored(folder: Path) -> Path:
    with Store(f"sqlite:///{folder}/store.db") as store:
        store.put_study(study())
    return folder / "store.db"


def test_a_schema_that_is_not_text_is_damage(tmp_path: Path) -> None:
    file = stored(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"tablelog", b"tablel\xffg"))
    assert "✗ store The answers cannot be reached just now: the file of the store is damaged." in run(
        "doctor", "--store", f"sqlite:///{file}", status=1
    )
    with pytest.raises(EvenhandError, match=r"cannot be opened: .*: the file of the store is damaged"):
        run("export", "--store", f"sqlite:///{file}")


def test_an_index_that_does_not_fit_its_table_is_damage(tmp_path: Path) -> None:
    file = stored(tmp_path)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA writable_schema = on")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, '(interview,', '(study,') WHERE type = 'index'")
    connection.close()
    said = run("doctor", "--store", f"sqlite:///{file}", status=1)
    assert "✗ durability synchronous = FULL; file check: row 1 missing from index log_interview" in said


def test_a_log_that_was_written_anew_is_seen_by_a_head_that_was_noted_down(tmp_path: Path) -> None:
    def written(file: str, choice: str) -> str:
        with Store(f"sqlite:///{tmp_path}/{file}", runner=QuickRunner(3)) as store:
            store.put_study(study())
            store.answer(store.begin("loans"), 1, choice)
        found = re.search(r"(\d+:[0-9a-f]{64})", run("doctor", "--store", f"sqlite:///{tmp_path}/{file}"))
        assert found
        return found[1]

    noted = written("true.db", "first")
    written("forged.db", "second")
    with Store(f"sqlite:///{tmp_path}/true.db", runner=QuickRunner(3)) as store:
        store.begin("loans")
    assert "still part of the log" in run("doctor", "--store", f"sqlite:///{tmp_path}/true.db", "--head", noted)
    forged = run("doctor", "--store", f"sqlite:///{tmp_path}/forged.db", "--head", noted, status=1)
    assert "✗ noted head" in forged
    assert "a head is like" in run("doctor", "--store", f"sqlite:///{tmp_path}/true.db", "--head", "7", status=1)


def test_a_store_that_is_missing_is_not_made_by_looking(tmp_path: Path) -> None:
    said = run("doctor", "--store", f"sqlite:///{tmp_path}/none.db", status=1)
    assert "there is no store at" in said
    assert "evenhand 0." in said
    assert not list(tmp_path.iterdir())
    with pytest.raises(EvenhandError, match="there is no store at"):
        run("export", "--store", f"sqlite:///{tmp_path}/none.db")


def test_an_empty_file_has_no_tables_yet(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    assert "none yet" in run("doctor", "--store", f"sqlite:///{tmp_path}/empty.db", status=1)


def test_a_study_goes_from_one_store_to_another(url: str, tmp_path: Path) -> None:
    file, other = tmp_path / "loans.json", f"sqlite:///{tmp_path}/other.db"
    printed = runner.invoke(app, ["export", "--store", url]).stdout
    assert "Written" in run("export", "loans", str(file), "--store", url)
    assert file.read_text(encoding="utf-8") == printed
    assert "1 interviews with 3 answers added" in run("import", str(file), "--store", other)
    assert "1 interviews were already there" in run("import", str(file), "--store", other)
    assert runner.invoke(app, ["export", "loans", "--store", other]).stdout == printed


def test_a_file_that_is_no_export_leaves_no_empty_store_behind(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"format": "evenhand.export"', encoding="utf-8")
    with pytest.raises(EvenhandError, match="nor any JSON document"):
        run("import", f"{tmp_path}/cut.json", "--store", f"sqlite:///{tmp_path}/new.db")
    assert not (tmp_path / "new.db").exists()


def test_export_asks_which_of_several_studies_is_meant(url: str) -> None:
    with Store(url) as store:
        store.put_study(study("jobs"))
    with pytest.raises(EvenhandError, match=r"2 studies \('loans', 'jobs'\): name one"):
        run("export", "--store", url)


def test_export_says_which_studies_there_are(url: str, tmp_path: Path) -> None:
    with pytest.raises(EvenhandError, match="this store has no study 'loan', but 'loans'"):
        run("export", "loan", "--store", url)
    empty = f"sqlite:///{tmp_path}/empty.db"
    with Store(empty):
        pass
    with pytest.raises(EvenhandError, match="this store has no study yet"):
        run("export", "--store", empty)


def test_an_export_of_a_changed_log_says_so(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with Store(f"sqlite:///{file}") as store:
        store.put_study(study())
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE content SET time = '2020-01-01T00:00:00+00:00'")
    connection.close()
    assert "was changed after it was written" in runner.invoke(app, ["export", "--store", f"sqlite:///{file}"]).stderr


def test_files_that_cannot_be_read_or_written_are_named(url: str, tmp_path: Path) -> None:
    with pytest.raises(EvenhandError, match=r"cannot read .*none\.json: No such file"):
        run("import", str(tmp_path / "none.json"), "--store", url)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    with pytest.raises(EvenhandError, match="cannot read"):
        run("import", str(tmp_path / "binary.json"), "--store", url)
    with pytest.raises(EvenhandError, match="cannot write"):
        run("export", "loans", str(tmp_path / "nowhere" / "x.json"), "--store", url)
