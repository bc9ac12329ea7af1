"""What interviews have come to, remembered: an answer folds one event, and not all of them once more.

The events themselves are read and compared each time, so what somebody changes in the log is still noticed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Generic

from evenhand.study.interview import S, fold
from evenhand.study.log.events import Event

MOST_EVENTS = 50_000
"""About 60 MB: a thousand people who each answer 25 questions."""


@dataclass(frozen=True, eq=False)
class _Folded(Generic[S]):
    """The state of an interview after some events, of which only the hashes are kept."""

    begun: S
    first: Event
    state: S
    events: tuple[int, ...]


class Folds:
    """Folds the events of interviews; safe for many threads."""

    def __init__(self, most_events: int = MOST_EVENTS) -> None:
        self._most_events = most_events
        self._events = 0
        self._folded: OrderedDict[str, _Folded[Any]] = OrderedDict()
        self._lock = Lock()

    def fold(self, interview: str, begun: S, events: Sequence[Event]) -> S:
        """Return what an interview that has just begun comes to with all its events, or say which one is wrong."""
        marks = _marks(events)
        with self._lock:
            known = self._folded.get(interview)
        done = 0 if known is None or not _is_same(known.begun, begun) else len(known.events)
        if known is None or not done or marks[:done] != known.events:
            state = fold(begun, events)
        else:
            state = fold(known.state, events[done:], after=done)
        if events:
            self._keep(interview, _Folded(begun, events[0], state, marks))
        return state

    def remember(self, interview: str, begun: S, events: Sequence[Event], state: S) -> None:
        """Remember what an interview that has just begun has come to with its first events."""
        self._keep(interview, _Folded(begun, events[0], state, _marks(events)))

    def went_on(self, interview: str, before: S, events: Sequence[Event], state: S) -> None:
        """Remember what a state has come to with events that were added just now, if that state is remembered."""
        with self._lock:
            known = self._folded.get(interview)
        if known is not None and known.state is before:
            self._keep(interview, replace(known, state=state, events=known.events + _marks(events)))

    def begun(self, interview: str) -> tuple[Any, Event] | None:
        """Return how an interview began, and the event that said so, if it is remembered."""
        with self._lock:
            known = self._folded.get(interview)
        return None if known is None else (known.begun, known.first)

    @property
    def interviews(self) -> tuple[str, ...]:
        """Which interviews are remembered, the one that was used last at the end."""
        with self._lock:
            return tuple(self._folded)

    def forget(self, interview: str) -> None:
        """Drop what is remembered of an interview."""
        with self._lock:
            self._drop(interview)

    def _keep(self, interview: str, folded: _Folded[Any]) -> None:
        with self._lock:
            self._drop(interview)
            self._folded[interview] = folded
            self._events += len(folded.events)
            while self._events > self._most_events and len(self._folded) > 1:
                self._drop(next(iter(self._folded)))

    def _drop(self, interview: str) -> None:
        known = self._folded.pop(interview, None)
        self._events -= 0 if known is None else len(known.events)


def _marks(events: Sequence[Event]) -> tuple[int, ...]:
    return tuple(hash(event) for event in events)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two interviews began alike: with the same method, which a study makes once, and the same seed."""
    return type(one) is type(other) and one.method is other.method and one.seed == other.seed
