"""One line of a file of answers: an answer with the question as it was shown, written and read back with care."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from evenhand.elicitation.question import DECIDED, STORED, Skip
from evenhand.errors import EvenhandError
from evenhand.wording.comparison import Rounding

Profile = list[list[float]]


@dataclass(frozen=True, kw_only=True)
class StoredAnswer:
    """An answer with the question as it was shown."""

    n: int
    first: Profile
    second: Profile
    shown_as_a: str
    rounding: Rounding
    answer: str
    time: str
    line: int = 0

    @property
    def choice(self) -> bool | Skip | None:
        """What a procedure is sent for this answer."""
        return STORED[self.answer]

    def to_document(self) -> dict[str, Any]:
        """Return the answer as JSON holds it."""
        shown = {"a": self.shown_as_a, "decimals": asdict(self.rounding)}
        profiles = {"first": self.first, "second": self.second}
        return {"n": self.n, **profiles, "shown": shown, "answer": self.answer, "time": self.time}

    @classmethod
    def from_document(cls, document: dict[str, Any], line: int, answers: Sequence[str] = DECIDED) -> StoredAnswer:
        """Read an answer back, one of the possible `answers`, or say what is wrong with it."""
        check_fields(document, {"n", "first", "second", "shown", "answer", "time"})
        shown = checked_object(document["shown"], "shown", {"a", "decimals"})
        decimals = checked_object(shown["decimals"], "decimals", {"people", "differences"})
        for name, value, possible in (("answer", document["answer"], answers), ("a", shown["a"], DECIDED)):
            if value not in possible:
                either = " or ".join(f'"{word}"' for word in possible)
                raise EvenhandError(f'its "{name}" must be {either}, but is {value!r:.60}')
        return cls(
            n=whole_number(document["n"], "n"),
            first=document["first"],
            second=document["second"],
            shown_as_a=shown["a"],
            rounding=Rounding(**{name: whole_number(value, name) for name, value in decimals.items()}),
            answer=document["answer"],
            time=checked_time(document["time"]),
            line=line,
        )


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def check_fields(document: dict[str, Any], expected: set[str]) -> None:
    """Refuse a field that is missing, and one that nobody knows."""
    if set(document) != expected:
        raise EvenhandError(f"the fields must be {', '.join(sorted(expected))}, but are {', '.join(sorted(document))}")


def checked_object(value: Any, name: str, expected: set[str]) -> dict[str, Any]:
    """Return a JSON object that has exactly these fields."""
    if not isinstance(value, dict):
        raise EvenhandError(f'its "{name}" must be an object, but is {value!r:.60}')
    check_fields(value, expected)
    return value


def whole_number(value: Any, name: str) -> int:
    """Return a number from 0 upwards."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise EvenhandError(f'its "{name}" must be a whole number, but is {value!r:.60}')
    return value


def checked_time(value: Any) -> str:
    """Return a time in ISO 8601."""
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise EvenhandError(f'its "time" must be a time such as {now()}, but is {value!r:.60}') from error
    return str(value)
