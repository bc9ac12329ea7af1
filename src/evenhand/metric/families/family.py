"""What a family of metrics is: a cost of mistakes and unfairness, linear in its weights.

Ψ(r) = (1 − λ)·⟨a, mistakes(r)⟩ + λ·⟨B, violation(r)⟩

A family says what its violation is and how one point of it is called. Its *features* Φ are everything that a cost is
linear in, and its *prices* what weights make each of them cost: Ψ = ⟨prices(weights), features(rates)⟩.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, TypeVar

import numpy as np

from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError
from evenhand.metric.weights import Dimensions, Weights
from evenhand.rates import Setting
from evenhand.rates.profile import overall_rates, uniform_rates
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words


class Family(ABC):
    """A form of cost; `register` makes it known by its name.

    Attributes
    ----------
    name
        What `elicit(family=…)` and stored metrics call it.
    title
        What is unfair about rates, for headings and in sentences such as "mistakes or …".
    knots
        Where the violation is tabulated if a width is learned. Between two knots the violation is interpolated, so
        that costs stay linear; that is part of the family's definition.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    knots: ClassVar[tuple[float, ...]] = ()

    @abstractmethod
    def violation(self, profiles: Floats, setting: Setting, width: float) -> Floats:
        """Return what is unfair about profiles (…, m, q), (…, rows, columns); the width is 0 if none is learned."""

    @abstractmethod
    def phrase(self, row: int, column: int, words: Words) -> str:
        """Return one point of that unfairness as a noun phrase."""

    def mistakes(self, profiles: Floats, setting: Setting) -> Floats:
        """Return what each kind of mistake counts, (…, q): by default the overall rates, equation (3) of the paper."""
        return overall_rates(profiles, setting.tau)

    def rows(self, words: Words) -> tuple[str, ...]:
        """Return what the rows of the violation are called in tables and charts."""
        return (self.title,)

    def columns(self, words: Words) -> tuple[str, ...]:
        """Return what the columns of the violation are called in tables and charts."""
        return words.mistakes

    def dimensions(self, setting: Setting) -> Dimensions:
        """Return how many weights there are."""
        profile = np.broadcast_to(uniform_rates(len(setting.classes)), setting.tau.shape)
        rows, columns = self.violation(profile, setting, 0.0).shape[-2:]
        return Dimensions(len(setting.mistakes), rows, columns)

    def features(self, profiles: Floats, setting: Setting) -> Floats:
        """Return Φ (…, d) of profiles (…, m, q): the mistakes, then the violation, at each knot if there are any."""
        parts = [self.mistakes(profiles, setting)]
        for width in self.knots or (0.0,):
            violation = self.violation(profiles, setting, width)
            parts.append(violation.reshape(*violation.shape[:-2], -1))
        return np.concatenate(parts, axis=-1)

    def prices(self, weights: Weights) -> Floats:
        """Return what each feature costs, (…, d): (1 − λ)a, then λB, shared out among the knots near the width."""
        mistakes, violation = weights.scaled
        if self.knots:
            violation = self._share_of_knots(weights)[..., None, None] * violation[..., None, :, :]
        return np.concatenate([mistakes, violation.reshape(*mistakes.shape[:-1], -1)], axis=-1)

    def cost(self, profiles: Floats, setting: Setting, weights: Weights) -> Floats:
        """Return Ψ (…,) of profiles (…, m, q). It equals ⟨prices, features⟩, and is quicker for a few profiles."""
        return weights.cost(self.mistakes(profiles, setting), self._violation_at(profiles, setting, weights))

    def parts(self, profiles: Floats, setting: Setting, weights: Weights) -> tuple[Floats, Floats]:
        """Return the cost of mistakes (…,) and of each row of the violation (…, rows); all add up to the cost."""
        return weights.parts(self.mistakes(profiles, setting), self._violation_at(profiles, setting, weights))

    def _violation_at(self, profiles: Floats, setting: Setting, weights: Weights) -> Floats:
        """Return the violation (…, rows, columns) at the width that goes with the weights."""
        if not self.knots:
            return self.violation(profiles, setting, 0.0)
        at_knots = np.stack([self.violation(profiles, setting, width) for width in self.knots], axis=-1)
        return np.asarray(np.einsum("...rck,...k->...rc", at_knots, self._share_of_knots(weights)))

    def _share_of_knots(self, weights: Weights) -> Floats:
        """Return how much the violation at each knot counts, (…, knots): at most two neighbours do."""
        hats = [np.interp(weights.width, self.knots, hat) for hat in np.eye(len(self.knots))]  # type: ignore[arg-type]
        return np.stack(hats, axis=-1)


_Family = TypeVar("_Family", bound=Family)
_KNOWN: dict[str, Family] = {}


def register(family: type[_Family]) -> type[_Family]:
    """Make a family known by its name; for use as a class decorator.

    A class that is defined again, as when a cell of a notebook is run again, takes the place of the earlier one.
    """
    for attribute in ("name", "title"):
        if not isinstance(getattr(family, attribute, None), str):
            example = f'{attribute} = "…"'
            raise EvenhandError(f"a family needs a {attribute}: write {example} in the class {family.__qualname__}")
    known = type(_KNOWN.get(family.name, family()))
    if (known.__module__, known.__qualname__) != (family.__module__, family.__qualname__):
        raise EvenhandError(f"there is a family {shown(family.name)} already: give this one another name")
    _KNOWN[family.name] = family()
    return family


def family_names() -> tuple[str, ...]:
    """Return the names of all families."""
    return tuple(_KNOWN)


def family_named(name: object) -> Family:
    """Return the family of this name, or say which there are."""
    if not isinstance(name, str) or name not in _KNOWN:
        raise EvenhandError(
            f"family must be one of {listed(family_names())}, but received {shown(name)}: "
            "take one of these, or first import the package that adds it"
        )
    return _KNOWN[name]
