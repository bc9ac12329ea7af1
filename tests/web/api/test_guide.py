"""The guide of the API does what it says, and the page about security names tests that exist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.web.owner import TOKEN
from tests.web.served import Served, serving

from evenhand.study.demo.demo import demo_study
from evenhand.study.demo.example_file import example_file
from evenhand.study.exchange import read_export
from evenhand.study.store import Store
from evenhand.web.owner import VARIABLE

CHECKOUT = Path(__file__).parents[3]
GUIDE = (CHECKOUT / "docs" / "api.md").read_text(encoding="utf-8")
WRITTEN = "http://127.0.0.1:8000"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv(VARIABLE, TOKEN)
    with Store(f"sqlite:///{tmp_path}/store.db") as store:
        store.put_study(demo_study())
        with serving(store) as served:
            yield served


def test_the_examples_for_httpx_run(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", httpx2)  # its successor, by the same names
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL))
    assert WRITTEN in code
    names: dict[str, Any] = {}
    exec(compile(code.replace(WRITTEN, served.address), "docs/api.md", "exec"), names)  # noqa: S102
    names["owner"].close()
    names["person"].close()
    [care] = [one for one in served.store.overview() if one.slug == "care"]
    assert (care.title, care.invited, care.begun, care.withdrawn) == ("Who is called in?", 3, 0, 1)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed, so its examples are not tried")
def test_the_examples_for_curl_run(served: Served, tmp_path: Path) -> None:
    commands = [
        line.removeprefix("$ ") for line in GUIDE.splitlines() if line.startswith("$ curl") or "AUTHORIZATION=" in line
    ]
    assert len(commands) == 6
    (tmp_path / "predictions.csv").write_text(example_file())
    script = "set -e\n" + "\n".join(commands).replace(WRITTEN, served.address)
    shell = ["/bin/sh", "-c", script]
    ran = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=True, env=os.environ)  # noqa: S603
    assert '"slug":"demo"' in ran.stdout
    assert ran.stdout.count('"address":"/i/') == 3
    assert '{"slug":"predictions","address":"/predictions","changed":true}' in ran.stdout
    assert read_export((tmp_path / "demo.json").read_text(encoding="utf-8")).slug == "demo"


def test_the_tests_that_the_page_about_security_names_exist() -> None:
    page = (CHECKOUT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert len(rows) > 20
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (CHECKOUT / file).read_text(encoding="utf-8"), f"{file}::{test}"
