"""What the weights of a metric are called in tables and charts, alike for every family."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.display.names import told_apart
from evenhand.metric.families import Family
from evenhand.wording.vocabulary import Words


@dataclass(frozen=True)
class WeightNames:
    """A name for each weight and a heading for each chart of them.

    Attributes
    ----------
    mistakes, violation
        The names of the weights a and, row by row, B.
    cost_of_mistakes, cost_of_violation, trade_off
        The headings.
    """

    mistakes: tuple[str, ...]
    violation: tuple[str, ...]
    cost_of_mistakes: str
    cost_of_violation: str
    trade_off: str

    @classmethod
    def of(cls, family: Family, words: Words) -> WeightNames:
        """Name the weights of a family's metrics; where there is one row, the heading is name enough for it."""
        rows, columns = family.rows(words), family.columns(words)
        return cls(
            mistakes=words.mistakes,
            violation=(
                columns if len(rows) == 1 else told_apart([f"{row}: {column}" for row in rows for column in columns])
            ),
            cost_of_mistakes="The cost of each mistake",
            cost_of_violation=f"The cost of {family.title}",
            trade_off=f"The trade-off (0: only mistakes, 1: only {family.title})",
        )
