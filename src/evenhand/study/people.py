"""People side by side: what each finished interview of a study favours, where people agree, and where they do not.

People are numbered by the hash that the store calls their interview, so that a number says nothing about who was
invited first, or who answered last. How many answers somebody gave is not said of a person either, since the owner sees
how many were given by each invitation. Nobody is named, but by the label of their own invitation, where the version of
the study with which they began says that names are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.checks.documents import Format
from evenhand.elicitation import Finding
from evenhand.elicitation.codec import finding_document, read_finding
from evenhand.ranking import rank
from evenhand.study.invitations import labels_of
from evenhand.study.log.events import ANSWERED, BEGUN, FOUND, UNDONE, Event
from evenhand.study.log.schema import log
from evenhand.study.log.tables import events_where
from evenhand.study.store import Store
from evenhand.study.study import Study, digest_of
from evenhand.typing import Floats

PEOPLE_FORMAT = Format(
    name="evenhand.people",
    what="result of a study",
    fields=("study", "title", "models", "people", "left_out", "agreement", "most_divided"),
)


@dataclass(frozen=True, eq=False)
class FinishedInterview:
    """One finished interview; `label` is that of its invitation, where names are kept."""

    number: int
    label: str | None
    finding: Finding
    answers: int
    order: tuple[str, ...]

    @property
    def best(self) -> str:
        """The model that the answers favour."""
        return self.order[0] if self.finding.choice is None else self.finding.choice.best

    @property
    def certainty(self) -> float | None:
        """How probable it is that no other model is clearly better for this person."""
        return None if self.finding.choice is None else self.finding.choice.best_certainty


@dataclass(frozen=True)
class Division:
    """A pair of models, and how many people would rather take the first, and the second."""

    first: str
    second: str
    for_first: int
    for_second: int


@dataclass(frozen=True, eq=False)
class People:
    """The finished interviews of a study about its models as they are now.

    Attributes
    ----------
    study
        The newest version of the study.
    people
        Those whose answers are a basis for a decision.
    left_out
        Those whose answers are not: their verdicts say why.
    of_other_models
        How many finished an earlier version that had other models.
    """

    study: Study
    people: tuple[FinishedInterview, ...]
    left_out: tuple[FinishedInterview, ...]
    of_other_models: int

    @classmethod
    def of(cls, store: Store, slug: str) -> People:
        """Read them from a store."""
        study = store.study(slug)
        with store.database.reading() as connection:
            versions = {
                digest_of(event.detail): event.detail
                for event in events_where(connection, log.c.study == slug, log.c.interview.is_(None))
            }
            kinds = log.c.kind.in_((BEGUN, ANSWERED, UNDONE, FOUND))
            events = events_where(connection, log.c.study == slug, log.c.interview.is_not(None), kinds)
            labels = labels_of(connection, slug)
        read = {digest: Study.from_json(text) for digest, text in versions.items()}
        same = {digest: one.names_kept for digest, one in read.items() if _has_same_models(one, study)}
        interviews: dict[str, list[Event]] = {}
        for event in events:
            interviews.setdefault(str(event.interview), []).append(event)
        finished = [interviews[name] for name in sorted(interviews) if interviews[name][-1].kind == FOUND]
        begun_with = [(one, json.loads(one[0].detail).get("study")) for one in finished]
        counted = [(one, same[digest]) for one, digest in begun_with if digest in same]
        everybody = [
            _person(number, labels.get(str(one[0].interview)) if names_kept else None, study, one)
            for number, (one, names_kept) in enumerate(counted, 1)
        ]
        return cls(
            study=study,
            people=tuple(one for one in everybody if one.finding.verdict.decided),
            left_out=tuple(one for one in everybody if not one.finding.verdict.decided),
            of_other_models=len(finished) - len(counted),
        )

    @property
    def answers(self) -> int:
        """How many answers these people gave."""
        return sum(person.answers for person in self.people)

    @property
    def best_for(self) -> dict[str, int]:
        """For how many people each model is the best, the most often best first; only models that are the best."""
        count: dict[str, int] = {}
        for person in self.people:
            count[person.best] = count.get(person.best, 0) + 1
        return dict(sorted(count.items(), key=lambda item: -item[1]))

    @cached_property
    def costs(self) -> Floats:
        """What each model costs each person, (people, models)."""
        models = list(self.study.candidates.values())
        return np.array([[person.finding.metric.cost(model) for model in models] for person in self.people])

    def regret(self, model: str) -> float:
        """Return how much more a model costs than the best one, for the person who would regret it most."""
        at = list(self.study.candidates).index(model)
        return float((self.costs[:, at] - self.costs.min(axis=1)).max())

    @cached_property
    def compared(self) -> tuple[NDArray[np.float64], tuple[int, int] | None]:
        """Kendall's τ between the orders of every two people, and the pair of models that divides people most.

        A person's order has no ties. Between pairs that divide people alike, the one whose costs differ most decides.
        """
        places = _places(self.people, list(self.study.candidates))
        people, models = places.shape
        agreement = np.zeros((people, people))
        most: tuple[float, float] | None = None
        divided = None
        for i in range(models - 1):
            prefers = np.sign(places[:, i + 1 :] - places[:, [i]])
            agreement += prefers @ prefers.T
            balance = np.abs(prefers.sum(axis=0))
            differ = np.abs(self.costs[:, i + 1 :] - self.costs[:, [i]]).sum(axis=0)
            at = min(range(balance.size), key=lambda j: (balance[j], -differ[j]))
            if most is None or (balance[at], -differ[at]) < most:
                most, divided = (balance[at], -differ[at]), (i, i + 1 + at)
        return agreement / max(1, models * (models - 1) / 2), divided

    @property
    def agreement(self) -> float | None:
        """Kendall's τ between two people's orders of the models, on average over all pairs of people."""
        if len(self.people) < 2:
            return None
        return float(self.compared[0][np.triu_indices(len(self.people), 1)].mean())

    @property
    def most_divided(self) -> Division | None:
        """The pair of models that people are most divided on; None if all agree on every pair."""
        if len(self.people) < 2 or self.compared[1] is None:
            return None
        names, (i, j) = list(self.study.candidates), self.compared[1]
        places = _places(self.people, names)
        for_first = int((places[:, i] < places[:, j]).sum())
        if for_first in {0, len(self.people)}:
            return None
        return Division(names[i], names[j], for_first, len(self.people) - for_first)

    def to_document(self) -> dict[str, Any]:
        """Return everything as JSON holds it."""
        divided = self.most_divided
        return PEOPLE_FORMAT.write(
            study=self.study.slug,
            title=self.study.title,
            models=[
                {"name": name, "best_for": self.best_for.get(name, 0), "largest_regret": self.regret(name)}
                for name in (self.study.candidates if self.people else ())
            ],
            people=[_document(person) for person in self.people],
            left_out=[_document(person) for person in self.left_out],
            agreement=self.agreement,
            most_divided=None
            if divided is None
            else {
                "first": divided.first,
                "second": divided.second,
                "for_first": divided.for_first,
                "for_second": divided.for_second,
            },
        )


def _person(number: int, label: str | None, study: Study, events: Sequence[Event]) -> FinishedInterview:
    finding = read_finding(json.loads(events[-1].detail))
    known = finding.choice.ranking if finding.choice is not None else ()
    undone = sum(event.kind == UNDONE for event in events)
    return FinishedInterview(
        number=number,
        label=label,
        finding=finding,
        answers=sum(event.kind == ANSWERED for event in events) - undone,
        order=known or rank(finding.metric, study.candidates).names,
    )


def _places(people: Sequence[FinishedInterview], models: Sequence[str]) -> Floats:
    """Return the place of each model in each person's order, (people, models)."""
    orders = [{name: place for place, name in enumerate(person.order)} for person in people]
    return np.array([[order[name] for name in models] for order in orders], dtype=np.float64)


def _has_same_models(one: Study, other: Study) -> bool:
    return one.setting == other.setting and dict(one.candidates) == dict(other.candidates)


def _document(person: FinishedInterview) -> dict[str, Any]:
    finding = finding_document(person.finding)
    return {
        "number": person.number,
        "label": person.label,
        "verdict": person.finding.verdict.kind,
        "best": person.best,
        "best_certainty": person.certainty,
        "tested_certainty": None if person.finding.choice is None else person.finding.choice.tested_certainty,
        "order": list(person.order),
        "metric": finding["metric"],
        "uncertainty": finding["uncertainty"],
    }
