"""Writing together: who comes while the disk is busy shares the next transaction with all who wait.

A commit waits for the disk, tens of milliseconds on some. One for each answer would let only so many people through.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Condition
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from evenhand.study.log.patience import left
from evenhand.study.refusals import NotSavedError

T = TypeVar("T")


@dataclass(eq=False)
class _Job:
    """Something to write, and what came of it."""

    action: Callable[[Connection], Any]
    taken: bool = False
    done: bool = False
    saved: bool = False
    result: Any = None
    error: Exception | None = None

    def run(self, connection: Connection, *, alone: bool) -> None:
        if alone:  # what it raises takes back the whole transaction
            self.result = self.action(connection)
            return
        own = connection.begin_nested()
        try:
            self.result = self.action(connection)
        except DBAPIError:  # the whole transaction has failed
            raise
        except Exception as error:  # raised where it belongs
            own.rollback()
            self.error = error
        else:
            own.commit()

    def outcome(self) -> Any:
        if isinstance(self.error, NotSavedError):  # of its own for each thread
            raise NotSavedError(self.error.reason) from self.error
        if self.error is not None:
            raise self.error
        if not self.saved:
            raise NotSavedError("the server is stopping")
        return self.result


class Together:
    """Runs what several threads write in one transaction: the first of them leads, the others wait."""

    def __init__(self, writing: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._writing = writing
        self._jobs: list[_Job] = []
        self._led = False
        self._changed = Condition()

    def run(self, action: Callable[[Connection], T]) -> T:
        """Return what the function returns once what it wrote is on the disk."""
        job, last = _Job(action), time.monotonic() + left()
        with self._changed:
            self._jobs.append(job)
            while not job.done and (self._led or job.taken):
                rest = last - time.monotonic()
                if not job.taken and rest <= 0:
                    self._jobs.remove(job)
                    raise NotSavedError("the store is busy")
                self._changed.wait(None if job.taken else rest)
            if job.done:
                return job.outcome()  # type: ignore[no-any-return]
            self._led = True
            jobs, self._jobs = self._jobs, []
            for each in jobs:
                each.taken = True
        try:
            self._lead(jobs)
        finally:
            with self._changed:
                self._led = False
                for each in jobs:
                    each.done = True
                self._changed.notify_all()
        return job.outcome()  # type: ignore[no-any-return]

    def _lead(self, jobs: list[_Job]) -> None:
        try:
            with self._writing() as connection:
                for job in jobs:
                    job.run(connection, alone=len(jobs) == 1)
            for job in jobs:
                job.saved = True
        except Exception as error:  # none of it was saved, and each of them is told
            for job in jobs:
                job.error = job.error or error
