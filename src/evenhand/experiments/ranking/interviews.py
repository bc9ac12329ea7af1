"""People asked by the adaptive method about the models of a pool, with right answers and with some wrong ones.

One interview of the largest number of questions is read off at the smaller ones too: what was learned from the first
twenty answers is the same, however many followed. A second interview stops when the best model is settled.

Interviews take most of the experiment's time. So what came of each is kept, and taken again as long as the person, the
models and every line of code that an interview runs through are the same.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

import evenhand
from evenhand.checks.nesting import loads
from evenhand.elicitation import Finding, elicit, next_question
from evenhand.elicitation.thresholds import STOPPING
from evenhand.errors import MissingExtraError
from evenhand.experiments.cache import keep
from evenhand.experiments.ranking.crowd import Crowd
from evenhand.experiments.ranking.scores import Scores, summary
from evenhand.experiments.ranking.spreading import each
from evenhand.metric import FairMetric
from evenhand.oracles import SimulatedOracle
from evenhand.rates import GroupRates
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats

try:
    from threadpoolctl import threadpool_limits
except ModuleNotFoundError as error:
    raise MissingExtraError("threadpoolctl", "experiments") from error

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
            "right": float((self.excess <= STOPPING.indifferent).mean()),
            "exactly": float((self.excess <= ROUNDING).mean()),
            "questions": self.questions.astype(int).tolist(),
        }


@dataclass(frozen=True, eq=False)
class CrowdScores:
    """What came of asking a crowd in one way: the scores after each number of questions, and the way to the best.

    `kept` of the interviews had been held before.
    """

    scores: dict[int, Scores]
    to_best: ToBest
    kept: int


@dataclass(frozen=True, eq=False)
class Person:
    """Somebody with a metric, the models before them, how often they err, and the seed of all that is random."""

    crowd: str
    place: int
    metric: FairMetric
    candidates: dict[str, GroupRates]
    flip: float
    seed: int

    def rng(self, purpose: str) -> np.random.Generator:
        """Return random numbers for a purpose, the same whoever else is asked."""
        return np.random.default_rng([self.seed, self.place, *f"{self.crowd} {purpose}".encode()])

    def oracle(self, purpose: str) -> SimulatedOracle:
        """Return how this person answers."""
        return SimulatedOracle(self.metric, flip=self.flip, random_state=self.rng(purpose))

    def key(self, budgets: Sequence[int]) -> str:
        """Return a name that is another one whenever an interview may be."""
        rates = np.stack([one.matrix for one in self.candidates.values()])
        known = [code_of_interviews(), self.metric.to_json(), list(self.candidates), self.flip, self.seed, *budgets]
        digest = hashlib.sha256(json.dumps([self.crowd, self.place, known]).encode() + rates.tobytes())
        return f"{self.crowd}-{self.place:03d}-{digest.hexdigest()[:24]}"


class InterviewResult(NamedTuple):
    """What came of asking one person.

    `orders` (budgets, models) are the places of the models in the order found after each number of questions.
    """

    orders: list[list[int]]
    questions_to_best: int
    settled: bool
    best: int


def ask(
    crowds: Sequence[Crowd],
    *,
    budgets: Sequence[int],
    flips: Sequence[float],
    seed: int,
    cache: Path,
    jobs: int | None,
    progress: Callable[[float], object],
) -> dict[tuple[str, float], CrowdScores]:
    """Interview everybody, with answers turned around with each of the probabilities; the keys are crowd and flip."""
    models = {crowd.name: _without_counts(crowd.rates) for crowd in crowds}
    people = {
        (crowd.name, flip, place): Person(crowd.name, place, metric, models[crowd.name], flip, seed)
        for crowd in crowds
        for flip in flips
        for place, metric in enumerate(crowd.metrics)
    }
    paths = {who: cache / "interviews" / f"{person.key(budgets)}.json" for who, person in people.items()}
    found = {who: held for who, path in paths.items() if (held := _read(path)) is not None}
    kept = Counter((crowd, flip) for crowd, flip, _ in found)
    missing = [(who, person, tuple(budgets)) for who, person in people.items() if who not in found]
    for who, interview in each(_interviewed, missing, jobs):
        keep(paths[who], json.dumps(interview._asdict()).encode())
        found[who] = interview
        progress(len(found) / len(people))
    summed_up = {}
    for crowd in crowds:
        for flip in flips:
            of_crowd = [found[crowd.name, flip, place] for place in range(len(crowd.metrics))]
            summed_up[crowd.name, flip] = _summed_up(crowd, budgets, of_crowd, kept[crowd.name, flip])
    return summed_up


def _summed_up(crowd: Crowd, budgets: Sequence[int], interviews: list[InterviewResult], kept: int) -> CrowdScores:
    orders = np.array([interview.orders for interview in interviews], dtype=np.float64)
    chosen = [costs[interview.best] for costs, interview in zip(crowd.costs, interviews, strict=True)]
    return CrowdScores(
        {budget: Scores.of(crowd.costs, orders[:, place], budget) for place, budget in enumerate(budgets)},
        ToBest(
            np.array([float(interview.questions_to_best) for interview in interviews]),
            np.array([float(interview.settled) for interview in interviews]),
            np.array(chosen) - crowd.costs.min(axis=1),
        ),
        kept,
    )


def _without_counts(rates: dict[str, GroupRates]) -> dict[str, GroupRates]:
    """Return the rates as if they were known exactly: the true order is by the rates as measured, too."""
    return {name: GroupRates(setting=one.setting, matrix=one.matrix) for name, one in rates.items()}


@cache
def code_of_interviews() -> str:
    """Return the checksum of all code that an interview runs through."""
    package = Path(evenhand.__file__).parent
    digest = hashlib.sha256(np.__version__.encode())
    for folder in ("checks", "rates", "wording", "metric", "region", "elicitation", "oracles"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> InterviewResult | None:
    """Return what was kept of an interview, or None if nothing was."""
    try:
        return InterviewResult(**loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None  # not there, or damaged by somebody else: it is held again, and written over


def _interviewed(who: tuple[str, float, int], person: Person, budgets: tuple[int, ...]) -> tuple[Any, InterviewResult]:
    with threadpool_limits(1):  # cores are shared by interviews, not within one
        return who, interview(person, budgets)


def interview(person: Person, budgets: Sequence[int]) -> InterviewResult:
    """Interview one person twice, about the order and about the best."""
    names, setting = list(person.candidates), person.metric.setting
    choice = int(person.rng("questions").integers(2**31))
    about: dict[str, Any] = {"candidates": person.candidates, "random_state": choice}
    most = max(budgets)
    longest = elicit(person.oracle("order"), setting, method="adaptive", stop="budget", max_questions=most, **about)
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
        person.oracle("best"), setting, method="adaptive", stop="best", max_questions=_MOST_QUESTIONS, **about
    )
    return InterviewResult(orders, best.questions, best.stopped_because == "best", names.index(cast("str", best.best)))
