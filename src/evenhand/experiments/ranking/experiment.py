"""The experiment of Section 6.2: models of real data sets, ranked by hidden, elicited and default metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evenhand.checks.arrays import whole_number
from evenhand.errors import EvenhandError
from evenhand.experiments import datasets
from evenhand.experiments.ranking import classifier_pool, interviews
from evenhand.experiments.ranking.claims import JudgedClaim, judge
from evenhand.experiments.ranking.crowd import Crowd
from evenhand.experiments.ranking.estimates import BASELINES, baseline, elicited
from evenhand.experiments.ranking.interviews import ToBest
from evenhand.experiments.ranking.scores import Scores
from evenhand.experiments.ranking.transport import Transported, transport

BUDGETS = (10, 20, 40)
"""The default numbers of questions after which the adaptive method's ranking is scored."""
WRONG = 0.1
"""The share of wrong answers in the adaptive method's second run."""
FLIPS = {"exact": 0.0, "wrong": WRONG}
ANSWERS = {"exact": "right", "wrong": f"{100 * WRONG:.0f} % wrong"}
"""What the two kinds of answers are called."""


@dataclass(frozen=True, eq=False)
class DatasetResult:
    """One data set: how well each method ranks its models, and the questions to find the best one."""

    name: str
    scores: dict[str, Scores]
    to_best: dict[str, ToBest]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "methods": {method: scores.as_json() for method, scores in self.scores.items()},
            "questions_to_best": {answers: found.as_json() for answers, found in self.to_best.items()},
        }


@dataclass(frozen=True, eq=False)
class RankingResult:
    """All measurements, and whether the paper's findings hold; `kept` says how much came from the cache."""

    ranked: tuple[DatasetResult, ...]
    transported: tuple[Transported, ...]
    verdicts: tuple[JudgedClaim, ...]
    metrics: int
    classifiers: int
    seed: int
    kept: str
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "datasets": {one.name: one.as_json() for one in self.ranked},
            "transported": [one.as_json() for one in self.transported],
            "claims": [verdict.as_json() for verdict in self.verdicts],
            "settings": {"metrics": self.metrics, "classifiers": self.classifiers, "seed": self.seed},
            "notes": list(self.notes),
        }


def method_in_words(method: str) -> str:
    """Return the name of a method in tables and figures."""
    name, *rest = method.split("_")
    if name != "adaptive":
        return BASELINES.get(method, method)
    return f"adaptive, {rest[0]}" + (f", {ANSWERS[rest[1]]}" if rest[1:] else "")


def rank_models(
    names: Sequence[str] = datasets.NAMES,
    *,
    data: str | Path | None = None,
    metrics: int = 100,
    classifiers: int = 100,
    budgets: Sequence[int] = BUDGETS,
    cache: Path,
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[str, float], object] | None = None,
) -> RankingResult:
    """Run the paper's ranking experiment, also with the methods that need fewer questions.

    Parameters
    ----------
    names
        The data sets.
    data
        The folder with the raw files, as for `datasets.load`.
    metrics
        The number of random metrics for each data set.
    classifiers
        The number of classifiers for each data set.
    budgets
        The numbers of questions after which the adaptive method's ranking is scored; without any, that method is left
        out.
    cache
        The folder for predictions and interviews.
    seed
        The seed of the split, the classifiers, the metrics and the wrong answers.
    jobs
        The number of processes; None leaves it to joblib. The results do not depend on it.
    progress
        Called from time to time with a description of the step, and the share of it that is done.
    """
    names = tuple(dict.fromkeys(names))
    if not names:
        raise EvenhandError("nothing to rank: name at least one data set")
    whole_number(metrics, "metrics", 1)
    classifier_pool.classifiers(classifiers, seed)  # checks both now, before anything is read
    budgets = sorted({whole_number(budget, "budgets", 1) for budget in budgets})
    if jobs is not None:
        whole_number(jobs, "jobs", 1)
    say: Callable[[str, float], object] = progress or (lambda *_: None)
    loaded = [datasets.load(name, data) for name in names]
    pools = {
        dataset.name: classifier_pool.train(
            dataset,
            count=classifiers,
            seed=seed,
            cache=cache,
            jobs=jobs,
            progress=partial(say, f"Training on {dataset.name}"),
        )
        for dataset in loaded
    }
    crowds = [Crowd.random(name, trained.rates, metrics, seed) for name, trained in pools.items()]
    asked = interviews.ask(
        crowds,
        budgets=budgets,
        flips=tuple(FLIPS.values()) if budgets else (),
        seed=seed,
        cache=cache,
        jobs=jobs,
        progress=partial(say, "Interviewing"),
    )
    ranked = tuple(_ranked(crowd, asked, seed) for crowd in crowds)
    return RankingResult(
        ranked,
        tuple(transport(pools, metrics=metrics, seed=seed)),
        judge({one.name: one.scores for one in ranked}),
        metrics,
        classifiers,
        seed,
        f"{sum(trained.kept for trained in pools.values())} of {classifiers * len(pools)} predictions and "
        f"{sum(one.kept for one in asked.values())} of {metrics * len(asked)} interviews were cached",
        tuple(note for trained in pools.values() for note in trained.notes),
    )


def _ranked(crowd: Crowd, asked: dict[tuple[str, float], interviews.CrowdScores], seed: int) -> DatasetResult:
    scores = {method: crowd.scores(*elicited(crowd.hidden, method)) for method in ("paper", "bisection")}
    to_best = {}
    for answers, flip in FLIPS.items():
        if (crowd.name, flip) in asked:
            found = asked[crowd.name, flip]
            suffix = "" if answers == "exact" else f"_{answers}"
            scores |= {f"adaptive_{budget}{suffix}": after for budget, after in found.scores.items()}
            to_best[answers] = found.to_best
    scores |= {name: crowd.scores(*baseline(crowd.hidden, name, seed=seed)) for name in BASELINES}
    return DatasetResult(crowd.name, scores, to_best)
