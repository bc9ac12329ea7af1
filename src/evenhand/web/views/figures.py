"""A hundred people as a picture: small figures in columns of five, so that the filled part is also a bar.

Columns and not rows are filled first: groups stand under one another, and where one has more people filled than the
other its bar is longer by as much. A gap between groups is seen as a step, not computed from two numbers.

The figures are dashes of a few lines (a round dash for the head, a wider one for the shoulders), so that a picture of a
hundred people is a few hundred bytes, sharp at every size, and coloured by the style sheet alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evenhand.rates.rounding import OUT_OF

ROWS = 5
COLUMNS = OUT_OF // ROWS
STEP, DOWN = 14, 13
WIDTH, HEIGHT = COLUMNS * STEP, ROWS * DOWN
_HEAD = (3.2, 0.05)  # how high in its place, and half of its dash: nearly nothing, which round ends make a dot
_SHOULDERS = (9.4, 1.9)


@dataclass(frozen=True)
class Figures:
    """The people from one number to another, as two paths that the style sheet draws as heads and shoulders."""

    kind: str
    heads: str
    shoulders: str


@lru_cache(maxsize=1024)
def figures(kind: str, start: int, stop: int) -> Figures:
    """Draw the people numbered from `start` to before `stop`, counted down the columns."""
    return Figures(kind, _lines(start, stop, *_HEAD), _lines(start, stop, *_SHOULDERS))


def hundred(parts: Sequence[tuple[str, int]]) -> tuple[Figures, ...]:
    """Draw a hundred people: the given number of each kind in turn, and the rest as "right".

    >>> [part.kind for part in hundred([("mistake-0", 12)])]
    ['mistake-0', 'right']
    """
    drawn, start = [], 0
    for kind, people in (*parts, ("right", OUT_OF - sum(people for _, people in parts))):
        if people:
            drawn.append(figures(kind, start, start + people))
        start += people
    return tuple(drawn)


def place(people: int) -> float:
    """Return where on the picture's width the bar of this many people ends.

    >>> place(0), place(100)
    (0.0, 280.0)
    """
    return people * WIDTH / OUT_OF


def _lines(start: int, stop: int, height: float, half: float) -> str:
    lines = []
    for row in range(ROWS):
        first, last = -(-(start - row) // ROWS), -(-(stop - row) // ROWS)  # columns of this row, rounded up
        if last > first:
            x, y = first * STEP + STEP / 2 - half, row * DOWN + height
            lines.append(f"M{x:g} {y:g}h{(last - first - 1) * STEP + 2 * half:g}")
    return "".join(lines)
