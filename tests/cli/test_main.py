"""The command as a process: when it cannot print, and when it is told to stop."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.quick import QuickRunner, study

import evenhand
from evenhand.study.store import Store

FULL = Path("/dev/full")
RUN = "from evenhand.cli import main; main()"


def run(*arguments: str, before: str = "", stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", f"{before}\n{RUN}", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(not FULL.exists(), reason="needs Linux's device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["rates", "p.csv"],
        ["rates", "p.csv", "--json", "-"],
        ["demo", "--method", "bisection"],
    ],
    ids=" ".join,
)
def test_output_to_a_full_disk_is_an_error_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text("label,prediction,group\n0,0,a\n0,1,b\n1,1,a\n1,0,b\n")
    with FULL.open("w") as full:
        done = run(*arguments, stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr == "evenhand: the output cannot be written: No space left on device\n"


def test_an_interruption_while_the_command_is_imported_shows_no_traceback() -> None:
    interrupt = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
"""
    done = run("--version", before=interrupt)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_terminal_that_is_said_to_have_no_columns_shows_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "doctor" in done.stdout


def test_a_command_that_is_told_to_end_leaves_no_draft(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with Store(url, runner=QuickRunner(3)) as store:
        store.put_study(study())
    (tmp_path / "out").mkdir()
    ends = "import os, signal; os.fsync = lambda _: os.kill(os.getpid(), signal.SIGTERM)"
    done = run("export", "loans", str(tmp_path / "out" / "loans.json"), "--store", url, before=ends)
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "")
    assert not list((tmp_path / "out").iterdir())


def test_python_m_evenhand_is_the_command() -> None:
    run = subprocess.run([sys.executable, "-m", "evenhand", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"evenhand {evenhand.__version__}\n"
