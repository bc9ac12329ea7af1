"""Runs work on all cores of this machine, with progress reports; the results do not depend on the number of cores.

`evenhand.experiments.ranking.spreading` runs longer, independent tasks by joblib, also on a cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from typing import ClassVar, TypeVar

from evenhand.checks.arrays import whole_number
from evenhand.errors import EvenhandError

T = TypeVar("T")

Progress = Callable[[float], object]
"""A callback: takes the share of the work that is done, from 0 to 1."""
Tick = Callable[[float], object]
"""A callback for tasks: takes the work done since the last call. Only here can a task be stopped."""
_POLL_SECONDS = 0.1


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    run: Callable[..., T],
    work: Sequence[tuple[object, ...]],
    *,
    jobs: int,
    total: float,
    progress: Progress | None = None,
) -> list[T]:
    """Return `run(tick, *arguments)` for each task; the ticks of all tasks must sum to `total`.

    More than one job means new processes: a script that calls this needs `if __name__ == "__main__":`.
    """
    whole_number(jobs, "jobs", 1)
    share = _Share(total, progress)
    jobs = min(jobs, len(work))
    done = _side_by_side(run, work, jobs, share) if jobs > 1 else [run(share.add, *arguments) for arguments in work]
    share.say(1.0)
    return done


class _Share:
    """Adds up the work done, and reports its share of the total."""

    def __init__(self, total: float, progress: Progress | None) -> None:
        self.total = total
        self.say = progress or (lambda _: None)
        self.done = 0.0

    def add(self, work: float) -> None:
        self.done += work
        self.say(min(1.0, self.done / self.total))


def _side_by_side(run: Callable[..., T], work: Sequence[tuple[object, ...]], jobs: int, share: _Share) -> list[T]:
    context = multiprocessing.get_context("spawn")  # a fork copies locks but not the threads that hold them
    work_done, stop = context.Value("d", 0.0), context.Event()
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker, initargs=(work_done, stop))
    with pool:
        try:
            with _workers_uninterrupted():
                futures = [pool.submit(_run_in_worker, run, arguments) for arguments in work]
            waiting = set(futures)
            while waiting:
                finished, waiting = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_EXCEPTION)
                share.done = work_done.value
                share.add(0.0)
                for future in finished:
                    future.result()
        except BrokenProcessPool as error:
            raise EvenhandError("a worker process died (out of memory?): try fewer jobs") from error
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]


@contextmanager
def _workers_uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C while workers are started: they inherit that, and have no traceback to show."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """What a worker process shares with its parent."""

    work_done: ClassVar[Synchronized[float]]
    stop: ClassVar[Event]


class _StoppedError(Exception):
    """The parent process asked this worker to stop."""


def _start_worker(work_done: Synchronized[float], stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the process that started the workers
    _Worker.work_done, _Worker.stop = work_done, stop


def _run_in_worker(run: Callable[..., T], arguments: tuple[object, ...]) -> T:
    return run(_tick_in_worker, *arguments)


def _tick_in_worker(work: float) -> None:
    if _Worker.stop.is_set():
        raise _StoppedError
    with _Worker.work_done.get_lock():
        _Worker.work_done.value += work
