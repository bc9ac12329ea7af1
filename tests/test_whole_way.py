"""The script in docs/ goes the whole way, on a table that it makes itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "docs" / "whole_way.py"


def test_the_script_is_short_and_needs_little() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {"evenhand", "pandas", "sklearn"}


def test_the_script_comes_to_a_decision_and_a_report(tmp_path: Path) -> None:
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-W", "error::FutureWarning", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for said in ("does not certify that a model is fair", "place  name", "p(1st)"):
        assert said in run.stdout
    costs = {row.split()[1]: float(row.split()[2]) for row in run.stdout.splitlines() if row.strip()[:1].isdigit()}
    assert set(costs) == {"logistic", "cautious", "forest", "tuned"}
    assert costs["tuned"] <= costs["forest"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(name in page for name in costs)
