"""`make mutants`: small slips in the paper's part of the code, and which of them nothing catches.

mutmut makes the slips, one at a time, in a copy of the sources; pyproject.toml says in which modules. One is caught if
mypy refuses it, or if a test of the folder that mirrors its own fails or does not end. docs/mutants.md says why some
survive.

This module is also the pytest plugin with which the tests of each mutant are run.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from zlib import crc32

import pytest
from mutmut import __main__ as program
from mutmut.mutation.diff_apply import get_diff_for_mutant

MINUTES = 30
MOST_SURVIVORS = 0.05
COPY = Path("mutants")
_TIMED_OUT = 36
_FATES = {None: "not reached", 0: "survived", 1: "tests", 3: "tests", 5: "survived", 33: "survived", 37: "types"}
_COLUMNS = ("types", "tests", "time-out", "survived", "not reached")


# The plugin: the tests of the mirrored folder, none for much longer than it takes unchanged.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of the folder that mirrors the mutant's, if there are any; mutmut runs the fastest first."""
    mutant = os.environ.get("MUTANT_UNDER_TEST", "")
    if mutant.startswith("evenhand."):
        folder = f"tests/{mutant.split('.')[1]}/"
        items[:] = [item for item in items if item.nodeid.startswith(folder)] or items


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End the process if a test takes ten times the processor time that it takes unchanged, and five seconds more.

    It is the processor's time, so that a busy machine changes nothing. A test that waits for ever takes none of it: one
    that has not ended after sixty times its usual time, and a minute more, is ended too.
    """
    usual = _seconds().get(item.nodeid)
    if usual is not None and os.environ.get("MUTANT_UNDER_TEST", "").startswith("evenhand."):
        signal.signal(signal.SIGPROF, lambda *_: os._exit(_TIMED_OUT))
        signal.setitimer(signal.ITIMER_PROF, 10 * usual + 5)
        signal.signal(signal.SIGALRM, lambda *_: os._exit(_TIMED_OUT))
        signal.setitimer(signal.ITIMER_REAL, 60 * usual + 60)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _seconds() -> dict[str, float]:
    """Return how long each test takes unchanged, once mutmut has measured it."""
    measured = Path("mutmut-stats.json")
    return dict(json.loads(measured.read_text("utf-8"))["duration_by_test"]) if measured.exists() else {}


# The program.


def run() -> bool:
    """Try mutants for as long as there is time, print what became of them, and say whether few enough survived."""
    shutil.rmtree(COPY, ignore_errors=True)
    begun = monotonic()
    environment = {**os.environ, "CI": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bench.mutants", "run", "--max-children", "1"]
    mutmut = subprocess.Popen(command, env=environment, start_new_session=True)  # noqa: S603  # our own command
    try:
        ended = mutmut.wait(timeout=60 * MINUTES)
        if ended:
            print(f"\nmutmut ended with {ended}, which is its failure and not the tests'.")
    except subprocess.TimeoutExpired:
        pass
    finally:
        if mutmut.poll() is None:
            os.killpg(mutmut.pid, signal.SIGTERM)  # what was found is kept mutant by mutant
            mutmut.wait()
    return _report((monotonic() - begun) / 60)


def _report(minutes: float) -> bool:
    fates = {
        meta.relative_to(COPY).with_suffix(""): {
            mutant: _FATES.get(code, "time-out")
            for mutant, code in json.loads(meta.read_text("utf-8"))["exit_code_by_key"].items()
        }
        for meta in sorted(COPY.rglob("*.meta"))
    }
    counts = {str(path): Counter(fate.values()) for path, fate in fates.items() if fate}
    total = sum(counts.values(), Counter[str]())
    print(f"\n\n{'':52}{'mutants':>12}" + "".join(f"{name:>12}" for name in _COLUMNS))
    for name, count in [*counts.items(), ("all", total)]:
        print(f"{name:52}{count.total():12,}" + "".join(f"{count[column]:12,}" for column in _COLUMNS))
    for path, fate in fates.items():
        for mutant in sorted(mutant for mutant in fate if fate[mutant] == "survived"):
            print(f"\n{mutant}\n{_change(mutant, path)}")
    reached, survived = total.total() - total["not reached"], total["survived"]
    share = survived / max(1, reached)
    print(
        f"\n{survived:,} of {reached:,} mutants survived, {share:.1%} (at most {MOST_SURVIVORS:.0%} may), in "
        f"{minutes:.0f} minutes. {total['not reached']:,} of {total.total():,} were not reached."
    )
    return reached > 0 and share <= MOST_SURVIVORS


def _change(mutant: str, path: Path) -> str:
    """Return the lines that a mutant takes away and puts in."""
    lines = get_diff_for_mutant(mutant, path=path).splitlines()[2:]
    return "\n".join(line for line in lines if line[:1] in {"-", "+"} and "__mutmut_" not in line)


def _in_any_order(mutant_name: str) -> float:
    """Return a number that has nothing to do with the mutant: those that are reached are then a fair sample."""
    return crc32(mutant_name.encode())


if __name__ == "__main__":
    if sys.argv[1:]:
        program.estimated_worst_case_time = _in_any_order
        program.cli()
    sys.exit(not run())
