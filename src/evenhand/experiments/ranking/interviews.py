"""Interviews simulated respondents by the adaptive method about the models of a pool, with and without wrong answers.

One interview with the largest number of questions serves the smaller numbers too, since the finding after the first
twenty answers does not depend on later ones. A second interview stops when the best model is settled.

Interviews take most of the experiment's time. So their results are cached, and reused as long as the respondent, the
models and all code that an interview runs through stay the same.
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
from evenhand.elicitation import Choice, Finding, elicit, next_question
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
"""After this many questions, an interview about the best model ends unsettled."""


@dataclass(frozen=True, eq=False)
class ToBest:
    """For each respondent: the questions until a model was settled, whether one was, and its cost above the best."""

    questions: Floats
    settled: Floats
    excess: Floats

    def as_json(self) -> dict[str, Any]:
        """Return a summary as plain values.

        `right` is how often the chosen model is the best or costs at most 0.002 more, which the method counts as
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
    """The results of one crowd with one flip probability: scores after each budget, and questions to the best model.

    `kept` is the number of interviews that were cached.
    """

    scores: dict[int, Scores]
    to_best: ToBest
    kept: int


@dataclass(frozen=True, eq=False)
class Person:
    """A simulated respondent: a metric, the candidates, the probability of a flipped answer, and a seed."""

    crowd: str
    place: int
    metric: FairMetric
    candidates: dict[str, GroupRates]
    flip: float
    seed: int

    def rng(self, purpose: str) -> np.random.Generator:
        """Return a generator for one purpose, which does not depend on the other respondents."""
        return np.random.default_rng([self.seed, self.place, *f"{self.crowd} {purpose}".encode()])

    def oracle(self, purpose: str) -> SimulatedOracle:
        """Return the oracle that answers for this respondent."""
        return SimulatedOracle(self.metric, flip=self.flip, random_state=self.rng(purpose))

    def key(self, budgets: Sequence[int]) -> str:
        """Return a cache key, which changes whenever the interview may change."""
        rates = np.stack([one.matrix for one in self.candidates.values()])
        known = [code_of_interviews(), self.metric.to_json(), list(self.candidates), self.flip, self.seed, *budgets]
        digest = hashlib.sha256(json.dumps([self.crowd, self.place, known]).encode() + rates.tobytes())
        return f"{self.crowd}-{self.place:03d}-{digest.hexdigest()[:24]}"


class InterviewResult(NamedTuple):
    """The results of one respondent.

    `orders` (budgets, models) are the places of the models in the ranking after each number of questions.
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
    """Interview all crowds with each flip probability; the keys of the result are crowd and flip."""
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
    """Return the rates without counts, as if known exactly, since the true order also uses the rates as measured."""
    return {name: GroupRates(setting=one.setting, matrix=one.matrix) for name, one in rates.items()}


@cache
def code_of_interviews() -> str:
    """Return a checksum of all code that an interview runs through."""
    package = Path(evenhand.__file__).parent
    digest = hashlib.sha256(np.__version__.encode())
    for folder in ("checks", "rates", "wording", "metric", "region", "elicitation", "oracles"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> InterviewResult | None:
    """Return a cached result, or None."""
    try:
        return InterviewResult(**loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None  # missing or damaged: the interview is repeated, and the file overwritten


def _interviewed(who: tuple[str, float, int], person: Person, budgets: tuple[int, ...]) -> tuple[Any, InterviewResult]:
    with threadpool_limits(1):  # interviews run in parallel, so each uses one thread
        return who, interview(person, budgets)


def interview(person: Person, budgets: Sequence[int]) -> InterviewResult:
    """Interview one respondent twice: about the order of the models, and about the best one."""
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
            # A finding, not a question: the budget is used up.
            found = cast("Finding", next_question(setting, so_far, stop="budget", max_questions=budget, **about))
        place = {name: place for place, name in enumerate(_choice(found).ranking)}
        orders.append([place[name] for name in names])
    best = elicit(
        person.oracle("best"), setting, method="adaptive", stop="best", max_questions=_MOST_QUESTIONS, **about
    )
    return InterviewResult(orders, best.questions, best.stopped_because == "best", names.index(_choice(best).best))


def _choice(found: Finding) -> Choice:
    """Return what was found about the models, of which there are some, whether or not it should decide anything."""
    assert found.choice is not None  # noqa: S101
    return found.choice
