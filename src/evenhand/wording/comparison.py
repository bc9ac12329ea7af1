"""Two models as a person can weigh them: of 100 people, how many does each model get wrong?

Whole people and the same denominator everywhere. What decides between two models is how they differ, so the
differences are shown to two digits: rounded to whole people, they would reverse one in ten answers of a
perfectly consistent person (a test measures it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evenhand.display.names import shown_names
from evenhand.rates import GroupRates, Setting, off_diagonal_entries
from evenhand.rates.rounding import OUT_OF
from evenhand.typing import Floats
from evenhand.wording.numerals import SAME_PEOPLE, as_people
from evenhand.wording.phrases import Phrases

SAME = "The two models do the same to everybody: either answer will do."


@dataclass(frozen=True)
class Rounding:
    """How many decimals are shown of numbers of people, and of differences between them."""

    people: int
    differences: int

    @classmethod
    def for_difference(cls, largest: float) -> Rounding:
        """Whole people where that tells the models apart, and at least two digits of the largest difference."""
        return cls(_decimals(largest), _decimals(largest / 10))


@dataclass(frozen=True)
class Count:
    """How many people of 100 it is in model A and in model B."""

    who: str
    a: float
    b: float
    rounding: Rounding

    @property
    def texts(self) -> tuple[str, str]:
        """The two numbers as they are shown."""
        return as_people(self.a, self.rounding.people), as_people(self.b, self.rounding.people)

    @property
    def more(self) -> tuple[str, str]:
        """By how many people each model has more than the other, such as "+7": a sign, as colour is not enough."""
        by = abs(self.a - self.b)
        if by < SAME_PEOPLE:
            return "", ""
        sign = f"+{as_people(by, self.rounding.differences)}"
        return (sign, "") if self.a > self.b else ("", sign)


@dataclass(frozen=True)
class MistakeCounts:
    """One kind of mistake in both models: what is counted, what happens to each group, and the gap between them."""

    heading: str
    groups: tuple[Count, ...]
    gap: Count


@dataclass(frozen=True)
class Comparison:
    """Everything that a person is shown of two models."""

    mistakes: tuple[MistakeCounts, ...]
    rounding: Rounding
    same: bool

    @classmethod
    def of(cls, a: GroupRates, b: GroupRates, phrases: Phrases | None = None) -> Comparison:
        """Count the people of two models, A and B, in the words of a study if it has some."""
        setting = a.setting
        groups = shown_names(setting.groups if phrases is None else [phrases.groups[one] for one in setting.groups])
        people = OUT_OF * np.stack([a.vector, b.vector])
        difference = float(np.abs(people[0] - people[1]).max())
        whole = bool(np.abs(people - np.round(people)).max() < SAME_PEOPLE)
        rounding = Rounding(0, 0) if whole else Rounding.for_difference(difference)
        gap = "gap" if len(groups) == 2 else "widest gap"
        mistakes = []
        for place, heading in enumerate(_headings(setting, phrases)):
            of_mistake = people[:, :, place]
            counts = [Count(who, *_both(of_mistake[:, g]), rounding) for g, who in enumerate(groups)]
            gaps = Count(gap, *_both(np.ptp(of_mistake, axis=1)), rounding)
            mistakes.append(MistakeCounts(heading, tuple(counts), gaps))
        return cls(tuple(mistakes), rounding, same=difference < SAME_PEOPLE)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        wide = max(len(count.who) for mistake in self.mistakes for count in (*mistake.groups, mistake.gap))
        for mistake in self.mistakes:
            yield mistake.heading
            for count in (*mistake.groups, mistake.gap):
                a, b = (f"{n} {more}".rstrip() for n, more in zip(count.texts, count.more, strict=True))
                yield f"  {count.who:<{wide}}   A: {a:<12}   B: {b}".rstrip()
        if self.same:
            yield SAME


def _headings(setting: Setting, phrases: Phrases | None) -> Iterator[str]:
    """Say what is counted of each kind of mistake."""
    if phrases is not None:
        for true, predicted in setting.mistakes:
            yield f"Of {OUT_OF} {phrases.classes[true]}, how many {phrases.mistakes[true, predicted]}:"
        return
    classes = shown_names(setting.classes)
    for i, j in off_diagonal_entries(len(classes)):
        yield f"Of {OUT_OF} who are “{classes[i]}”, wrongly predicted “{classes[j]}”:"


def who_is_in_the_groups(setting: Setting, phrases: Phrases | None = None) -> list[str]:
    """Say how many of 100 people of a class are in each group: the metric weighs by it, and "of 100" hides it."""
    if phrases is None:
        groups, classes = shown_names(setting.groups), [f"who are “{name}”" for name in shown_names(setting.classes)]
    else:
        groups = tuple(phrases.groups[group] for group in setting.groups)
        classes = [phrases.classes[name] for name in setting.classes]
    return [
        f"Of {OUT_OF} people {true}: "
        + ", ".join(f"{as_people(OUT_OF * share, 0)} {group}" for group, share in zip(groups, shares, strict=True))
        for true, shares in zip(classes, setting.prevalence.T.tolist(), strict=True)
    ]


def _both(people: Floats) -> tuple[float, float]:
    return float(people[0]), float(people[1])


def _decimals(difference: float) -> int:
    """Return how many decimals show a difference as at least one of the last digit."""
    return next((decimals for decimals in range(9) if 10.0**-decimals <= difference), 0)
