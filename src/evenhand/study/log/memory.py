"""One interview in memory: gone with the process, as in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.study.log.events import BEGUN, MOVES, Event, now


class MemoryLog:
    """A log that keeps its events for as long as it lives."""

    def __init__(self) -> None:
        self._events = [Event(study="", kind=BEGUN, detail="{}", time=now())]

    def events(self, interview: str = "") -> list[Event]:  # noqa: ARG002  # it holds one
        """Return the events of the interview."""
        return list(self._events)

    def append(self, interview: str, events: Sequence[Event], *, after: int) -> bool:  # noqa: ARG002
        """Add events, if there were so many moves before."""
        if sum(event.kind in MOVES for event in self._events) != after:
            return False
        self._events += events
        return True
