"""Questions, answers, and the procedures that turn one into the other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

T = TypeVar("T")


class Skip(Enum):
    """The type of `SKIP`."""

    SKIP = "skip"


SKIP: Final = Skip.SKIP
"""An answer that says nothing: ask something else."""

Answer = bool | NDArray[np.bool_] | None | Skip
"""Whether the first is preferred: one answer, or one for each entry of the leading axes.

None means "can't tell", which is information; `SKIP` means nothing at all. Few methods have a use for these two.
"""

STORED: dict[str, bool | Skip | None] = {"first": True, "second": False, "neither": None, "skip": SKIP}
"""One person's answers, by the words that are stored and sent."""

DECIDED = ("first", "second")
"""All that can be said to a method that needs to know."""


def word_for(answer: bool | Skip | None) -> str:
    """Return the word that is stored.

    >>> word_for(False), word_for(None)
    ('second', 'neither')
    """
    return next(word for word, meaning in STORED.items() if meaning is answer)


@dataclass(frozen=True, eq=False)
class Question:
    """Which of two would you rather deploy?

    `first` and `second` are profiles (…, m, q); leading axes ask many people at once, each about their
    own pair. `part` names the part of the metric that the question is about. `undecided` says whether None
    and `SKIP` are answers too. `left` is about how many questions are left, this one included, where that is known.
    """

    first: Floats
    second: Floats
    part: str = ""
    undecided: bool = False
    left: int | None = None

    def __post_init__(self) -> None:
        """Take lists as well, as JSON holds them."""
        for side in ("first", "second"):
            object.__setattr__(self, side, np.asarray(getattr(self, side)))

    def same_models(self, other: Question) -> bool:
        """Return whether both questions compare the same profiles in the same order, but for rounding errors."""
        return all(
            mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=0.0, atol=ROUNDING)
            for mine, theirs in ((self.first, other.first), (self.second, other.second))
        )


Procedure = Generator[Question, Any, T]
"""A procedure yields a question, is sent the answer, and in the end returns what it learned."""


def costs_more(one: Floats, other: Floats, part: str = "") -> Question:
    """Ask the paper's Ω(one, other) = 1[Ψ(one) > Ψ(other)].

    The paper calls this "one is preferred" although Ψ is a cost. Here an answer says what the person
    *prefers*, so that "one costs more than other" is "other is preferred to one". This is the only place
    where the two conventions meet.
    """
    return Question(first=other, second=one, part=part)


def embed(procedure: Procedure[T], into: Callable[[Floats], Floats], part: str) -> Procedure[T]:
    """Run a procedure on points of the sphere, showing them as profiles of all groups.

    This is how the paper's modified oracles Ω^class, Ω^viol and Ω^trade-off are made of the one oracle Ω.
    """
    try:
        question = next(procedure)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # StopIteration is not generic
    while True:
        answer = yield Question(into(question.first), into(question.second), part)
        try:
            question = procedure.send(answer)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
