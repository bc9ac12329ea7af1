"""Rank candidates by a metric: what each costs, which parts the cost has, and how sure the order is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.arrays import generator, number
from evenhand.checks.messages import listed, shown
from evenhand.display.displayed import Displayed
from evenhand.display.table import Table
from evenhand.elicitation.finding import Finding
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.families import family_named
from evenhand.ranking import tables
from evenhand.ranking.cost_interval import cost_interval
from evenhand.ranking.plot import plot
from evenhand.rates import GroupRates
from evenhand.rates.models import named_models
from evenhand.typing import Floats
from evenhand.wording.numerals import plural
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SAME_COST = 1e-12
"""Costs that differ by no more than rounding errors are ties."""


@dataclass(frozen=True, eq=False)
class RankedModel:
    """One candidate in a ranking.

    Attributes
    ----------
    place
        1 for the best; candidates of equal cost share a place.
    name, cost
        Lower is better.
    misclassification
        The part of the cost that is due to mistakes.
    gaps
        The part that is due to gaps, for each pair of groups; in another family, to each row of what is unfair there.
        All parts add up to the cost.
    interval
        Where the cost lies, given the sampling error of the rates; None for rates without counts.
    place_probabilities
        From an adaptive elicitation, the probability of each place, the first one first; otherwise None.
    """

    place: int
    name: str
    cost: float
    misclassification: float
    gaps: dict[str, float]
    interval: tuple[float, float] | None = None
    place_probabilities: tuple[float, ...] | None = None

    @classmethod
    def of(
        cls,
        metric: FairMetric,
        name: str,
        rates: GroupRates,
        place: int,
        *,
        interval: tuple[float, float] | None = None,
        place_probabilities: tuple[float, ...] | None = None,
    ) -> RankedModel:
        """Return a model with its cost and the parts of it."""
        mistakes, rows = metric.form.parts(rates.vector, rates.setting, metric.weights)
        names = metric.form.rows(Words.plain(metric.setting))
        return cls(
            place=place,
            name=name,
            cost=metric.cost(rates),
            misclassification=float(mistakes),
            gaps=dict(zip(names, rows.tolist(), strict=True)),
            interval=interval,
            place_probabilities=place_probabilities,
        )

    @property
    def violation(self) -> float:
        """The part of the cost that is not due to mistakes."""
        return sum(self.gaps.values())


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Displayed, Sequence[RankedModel]):
    """Candidates in the order of their cost, the best first; candidates of equal cost stay in the order given."""

    rows: tuple[RankedModel, ...]
    level: float

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates, the best first."""
        return tuple(row.name for row in self.rows)

    @property
    def best(self) -> tuple[str, ...]:
        """The candidate that costs least, or all those that do."""
        return tuple(row.name for row in self.rows if row.place == 1)

    def columns(self) -> dict[str, list[Any]]:
        """Return the ranking column by column, ready for `pandas.DataFrame` or `polars.DataFrame`."""
        return tables.columns(self)

    def plot(self, ax: Axes | None = None, *, most: int = 20) -> Axes:
        """Draw what each model costs, at most so many of them, with what is known of how sure it is; return the axes.

        It draws on `ax` or, without one, on a new figure. Needs the extra `figures`.
        """
        return plot(self, ax, most)

    @overload
    def __getitem__(self, place: int | str) -> RankedModel: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[RankedModel, ...]: ...
    def __getitem__(self, place: int | str | slice) -> RankedModel | tuple[RankedModel, ...]:
        """Return the model of that name, or at that place, counted from 0."""
        if not isinstance(place, str):
            return self.rows[place]
        for row in self.rows:
            if row.name == place:
                return row
        raise EvenhandError(f"this ranking has no model {shown(place)}, but {listed(self.names)}")

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[RankedModel]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return f"Ranking({plural(len(self), 'model')}, best {listed(self.best)})"

    def _table(self) -> Table:
        return tables.table_of(self)

    def _columns(self) -> dict[str, list[Any]]:
        return self.columns()


def rank(
    metric: FairMetric | Finding,
    candidates: Mapping[str, GroupRates],
    *,
    level: float = 0.95,
    random_state: int | np.random.Generator = 0,
) -> Ranking:
    """Put candidates in the order of their cost.

    Parameters
    ----------
    metric
        A `FairMetric`, or what `evenhand.elicit` returned: an adaptive result also gives the probability of each place,
        which includes the sampling error of rates that have counts.
    candidates
        Name → `GroupRates`, with the metric's classes and groups in any order.
    level
        The confidence of the intervals.
    random_state
        Draws the rates that the probabilities of places are computed with.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting
    >>> setting = Setting([0, 1], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
    >>> A = GroupRates.from_vector(setting, [[0.1, 0.2], [0.1, 0.4]])
    >>> B = GroupRates.from_vector(setting, [[0.2, 0.3], [0.2, 0.3]])
    >>> print(rank(metric, {"A": A, "B": B}))
    place  name    cost  mistakes  gap women | men
        1  B     0.1800    0.1800           0.0000
        2  A     0.2500    0.1500           0.1000
    """
    sample: MetricSample | None = None
    if not isinstance(metric, FairMetric):
        if not isinstance(metric, Finding):
            raise EvenhandError(f"metric must be a FairMetric or what elicit returned, but received {shown(metric)}")
        sample = None if metric.uncertainty is None else metric.uncertainty.sample
        metric = metric.metric
    number(level, "level", "a number between 0 and 1, like 0.95", lambda level: 0 < level < 1)
    rates = named_models(candidates, metric.setting, owner="the metric")
    cost = np.array([metric.cost(one) for one in rates.values()])
    places = _places(cost[None])[0]
    chances = None if sample is None else _place_probabilities(sample, list(rates.values()), generator(random_state))
    rows = []
    for candidate in np.argsort(places, kind="stable").tolist():
        name, one = list(rates.items())[candidate]
        rows.append(
            RankedModel.of(
                metric,
                name,
                one,
                int(places[candidate]),
                interval=None if one.sizes is None else cost_interval(metric, one, level),
                place_probabilities=None if chances is None else tuple(chances[candidate].tolist()),
            )
        )
    return Ranking(tuple(rows), level)


def _places(costs: Floats) -> NDArray[np.intp]:
    """Return the place (n, candidates) of each: one more than the number of those that cost less."""
    order = np.sort(costs, axis=1)
    return (
        np.stack([np.searchsorted(row, cost - _SAME_COST, side="left") for row, cost in zip(order, costs, strict=True)])
        + 1
    )


def _place_probabilities(sample: MetricSample, rates: list[GroupRates], rng: np.random.Generator) -> Floats:
    """Return the probability (candidates, places) of each place; ties share the better place."""
    n, size = len(rates), len(sample.probability)
    family = family_named(sample.family)
    costs = np.stack([family.cost(one.draw(size, rng), one.setting, sample.weights) for one in rates], axis=1)
    places = _places(costs) - 1
    return np.stack([np.bincount(places[:, one], sample.probability, minlength=n) for one in range(n)])
