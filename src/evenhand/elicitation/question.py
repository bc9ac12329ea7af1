"""Questions, answers, and the procedures that turn one into the other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.by_value import ByValue
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

T = TypeVar("T")


class Skip(Enum):
    """The type of `SKIP`.

    Examples
    --------
    >>> from evenhand import SKIP, Setting, elicit
    >>> elicit(lambda first, second: SKIP, Setting.random(2, 2, 0), max_questions=3, random_state=0).history[0][1]
    <Skip.SKIP: 'skip'>
    """

    SKIP = "skip"


SKIP: Final = Skip.SKIP
"""An answer without information: ask something else."""

Answer = bool | NDArray[np.bool_] | None | Skip
"""Whether the first is preferred: one answer, or one for each entry of the leading axes.

None means "can't tell", which is information; `SKIP` carries none. Not every method takes these two.
"""

STORED: dict[str, bool | Skip | None] = {"first": True, "second": False, "neither": None, "skip": SKIP}
"""One person's answers, by the words that are stored and sent."""

DECIDED = ("first", "second")
"""The words of the answers to a method that needs a decision."""


def word_for(answer: bool | Skip | None) -> str:
    """Return the word that is stored.

    >>> word_for(False), word_for(None)
    ('second', 'neither')
    """
    return next(word for word, meaning in STORED.items() if meaning is answer)


@dataclass(frozen=True, eq=False)
class Question(ByValue):
    """Which of two would you rather deploy?

    `first` and `second` are profiles (…, m, q); leading axes are a batch of people, each asked about their own pair.
    `part` names the part of the metric that the question is about. `undecided` says whether None and `SKIP` are
    answers too. `left` is about how many questions are left, this one included.

    Examples
    --------
    >>> asked = Question([[0.1, 0.2], [0.1, 0.2]], [[0.2, 0.1], [0.2, 0.1]], undecided=True)
    >>> asked.first.shape
    (2, 2)
    >>> asked == Question(asked.first, asked.second, undecided=True)
    True
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
            mine.shape == theirs.shape
            and theirs.dtype.kind in "biuf"
            and np.allclose(mine, theirs, rtol=0.0, atol=ROUNDING)
            for mine, theirs in ((self.first, other.first), (self.second, other.second))
        )


History = Sequence[tuple[Question, Answer]]
"""The questions that were asked, each with its answer."""

Procedure = Generator[Question, Any, T]
"""A procedure yields a question, is sent the answer, and in the end returns what it learned."""


def costs_more(one: Floats, other: Floats, part: str = "") -> Question:
    """Ask the paper's Ω(one, other) = 1[Ψ(one) > Ψ(other)].

    The paper calls this "one is preferred", although Ψ is a cost. Here an answer says what the person *prefers*, so
    that "one costs more than other" is "other is preferred to one". Only this function translates between the two.
    """
    return Question(first=other, second=one, part=part)
