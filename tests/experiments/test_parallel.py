"""Many cores change how long the experiment takes, and nothing else."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from evenhand.experiments import GridCell, Noise, available_cores, measure_cells

CELLS = [GridCell(classes=2, groups=m, oracles=3, noise=Noise(flip=0.01)) for m in (2, 4, 3)]
METHODS = ["paper", "least-squares"]


def test_two_jobs_give_what_one_gives_in_the_same_order() -> None:
    shares: list[float] = []
    one = measure_cells(CELLS, METHODS)
    two = measure_cells(CELLS, METHODS, jobs=2, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [outcome["paper"].questions for outcome in one] == [574, 2354, 1286]
    for alone, shared in zip(one, two, strict=True):
        for method in METHODS:
            assert alone[method].questions == shared[method].questions
            np.testing.assert_array_equal(alone[method].errors, shared[method].errors)


def test_progress_moves_in_small_steps_from_nothing_to_all() -> None:
    shares: list[float] = []
    measure_cells(CELLS, ["paper"], progress=shares.append)
    assert shares[-1] == 1.0
    steps = [later - earlier for earlier, later in pairwise([0.0, *shares])]
    assert min(steps) >= 0
    assert max(steps) < 0.1


def test_an_interruption_stops_the_workers_at_once() -> None:
    def interrupt(share: float) -> None:
        if share > 0:
            raise KeyboardInterrupt

    hours_of_work = [GridCell(classes=5, groups=5, seed=seed) for seed in range(1000)]
    before = set(multiprocessing.active_children())
    with pytest.raises(KeyboardInterrupt):
        measure_cells(hours_of_work, ["paper"], jobs=2, progress=interrupt)
    assert set(multiprocessing.active_children()) <= before


def test_a_worker_that_is_interrupted_while_it_starts_shows_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder, "sitecustomize.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
        patch.setenv("PYTHONPATH", folder)
        measure_cells(CELLS[:2], ["paper"], jobs=2)
    assert capfd.readouterr().err == ""


def test_there_is_at_least_one_core() -> None:
    assert available_cores() >= 1


def test_measuring_needs_neither_figures_nor_tables() -> None:
    heavy = "{'matplotlib', 'rich', 'typer'} & set(sys.modules)"
    command = [sys.executable, "-c", f"import sys, evenhand.experiments; sys.exit(str({heavy}) if {heavy} else 0)"]
    assert subprocess.run(command, check=False).returncode == 0  # noqa: S603
