"""One cell of the paper's grid: random oracles with the same numbers of classes and groups, interviewed in lockstep.

What an experiment varies (the tolerance, the noise, the sphere) is a field of the cell, so that the recovery grid
and the scaling of the theorem are measured by the same code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from evenhand.checks.arrays import number, whole_number
from evenhand.elicitation import (
    Answer,
    Bisection,
    LeastSquares,
    Paper,
    Procedure,
    Question,
    WeightsFound,
    fair_performance,
    questions_by_part,
)
from evenhand.elicitation.methods.bisection import fair_performance_by_bisection
from evenhand.elicitation.paper.shrink_interval import checked_tolerance
from evenhand.elicitation.paper.violation import ViolationFound
from evenhand.elicitation.procedure import conduct
from evenhand.errors import EvenhandError
from evenhand.experiments.parallel import Progress, Tick, each
from evenhand.metric import FairMetric, MetricBatch
from evenhand.oracles import SimulatedOracle
from evenhand.rates import uniform_rates
from evenhand.rates.ties import ROUNDING
from evenhand.region import Sphere, common_sphere, largest_radius
from evenhand.typing import Floats

BLOCK = 100
"""How many oracles are asked at once: enough to amortise a question's overhead, and the paper's number of oracles."""

FORMS = {method.name: method.form for method in (Paper, LeastSquares)}
SEARCHES = (*FORMS, Bisection.name)
"""The methods whose questions can be put to a whole block at once."""

_ENTRIES_WORTH_A_QUESTION = 11_500  # comparing this many gaps takes as long as asking one question (measured)
_QUESTIONS_PER_TICK = 100


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The mistakes of simulated respondents; `SimulatedOracle` explains each option."""

    band: float = 0.0
    adversarial: bool = False
    flip: float = 0.0
    temperature: float | None = None

    def __post_init__(self) -> None:
        number(self.band, "band", "a finite number that is not negative", lambda value: 0 <= value < inf)
        if self.temperature is not None:
            number(self.temperature, "temperature", "a finite positive number", lambda value: 0 < value < inf)
        half = "a probability from 0 to 0.5, since more flips than that are the answers of the opposite preference"
        number(self.flip, "flip", half, lambda value: 0 <= value <= 0.5)

    def __str__(self) -> str:
        """Return the noise as text to append to a list of settings; "" if there is none."""
        kinds = {"ε_Ω": self.band, "flips": self.flip, "temperature": self.temperature or 0.0}
        return "".join(f", {name} {value:g}" for name, value in kinds.items() if value)

    def oracle(self, metrics: FairMetric | MetricBatch, random_state: int | np.random.Generator) -> SimulatedOracle:
        """Return an oracle that answers by these metrics with this noise."""
        return SimulatedOracle(
            metrics,
            band=self.band,
            adversarial=self.adversarial,
            flip=self.flip,
            temperature=self.temperature,
            random_state=random_state,
        )


@dataclass(frozen=True, kw_only=True)
class GridCell:
    """What to measure: a number of random oracles with k classes and m groups, and how to ask them.

    With `radius` None, questions come from `common_sphere`, whose points are rates. Any other radius is used as given,
    even if some points are then vectors that are not rates.
    """

    classes: int
    groups: int
    oracles: int = 100
    tolerance: float = 1e-3
    radius: float | None = None
    noise: Noise = field(default_factory=Noise)
    seed: int = 0

    def __post_init__(self) -> None:
        whole_number(self.classes, "classes", 2)
        whole_number(self.groups, "groups", 2)
        whole_number(self.oracles, "oracles", 1)
        whole_number(self.seed, "seed", 0)
        checked_tolerance(self.tolerance)
        if self.radius is not None and self.radius > (1 + ROUNDING) / self.classes:
            raise EvenhandError(
                f"with {self.classes} classes a radius of {self.radius:g} is too large: beyond 1/k = "
                f"{1 / self.classes:g} rates become negative, gaps to a trivial classifier change their sign, and "
                "the cost is no longer linear on the sphere"
            )
        _ = self.sphere

    @property
    def sphere(self) -> Sphere:
        """The sphere that the questions come from."""
        if self.radius is None:
            return common_sphere(self.classes)
        return Sphere(uniform_rates(self.classes), self.radius)

    @property
    def asks_about_rates(self) -> bool:
        """Whether every point of the sphere is a set of rates, not just a vector."""
        return self.sphere.radius <= largest_radius(self.classes) * (1 + ROUNDING)

    def blocks(self) -> list[Block]:
        """Split the oracles into blocks that are asked at once; the blocks do not depend on the number of jobs."""
        return [
            Block(self, number, min(BLOCK, self.oracles - start))
            for number, start in enumerate(range(0, self.oracles, BLOCK))
        ]


@dataclass(frozen=True)
class Block:
    """Some of a cell's oracles; their random numbers depend only on the seed, k, m and the block's number."""

    cell: GridCell
    number: int
    size: int

    @property
    def work(self) -> float:
        """About how long this takes, in units of one question to one oracle."""
        return self.work_per_question * sum(
            questions_by_part(self.cell.classes, self.cell.groups, self.cell.tolerance).values()
        )

    @property
    def work_per_question(self) -> float:
        """How long one question to the whole block takes, in units of one question to one oracle."""
        k, m = self.cell.classes, self.cell.groups
        return 1 + self.size * m * (m - 1) / 2 * k * (k - 1) / _ENTRIES_WORTH_A_QUESTION

    def generators(self) -> list[np.random.Generator]:
        """Return generators of the hidden metrics, of the noise, and of the noise when the trade-off is asked again."""
        entropy = [self.cell.seed, self.cell.classes, self.cell.groups, self.number]
        return [np.random.default_rng(child) for child in np.random.SeedSequence(entropy).spawn(3)]

    def hidden_metrics(self) -> MetricBatch:
        """Draw the hidden metrics."""
        return MetricBatch.random(self.cell.classes, self.cell.groups, self.size, self.generators()[0])


@dataclass(frozen=True, eq=False)
class CellErrors:
    """The number of questions to each oracle, and the errors (3, oracles) in the order of `Distance`."""

    questions: int
    errors: Floats

    @classmethod
    def joined(cls, outcomes: Iterable[CellErrors]) -> CellErrors:
        """Join the blocks of a cell, which all have the same number of questions."""
        parts = list(outcomes)
        return cls(parts[0].questions, np.concatenate([part.errors for part in parts], axis=1))


def measure_cells(
    cells: Sequence[GridCell], methods: Sequence[str], *, jobs: int = 1, progress: Progress | None = None
) -> list[dict[str, CellErrors]]:
    """Measure every cell with every method, and return the results in the order of the cells."""
    if not cells or not methods:
        raise EvenhandError("nothing to measure: give at least one cell and one method")
    for method in methods:
        if method not in SEARCHES:
            raise EvenhandError(f"method must be one of {', '.join(map(repr, SEARCHES))}, but received {method!r}")
    blocks = [(place, block) for place, cell in enumerate(cells) for block in cell.blocks()]
    blocks.sort(key=lambda placed: -placed[1].work)  # the longest first
    work = [(block, tuple(methods)) for _, block in blocks]
    done = each(measure, work, jobs=jobs, total=sum(block.work for _, block in blocks), progress=progress)

    parts: list[list[tuple[int, dict[str, CellErrors]]]] = [[] for _ in cells]
    for (place, block), outcome in zip(blocks, done, strict=True):
        parts[place].append((block.number, outcome))
    return [
        {
            method: CellErrors.joined(part[method] for _, part in sorted(of_cell, key=lambda p: p[0]))
            for method in methods
        }
        for of_cell in parts
    ]


def measure(tick: Tick, block: Block, methods: Iterable[str]) -> dict[str, CellErrors]:
    """Run every method on every oracle of the block, and measure the errors of the metrics found.

    The forms of the paper's method ask the same questions up to λ, so these are asked only once: the paper's own form
    runs from end to end. Any other form then solves for B from the same slopes, and asks about λ with that B. So all
    forms are compared on the same metrics and the same answers.
    """
    cell, hidden = block.cell, block.hidden_metrics()
    outcomes = {}
    paper: tuple[WeightsFound, Counter[str]] | None = None
    for method in methods:
        if method == Bisection.name:
            watch = _Watch(block)
            searching = fair_performance_by_bisection(hidden.tau, cell.sphere, tolerance=cell.tolerance)
            found = watch.interview(searching, cell.noise.oracle(hidden, block.generators()[1]))
            outcomes[method] = CellErrors(watch.asked.total(), _errors(hidden, found))
            continue
        if paper is None:
            watch = _Watch(block, tick)
            searching = fair_performance(hidden.tau, cell.sphere, tolerance=cell.tolerance)
            paper = watch.interview(searching, cell.noise.oracle(hidden, block.generators()[1])), watch.asked
        outcomes[method] = _another_form(block, hidden, method, *paper)
    return outcomes


def _another_form(
    block: Block, hidden: MetricBatch, method: str, found: WeightsFound, asked: Counter[str]
) -> CellErrors:
    """Solve for B by another form from the slopes of a finished run, and ask about λ with that B."""
    if method == "paper" or found.violation_found is None or found.violation_found.slopes is None:
        return CellErrors(asked.total(), _errors(hidden, found))
    cell, again = block.cell, _Watch(block)
    a, slopes = found.weights.misclassification, found.violation_found.slopes
    only_trade_off = fair_performance(
        hidden.tau,
        cell.sphere,
        tolerance=cell.tolerance,
        form=FORMS[method],
        given_misclassification=a,
        given_violation=ViolationFound.of(slopes.solved(hidden.tau, a, FORMS[method].unscaled), slopes).weights,
    )
    refound = again.interview(only_trade_off, cell.noise.oracle(hidden, block.generators()[2]))
    return CellErrors(asked.total() - asked["trade_off"] + again.asked.total(), _errors(hidden, refound))


class _Watch:
    """Counts the questions of an interview, and reports progress from time to time."""

    def __init__(self, block: Block, tick: Tick | None = None) -> None:
        self.asked: Counter[str] = Counter()
        self._tick = tick
        self._work = block.work_per_question

    def interview(self, procedure: Procedure[WeightsFound], oracle: SimulatedOracle) -> WeightsFound:
        def answer_to(question: Question) -> Answer:
            self.asked[question.part] += 1
            if self._tick is not None and oracle.questions % _QUESTIONS_PER_TICK == 0:
                self._tick(_QUESTIONS_PER_TICK * self._work)
            answer: Answer = oracle(question.first, question.second)
            return answer

        return conduct(procedure, answer_to)


def _errors(hidden: MetricBatch, found: WeightsFound) -> Floats:
    return hidden.weights.distance(found.weights)
