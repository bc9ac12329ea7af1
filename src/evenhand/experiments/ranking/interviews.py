"""People asked by the adaptive method about the models of a pool, with right answers and with some wrong ones.

One interview of the largest number of questions is read off at the smaller ones too: what was learned from the first
twenty answers is the same, however many followed. A second interview stops when the best model is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from evenhand.elicitation import Finding, elicit, next_question
from evenhand.elicitation.adaptive.goal import INDIFFERENT
from evenhand.experiments.ranking.crowd import Crowd
from evenhand.experiments.ranking.scores import Scores, summary
from evenhand.experiments.ranking.spreading import each
from evenhand.metric import FairMetric
from evenhand.oracles import SimulatedOracle
from evenhand.rates import GroupRates
from evenhand.rates.vector import Floats

_MOST_QUESTIONS = 60
"""After which an interview about the best model ends unsettled."""


@dataclass(frozen=True, eq=False)
class ToBest:
    """Of each person: the questions until a model was settled on, whether one was, and what it costs too much."""

    questions: Floats
    settled: Floats
    excess: Floats

    def as_json(self) -> dict[str, Any]:
        """Return all of it summed up, as plain values.

        `right` is how often the model chosen is the best, or costs at most 0.002 more, which the method takes for
        equally good; `exactly` is how often it is the best.
        """
        return {
            **summary(self.questions),
            "settled": float(self.settled.mean()),
            "right": float((self.excess <= INDIFFERENT).mean()),
            "exactly": float((self.excess == 0).mean()),
            "questions": self.questions.astype(int).tolist(),
        }


@dataclass(frozen=True, eq=False)
class Asked:
    """What came of asking a crowd in one way: the scores after each number of questions, and the way to the best."""

    scores: dict[int, Scores]
    to_best: ToBest


def ask(
    crowds: Sequence[Crowd],
    *,
    budgets: Sequence[int],
    flips: Sequence[float],
    seed: int,
    jobs: int | None,
    progress: Callable[[float], object],
) -> dict[tuple[str, float], Asked]:
    """Interview everybody, with answers turned around with each of the probabilities; the keys are crowd and flip."""
    work = [
        (_Person(crowd, place, person, flip), _without_counts(crowds[crowd].rates), tuple(budgets), seed)
        for crowd in range(len(crowds))
        for flip in flips
        for place, person in enumerate(crowds[crowd].metrics)
    ]
    orders = {(crowd.name, flip): np.empty((len(budgets), *crowd.costs.shape)) for crowd in crowds for flip in flips}
    to_best = {key: ToBest(*np.empty((3, order.shape[1]))) for key, order in orders.items()}
    for done, (person, order, questions, settled, best) in enumerate(each(_ask_one, work, jobs), 1):
        crowd, place = crowds[person.crowd], person.place
        orders[crowd.name, person.flip][:, place] = order
        found, costs = to_best[crowd.name, person.flip], crowd.costs[place]
        found.questions[place], found.settled[place] = questions, settled
        found.excess[place] = costs[best] - costs.min()
        progress(done / len(work))
    return {
        (crowd.name, flip): Asked(
            {
                budget: Scores.of(crowd.costs, order, budget)
                for budget, order in zip(budgets, orders[crowd.name, flip], strict=True)
            },
            to_best[crowd.name, flip],
        )
        for crowd in crowds
        for flip in flips
    }


def _without_counts(rates: dict[str, GroupRates]) -> dict[str, GroupRates]:
    """Return the rates as if they were known exactly: the true order is by the rates as measured, too."""
    return {name: GroupRates(setting=one.setting, matrix=one.matrix) for name, one in rates.items()}


@dataclass(frozen=True, eq=False)
class _Person:
    """Somebody, where they stand in which crowd, what they hold, and how often they err."""

    crowd: int
    place: int
    metric: FairMetric
    flip: float

    def rng(self, seed: int, purpose: str) -> np.random.Generator:
        return np.random.default_rng([seed, self.crowd, self.place, *purpose.encode()])

    def oracle(self, seed: int, purpose: str) -> SimulatedOracle:
        return SimulatedOracle(self.metric, flip=self.flip, random_state=self.rng(seed, purpose))


def _ask_one(
    person: _Person, candidates: dict[str, GroupRates], budgets: tuple[int, ...], seed: int
) -> tuple[_Person, Floats, int, bool, int]:
    """Interview one person twice, about the order and about the best.

    Returned are, after who it was: the place of each model in the order found after each number of questions, (budgets,
    models), the questions to the best, whether it was settled, and which one it is.
    """
    names, setting = list(candidates), person.metric.setting
    about: dict[str, Any] = {
        "candidates": candidates,
        "random_state": int(person.rng(seed, "questions").integers(2**31)),
    }
    most = max(budgets)
    longest = elicit(
        person.oracle(seed, "order"), setting, method="adaptive", stop="budget", max_questions=most, **about
    )
    orders = []
    for budget in budgets:
        found: Finding = longest
        if budget < most:
            so_far = longest.history[:budget]
            # There is no next question: the budget is used up.
            found = cast("Finding", next_question(setting, so_far, stop="budget", max_questions=budget, **about))
        ranking = cast("tuple[str, ...]", found.ranking)  # there are candidates
        place = {name: place for place, name in enumerate(ranking)}
        orders.append([place[name] for name in names])
    best = elicit(
        person.oracle(seed, "best"), setting, method="adaptive", stop="best", max_questions=_MOST_QUESTIONS, **about
    )
    chosen = names.index(cast("str", best.best))
    return person, np.array(orders, dtype=np.float64), best.questions, best.stopped_because == "best", chosen
