"""How many people there are in each group and outcome: the metric weighs by it, and "of 100" hides it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.study.study import Study

WIDTH = 1000


@dataclass(frozen=True)
class Part:
    """The people of one group with one true outcome, as a part of a bar."""

    people: int
    who: str
    start: float
    width: float


@dataclass(frozen=True)
class Group:
    """The people of one group; all bars have the scale of the largest group's."""

    people: int
    who: str
    parts: tuple[Part, ...]


def groups(study: Study) -> tuple[Group, ...]:
    """Return every group as a bar that is divided by outcome."""
    counted = _counted(study)
    scale = WIDTH / counted.sum(axis=1).max()
    classes = [study.words.classes[name] for name in study.setting.classes]
    return tuple(
        Group(
            people=int(row.sum()),
            who=study.words.groups[group],
            parts=tuple(
                Part(int(people), who, float(scale * start), float(scale * people))
                for people, who, start in zip(row, classes, np.cumsum(row) - row, strict=True)
            ),
        )
        for group, row in zip(study.setting.groups, counted, strict=True)
    )


def with_outcome(study: Study, i: int) -> tuple[str, ...]:
    """Say how many people of each group have a true outcome, such as "60 of the 214 people under 50"."""
    words = (study.words.groups[group] for group in study.setting.groups)
    counted = _counted(study).tolist()
    return tuple(f"{row[i]:,} of the {sum(row):,} {group}" for row, group in zip(counted, words, strict=True))


def _counted(study: Study) -> NDArray[np.intp]:
    return np.rint(study.population).astype(np.intp)
