"""Models as a person sees them: what each does to 100 people of every kind, and how far the groups are apart in it.

Rows are grouped by the true outcome, with the groups under one another. That puts side by side what a metric compares:
the models across, the groups down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from evenhand.rates import GroupRates
from evenhand.rates.profile import matrix_from_vector
from evenhand.rates.rounding import OUT_OF, whole_people
from evenhand.study.study import Study
from evenhand.web.views.figures import Figures, hundred, place
from evenhand.web.views.population import with_outcome
from evenhand.wording.numerals import whole_people_shown

T = TypeVar("T", int, float)


@dataclass(frozen=True)
class Number:
    """How many people, what becomes of them, and how many more that are than in the other model of two."""

    kind: str
    people: int
    exactly: float
    mistake: str
    more: int = 0
    than: str = ""

    @property
    def text(self) -> str:
        """The number, which is nobody or everybody only if it is so."""
        return whole_people_shown(self.people, self.exactly)

    @property
    def words(self) -> str:
        """What becomes of them: "are missed", and of one person "is missed"."""
        plural, singular = "are ", "is "
        if self.people == 1 and self.mistake.startswith(plural):
            return singular + self.mistake.removeprefix(plural)
        return self.mistake


@dataclass(frozen=True)
class CardCell:
    """What one model does to 100 people of one group and true outcome.

    `beyond` is the part of the picture, from where and how wide, by which this group has more people filled than the
    group that is treated best: what the gap is made of. Only where one kind of mistake is possible do all bars begin at
    the left, so that this can be compared down the groups.
    """

    model: str
    numbers: tuple[Number, ...]
    figures: tuple[Figures, ...]
    beyond: tuple[float, float] | None


@dataclass(frozen=True)
class Gap:
    """How far the groups are apart in one model, and where that is on the scale of the pictures."""

    model: str
    number: Number
    start: float
    width: float
    marks: tuple[float, ...]
    most: str
    least: str


@dataclass(frozen=True)
class GroupRow:
    """The same 100 people in every model."""

    who: str
    cells: tuple[CardCell, ...]


@dataclass(frozen=True)
class GapRow:
    """The gap between the groups in one kind of mistake, in every model."""

    mistake: str
    gaps: tuple[Gap, ...]


@dataclass(frozen=True)
class OutcomeCard:
    """Everybody of one true outcome: how many of them there are, what happens to each group, and the gaps."""

    who: str
    population: tuple[str, ...]
    rows: tuple[GroupRow, ...]
    gaps: tuple[GapRow, ...]


def outcomes(study: Study, models: Mapping[str, GroupRates]) -> tuple[OutcomeCard, ...]:
    """Return everything that a person is shown of models, by the letters or names that these go by."""
    rates = np.stack([one.vector for one in models.values()])
    people = np.rint(OUT_OF * matrix_from_vector(whole_people(rates, OUT_OF))).astype(np.intp)
    exactly = OUT_OF * matrix_from_vector(rates)
    return tuple(
        _Shown(study, tuple(models), people[:, :, i].tolist(), exactly[:, :, i].tolist(), i).outcome()
        for i in range(people.shape[2])
    )


@dataclass(frozen=True)
class _Shown:
    """One true outcome i: people (models, groups, predicted classes), whole and exactly, and the words for them.

    They are lists, since there are too few of them for arrays to be quick.
    """

    study: Study
    models: tuple[str, ...]
    people: list[list[list[int]]]
    exactly: list[list[list[float]]]
    i: int

    def outcome(self) -> OutcomeCard:
        words, setting = self.study.words, self.study.setting
        who = words.classes[setting.classes[self.i]]
        return OutcomeCard(
            who=who,
            population=with_outcome(self.study, self.i),
            rows=tuple(
                GroupRow(f"{words.groups[group]} {who}", tuple(self._cell(g, at) for at in range(len(self.models))))
                for g, group in enumerate(setting.groups)
            ),
            gaps=tuple(
                GapRow(self._mistake(j), tuple(self._gap(j, at) for at in range(len(self.models))))
                for j in self._mistakes()
            ),
        )

    def _mistakes(self) -> list[int]:
        """The classes that can wrongly be predicted for this outcome."""
        return [j for j in range(len(self.study.setting.classes)) if j != self.i]

    def _mistake(self, j: int) -> str:
        classes = self.study.setting.classes
        return self.study.words.mistakes[classes[self.i], classes[j]]

    def _cell(self, g: int, at: int) -> CardCell:
        mistakes = self._mistakes()
        beyond = None
        if len(mistakes) == 1:
            of_groups = _of_groups(self.people[at], mistakes[0])
            mine, least = of_groups[g], min(of_groups)
            beyond = (place(least), place(mine - least)) if mine > least else None
        return CardCell(
            model=self.models[at],
            numbers=tuple(
                self._number([people[g][j] for people in self.people], self.exactly[at][g][j], at, j) for j in mistakes
            ),
            figures=hundred([(f"mistake-{j}", self.people[at][g][j]) for j in mistakes]),
            beyond=beyond,
        )

    def _gap(self, j: int, at: int) -> Gap:
        counts, exactly = _of_groups(self.people[at], j), _of_groups(self.exactly[at], j)
        gaps = [_gap_in(_of_groups(people, j)) for people in self.people]
        by: Sequence[float] = counts if gaps[at] else exactly
        groups = [self.study.words.groups[group] for group in self.study.setting.groups]
        return Gap(
            model=self.models[at],
            number=self._number(gaps, _gap_in(exactly), at, j),
            start=place(min(counts)),
            width=place(gaps[at]),
            marks=tuple(place(count) for count in counts),
            most=groups[by.index(max(by))],
            least=groups[by.index(min(by))],
        )

    def _number(self, of_models: Sequence[int], exactly: float, at: int, j: int) -> Number:
        kind, mine, mistake = f"mistake-{j}", of_models[at], self._mistake(j)
        if len(self.models) != 2:
            return Number(kind, mine, exactly, mistake)
        return Number(kind, mine, exactly, mistake, more=mine - of_models[1 - at], than=self.models[1 - at])


def _of_groups(of_model: list[list[T]], j: int) -> list[T]:
    return [of_group[j] for of_group in of_model]


def _gap_in(of_groups: Sequence[T]) -> T:
    return max(of_groups) - min(of_groups)
