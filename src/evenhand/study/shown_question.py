"""A question as a person sees it: two models, A and B, in the order in which they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from evenhand.elicitation.question import SKIP, Answer, Question, Skip
from evenhand.rates import GroupRates, Setting
from evenhand.typing import Floats
from evenhand.wording.comparison import Comparison, Rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class ShownQuestion:
    """The n-th question of an interview.

    Attributes
    ----------
    n
        Its number, from 1.
    setting
        What the two models are about.
    first, second
        The rates (groups, kinds of mistake) of the models shown as A and as B.
    swapped
        Whether the method asked about the two in the other order.
    undecided
        Whether "can't tell" and skipping are answers.
    rounding
        How exactly the rates are shown.
    part
        What part of the metric it is about.
    left
        About how many questions are left, this one included.
    """

    n: int
    setting: Setting
    first: Floats
    second: Floats
    swapped: bool
    undecided: bool
    rounding: Rounding
    part: str
    left: int

    @classmethod
    def of(cls, question: Question, n: int, setting: Setting, *, swapped: bool = False) -> ShownQuestion:
        """Show a method's question as the n-th one of an interview."""
        first, second = (question.second, question.first) if swapped else (question.first, question.second)
        a, b = (GroupRates.from_vector(setting, profile) for profile in (first, second))
        return cls(
            n=n,
            setting=setting,
            first=first,
            second=second,
            swapped=swapped,
            undecided=question.undecided,
            rounding=Comparison.of(a, b).rounding,
            part=question.part,
            left=question.left or 1,
        )

    @cached_property
    def a(self) -> GroupRates:
        """The model shown as A."""
        return GroupRates.from_vector(self.setting, self.first)

    @cached_property
    def b(self) -> GroupRates:
        """The model shown as B."""
        return GroupRates.from_vector(self.setting, self.second)

    @property
    def question(self) -> Question:
        """The question as the method asked it."""
        first, second = (self.second, self.first) if self.swapped else (self.first, self.second)
        return Question(first, second, self.part, undecided=self.undecided, left=self.left)

    def as_asked(self, answer: bool | Skip | None) -> Answer:
        """Return what an answer about A and B says about the first and the second of the method."""
        return answer if answer is None or answer is SKIP else bool(answer) != self.swapped
