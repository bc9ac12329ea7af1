"""Rank candidates by a metric: what each costs, which parts the cost has, and how sure the order is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from evenhand.checks.arrays import generator, number
from evenhand.checks.messages import listed, shown
from evenhand.display.displayed import Displayed
from evenhand.display.names import in_a_row, shown_names
from evenhand.display.table import Table
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.thresholds import STOPPING
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric, MetricSample
from evenhand.metric.sample import places
from evenhand.ranking import tables
from evenhand.ranking.cost_interval import cost_interval
from evenhand.ranking.plot import plot
from evenhand.ranking.yardsticks import yardsticks
from evenhand.rates import GroupRates
from evenhand.rates.models import named_models
from evenhand.wording.numerals import a_cost, plural
from evenhand.wording.vocabulary import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
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
        From an adaptive elicitation, the probability of each place, the first one first; otherwise None. Candidates
        whose costs differ by no more than 0.002 share a place. What is missing to 1 is the probability that the
        answers do not follow any metric.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting, rank
    >>> setting = Setting([0, 1], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
    >>> models = {"all 0": GroupRates.trivial(setting, 0), "all 1": GroupRates.trivial(setting, 1)}
    >>> row = rank(metric, models)[0]
    >>> row.place, row.name, row.cost, row.misclassification, row.gaps
    (1, 'all 1', 0.3, 0.3, {'gap women | men': 0.0})
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
        rows: Sequence[str],
        interval: tuple[float, float] | None = None,
        place_probabilities: tuple[float, ...] | None = None,
    ) -> RankedModel:
        """Return a model with its cost and the parts of it; `rows` are the names of those that are not mistakes."""
        mistakes, violation = metric.form.parts(rates.vector, rates.setting, metric.weights)
        return cls(
            place=place,
            name=name,
            cost=metric.cost(rates),
            misclassification=float(mistakes),
            gaps=dict(zip(rows, violation.tolist(), strict=True)),
            interval=interval,
            place_probabilities=place_probabilities,
        )

    @property
    def violation(self) -> float:
        """The part of the cost that is not due to mistakes."""
        return sum(self.gaps.values())


@dataclass(frozen=True, repr=False)
class Ranking(Displayed, Sequence[RankedModel]):
    """Candidates in the order of their cost, the best first; candidates of equal cost stay in the order given.

    Attributes
    ----------
    rows
        The candidates.
    level
        The confidence of the intervals.
    yardsticks
        What takes no model, by cost: one class for everybody, and a coin. They are no candidates; their place is the
        one they would have among the candidates.
    doubt
        Why the order should not be relied on, and what would help: the verdict on answers that do not decide. Else
        empty.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting, rank
    >>> setting = Setting([0, 1], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> metric = FairMetric.from_weights(setting, misclassification=[3, 4], violation=[[0, 5]])
    >>> models = {"all 0": GroupRates.trivial(setting, 0), "all 1": GroupRates.trivial(setting, 1)}
    >>> ranking = rank(metric, models)
    >>> ranking
    Ranking(2 models, best 'all 1')
    >>> ranking["all 0"].cost, ranking.names
    (0.4, ('all 1', 'all 0'))
    """

    rows: tuple[RankedModel, ...]
    level: float
    yardsticks: tuple[RankedModel, ...] = ()
    doubt: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates, the best first."""
        return tuple(row.name for row in self.rows)

    @property
    def best(self) -> tuple[str, ...]:
        """The candidate that costs least, or all those that do."""
        return tuple(row.name for row in self.rows if row.place == 1)

    @property
    def not_worth_it(self) -> str | None:
        """Say which candidates do not clearly beat the best yardstick; None if all do."""
        if not self.yardsticks:
            return None
        best = self.yardsticks[0]
        beat = [row for row in self.rows if self.is_worth_it(row.name)]
        if len(beat) == len(self.rows):
            return None
        others = [f"“{name}”" for name in shown_names(self.names)[len(beat) :]]
        do_not = f"{in_a_row(others)} {'does' if len(others) == 1 else 'do'} not clearly cost"
        who = do_not if beat else "No model clearly costs"
        return f"{who} less than {best.name} ({a_cost(best.cost)}), which takes no model."

    def is_worth_it(self, name: str) -> bool:
        """Return whether a candidate clearly costs less than the best yardstick."""
        return not self.yardsticks or self[name].cost < self.yardsticks[0].cost - STOPPING.indifferent

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

    def __contains__(self, model: object) -> bool:
        """Whether a model, or one of that name, is among the candidates."""
        return model in (self.names if isinstance(model, str) else self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[RankedModel]:
        return iter(self.rows)

    def __repr__(self) -> str:
        first = "not to be relied on" if self.doubt else f"best {listed(self.best)}"
        return f"Ranking({plural(len(self), 'model')}, {first})"

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
    place  name                 cost  mistakes  gap women | men
        1  B                  0.1800    0.1800           0.0000
        2  A                  0.2500    0.1500           0.1000
        –  “1” for everybody  0.3000    0.3000           0.0000
        –  a coin             0.3500    0.3500           0.0000
        –  “0” for everybody  0.4000    0.4000           0.0000
    """
    sample: MetricSample | None = None
    attending = 1.0
    doubt = ""
    if not isinstance(metric, FairMetric):
        if not isinstance(metric, Finding):
            raise EvenhandError(f"metric must be a FairMetric or what elicit returned, but received {shown(metric)}")
        sample = None if metric.uncertainty is None else metric.uncertainty.sample
        attending = 1.0 if metric.reliability is None else metric.reliability.attending
        if not metric.verdict.decided:
            doubt = f"{metric.verdict.reason} {metric.verdict.advice}".strip()
        metric = metric.metric
    number(level, "level", "a number between 0 and 1, like 0.95", lambda level: 0 < level < 1)
    rates = named_models(candidates, metric.setting, owner="the metric")
    cost = np.array([metric.cost(one) for one in rates.values()])
    place = 1 + places(cost[None])[0]
    chances = None
    if sample is not None:
        models, rng = list(rates.values()), generator(random_state)
        drawn = (one.draw(len(sample.probability), rng) for one in models)
        chances = attending * sample.place_probabilities(models, drawn, indifferent=STOPPING.indifferent)
    parts = metric.form.rows(Words.plain(metric.setting))
    rows = []
    for candidate in np.argsort(place, kind="stable").tolist():
        name, one = list(rates.items())[candidate]
        rows.append(
            RankedModel.of(
                metric,
                name,
                one,
                int(place[candidate]),
                rows=parts,
                interval=None if one.sizes is None else cost_interval(metric, one, level),
                place_probabilities=None if chances is None else tuple(chances[candidate].tolist()),
            )
        )
    reference = [
        RankedModel.of(metric, name, one, 1 + int((cost < metric.cost(one)).sum()), rows=parts)
        for name, one in yardsticks(metric.setting).items()
    ]
    return Ranking(tuple(rows), level, tuple(sorted(reference, key=lambda one: one.cost)), doubt)
