"""`evenhand samples` writes a figure and a JSON document, and shows a table."""

import json
from pathlib import Path

from typer.testing import CliRunner

from evenhand.cli.app import app


def test_the_table_the_figure_and_the_document_are_there(tmp_path: Path) -> None:
    options = ["--size", "200", "--size", "400", "--method", "bisection", "--respondents", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, ["samples", *options])
    assert result.exit_code == 0, result.output
    assert "400" in result.output
    document = json.loads((tmp_path / "samples.json").read_text())
    assert [row["people_in_sample"] for row in document["samples"]] == [200, 400]
    assert {path.name for path in tmp_path.iterdir()} == {"samples.png", "samples.svg", "samples.json"}
