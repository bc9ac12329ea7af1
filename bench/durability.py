"""Durability: kill -9 of the server under load, 500 times each on SQLite and on PostgreSQL.

People begin by invitations, answer, undo and withdraw, while whoever runs the server invites people, publishes versions
of the study and uploads files. `python -m bench.durability 100 7` makes a hundred kills of each, from the seed 7.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from tests.support import postgresql
from tests.support.killing import kill_again_and_again

KILLS = 500


def run(kills: int = KILLS, seed: int = 1) -> None:
    """Kill the server repeatedly, and print how many acknowledged answers were found again."""
    with TemporaryDirectory() as folder:
        stores = {
            "SQLite": f"sqlite:///{folder}/store.db",
            "PostgreSQL": postgresql.new_database(postgresql.server()),
        }
        for name, url in stores.items():
            began = time.perf_counter()
            survived = kill_again_and_again(url, kills=kills, seed=seed, progress=_progress(name, kills))
            print(
                f"{name}: {survived.kills} kills, {survived.answers} answers and {survived.undone} undos acknowledged, "
                f"all there and none twice; {survived.cut_short} requests cut short and sent again; "
                f"{survived.withdrawn} people withdrew, and nothing of theirs is left; {survived.invitations} "
                f"invitations, {survived.published} versions and {survived.uploaded} uploads acknowledged; "
                f"the chain is whole ({time.perf_counter() - began:.0f} s)"
            )


def _progress(name: str, kills: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{name}: {done} of {kills} kills", end="\r" if done < kills else "\n", file=sys.stderr, flush=True)

    return show


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
