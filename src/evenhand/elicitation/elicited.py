"""`Elicited`: what was learned from the answers of an oracle, with the questions that were asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from evenhand.elicitation.finding import Finding
from evenhand.elicitation.finding_display import headline, html_of, text_of
from evenhand.elicitation.question import Answer, Question
from evenhand.rates import GroupRates
from evenhand.wording.numerals import plural

PARTS = ("misclassification", "violation", "trade_off")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Elicited(Finding):
    """What was learned (the attributes of `evenhand.Finding`), with the questions and answers it was learned from.

    Attributes
    ----------
    method
        The name of the method.
    history
        Every question that was asked, with its answer.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> elicited = elicit(SimulatedOracle(FairMetric.random(setting, 7)), setting, max_questions=8, random_state=0)
    >>> elicited.method, elicited.questions
    ('adaptive', 8)
    >>> Elicited.from_json(elicited.to_json()) == elicited
    True
    """

    method: str
    history: tuple[tuple[Question, Answer], ...]

    def __repr__(self) -> str:
        return f"Elicited({self._asked}, {headline(self)})"

    @property
    def _asked(self) -> str:
        return f"{plural(self.questions, 'question')} by method={self.method!r}"

    def _repr_html_(self) -> str:
        return html_of(self, f"From {self._asked}")

    def __str__(self) -> str:
        """Return the metric, the best candidate if there were any, and each reason for doubt on a line of its own.

        Where nothing should be decided, it says that and what would help instead.
        """
        return text_of(self, f"From {self._asked}:")

    def about(self, candidates: Mapping[str, GroupRates]) -> Self:
        """Return the same without what it says about a choice among other models than these."""
        chosen = () if self.choice is None else {self.choice.best, *self.choice.ranking, *self.choice.probabilities}
        return self if set(chosen) <= set(candidates) else replace(self, choice=None)

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return len(self.history)

    @property
    def questions_by_part(self) -> dict[str, int]:
        """How many questions were asked about each part of the metric; the adaptive method asks about all at once."""
        counts = Counter(question.part for question, _ in self.history)
        return {part: counts[part] for part in (*PARTS, *(part for part in counts if part not in PARTS))}
