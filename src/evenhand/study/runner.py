"""What to ask next, or what was found: a pure function of the study, the seed and the answers that stand.

Procedures that wait for their next answer are kept for a while, so that a click costs one step. A process that does
not have the one it needs replays the answers, and comes to the same question.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from evenhand.elicitation import Finding, History, Procedure, Question
from evenhand.elicitation.procedure import seed_of, step
from evenhand.study.study import Study, digest_of


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A procedure, and what it has come to."""

    procedure: Procedure[Finding]
    outcome: Question | Finding


class Asking:
    """Runs the procedures of interviews."""

    def __init__(self, *, most_waiting: int = 64) -> None:
        self._most_waiting = most_waiting
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()
        self._lock = Lock()

    def step(self, study: Study, seed: int, history: History) -> Question | Finding:
        """Return what comes after these answers."""
        key = history_digest(study, seed, history)
        with self._lock:
            here = self._waiting.get(key)
            before = (
                self._waiting.pop(history_digest(study, seed, history[:-1]), None) if here is None and history else None
            )
        if here is None:
            here = self._go_on(before, study, seed, history)
            with self._lock:
                self._waiting[key] = here
                while len(self._waiting) > self._most_waiting:
                    self._waiting.popitem(last=False)
        return here.outcome

    def _go_on(self, before: _Waiting | None, study: Study, seed: int, history: History) -> _Waiting:
        if before is not None and isinstance(before.outcome, Question):
            asked, answer = history[-1]
            if before.outcome.same_models(asked):  # another process may have asked something else
                return _Waiting(before.procedure, step(before.procedure, answer))
        procedure = study.method.procedure(history, seed=seed_of(seed))
        return _Waiting(procedure, step(procedure))


def history_digest(study: Study, seed: int, history: History) -> str:
    """Return what tells interviews apart that have come to different points."""
    digest = hashlib.sha256(f"{digest_of(study.to_json())} {seed}".encode())
    for question, answer in history:
        digest.update(question.first.tobytes() + question.second.tobytes() + repr(answer).encode())
    return digest.hexdigest()
