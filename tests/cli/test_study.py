"""`evenhand study`: from a file of predictions to a study in a store."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.study.test_draft import TABLE

from evenhand import EvenhandError
from evenhand.cli.app import app
from evenhand.study.store import Store


def run(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "Loans of 2025.csv"
    TABLE.write_csv(path)
    return path


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'evenhand.db'}"


def drafted(predictions: Path) -> Path:
    file = predictions.with_name("loans.toml")
    run("study", "draft", predictions, "--label", "repaid", "--group", "sex", "--model", "model_*", "--out", file)
    return file


def test_from_a_file_of_predictions_to_a_study_in_the_store(
    predictions: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = drafted(predictions)
    assert "Written: " in capsys.readouterr().out
    run("study", "add", file, "--store", url)
    assert "at the address /loans" in capsys.readouterr().out
    with Store(url) as store:
        assert dict(store.study("loans").words.groups) == {"f": "women", "m": "men"}
    run("study", "list", "--store", url)
    assert "Which model should decide?" in capsys.readouterr().out
    run("study", "show", "loans", "--store", url)
    assert capsys.readouterr().out.rstrip() == file.read_text(encoding="utf-8").rstrip()


def test_a_changed_file_is_a_new_version_and_the_same_one_is_not(
    predictions: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = drafted(predictions)
    run("study", "add", file, "--store", url)
    capsys.readouterr()
    run("study", "add", file, "--store", url)
    assert "already, as it is in this file" in capsys.readouterr().out
    file.write_text(file.read_text(encoding="utf-8").replace("are predicted 0", "are refused"), encoding="utf-8")
    run("study", "add", file, "--store", url)
    assert "a new version" in capsys.readouterr().out
    with Store(url) as store:
        assert store.study("loans").words.mistakes[1, 0] == "are refused"


def test_a_file_with_mistakes_leaves_no_store_behind(predictions: Path, url: str) -> None:
    file = drafted(predictions)
    file.write_text(file.read_text(encoding="utf-8").replace("max_questions = 30", "max_questions = 0"))
    with pytest.raises(EvenhandError, match=r"loans\.toml, line [0-9]+: max_questions"):
        run("study", "add", file, "--store", url)
    assert not predictions.with_name("evenhand.db").exists()


def test_without_a_file_the_draft_is_printed_and_named_after_its_input(
    predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("study", "draft", predictions, "--label", "repaid", "--group", "sex")
    assert 'slug = "loans-of-2025"' in capsys.readouterr().out


def test_the_input_is_never_overwritten(predictions: Path) -> None:
    with pytest.raises(EvenhandError, match="it is the input"):
        run("study", "draft", predictions, "--label", "repaid", "--group", "sex", "--out", predictions)
