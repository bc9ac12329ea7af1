"""The paper's Discussion: a metric elicited in one population ranks the models of another.

No two of the four data sets have the same numbers of classes *and* groups. So groups are merged into two: *adult* is
grouped by sex, like *default*; *crime* by whether White people are the largest group, to match the two colours of
*wine*. The questions of an interview depend on the prevalence of groups; the metric that it finds should not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.experiments.ranking.classifier_pool import ClassifierPool
from evenhand.experiments.ranking.crowd import Crowd
from evenhand.experiments.ranking.estimates import elicited
from evenhand.experiments.ranking.scores import Scores
from evenhand.rates import GroupRates

PAIRS = (("default", "adult"), ("adult", "default"), ("wine", "crime"), ("crime", "wine"))
"""(source, target) of each transport."""


@dataclass(frozen=True, eq=False)
class Transported:
    """How well metrics elicited at the source rank the target's models, compared with metrics elicited there."""

    source: str
    target: str
    method: str
    away: Scores
    at_home: Scores

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "source": self.source,
            "target": self.target,
            "method": self.method,
            "elicited_at_source": self.away.as_json(),
            "elicited_at_target": self.at_home.as_json(),
        }


def transport(pools: dict[str, ClassifierPool], *, metrics: int, seed: int) -> list[Transported]:
    """Elicit metrics in each population, and rank the models of the other one by them."""
    moved = []
    for source, target in PAIRS:
        if source not in pools or target not in pools:
            continue
        here = Crowd.random(f"from {source}", _two_groups(pools[source]), metrics, seed)
        there = here.facing(_two_groups(pools[target]))
        for method in ("paper", "bisection"):
            away, questions = elicited(here.hidden, method)
            home, _ = elicited(there.hidden, method)
            moved.append(
                Transported(source, target, method, there.scores(away, questions), there.scores(home, questions))
            )
    return moved


def _two_groups(pool: ClassifierPool) -> dict[str, GroupRates]:
    dataset, test = pool.split.dataset, pool.split.test
    if dataset.name == "adult":
        return pool.rates_by((dataset.feature("sex=Female")[test] == 1).astype(np.intp), ("men", "women"))
    if dataset.name == "crime":
        white = pool.split.groups.index("White")
        return pool.rates_by((pool.split.group[test] == white).astype(np.intp), ("others", "White"))
    return pool.rates
