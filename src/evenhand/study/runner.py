"""What to ask next, or what was found: a pure function of the method, the seed and the answers that stand.

Procedures that wait for their next answer are kept for a while, so that a click costs one step. A process that does
not have the one it needs replays the answers, and comes to the same question.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from evenhand.elicitation import Finding, History, Method, Procedure, Question
from evenhand.elicitation.procedure import seed_of, step


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A procedure, and what it has come to."""

    procedure: Procedure[Finding]
    outcome: Question | Finding


class Runner:
    """Runs the procedures of interviews."""

    def __init__(self, *, most_waiting: int = 64) -> None:
        self._most_waiting = most_waiting
        self._waiting: OrderedDict[tuple[Method, str], _Waiting] = OrderedDict()
        self._lock = Lock()

    def step(self, method: Method, seed: int, history: History) -> Question | Finding:
        """Return what comes after these answers."""
        key = (method, history_digest(seed, history))
        with self._lock:
            here = self._waiting.get(key)
            before = None
            if here is None and history:
                before = self._waiting.pop((method, history_digest(seed, history[:-1])), None)
        if here is None:
            here = _go_on(before, method, seed, history)
            with self._lock:
                self._waiting[key] = here
                while len(self._waiting) > self._most_waiting:
                    self._waiting.popitem(last=False)
        return here.outcome


def _go_on(before: _Waiting | None, method: Method, seed: int, history: History) -> _Waiting:
    if before is not None and isinstance(before.outcome, Question):
        asked, answer = history[-1]
        if before.outcome.same_models(asked):  # another process may have asked something else
            return _Waiting(before.procedure, step(before.procedure, answer))
    procedure = method.procedure(history, seed=seed_of(seed))
    return _Waiting(procedure, step(procedure))


def history_digest(seed: int, history: History) -> str:
    """Return what tells interviews apart that have come to different points."""
    digest = hashlib.sha256(str(seed).encode())
    for question, answer in history:
        digest.update(question.first.tobytes() + question.second.tobytes() + repr(answer).encode())
    return digest.hexdigest()
