"""Durability: kill -9 of the server under load, 200 times each on SQLite and on PostgreSQL."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from tests.support import postgresql
from tests.support.killing import kill_again_and_again

KILLS = 200


def run(kills: int = KILLS) -> None:
    """Kill the server repeatedly, and print how many acknowledged answers were found again."""
    with TemporaryDirectory() as folder:
        stores = {
            "SQLite": f"sqlite:///{folder}/store.db",
            "PostgreSQL": postgresql.new_database(postgresql.server()),
        }
        for name, url in stores.items():
            began = time.perf_counter()
            survived = kill_again_and_again(url, kills=kills, seed=1, progress=_progress(name, kills))
            print(
                f"{name}: {survived.kills} kills, {survived.answers} answers and {survived.undone} undos acknowledged, "
                f"all there and none twice; {survived.cut_short} requests cut short and sent again; "
                f"the chain is whole ({time.perf_counter() - began:.0f} s)"
            )


def _progress(name: str, kills: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{name}: {done} of {kills} kills", end="\r" if done < kills else "\n", file=sys.stderr, flush=True)

    return show
