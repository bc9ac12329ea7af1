"""The paper's claim about finite samples: metrics elicited on ever larger samples approach that of the population.

The population has two classes and two groups. In each group, scores have a normal distribution for each class, so that
P(class | score) is known. Each respondent is interviewed twice by the same method: about the rates of classifiers on
the population, and about the rates of the same classifiers on a labelled sample of n people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import listed, shown
from evenhand.elicitation import Elicited, elicit
from evenhand.errors import EvenhandError
from evenhand.experiments.cell import SEARCHES
from evenhand.experiments.rows import SYMBOLS
from evenhand.metric import FairMetric
from evenhand.oracles import SimulatedOracle, sample_oracle
from evenhand.region import FeasibleRegion
from evenhand.typing import Floats

SIZES = (300, 1_000, 3_000, 10_000, 30_000)
_POPULATION = 20_000
_SEPARATION = (1.5, 2.5)
_SHARES = (0.6, 0.3)
"""P(class 1) in each group."""


@dataclass(frozen=True, eq=False)
class SampleSize:
    """Metrics elicited by one method on samples of one size: their distances (3, respondents) from the population's."""

    people_in_sample: int
    method: str
    distances: Floats

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "people_in_sample": self.people_in_sample,
            "method": self.method,
            "interviews": self.distances.shape[1],
            **{
                part: {"median": float(np.median(of)), "p90": float(np.quantile(of, 0.9))}
                for part, of in zip(SYMBOLS, self.distances, strict=True)
            },
        }


@dataclass(frozen=True, eq=False)
class _Population:
    chances: Floats
    group: Any

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> _Population:
        group = np.arange(_POPULATION) % 2
        share, separation = np.array(_SHARES)[group], np.array(_SEPARATION)[group]
        score = rng.normal(size=_POPULATION) + separation * (rng.random(_POPULATION) < share)
        odds = share / (1 - share) * np.exp(separation * score - separation**2 / 2)
        return cls(np.column_stack([1 / (1 + odds), odds / (1 + odds)]), group)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Floats, Any, Any]:
        who = rng.integers(_POPULATION, size=n)
        labels = (rng.random(n) < self.chances[who, 1]).astype(int)
        return self.chances[who], labels, self.group[who]


def samples(
    *,
    sizes: Sequence[int] = SIZES,
    methods: Sequence[str] = ("paper", "bisection"),
    respondents: int = 10,
    tolerance: float = 1e-3,
    seed: int = 0,
    progress: Callable[[float], object] | None = None,
) -> list[SampleSize]:
    """Interview simulated respondents about samples of each size and about the population, and compare the metrics."""
    for size in sizes:
        whole_number(size, "sizes", 50)
    whole_number(respondents, "respondents", 1)
    whole_number(seed, "seed", 0)
    if not sizes or not methods or any(method not in SEARCHES for method in methods):
        raise EvenhandError(f"methods must be some of {listed(SEARCHES)}, but received {shown(methods)}")
    population = _Population.drawn(np.random.default_rng([seed, 0]))
    region = FeasibleRegion.from_scores(population.chances, sensitive_features=population.group)
    say = progress or (lambda _: None)
    results, done = [], 0
    for method in methods:
        told: list[list[tuple[float, ...]]] = [[] for _ in sizes]
        for person in range(respondents):
            metric = FairMetric.random(region.setting, np.random.default_rng([seed, 1, person]))
            oracle = SimulatedOracle(metric)
            whole = _asked(oracle, region, method, tolerance)
            for place, size in enumerate(sizes):
                chances, labels, group = population.sample(size, np.random.default_rng([seed, 2, person, size]))
                on_sample = sample_oracle(oracle, region, chances, labels, sensitive_features=group)
                learned = _asked(on_sample, region, method, tolerance)
                told[place].append(tuple(learned.metric.distance(whole.metric)))
                done += 1
                say(done / (len(sizes) * respondents * len(methods)))
        results += [SampleSize(size, method, np.array(of).T) for size, of in zip(sizes, told, strict=True)]
    return results


def _asked(oracle: Any, region: FeasibleRegion, method: str, tolerance: float) -> Elicited:
    return elicit(oracle, region.setting, method=method, tolerance=tolerance, region=region)
