"""`compare_metrics`: two metrics side by side, and the models that they order differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evenhand.checks.messages import shown
from evenhand.display.displayed import Displayed
from evenhand.display.names import shown_names
from evenhand.display.table import Table
from evenhand.elicitation.finding import Finding
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.metric.display import ShownWeight, weight_rows
from evenhand.rates import GroupRates
from evenhand.rates.models import made_up_models, named_models
from evenhand.wording.numerals import a_cost

_PAIRS = 4000
_SAME_COST = 1e-12
_SHOWN = 10


@dataclass(frozen=True)
class ComparedWeight:
    """One weight in both metrics.

    Attributes
    ----------
    part, name
        The part of the metric that it belongs to, and what it is called.
    mine, yours
        How large it is.
    differ
        Whether its two intervals have nothing in common; None if neither metric has intervals.
    """

    part: str
    name: str
    mine: float
    yours: float
    differ: bool | None = None


@dataclass(frozen=True)
class OrderedDifferently:
    """A pair of models of which one metric likes the first better, and the other metric the second.

    Attributes
    ----------
    mine, yours
        The model that my metric prefers, and the one that yours does.
    by_mine, by_yours
        How much more the other model of the pair costs, by each metric.
    """

    mine: str
    yours: str
    by_mine: float
    by_yours: float


@dataclass(frozen=True, eq=False, repr=False)
class MetricComparison(Displayed):
    """Two metrics side by side.

    Attributes
    ----------
    weights
        Every weight in both; empty if the two are of different families, whose weights are about other things.
    differs
        The share of pairs of models that the two order differently: of the candidates or, without any, of made-up
        models that get 5 to 40 of 100 people of each group and class wrong.
    pairs
        The candidates that they order differently, those that matter most first.
    best
        The candidate that each prefers; None without candidates.
    candidates
        How many candidates there are.
    notes
        A sentence for each reason not to rely on one of the two.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting, compare_metrics
    >>> setting = Setting([0, 1], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
    >>> models = {"all 0": GroupRates.trivial(setting, 0), "all 1": GroupRates.trivial(setting, 1)}
    >>> yours = FairMetric.from_weights(setting, misclassification=[4, 3], violation=[[0, 5]])
    >>> compare_metrics(metric, yours, models).pairs[0].mine
    'all 1'
    """

    weights: tuple[ComparedWeight, ...]
    differs: float
    pairs: tuple[OrderedDifferently, ...]
    best: tuple[str, str] | None
    candidates: int
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"MetricComparison({self._headline})"

    @property
    def _headline(self) -> str:
        if self.best is None:
            return f"of made-up pairs of models, the two order {self.differs:.0%} differently"
        pairs = self.candidates * (self.candidates - 1) // 2
        return f"the two order {len(self.pairs)} of {pairs:,} pairs of models differently"

    def _table(self) -> Table:
        rows = [[_name(one), f"{one.mine:.3f}", f"{one.yours:.3f}", _in_words(one)] for one in self.weights]
        notes = [] if self.weights else ["The two are of different families: their weights cannot be compared."]
        told = self.pairs[:_SHOWN]
        names = list(dict.fromkeys([*(self.best or ()), *(name for pair in told for name in (pair.mine, pair.yours))]))
        shown = dict(zip(names, shown_names(names), strict=True))
        if self.best is not None:
            mine, yours = (shown[name] for name in self.best)
            notes.append(f"Both prefer {mine}." if mine == yours else f"Mine prefers {mine}, yours {yours}.")
        notes.extend(
            f"{shown[pair.mine]} is better than {shown[pair.yours]} by mine (by {a_cost(pair.by_mine)}), and worse by "
            f"yours (by {a_cost(pair.by_yours)})."
            for pair in told
        )
        if len(self.pairs) > _SHOWN:
            notes.append(f"… and {len(self.pairs) - _SHOWN} pairs more")
        return Table(
            ["", "mine", "yours", ""],
            rows,
            title=f"Two metrics: {self._headline}",
            notes=[*self.notes, *notes],
        )

    def _columns(self) -> dict[str, list[Any]]:
        names = ("part", "name", "mine", "yours", "differ")
        return {name: [getattr(one, name) for one in self.weights] for name in names}


def compare_metrics(
    mine: FairMetric | Finding, yours: FairMetric | Finding, candidates: Mapping[str, GroupRates] | None = None
) -> MetricComparison:
    """Say where two metrics agree, where they do not, and which models they order differently.

    Parameters
    ----------
    mine, yours
        Each a `FairMetric`, or what `evenhand.elicit` returned, whose intervals are then taken into account.
    candidates
        The models to order, name → `GroupRates`; without two or more of them, models are made up.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting
    >>> setting = Setting([0, 1], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> mine = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
    >>> yours = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 1]])
    >>> A = GroupRates.from_vector(setting, [[0.1, 0.2], [0.1, 0.4]])
    >>> B = GroupRates.from_vector(setting, [[0.2, 0.3], [0.2, 0.3]])
    >>> print(compare_metrics(mine, yours, {"A": A, "B": B}))
    Two metrics: the two order 1 of 1 pairs of models differently
                             mine  yours
    mistake 0 → 1           0.600  0.600
    mistake 1 → 0           0.800  0.800
    gap women | men: 0 → 1  0.000  0.000
    gap women | men: 1 → 0  1.000  1.000
    trade-off               0.500  0.167  differ by 0.333
    Mine prefers B, yours A.
    B is better than A by mine (by 0.0700), and worse by yours (by 0.0167).
    """
    one, other = (_metric_of(value, name) for value, name in ((mine, "mine"), (yours, "yours")))
    if not one.setting.same_names(other.setting):
        differ = one.setting.how_names_differ(other.setting, "mine", "yours") or "they are in another order"
        raise EvenhandError(f"the two metrics are not about the same classes and groups ({differ})")
    notes = [
        f"{name.capitalize()}: {value.verdict.reason}"
        for value, name in ((mine, "mine"), (yours, "yours"))
        if isinstance(value, Finding) and not value.verdict.decided
    ]
    weights = _weights(mine, yours) if one.family == other.family else ()
    rates = {} if candidates is None or candidates == {} else named_models(candidates, one.setting, owner="the metric")
    if len(rates) <= 1:
        return MetricComparison(weights, _made_up(one, other), (), None, 0, tuple(notes))
    costs = [by.cost({name: each.arranged(by.setting) for name, each in rates.items()}) for by in (one, other)]
    pairs = tuple(sorted(_pairs(*costs), key=lambda pair: -min(pair.by_mine, pair.by_yours)))
    best = tuple(min(cost, key=cost.__getitem__) for cost in costs)
    share = len(pairs) / (len(rates) * (len(rates) - 1) / 2)
    return MetricComparison(weights, share, pairs, (best[0], best[1]), len(rates), tuple(notes))


def _metric_of(value: object, name: str) -> FairMetric:
    if isinstance(value, Finding):
        return value.metric
    if not isinstance(value, FairMetric):
        raise EvenhandError(f"{name} must be a FairMetric or what elicit returned, but received {shown(value)}")
    return value


def _weights(mine: FairMetric | Finding, yours: FairMetric | Finding) -> tuple[ComparedWeight, ...]:
    return tuple(
        ComparedWeight(one.part, one.name, one.weight, other.weight, _differ(one, other))
        for one, other in zip(_rows(mine), _rows(yours), strict=True)
    )


def _rows(value: FairMetric | Finding) -> list[ShownWeight]:
    return value.weight_rows() if isinstance(value, Finding) else weight_rows(value)


def _differ(one: ShownWeight, other: ShownWeight) -> bool | None:
    """Return whether the intervals have nothing in common; a weight without one is taken as exact."""
    if one.low is None and other.low is None:
        return None
    (low, high), (its_low, its_high) = (
        (row.weight, row.weight) if row.low is None or row.high is None else (row.low, row.high) for row in (one, other)
    )
    return low > its_high or its_low > high


def _name(weight: ComparedWeight) -> str:
    """Return what a weight is of; the names of all but mistakes say it."""
    return f"mistake {weight.name}" if weight.part == "mistake" else weight.name


def _in_words(weight: ComparedWeight) -> str:
    if weight.differ is None:
        gap = abs(weight.mine - weight.yours)
        return "" if gap < 5e-4 else f"differ by {gap:.3f}"
    return "differ" if weight.differ else "may agree"


def _pairs(mine: Mapping[str, float], yours: Mapping[str, float]) -> list[OrderedDifferently]:
    found = []
    for first, second in combinations(mine, 2):
        saved, saved_by_yours = mine[second] - mine[first], yours[second] - yours[first]
        if min(abs(saved), abs(saved_by_yours)) > _SAME_COST and (saved > 0) != (saved_by_yours > 0):
            names = (first, second) if saved > 0 else (second, first)
            found.append(OrderedDifferently(*names, abs(saved), abs(saved_by_yours)))
    return found


def _made_up(one: FairMetric, other: FairMetric) -> float:
    profiles = made_up_models(one.setting, 2 * _PAIRS, np.random.default_rng(0))
    saved = [np.subtract(*np.split(by.form.cost(profiles, one.setting, by.weights), 2)) for by in (one, other)]
    return float(np.mean(np.sign(saved[0]) != np.sign(saved[1])))
