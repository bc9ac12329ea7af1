"""What to ask next, or what was found: a pure function of the method, the seed and the answers that stand.

What was learned is kept as a snapshot, so that an answer costs one step whichever process takes it. A process that does
not find the snapshot replays the answers, and comes to the same question.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from evenhand.elicitation import Finding, History, Method, Question
from evenhand.elicitation.procedure import seed_of
from evenhand.study.refusals import BusyError
from evenhand.study.snapshots import InProcess, Snapshots

_SECONDS_TO_WAIT = 5.0
_OUTCOMES = 8


class Runner:
    """Runs the procedures of interviews, one at a time: two threads would share one interpreter, and slow each other.

    The last outcomes are remembered, for an answer that is sent twice.
    """

    def __init__(self, snapshots: Snapshots | None = None) -> None:
        self.snapshots = InProcess() if snapshots is None else snapshots
        self._outcomes: OrderedDict[tuple[Method, str, str], Question | Finding] = OrderedDict()
        self._working = Lock()

    def step(self, method: Method, seed: int, history: History, *, interview: str = "") -> Question | Finding:
        """Return what comes after these answers; nothing that was learned in one interview is used in another."""
        before, here = _points(seed, history)
        with self.turn():
            known = self._outcomes.get((method, interview, here))
            if known is not None:
                return known
            learned = self.snapshots.get(interview, before) if history else None
            reached = method.reached(history, seed=seed_of(seed), snapshot=learned)
            if reached.snapshot is not None and isinstance(reached.outcome, Question):
                self.snapshots.put(interview, here, reached.snapshot)
            self._outcomes[method, interview, here] = reached.outcome
            while len(self._outcomes) > _OUTCOMES:
                self._outcomes.popitem(last=False)
            return reached.outcome

    def left(self, seed: int, history: History, *, interview: str = "") -> None:
        """Drop what was learned up to where an interview is no longer: to keep all would leave no room for others.

        Who goes back waits for a replay. But as long as an answer is not saved, it may be sent again, and by many.
        """
        self.snapshots.drop(interview, history_digest(seed, history))

    def forget(self, interview: str) -> None:
        """Drop what was learned in an interview, and wait for no other: the person who withdrew has done so.

        Who works on this interview just now cannot save what comes of it, and forgets it, too.
        """
        self.snapshots.forget(interview)
        for key in list(self._outcomes):
            if key[1] == interview:
                self._outcomes.pop(key, None)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Work on one interview while the others wait, but not for ever."""
        if not self._working.acquire(timeout=_SECONDS_TO_WAIT):
            raise BusyError
        try:
            yield
        finally:
            self._working.release()


def history_digest(seed: int, history: History) -> str:
    """Return what tells interviews apart that have come to different points."""
    return _points(seed, history)[1]


def _points(seed: int, history: History) -> tuple[str, str]:
    """Return the digests of a history without its last entry, and with it."""
    before = digest = hashlib.sha256(str(seed).encode())
    for question, answer in history:
        before = digest.copy()
        digest.update(question.first.tobytes() + question.second.tobytes() + repr(answer).encode())
    return before.hexdigest(), digest.hexdigest()
