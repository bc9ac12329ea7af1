"""People side by side as the owner's page shows them: every weight as a strip with a dot for each person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evenhand.elicitation import Choice
from evenhand.study.people import FinishedInterview, People
from evenhand.web.views.weight_rows import WeightRow, WeightRows
from evenhand.wording.numerals import a_cost, percent, plural

WIDTH = 100
_LINE = 7


@dataclass(frozen=True)
class Dot:
    """One person's estimate, and where it lies with the probability of the interval."""

    number: int
    value: float
    low: float
    high: float
    y: int


@dataclass(frozen=True)
class Strip:
    """One weight of all people, on a scale from 0 to the largest that is shown beside it."""

    words: str
    kind: str
    dots: tuple[Dot, ...]
    height: int
    low: str
    high: str
    apart: str


@dataclass(frozen=True)
class ModelShare:
    """For how many people a model is the best, and the largest regret of it."""

    name: str
    people: int
    regret: str


@dataclass(frozen=True)
class PersonLine:
    """One person: the number and, where names are kept, the label; the best model and how sure that is."""

    number: int
    label: str
    best: str
    certainty: str


@dataclass(frozen=True)
class SideBySide:
    """The whole page."""

    heading: str
    summary: tuple[str, ...]
    shares: tuple[ModelShare, ...]
    people: tuple[PersonLine, ...]
    left_out: tuple[tuple[str, str], ...]
    charts: tuple[tuple[str, tuple[Strip, ...]], ...]
    level: float
    agreement: str
    divided: str

    @property
    def has_labels(self) -> bool:
        """Whether names are kept of anybody in the table."""
        return any(person.label for person in self.people)

    @classmethod
    def of(cls, people: People) -> SideBySide:
        """Put the people of a study into words and strips."""
        number, best = len(people.people), people.best_for
        rows = [WeightRows.of(people.study, person.finding) for person in people.people]
        return cls(
            heading=_heading(number, best, len(people.left_out)),
            summary=tuple(_summary(people)),
            shares=tuple(ModelShare(name, of, a_cost(people.regret(name))) for name, of in best.items()),
            people=tuple(
                PersonLine(
                    person.number,
                    person.label or "",
                    person.best,
                    _certainty(person.finding.choice),
                )
                for person in people.people
            ),
            left_out=tuple((_called(person), person.finding.verdict.kind) for person in people.left_out),
            charts=tuple(_charts([person.number for person in people.people], rows)),
            level=max((row.level for row in rows), default=0.0),
            agreement=_agreement(people),
            divided=_divided(people),
        )


def _called(person: FinishedInterview) -> str:
    return f"{person.number}" if person.label is None else f"{person.number}, {person.label}"


def _heading(number: int, best: dict[str, int], left_out: int) -> str:
    if not best:
        return "No answers are a basis for a decision yet." if left_out else "Nobody has finished yet."
    name, most = next(iter(best.items()))
    if number == 1:
        return f"One person has finished, whose answers favour “{name}”."
    who = "people whose answers are a basis for a decision" if left_out else "people who have finished"
    return f"“{name}” is the best for {most} of {number} {who}."


def _certainty(choice: Choice | None) -> str:
    """Return how certain a favourite is and, where that is less, how certain its small test set leaves it."""
    if choice is None or choice.best_certainty is None:
        return ""
    tested = choice.tested_below
    return percent(choice.best_certainty) + (f"; allowing for the small test set: {tested}" if tested else "")


def _summary(people: People) -> Iterable[str]:
    yield f"{plural(people.answers, 'answer')}. Each line is one person, by number."
    if people.left_out:
        some = len(people.left_out)
        verb = "interview is" if some == 1 else "interviews are"
        yield f"{some} finished {verb} left out, because the answers are no basis for a decision: see below."
    if people.of_other_models:
        earlier = plural(people.of_other_models, "finished interview")
        yield f"{earlier} of an earlier version, which had other models, cannot be compared with these."


def _charts(numbers: Sequence[int], rows: Sequence[WeightRows]) -> Iterable[tuple[str, tuple[Strip, ...]]]:
    if not rows:
        return
    called = rows[0].called
    yield called.cost_of_mistakes, _strips(numbers, [row.mistakes for row in rows])
    if rows[0].violation:
        yield called.cost_of_violation, _strips(numbers, [row.violation for row in rows])
        trade_off = [(row.trade_off,) for row in rows]
        yield f"Mistakes or {rows[0].trade_off.words}: which counts more?", _strips(numbers, trade_off, whole=True)


def _strips(
    numbers: Sequence[int], weights: Sequence[tuple[WeightRow, ...]], *, whole: bool = False
) -> tuple[Strip, ...]:
    most = 1.0 if whole else max(weight.high for of_person in weights for weight in of_person) or 1.0
    return tuple(_strip(numbers, of_weight, most, whole=whole) for of_weight in zip(*weights, strict=True))


def _strip(numbers: Sequence[int], weights: Sequence[WeightRow], most: float, *, whole: bool) -> Strip:
    in_order = sorted(zip(numbers, weights, strict=True), key=lambda one: one[1].value)
    pairs = list(combinations(weights, 2))
    apart = sum(one.high < other.low or other.high < one.low for one, other in pairs)
    return Strip(
        words=weights[0].words,
        kind=weights[0].kind,
        dots=tuple(
            Dot(
                number,
                WIDTH * weight.value / most,
                WIDTH * weight.low / most,
                WIDTH * weight.high / most,
                _LINE * (at + 1),
            )
            for at, (number, weight) in enumerate(in_order)
        ),
        height=_LINE * (len(weights) + 1),
        low="only mistakes" if whole else "0",
        high=f"only {weights[0].words}" if whole else f"{most:.2f}",
        apart=_apart(apart, len(pairs)),
    )


def _apart(apart: int, pairs: int) -> str:
    if not pairs:
        return ""
    if not apart:
        return "no two people differ clearly"
    return f"{'people' if pairs == 1 else f'{apart} of {pairs} pairs of people'} differ clearly"


def _agreement(people: People) -> str:
    if people.agreement is None:
        return ""
    return (
        f"Kendall's τ between two people's orders of the models is {people.agreement:.2f} on average: 1 is the same "
        "order, −1 the reverse, and 0 what chance would give."
    )


def _divided(people: People) -> str:
    pair = people.most_divided
    if pair is None:
        return "" if len(people.people) < 2 else "All people have every two models in the same order."
    return f"“{pair.first}” or “{pair.second}”: {pair.for_first} would take the first, {pair.for_second} the second."
