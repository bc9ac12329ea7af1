"""Whole elicitations by A/B tests: the users that they take, sequentially and with a fixed sample for each question.

`python -m bench.population docs/images` draws the figure of docs/oracles.md as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from bench.ab_tests import POWER, fixed_sample
from evenhand import FairMetric, GroupRates, SimulatedOracle, ab_oracle, elicit
from evenhand.elicitation import Oracle
from evenhand.oracles import StandInClassifier
from evenhand.study.demo import demo_study

POPULATIONS = int(os.environ.get("EVENHAND_BENCH_PEOPLE", "40"))
ERROR, SMALLEST = 0.05, 0.01
BATCH = 250
"""How many users come to each arm between two looks."""
AS_GOOD = 0.002
SEQUENTIAL, FIXED, EXACT = "sequential tests", "fixed samples", "exact answers"
DESIGNS = (SEQUENTIAL, FIXED, EXACT)


@dataclass(frozen=True, eq=False)
class Elicitation:
    """What one elicitation took: of each question, the users and the true difference in good outcomes."""

    design: str
    users: Sequence[int]
    differences: Sequence[float]
    undecided: int
    wrong: int
    found_best: bool


class Population:
    """Users whose outcomes are good with probability 1 − Ψ of the classifier that they are shown."""

    def __init__(self, metric: FairMetric, rng: np.random.Generator) -> None:
        self.metric = metric
        self._rng = rng

    def share(self, rates: GroupRates) -> float:
        """Return the share of good outcomes."""
        return 1 - float(self.metric.cost(rates))

    def experiment(self, first: StandInClassifier, second: StandInClassifier) -> Iterator[tuple[int, int, int, int]]:
        """Yield the counts of an A/B test, batch by batch, for as long as it takes."""
        shares = (self.share(first.rates), self.share(second.rates))
        users, good = 0, np.zeros(2, dtype=int)
        while True:
            users += BATCH
            good += self._rng.binomial(BATCH, shares)
            yield users, int(good[0]), users, int(good[1])

    def fixed(self, first: GroupRates, second: GroupRates) -> tuple[int, bool | None]:
        """Return the users and the answer of a two-sided z-test that looks once, planned for `SMALLEST`."""
        shares = np.array([self.share(first), self.share(second)])
        middle = float(shares.mean())  # which in practice is not known, and taken as 1/2 to be safe
        users = ceil(fixed_sample(middle + SMALLEST / 2, middle - SMALLEST / 2, error=ERROR, power=POWER) / 2)
        seen = self._rng.binomial(users, shares) / users
        deviation = sqrt(2 * seen.mean() * (1 - seen.mean()) / users)
        clear = abs(seen[0] - seen[1]) > NormalDist().inv_cdf(1 - ERROR / 2) * deviation
        return 2 * users, bool(seen[0] > seen[1]) if clear else None


class FixedSamples:
    """Answers by tests with a fixed sample."""

    error = ERROR

    def __init__(self, population: Population) -> None:
        self.population = population
        self.users: list[int] = []

    def __call__(self, first: GroupRates, second: GroupRates) -> bool | None:
        """Say which has more good outcomes, if that is clear."""
        users, answer = self.population.fixed(first, second)
        self.users.append(users)
        return answer


def elicited(seed: int, design: str) -> Elicitation:
    """Elicit the metric of one population, with the demo's 21 models as candidates."""
    study = demo_study()
    truth = FairMetric.random(study.setting, np.random.default_rng([seed, 0]))
    population = Population(truth, np.random.default_rng([seed, 1]))
    sequential = ab_oracle(population.experiment, error=ERROR, smallest=SMALLEST)
    fixed = FixedSamples(population)
    oracles: dict[str, Oracle] = {SEQUENTIAL: sequential, FIXED: fixed, EXACT: SimulatedOracle(truth)}
    found = elicit(oracles[design], study.setting, method="adaptive", candidates=study.candidates, random_state=seed)
    savings = [float(truth.cost(question.second) - truth.cost(question.first)) for question, _ in found.history]
    answers = [answer for _, answer in found.history]
    costs = {name: float(truth.cost(rates)) for name, rates in study.candidates.items()}
    return Elicitation(
        design,
        users={SEQUENTIAL: [test.users for test in sequential.tests], FIXED: fixed.users, EXACT: []}[design],
        differences=np.abs(savings).tolist(),
        undecided=answers.count(None),
        wrong=sum(
            answer is not None and answer != (saving > 0) for answer, saving in zip(answers, savings, strict=True)
        ),
        found_best=costs[str(found.best)] <= min(costs.values()) + AS_GOOD,
    )


def measured(populations: int = POPULATIONS) -> dict[str, list[Elicitation]]:
    """Elicit the metrics of many populations by each design."""
    with ProcessPoolExecutor(2) as pool:
        return {design: list(pool.map(partial(elicited, design=design), range(populations))) for design in DESIGNS}


def report(results: dict[str, list[Elicitation]]) -> None:
    """Print questions, users, and how often the best model was found."""
    for design, runs in results.items():
        questions = [len(run.differences) for run in runs]
        users = [sum(run.users) for run in runs]
        asked, undecided, wrong = sum(questions), sum(run.undecided for run in runs), sum(run.wrong for run in runs)
        print(
            f"  {len(runs)} populations, {design}: median {np.median(questions):.0f} questions and "
            f"{np.median(users):,.0f} users (mean {np.mean(users):,.0f}); of all answers {undecided / asked:.1%} "
            f"undecided and {wrong / asked:.2%} wrong; a model within {AS_GOOD} of the best in "
            f"{np.mean([run.found_best for run in runs]):.0%}"
        )


def figure(results: dict[str, list[Elicitation]]) -> Any:
    """Draw the users of each question against the true difference, and of all questions together."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    from evenhand.experiments.figures import GREY, look, plain  # noqa: PLC0415

    drawn = Figure(figsize=(11, 4.4), layout="constrained")
    left, right = drawn.subplots(1, 2)
    for style, design in enumerate((SEQUENTIAL, FIXED)):
        dots = look(style) | {"linestyle": "", "markersize": 3.5, "alpha": 0.6, "markeredgewidth": 0}
        runs = results[design]
        left.plot(
            np.concatenate([run.differences for run in runs]),
            np.concatenate([run.users for run in runs]),
            label=design,
            **dots,
        )
        for run in runs:
            line = look(style) | {"marker": "", "linewidth": 0.8, "alpha": 0.5}
            right.plot(np.arange(len(run.users) + 1), np.cumsum([0, *run.users]) / 1e6, **line)
            right.plot(len(run.users), sum(run.users) / 1e6, **dots | {"alpha": 1.0})
    left.axvline(SMALLEST, color=GREY, linestyle=":", linewidth=1)
    left.annotate("smallest", (SMALLEST, 1.02), xycoords=("data", "axes fraction"), ha="center", color=GREY, fontsize=9)
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xlim(left=3e-4)
    left.set_xlabel("true difference in the share of good outcomes")
    left.set_ylabel("users of a question")
    right.set_xlabel("questions")
    right.set_ylabel("users so far, millions")
    for axes in (left, right):
        plain(axes)
    handles, labels = left.get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, markerscale=2)
    return drawn


def run() -> None:
    """Print what whole elicitations take."""
    report(measured())


if __name__ == "__main__":
    from evenhand.experiments.figures import save

    results = measured()
    report(results)
    save(figure(results), Path(sys.argv[1]), "population")
