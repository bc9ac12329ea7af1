"""The users that whole elicitations by A/B tests need, with sequential tests and with fixed samples.

`python -m bench.population docs/images` also draws the figure of docs/oracles.md.
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
from evenhand.study.demo.demo import demo_study

POPULATIONS = int(os.environ.get("EVENHAND_BENCH_PEOPLE", "40"))
ERROR, SMALLEST = 0.05, 0.01
BATCH = 250
"""The users of each arm between two looks at the test."""
AS_GOOD = 0.002
SEQUENTIAL, FIXED, EXACT = "sequential tests", "fixed samples", "exact answers"
DESIGNS = (SEQUENTIAL, FIXED, EXACT)


@dataclass(frozen=True, eq=False)
class Elicitation:
    """The questions of one elicitation.

    For each question: the users, those of a test with a fixed sample, and the true difference in good outcomes.
    """

    users: Sequence[int]
    planned: Sequence[int]
    differences: Sequence[float]
    undecided: int
    wrong: int
    found_best: bool


class Population:
    """Users whose outcome is good with probability 1 − Ψ, for the cost Ψ of the classifier that decides about them."""

    def __init__(self, metric: FairMetric, rng: np.random.Generator) -> None:
        self.metric = metric
        self._rng = rng

    def share(self, rates: GroupRates) -> float:
        """Return the share of good outcomes."""
        return 1 - float(self.metric.cost(rates))

    def experiment(self, first: StandInClassifier, second: StandInClassifier) -> Iterator[tuple[int, int, int, int]]:
        """Yield the counts of an A/B test, batch by batch, without end."""
        shares = (self.share(first.rates), self.share(second.rates))
        users, good = 0, np.zeros(2, dtype=int)
        while True:
            users += BATCH
            good += self._rng.binomial(BATCH, shares)
            yield users, int(good[0]), users, int(good[1])

    def planned(self, first: GroupRates, second: GroupRates) -> int:
        """Return the sample size for a difference of `SMALLEST`, given the mean of the two shares."""
        middle = (self.share(first) + self.share(second)) / 2
        return 2 * ceil(fixed_sample(middle + SMALLEST / 2, middle - SMALLEST / 2, error=ERROR, power=POWER) / 2)

    def fixed(self, first: GroupRates, second: GroupRates) -> bool | None:
        """Answer by one two-sided z-test after the planned number of users."""
        users = self.planned(first, second) // 2
        seen = self._rng.binomial(users, (self.share(first), self.share(second))) / users
        deviation = sqrt(2 * seen.mean() * (1 - seen.mean()) / users)
        clear = abs(seen[0] - seen[1]) > NormalDist().inv_cdf(1 - ERROR / 2) * deviation
        return bool(seen[0] > seen[1]) if clear else None


def elicited(seed: int, design: str) -> Elicitation:
    """Elicit the metric of one population, with the demo's 21 models as candidates."""
    study = demo_study()
    truth = FairMetric.random(study.setting, np.random.default_rng([seed, 0]))
    population = Population(truth, np.random.default_rng([seed, 1]))
    sequential = ab_oracle(population.experiment, error=ERROR, smallest=SMALLEST)
    oracles: dict[str, Oracle] = {SEQUENTIAL: sequential, FIXED: population.fixed, EXACT: SimulatedOracle(truth)}
    found = elicit(
        oracles[design],
        study.setting,
        method="adaptive",
        candidates=study.candidates,
        error=None if design == EXACT else ERROR,
        random_state=seed,
    )
    asked = [
        [GroupRates.from_vector(study.setting, side) for side in (question.first, question.second)]
        for question, _ in found.history
    ]
    planned = [population.planned(*pair) for pair in asked]
    savings = [population.share(first) - population.share(second) for first, second in asked]
    answers = [answer for _, answer in found.history]
    costs = {name: float(truth.cost(rates)) for name, rates in study.candidates.items()}
    return Elicitation(
        users={SEQUENTIAL: [test.users for test in sequential.tests], FIXED: planned, EXACT: []}[design],
        planned=planned,
        differences=np.abs(savings).tolist(),
        undecided=answers.count(None),
        wrong=sum(
            answer is not None and answer != (saving > 0) for answer, saving in zip(answers, savings, strict=True)
        ),
        found_best=found.best is not None and costs[found.best] <= min(costs.values()) + AS_GOOD,
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
    """Draw the users per question against those of a fixed sample, and the users per elicitation."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    from evenhand.experiments.figures import GREY, look, plain  # noqa: PLC0415

    drawn = Figure(figsize=(11, 4.2), layout="constrained")
    left, right = drawn.subplots(1, 2)
    runs = results[SEQUENTIAL]
    users, planned, differences = (
        np.concatenate([getattr(run, name) for run in runs]) for name in ("users", "planned", "differences")
    )
    dots = look(0) | {"linestyle": "", "markersize": 3.5, "alpha": 0.5, "markeredgewidth": 0}
    left.plot(differences, users / planned, **dots)
    left.axhline(1, **look(1) | {"marker": ""})
    left.axvline(SMALLEST, color=GREY, linestyle=":", linewidth=1)
    left.annotate("smallest", (SMALLEST, 1.02), xycoords=("data", "axes fraction"), ha="center", color=GREY)
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xlim(left=1e-3)
    left.set_title("A question", fontsize=11, loc="left")
    left.set_xlabel("true difference between the shares of good outcomes")
    left.set_ylabel("users, relative to a fixed sample")
    for style, design in enumerate((SEQUENTIAL, FIXED)):
        totals = sorted(sum(run.users) for run in results[design])
        share = (np.arange(len(totals)) + 0.5) / len(totals)
        right.plot(100 * share, totals, label=design, **look(style) | {"marker": ""})
    right.set_yscale("log")
    right.set_title("A whole elicitation", fontsize=11, loc="left")
    right.set_xlabel("populations with at most so many users, %")
    right.set_ylabel("users")
    for axes in (left, right):
        plain(axes)
    handles, labels = right.get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return drawn


def run() -> None:
    """Print the users that whole elicitations need."""
    report(measured())


if __name__ == "__main__":
    from evenhand.experiments.figures import save

    results = measured()
    report(results)
    save(figure(results), Path(sys.argv[1]), "population")
