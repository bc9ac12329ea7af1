"""Measure many cells on many cores: the largest first, the same result on one core as on eight."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from typing import ClassVar

from evenhand.elicitation import SEARCHES
from evenhand.errors import EvenhandError
from evenhand.experiments.cell import Block, Cell, Outcome, measure

_POLL_SECONDS = 0.1

Progress = Callable[[float], object]
"""Called with the share of the work that is done, from 0 to 1."""


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def measure_cells(
    cells: Sequence[Cell], methods: Sequence[str], *, jobs: int = 1, progress: Progress | None = None
) -> list[dict[str, Outcome]]:
    """Measure every cell with every method, in the order of the cells.

    With more than one job the work is done by fresh processes, so that a script which calls this must be
    guarded by `if __name__ == "__main__"`.
    """
    if not cells or not methods:
        raise EvenhandError("there is nothing to measure: give at least one cell and one method")
    for method in methods:
        if method not in SEARCHES:
            raise EvenhandError(f"method must be one of {', '.join(map(repr, SEARCHES))}, but received {method!r}")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise EvenhandError(f"jobs must be a whole number of at least 1, but received {jobs!r}")

    blocks = [(place, block) for place, cell in enumerate(cells) for block in cell.blocks()]
    blocks.sort(key=lambda placed: -placed[1].work)
    ordered = [block for _, block in blocks]
    share = _Share(sum(block.work for block in ordered), progress)
    jobs = min(jobs, len(ordered))
    done = _one_by_one(ordered, methods, share) if jobs == 1 else _side_by_side(ordered, methods, jobs, share)
    share.say(1.0)

    parts: list[list[tuple[int, dict[str, Outcome]]]] = [[] for _ in cells]
    for (place, block), outcome in zip(blocks, done, strict=True):
        parts[place].append((block.number, outcome))
    return [
        {method: Outcome.joined(part[method] for _, part in sorted(of_cell, key=lambda p: p[0])) for method in methods}
        for of_cell in parts
    ]


class _Share:
    """Turns work done into a share of the whole."""

    def __init__(self, total: float, progress: Progress | None) -> None:
        self.total = total
        self.say = progress or (lambda _: None)
        self.done = 0.0

    def add(self, work: float) -> None:
        self.done += work
        self.say(min(1.0, self.done / self.total))


def _one_by_one(blocks: list[Block], methods: Sequence[str], share: _Share) -> list[dict[str, Outcome]]:
    return [measure(block, methods, share.add) for block in blocks]


def _side_by_side(blocks: list[Block], methods: Sequence[str], jobs: int, share: _Share) -> list[dict[str, Outcome]]:
    context = multiprocessing.get_context("spawn")  # a fork copies the locks of threads that it does not copy
    work_done, stop = context.Value("d", 0.0), context.Event()
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(work_done, stop))
    with pool:
        try:
            futures = [pool.submit(_measure_in_worker, block, methods) for block in blocks]
            waiting = set(futures)
            while waiting:
                finished, waiting = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_EXCEPTION)
                share.done = work_done.value
                share.add(0.0)
                for future in finished:
                    future.result()
        except BrokenProcessPool as error:
            raise EvenhandError(
                "a worker process ended before its work was done (out of memory?): try fewer --jobs"
            ) from error
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]


class _Worker:
    """What a worker process shares with the process that started it."""

    work_done: ClassVar[Synchronized[float]]
    stop: ClassVar[Event]


class _StoppedError(Exception):
    """Another process asked this one to stop."""


def _start_worker(work_done: Synchronized[float], stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the process that started the workers
    _Worker.work_done, _Worker.stop = work_done, stop


def _measure_in_worker(block: Block, methods: Sequence[str]) -> dict[str, Outcome]:
    def tick(work: float) -> None:
        if _Worker.stop.is_set():
            raise _StoppedError
        with _Worker.work_done.get_lock():
            _Worker.work_done.value += work

    return measure(block, methods, tick)
