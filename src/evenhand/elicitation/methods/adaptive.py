"""The adaptive method with its options, checked before the first question is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from math import floor, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import generator, number, whole_number
from evenhand.checks.messages import expect, listed
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.goals import BestCandidate, Goal, RankingGoal, WeightsGoal
from evenhand.elicitation.adaptive.interviewer import Interviewer
from evenhand.elicitation.adaptive.pools import PairPool, RegionPool, SpherePool
from evenhand.elicitation.adaptive.summary import verdict
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.inference.likelihood import ResponsePrior
from evenhand.elicitation.paper.shrink_interval import check_tolerance
from evenhand.elicitation.procedure import step
from evenhand.elicitation.question import Answer, Procedure, Question
from evenhand.errors import EvenhandError
from evenhand.metric.prior import Mistakes, Prior
from evenhand.rates import GroupRates, Setting
from evenhand.rates.rounding import whole_people
from evenhand.rates.ties import ROUNDING
from evenhand.region import FeasibleRegion, Sphere, sphere_for
from evenhand.typing import Floats

STOPS = ("best", "ranking", "weights", "budget")
_QUESTIONS_ABOUT_CANDIDATES = 60
_QUESTIONS_PER_WEIGHT = 20


@dataclass(frozen=True, eq=False, kw_only=True)
class AdaptivePlan:
    """What will be asked, and until when; `evenhand.elicit` says what each option means."""

    setting: Setting
    equal_pairs: bool = False
    gaps_in: Mistakes | None = None
    cost_order: Mistakes | None = None
    misclassification: ArrayLike | None = None
    violation: ArrayLike | None = None
    candidates: Mapping[str, GroupRates] | None = None
    stop: str | None = None
    confidence: float = 0.95
    max_questions: int | None = None
    tolerance: float = 0.1
    radius: float | None = None
    region: FeasibleRegion | None = None
    people: int | None = None
    visible: float = 0.0
    error: float | None = None
    particles: int = 800
    random_state: int | np.random.Generator | None = None
    prior: Prior = field(init=False)
    seed: int = field(init=False)

    def __post_init__(self) -> None:
        expect(self.setting, "setting", Setting)
        check_tolerance(self.tolerance)
        if self.stop is not None and not (isinstance(self.stop, str) and self.stop in STOPS):
            raise EvenhandError(f"stop must be one of {', '.join(map(repr, STOPS))}, but received {self.stop!r}")
        if self.stop in {"best", "ranking"} and self.candidates is None:
            raise EvenhandError(
                f"stop={self.stop!r} is about candidates, but none were given: give candidates, or take stop='weights'"
            )
        number(self.confidence, "confidence", "a number between 0 and 1", lambda value: 0 < value < 1)
        number(self.visible, "visible", "a difference of rates from 0 to less than 1", lambda value: 0 <= value < 1)
        if self.error is not None:
            number(self.error, "error", "a probability from 0 to less than 0.5", lambda value: 0 <= value < 0.5)
        for name, least in (("max_questions", 1), ("people", 2), ("particles", 100)):
            if getattr(self, name) is not None:
                whole_number(getattr(self, name), name, least)
        if self.stop == "budget" and self.max_questions is None:
            raise EvenhandError("stop='budget' needs max_questions: how many questions to ask")
        known = ("equal_pairs", "gaps_in", "cost_order", "misclassification", "violation")
        prior = Prior.of(self.setting, **{name: getattr(self, name) for name in known})
        object.__setattr__(self, "prior", prior)
        sphere = sphere_for(self.setting, self.radius, self.region)
        self._check_visible(sphere)
        rounding = self._moved_by_rounding(sphere)
        if rounding >= sphere.radius and (self.radius is not None or self.candidates is not None):
            raise EvenhandError(
                f"people is {self.people}: rounding to whole people may move rates by {rounding:.3g}, and so out of "
                f"the sphere that is within reach, whose radius is {sphere.radius:.3g}. Take more than "
                f"{floor(sqrt(sphere.dimension) / sphere.radius)} people, or leave it out"
            )
        # Drawn once, so that every run of this plan is the same.
        seed = generator(self.random_state).integers(2**62)
        object.__setattr__(self, "seed", int(seed))

    def _check_visible(self, sphere: Sphere) -> None:
        """Refuse to ask where nobody could tell anything apart; what a region offers is known when it is searched."""
        if self.region is not None and self.radius is None:
            return
        steps = sphere.radius * np.eye(sphere.dimension)
        ends = np.concatenate([sphere.center + steps, sphere.center - steps])[:, None]
        everyone_alike = np.broadcast_to(ends, (2 * len(steps), len(self.setting.groups), len(steps)))
        self._expect_visible(everyone_alike, f"points of a sphere of radius {sphere.radius:.3g}")

    def _expect_visible(self, profiles: Floats, what: str) -> None:
        """Refuse profiles (n, m, q) of which, and of the candidates, no two can be told apart as they are shown."""
        candidates = self._candidates()
        every = [profiles] if candidates is None else [profiles, candidates.profiles]
        shown = every if self.people is None else [whole_people(each, self.people) for each in every]
        most = max(float(np.ptp(each, axis=0).max()) for each in shown)
        if most < max(self.visible - ROUNDING, ROUNDING):
            also = "" if candidates is None else " and no two candidates"
            rounded = "" if self.people is None else f" in whole people of {self.people}"
            raise EvenhandError(
                f"no two {what}{also} differ by more than {most:.3g}{rounded}, and visible is {self.visible}: nobody "
                "could tell them apart. Take more people, or a smaller visible difference"
            )

    def _candidates(self) -> Candidates | None:
        return None if self.candidates is None else Candidates.of(self.candidates, self.setting, self.prior.family)

    def _sphere(self) -> Sphere:
        """Return the sphere, drawn in where points of it are rounded to whole people and must stay within reach."""
        sphere = sphere_for(self.setting, self.radius, self.region)
        rounding = self._moved_by_rounding(sphere)
        return Sphere(sphere.center, sphere.radius - rounding) if rounding < sphere.radius else sphere

    def _moved_by_rounding(self, sphere: Sphere) -> float:
        """Return how far rounding to whole people moves a profile at most, where that matters: within a region."""
        return 0.0 if self.people is None or self.region is None else sqrt(sphere.dimension) / self.people

    def _pool(self) -> PairPool:
        """Return where questions come from: the whole region, unless a radius narrows it to a sphere."""
        if self.region is not None and self.radius is None:
            pool = RegionPool(self.region, self.setting, self.prior.family, self.people)
            self._expect_visible(pool.profiles, "realistic models of this region")
            return pool
        return SpherePool(self._sphere(), self.setting.tau)

    def _goal(self, candidates: Candidates | None) -> Goal:
        if candidates is None or self.stop == "weights":
            return WeightsGoal(self.tolerance)
        return BestCandidate(candidates.features) if self.stop in {None, "best"} else RankingGoal(candidates.features)

    @property
    def budget(self) -> int:
        """The largest number of questions that will be asked."""
        if self.max_questions is not None:
            return self.max_questions
        if self.candidates is not None and self.stop != "weights":
            return _QUESTIONS_ABOUT_CANDIDATES
        return _QUESTIONS_PER_WEIGHT * max(self.prior.size - 1, 1)

    def procedure(self, history: Sequence[tuple[Question, Answer]] = ()) -> Procedure[Finding]:
        """Return a fresh run of the procedure, which goes on where a history ends."""
        candidates = self._candidates()
        interviewer = self._interviewer(candidates)
        found = yield from interviewer.procedure(history)
        return verdict(found, interviewer, self.setting, np.random.default_rng([self.seed, 1]))

    def log_evidence(self, history: Sequence[tuple[Question, Answer]]) -> float:
        """Return the log probability of the answers to these questions, on average over all metrics considered."""
        return self._interviewer(self._candidates()).learned(history).posterior.log_evidence

    def _interviewer(self, candidates: Candidates | None) -> Interviewer:
        return Interviewer(
            setting=self.setting,
            sphere=self._sphere(),
            pool=self._pool(),
            prior=self.prior,
            goal=self._goal(candidates),
            confidence=self.confidence,
            max_questions=self.budget,
            whole_budget=self.stop == "budget",
            candidates=candidates,
            people=self.people,
            visible=self.visible,
            response=ResponsePrior() if self.error is None else ResponsePrior.known(self.error),
            particles=self.particles,
            seed=self.seed,
        )


def next_question(
    setting: Setting, history: Sequence[tuple[Question, Answer]], *, random_state: int = 0, **options: Any
) -> Question | Finding:
    """Return what the adaptive method would ask next after these answers or, if it is done, what it found.

    A pure function: the same arguments always give the same question. For servers, which keep the history themselves.

    Parameters
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    history
        The questions asked so far, each with its answer: True if the first is preferred, False if the second, None
        for "can't tell", `evenhand.SKIP` for a question that was passed over.
    random_state
        Draws the sample and the questions; keep it as long as the interview lasts.
    options
        Those of `evenhand.elicit` that are about the adaptive method: `candidates`, `stop`, `confidence`, …

    Examples
    --------
    >>> from evenhand import FairMetric, Question, Setting, next_question
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> truth = FairMetric.random(setting, random_state=7)
    >>> history = []
    >>> while isinstance(found := next_question(setting, history, stop="budget", max_questions=12), Question):
    ...     first_is_better = truth.cost(found.first) < truth.cost(found.second)
    ...     history.append((found, first_is_better))
    >>> len(history), found.stopped_because
    (12, 'budget')
    """
    known = [one.name for one in fields(AdaptivePlan) if one.init and one.name != "setting"]
    foreign = [name for name in options if name not in known]
    if foreign:
        raise EvenhandError(f"next_question has no option {listed(foreign)}: there are {listed(sorted(known))}")
    # A generator, or None, would draw other questions each time.
    seed = whole_number(random_state, "random_state", 0)
    found = step(AdaptivePlan(setting=setting, random_state=seed, **options).procedure(history))
    _refuse_doubles(history)
    return found


def _refuse_doubles(history: Sequence[tuple[Question, Answer]]) -> None:
    """Refuse an answer that a server has taken twice: no question comes twice in a row with the same sides."""
    for place, ((before, _), (after, _)) in enumerate(pairwise(history), 1):
        if np.array_equal(before.first, after.first) and np.array_equal(before.second, after.second):
            raise EvenhandError(
                f"history[{place}] is the same question as history[{place - 1}], with the same sides: each belongs "
                "into the history once"
            )
