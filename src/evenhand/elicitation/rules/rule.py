"""Rules by which somebody may prefer one of two models although no metric of the family says so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.rules.criteria import Criterion, Measured
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats
from evenhand.wording.numerals import of_100, points
from evenhand.wording.vocabulary import Words

Form = Literal["cost", "limit", "limit, then the rest", "order"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)


@dataclass(frozen=True)
class DecisionRule:
    """A rule that compares two models by one criterion or two.

    Attributes
    ----------
    form
        `"cost"`: the first criterion counts for the share `amount`, and the second for the rest.
        `"limit"`: the first should not be above `amount`; of two models above it the one with less of it is preferred,
        of two that keep to it the one with less of the second.
        `"limit, then the rest"`: the same, but of two models above it, too, the one with less of the second.
        `"order"`: the one with less of the first is preferred; where they differ by no more than `amount`, the one with
        less of the second.
    first, second
        The criteria; the second is None where all of the cost is the first.
    amount
        See `form`.
    """

    form: Form
    first: Criterion
    second: Criterion | None = None
    amount: float = 1.0

    def phrase(self, words: Words) -> str:
        """Return the rule as a noun phrase."""
        first = self.first.phrase(words)
        if self.second is None:
            return f"the rule “the smaller {first}, the better”"
        second = self.second.phrase(words)
        if self.form == "cost":
            parts = f"{of_100(self.amount)} to {of_100(1 - self.amount)}"
            return f"the rule “the smaller {first} and {second}, weighed {parts}, the better”"
        amount = points(100 * self.amount)
        if self.form == "order":
            beyond = f"where it differs by {amount} at most, the smaller {second}"
            return f"the rule “the smaller {first}, the better; {beyond}”"
        both = "" if self.form == "limit" else ", also of two models that exceed it"
        return f"the rule “{first} must not exceed {amount}; apart from that, the smaller {second}, the better{both}”"


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules side by side, with what each compares laid out once."""

    rules: tuple[DecisionRule, ...]

    def __getitem__(self, place: int) -> DecisionRule:
        """Return one of them."""
        return self.rules[place]

    @cached_property
    def _criteria(self) -> tuple[Criterion, ...]:
        every = (one for rule in self.rules for one in (rule.first, rule.second) if one is not None)
        return tuple(dict.fromkeys(every))

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        """Which criteria each rule compares, the second −1 if there is none; its amount; and the place of its form."""
        places = {criterion: place for place, criterion in enumerate(self._criteria)}
        return (
            np.array([places[rule.first] for rule in self.rules]),
            np.array([-1 if rule.second is None else places[rule.second] for rule in self.rules]),
            np.array([[rule.amount] for rule in self.rules]),
            np.array([[FORMS.index(rule.form)] for rule in self.rules]),
        )

    def savings(self, first: Measured, second: Measured) -> Floats:
        """Return what the first of two models (n,) saves by each rule, (rules, n): above 0 where it is preferred."""
        here, there = (np.stack([models.value(one) for one in self._criteria]) for models in (first, second))
        on, beside, amount, form = self._columns
        of_first = (there - here)[on]
        of_second = np.where(beside[:, None] < 0, 0.0, (there - here)[beside])
        above, other_above = (values[on] > amount + ROUNDING for values in (here, there))
        by_limit = np.where(above, np.where(form == FORMS.index("limit"), of_first, of_second), of_second)
        by_form = (
            amount * of_first + (1 - amount) * of_second,
            np.where(above != other_above, of_first, by_limit),
            np.where(above != other_above, of_first, of_second),
            np.where(np.abs(of_first) > amount + ROUNDING, of_first, of_second),
        )
        saving = np.choose(form, by_form)
        return np.where(np.abs(saving) <= ROUNDING, 0.0, saving)
