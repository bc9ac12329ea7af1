"""What commands say while they work, and when they are interrupted."""

from __future__ import annotations

import time

import pytest

from evenhand.cli.output import progress_bar


def test_without_a_terminal_long_work_gives_a_line_from_time_to_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with progress_bar("Interviewing") as progress:
        for now in range(0, 60, 5):
            progress(now / 60)
    assert capsys.readouterr().err.splitlines() == ["Interviewing: 25%", "Interviewing: 50%", "Interviewing: 75%"]


def test_short_work_gives_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("Interviewing") as progress:
        progress(1.0)
    assert capsys.readouterr().err == ""


def test_an_interruption_is_acknowledged(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), progress_bar("Interviewing"):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "Interrupted: no results were written.\n"
