"""The processes that answer requests: as many as asked for, all on one socket; one that ends by itself is replaced.

A process works out one question at a time, since two threads would share one interpreter. Processes share nothing but
the store, the snapshots, and the socket that they accept connections from.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from threading import Thread

from evenhand.errors import EvenhandError
from evenhand.study.runner import Runner
from evenhand.study.snapshots import InFolder
from evenhand.study.store import Store
from evenhand.web.app import create_app
from evenhand.web.drafts import Drafts
from evenhand.web.owner import Owner
from evenhand.web.server import run

MOST = 64
"""The most processes; each has connections to the database of its own."""

_USUALLY_AT_MOST = 4
_FORKS = sys.platform == "linux"
_SECONDS_TO_STOP = 8
_SOON = 5.0
_MOST_SOON = 5


def usual_number() -> int:
    """Return how many processes there are unless somebody says otherwise: one for each core, up to four."""
    return min(len(os.sched_getaffinity(0)), _USUALLY_AT_MOST) if _FORKS else 1


@dataclass(frozen=True, kw_only=True, repr=False)
class Work:
    """What every process is told.

    Attributes
    ----------
    url
        The URL of the store.
    hosts
        The names that the server answers to; all, if None.
    owner
        Who may see the owner's pages.
    processes
        How many do this work.
    """

    url: str
    hosts: tuple[str, ...] | None
    owner: Owner
    processes: int

    def do(self, listener: socket.socket, parent: int | None = None) -> None:
        """Answer requests until the process is stopped or, if one is named, its parent is gone."""
        with Store(self.url, runner=Runner(InFolder.of_store(self.url))) as store:
            # Work out one question now: the first takes longest, since SciPy is imported for it.
            for study in list(store.studies().values())[:1]:
                Thread(target=next, args=(study.method.procedure(seed=0),), daemon=True).start()
            drafts = Drafts.of_store(self.url)
            Thread(target=drafts.keep_tidy, daemon=True).start()
            app = create_app(store, hosts=self.hosts, owner=self.owner, drafts=drafts, processes=self.processes)
            run(app, listener, parent=parent)


def serve(work: Work, listener: socket.socket, *, started: Callable[[], object] = lambda: None) -> None:
    """Answer requests until the process is stopped; snapshots go with it. `started` is called once processes run."""
    try:
        if work.processes == 1:
            started()
            work.do(listener)
        else:
            _Processes(work, listener).keep(started)
    finally:
        InFolder.of_store(work.url).remove()
        Drafts.of_store(work.url).remove()


class _Processes:
    """Processes that do the same work."""

    def __init__(self, work: Work, listener: socket.socket) -> None:
        # A fork shares what is imported already, and takes milliseconds; no thread runs here that it could harm.
        self._context = multiprocessing.get_context("fork" if _FORKS else "spawn")
        self._work, self._listener = work, listener
        self._running: dict[int, tuple[BaseProcess, float]] = {}

    def keep(self, started: Callable[[], object]) -> None:
        """Keep all of them running until this process is told to stop."""
        before = signal.signal(signal.SIGTERM, _end)
        try:
            for _ in range(self._work.processes):
                self._start()
            started()
            self._replace_those_that_end()
        finally:
            self._stop()
            signal.signal(signal.SIGTERM, before)

    def _replace_those_that_end(self) -> None:
        soon = 0
        while True:
            for sentinel in wait(list(self._running)):
                process, began = self._running.pop(sentinel)  # type: ignore[arg-type]
                process.join()
                soon = soon + 1 if time.monotonic() - began < _SOON else 0
                if soon >= _MOST_SOON:
                    raise EvenhandError(
                        f"the processes of the server end as soon as they begin, the last with exit code "
                        f"{process.exitcode}: see what they say above"
                    )
                self._start()

    def _start(self) -> None:
        arguments = (self._work, self._listener, os.getpid())
        process = self._context.Process(target=_answer, args=arguments, name="evenhand-worker")  # type: ignore[attr-defined]
        process.start()
        self._running[process.sentinel] = process, time.monotonic()

    def _stop(self) -> None:
        """Let each finish what it works on, and end those that do not."""
        processes = [process for process, _ in self._running.values()]
        for process in processes:
            process.terminate()
        last = time.monotonic() + _SECONDS_TO_STOP
        for process in processes:
            process.join(max(last - time.monotonic(), 0.1))
            if process.is_alive():
                process.kill()
                process.join()


def _end(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _answer(work: Work, listener: socket.socket, parent: int) -> None:
    """Work in a process of its own, which ends without a word when it is told to."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(KeyboardInterrupt):
        work.do(listener, parent)
