"""One cell of the paper's grid: random oracles of equally many classes and groups, interviewed in lockstep.

Everything that another experiment varies (the tolerance, the noise, the sphere) is a field of the cell, so that the
recovery figure and the theorem's scaling are measured by the same few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from evenhand.checks.arrays import whole_number
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
from evenhand.elicitation.paper.shrink_interval import check_tolerance
from evenhand.elicitation.paper.violation import ViolationFound
from evenhand.elicitation.procedure import conduct
from evenhand.errors import EvenhandError
from evenhand.experiments.parallel import Progress, Tick, each
from evenhand.metric import FairMetric, MetricBatch
from evenhand.oracles import SimulatedOracle
from evenhand.rates import uniform_rates
from evenhand.region import Sphere, common_sphere, largest_radius
from evenhand.typing import Floats

BLOCK = 100
"""How many oracles are asked at once: enough to pay for a question's overhead, and the paper's number."""

FORMS = {method.name: method.form for method in (Paper, LeastSquares)}
SEARCHES = (*FORMS, Bisection.name)
"""The methods whose questions can be put to a whole block at once."""

_ROUNDING = 1 + 1e-9
_ENTRIES_WORTH_A_QUESTION = 11_500  # comparing so many gaps takes as long as posing one question (measured)
_QUESTIONS_PER_TICK = 100


@dataclass(frozen=True, kw_only=True)
class Noise:
    """How the simulated people go wrong; `SimulatedOracle` says what each option means."""

    band: float = 0.0
    adversarial: bool = False
    flip: float = 0.0
    temperature: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("band", self.band), ("temperature", self.temperature)):
            if value is not None and not isfinite(value):
                raise EvenhandError(f"{name} must be a finite number, but received {value!r}")
        self.oracle(MetricBatch.random(2, 2, 1, 0), 0)  # whose checks are then made before anything runs

    def __str__(self) -> str:
        """Say what is noisy, to follow a list of settings; nothing for people who answer rightly."""
        kinds = {"ε_Ω": self.band, "flips": self.flip, "temperature": self.temperature or 0.0}
        return "".join(f", {name} {value:g}" for name, value in kinds.items() if value)

    def oracle(self, metrics: FairMetric | MetricBatch, random_state: int | np.random.Generator) -> SimulatedOracle:
        """Return people who hold these metrics and answer with this noise."""
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
    """What is measured: so many random oracles with k classes and m groups, and how they are asked.

    `radius` None means the sphere of `common_sphere`, whose points are rates; a number is taken as given, on
    plain vectors.
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
        check_tolerance(self.tolerance)
        if self.radius is not None and self.radius > _ROUNDING / self.classes:
            raise EvenhandError(
                f"with {self.classes} classes a radius of {self.radius:g} is too large: beyond 1/k = "
                f"{1 / self.classes:g} rates become negative, gaps to a trivial classifier change their sign, and "
                "the cost is no longer linear on the sphere"
            )
        _ = self.sphere

    @property
    def sphere(self) -> Sphere:
        """Where the questions come from."""
        if self.radius is None:
            return common_sphere(self.classes)
        return Sphere(uniform_rates(self.classes), self.radius)

    @property
    def asks_about_rates(self) -> bool:
        """Whether every point of the sphere is a set of rates, rather than just a vector."""
        return self.sphere.radius <= largest_radius(self.classes) * _ROUNDING

    def blocks(self) -> list[Block]:
        """Split the oracles into blocks that are asked at once, the same ones whoever runs them."""
        return [
            Block(self, number, min(BLOCK, self.oracles - start))
            for number, start in enumerate(range(0, self.oracles, BLOCK))
        ]


@dataclass(frozen=True)
class Block:
    """Some of a cell's oracles; the random numbers depend on the seed, k, m and the block, and on nothing else."""

    cell: GridCell
    number: int
    size: int

    @property
    def work(self) -> float:
        """About how long this takes, in questions to one person."""
        return self.work_per_question * sum(
            questions_by_part(self.cell.classes, self.cell.groups, self.cell.tolerance).values()
        )

    @property
    def work_per_question(self) -> float:
        """How much longer a question takes because all of the block are asked."""
        k, m = self.cell.classes, self.cell.groups
        return 1 + self.size * m * (m - 1) / 2 * k * (k - 1) / _ENTRIES_WORTH_A_QUESTION

    def generators(self) -> list[np.random.Generator]:
        """Return the sources of the hidden metrics, of the noise, and of the noise in the trade-off asked again."""
        entropy = [self.cell.seed, self.cell.classes, self.cell.groups, self.number]
        return [np.random.default_rng(child) for child in np.random.SeedSequence(entropy).spawn(3)]

    def hidden_metrics(self) -> MetricBatch:
        """Draw the metrics to be found."""
        return MetricBatch.random(self.cell.classes, self.cell.groups, self.size, self.generators()[0])


@dataclass(frozen=True, eq=False)
class CellErrors:
    """How many questions each oracle was asked, and the three errors (3, oracles) in the order of `Distance`."""

    questions: int
    errors: Floats

    @classmethod
    def joined(cls, outcomes: Iterable[CellErrors]) -> CellErrors:
        """Put the blocks of a cell together: all are asked equally many questions."""
        parts = list(outcomes)
        return cls(parts[0].questions, np.concatenate([part.errors for part in parts], axis=1))


def measure_cells(
    cells: Sequence[GridCell], methods: Sequence[str], *, jobs: int = 1, progress: Progress | None = None
) -> list[dict[str, CellErrors]]:
    """Measure every cell with every method, in the order of the cells; the largest blocks of work are done first."""
    if not cells or not methods:
        raise EvenhandError("there is nothing to measure: give at least one cell and one method")
    for method in methods:
        if method not in SEARCHES:
            raise EvenhandError(f"method must be one of {', '.join(map(repr, SEARCHES))}, but received {method!r}")
    blocks = [(place, block) for place, cell in enumerate(cells) for block in cell.blocks()]
    blocks.sort(key=lambda placed: -placed[1].work)
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
    """Run every method on every oracle of the block and compare what it found with what they hold.

    The forms of the paper's method ask the same questions up to λ. So these are asked once: the paper's own form runs
    from end to end, and any other solves B from the slopes that were found, and then asks about λ with the B it has.
    Each is thus judged on the same metrics and the same answers.
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
    """Solve B in another way from the slopes of a finished run, and ask about λ with it."""
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
    """Counts the questions of an interview, and says every now and then how much was done."""

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
