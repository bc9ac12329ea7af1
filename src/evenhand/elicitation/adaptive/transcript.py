"""What was asked and answered so far, and which questions repeat earlier ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.inference.likelihood import FIRST, SECOND
from evenhand.elicitation.thresholds import QUESTIONS
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


@dataclass(frozen=True, eq=False)
class Observation:
    """A question with its answer.

    Attributes
    ----------
    first, second
        The profiles (m, q).
    answer
        `FIRST`, `SECOND` or `NEITHER`; None if the question was skipped.
    predictive
        The probability of the answer just before it was given.
    repeats
        The place of the earlier question about the same two, on whichever sides, that this one repeats.
    """

    first: Floats
    second: Floats
    answer: int | None
    predictive: float | None
    repeats: int | None

    @cached_property
    def key(self) -> frozenset[bytes]:
        """What this has in common with every question about the same two models, on whichever sides."""
        return _key(self.first, self.second)

    @property
    def preferred(self) -> bytes | None:
        """Which of the two was preferred; None if neither was."""
        sides = {FIRST: self.first, SECOND: self.second}
        return None if self.answer not in sides else _bytes(sides[self.answer][None])[0]


@dataclass(frozen=True, eq=False)
class Transcript:
    """The observations of an interview, in the order of the questions."""

    observations: tuple[Observation, ...] = ()

    def __len__(self) -> int:
        """Return how many questions were asked."""
        return len(self.observations)

    def with_answer(self, first: Floats, second: Floats, answer: int | None, predictive: float | None) -> Transcript:
        """Return this transcript and one more question with its answer."""
        repeats = self._last(first, second)
        return Transcript((*self.observations, Observation(first, second, answer, predictive, repeats)))

    def _last(self, first: Floats, second: Floats) -> int | None:
        """Return the last place of a question about these two, or None."""
        key = _key(first, second)
        return max((place for place, one in enumerate(self.observations) if one.key == key), default=None)

    @property
    def last(self) -> Transcript:
        """The last question alone, if there is one."""
        return Transcript(self.observations[-1:])

    def just_asked(self, first: Floats, second: Floats) -> bool:
        """Return whether the last question was about these two."""
        return any(last.key == _key(first, second) for last in self.last.observations)

    def asked(self, firsts: Floats, seconds: Floats) -> NDArray[np.bool_]:
        """Return which pairs (n,) of profiles (n, m, q) were asked about before."""
        again = np.zeros(len(firsts), dtype=bool)
        if not self.observations:
            return again
        before = tuple(np.stack([getattr(one, side) for one in self.observations]) for side in ("first", "second"))
        apart = np.abs(_marks(firsts, seconds) - _marks(*before)[:, None]).min(axis=0)
        # Few pairs have the mark of one that was asked about, and the keys of all would take much longer.
        near = np.flatnonzero(apart <= 8 * ROUNDING * before[0][0].size)
        keys = set(_keys(*before))
        again[near] = [key in keys for key in _keys(firsts[near], seconds[near])]
        return again

    def repeatable(self) -> list[Observation]:
        """Return the observations that are old enough to be repeated and have not been."""
        again = {one.repeats for one in self.observations}
        return [
            one
            for place, one in enumerate(self.observations[: -QUESTIONS.repeat_gap])
            if one.answer is not None and one.repeats is None and place not in again
        ]

    def repeated_since(self, place: int) -> bool:
        """Return whether a question was repeated at this place or later."""
        return any(one.repeats is not None for one in self.observations[place:])

    @property
    def predictive(self) -> tuple[float, ...]:
        """The probability of each answer just before it was given."""
        return tuple(one.predictive for one in self.observations if one.predictive is not None)

    @property
    def repeats(self) -> int:
        """How many questions were repeated, and answered both times."""
        return len(self._alike)

    @property
    def consistency(self) -> float | None:
        """The share of these that got the same answer, or None if there are none."""
        return float(np.mean(self._alike)) if self._alike else None

    @property
    def _alike(self) -> list[bool]:
        """Whether each repeat got the same answer as the question before."""
        return [
            earlier.preferred == one.preferred
            for one in self.observations
            if one.repeats is not None
            and one.answer is not None
            and (earlier := self.observations[one.repeats]).answer is not None
        ]


def _marks(firsts: Floats, seconds: Floats) -> Floats:
    """Return a number (n,) of each pair of profiles (n, m, q): pairs of the same key have the same but for rounding."""
    both = (firsts + seconds).reshape(len(firsts), -1)
    return np.asarray(both @ (1 + np.modf(np.arange(both.shape[1]) * np.sqrt(2))[0]))


def _key(first: Floats, second: Floats) -> frozenset[bytes]:
    """Return what two pairs have in common if and only if they are the same two models but for the last digits."""
    return _keys(first[None], second[None])[0]


def _keys(firsts: Floats, seconds: Floats) -> list[frozenset[bytes]]:
    """Return the key of each pair of profiles (n, m, q)."""
    return [frozenset(pair) for pair in zip(_bytes(firsts), _bytes(seconds), strict=True)]


def _bytes(profiles: Floats) -> list[bytes]:
    """Return the rounded rates of each profile (n, m, q)."""
    rounded = profiles.round(9) + 0.0  # no −0
    width = rounded[0].nbytes if len(rounded) else 0
    held = rounded.tobytes()
    return [held[start : start + width] for start in range(0, len(held), width or 1)]
