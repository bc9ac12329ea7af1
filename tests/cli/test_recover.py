"""`evenhand recover` from the outside: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evenhand import experiments
from evenhand.cli import main
from evenhand.cli.app import app

SMALL = ["recover", "--classes", "2", "--groups", "2", "--oracles", "2", "--jobs", "1", "--tolerance", "0.05"]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def strictly(text: str) -> Any:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_to_stdout_is_one_document_with_an_object_per_cell() -> None:
    arguments = "recover --classes 2 --groups 3 --oracles 10 --method paper --seed 0 --json -"
    document = strictly(run(*arguments.split()))
    (cell,) = document["cells"]
    described = {name: cell[name] for name in ("classes", "groups", "oracles", "questions", "method")}
    assert described == {"classes": 2, "groups": 3, "oracles": 10, "questions": 1286, "method": "paper"}
    for error in ("misclassification_error", "violation_error", "trade_off_error"):
        assert set(cell[error]) == {"mean", "median", "p95"}
        assert 0 < cell[error]["median"] < cell[error]["p95"] < 0.5
    assert list(Path().iterdir()) == []


def test_both_methods_stand_in_the_same_table_by_default() -> None:
    document = strictly(run(*SMALL, "--groups", "3", "--json", "-"))
    assert [(cell["groups"], cell["method"]) for cell in document["cells"]] == [
        (2, "paper"),
        (2, "least-squares"),
        (3, "paper"),
        (3, "least-squares"),
    ]


def test_the_folder_gets_the_figure_and_the_json_and_the_terminal_the_table() -> None:
    output = run(*SMALL, "--classes", "3", "--groups", "3", "--out", "there/results")
    folder = Path("there/results")
    assert {path.name for path in folder.iterdir()} == {"recovery.png", "recovery.svg", "recovery.json"}
    assert (folder / "recovery.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "recovery.svg").read_text(encoding="utf-8")
    assert len(strictly((folder / "recovery.json").read_text(encoding="utf-8"))["cells"]) == 8
    assert "least-squares" in output
    assert "1. The error in a grows with the number of classes k only." in output
    assert "…" not in output


def test_json_goes_where_it_is_sent_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.experiments.figures.save", lambda *_: [])
    run(*SMALL, "--json", "numbers.json")
    assert len(strictly(Path("numbers.json").read_text(encoding="utf-8"))["cells"]) == 2
    assert {path.name for path in Path().rglob("*")} == {"numbers.json", "recovery"}


def test_the_papers_radius_is_noted_where_its_points_are_not_rates() -> None:
    arguments = [
        "recover",
        "--classes",
        "4",
        "--groups",
        "2",
        "--oracles",
        "1",
        "--tolerance",
        "0.1",
        "--radius",
        "0.2",
    ]
    result = CliRunner().invoke(app, [*arguments, "--json", "-"], catch_exceptions=False)
    (note,) = strictly(result.stdout)["notes"]
    assert "not rates" in note
    assert note in result.stderr


def test_scaling_prints_slopes_and_draws_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenhand.experiments.scaling.BASE", 2)
    output = run(*SMALL, "--classes", "3", "--groups", "3", "--scaling", "--out", "out")
    assert {path.name for path in Path("out").iterdir()} == {"scaling.png", "scaling.svg", "scaling.json"}
    document = strictly(Path("out/scaling.json").read_text(encoding="utf-8"))
    assert {slope["quantity"] for slope in document["scaling"]} == {"tolerance", "band", "mistakes", "groups"}
    assert "theorem" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--classes", "1"], "classes must be"),
        (["--groups", "1"], "groups must be"),
        (["--oracles", "0"], "oracles must be"),
        (["--seed", "-1"], "seed must be"),
        (["--tolerance", "nan"], "tolerance must"),
        (["--tolerance", "0"], "tolerance must"),
        (["--method", "guess"], "received 'guess'"),
        (["--radius", "0.6"], "no longer linear"),
        (["--flip", "2"], "flip"),
        (["--jobs", "0"], "jobs must be"),
        (["--adversarial"], "--band"),
        (["--scaling", "--flip", "0.1"], "--scaling sets the noise itself"),
        (["--out", "a-file"], "cannot make the folder a-file"),
        (["--json", "nowhere/numbers.json"], "its folder does not exist"),
        (["--json", "a-folder"], "it is a folder"),
    ],
)
def test_bad_input_ends_in_one_plain_sentence(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a-file").touch()
    Path("a-folder").mkdir()
    monkeypatch.setattr(sys, "argv", ["evenhand", *SMALL, *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    sentence = ended.value.code
    assert isinstance(sentence, str)  # which Python prints, with exit code 1
    assert sentence.startswith("evenhand: ")
    assert message in sentence
    assert "\n" not in sentence


def test_a_missing_matplotlib_is_named_before_the_work_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    monkeypatch.delitem(sys.modules, "evenhand.experiments.figures", raising=False)
    monkeypatch.delattr(experiments, "figures", raising=False)
    monkeypatch.setattr(sys, "argv", ["evenhand", *SMALL])
    with pytest.raises(SystemExit, match=r"matplotlib.*evenhand\[figures\]"):
        main()
    assert list(Path().iterdir()) == []


def test_every_method_can_be_drawn_and_a_single_cell_is_said_to_show_no_trend() -> None:
    methods = [word for method in ("paper", "least-squares", "bisection") for word in ("--method", method)]
    output = run(*SMALL, *methods)
    assert {path.name for path in Path("recovery").iterdir()} == {"recovery.png", "recovery.svg", "recovery.json"}
    assert output.count("A trend needs at least two numbers of classes") == 1
