"""`evenhand compare` from the outside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli.app import app
from evenhand.errors import EvenhandError

SMALL = ["compare", "--respondents", "1", "--budget", "3", "--flip", "0.1", "--jobs", "1"]


def test_json_to_stdout_is_one_document() -> None:
    result = CliRunner().invoke(app, [*SMALL, "--json", "-"], catch_exceptions=False)
    attempts = json.loads(result.stdout)["attempts"]
    assert {one["method"] for one in attempts} == {"paper", "bisection", "adaptive"}
    assert all(one["flip"] == 0.1 and one["information_limit"] >= 0 for one in attempts)


def test_answers_that_say_nothing_have_no_limit() -> None:
    result = CliRunner().invoke(
        app, [*SMALL[:5], "--flip", "0.5", "--jobs", "1", "--json", "-"], catch_exceptions=False
    )
    assert all(one["information_limit"] is None for one in json.loads(result.stdout)["attempts"])


def test_more_flips_than_a_coin_are_refused() -> None:
    with pytest.raises(EvenhandError, match=r"flip must be a probability from 0 to 0\.5, .* but received 0\.7"):
        CliRunner().invoke(app, ["compare", "--flip", "0.7"], catch_exceptions=False)


def test_what_is_refused_leaves_no_empty_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from evenhand.cli import main; main()", "compare", "--flip", "0.7"]
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)  # noqa: S603
    assert refused.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_table_figure_and_json_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, SMALL, catch_exceptions=False)
    assert "p90 of largest" in result.stdout
    assert {path.name for path in Path("comparison").iterdir()} == {
        "comparison.json",
        "comparison.png",
        "comparison.svg",
    }
