"""The adaptive method: each question is the one worth most after the answers so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor, sqrt
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import number, whole_number
from evenhand.checks.messages import listed, shown
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.goals import BestCandidate, Goal, RankingGoal, WeightsGoal
from evenhand.elicitation.adaptive.interviewer import Interviewer, Learned
from evenhand.elicitation.adaptive.pools import PairPool, RegionPool, SpherePool
from evenhand.elicitation.adaptive.remembering import learned_from, snapshot_of
from evenhand.elicitation.adaptive.summary import summary
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.history import checked_history
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.response import ResponsePrior
from evenhand.elicitation.methods.method import NOT_KEPT, Method, Reached, keep_as_arrays
from evenhand.elicitation.procedure import fresh_seed, step
from evenhand.elicitation.question import History, Procedure
from evenhand.elicitation.thresholds import QUESTIONS, STOPPING
from evenhand.errors import EvenhandError, HistoryError
from evenhand.metric.families import Gaps
from evenhand.metric.prior import Mistakes, Prior
from evenhand.rates import GroupRates, Setting
from evenhand.rates.rounding import OUT_OF, whole_people
from evenhand.rates.ties import ROUNDING
from evenhand.region import FeasibleRegion, Sphere, sphere_for
from evenhand.typing import Floats

Stop = Literal["best", "ranking", "weights", "budget"]
STOPS: tuple[Stop, ...] = get_args(Stop)
_NARROWEST = 1e-9
_MOST_PARTICLES, _MOST_QUESTIONS, _MOST_PEOPLE = 1_000_000, 1_000_000, 1_000_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class Adaptive(Method):
    """For people, who may err: few questions, each the one worth most, and a result with its uncertainty.

    A seed draws the sample and the questions. The object is set up once, at the first question, and then serves any
    number of interviews, in several threads at once.

    Parameters
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    candidates
        The models to choose from, name → `GroupRates`; questions are then mostly about them.
    stop
        When to end: `"best"` (the best candidate is settled; the default with candidates), `"ranking"`, `"weights"`
        (all intervals are narrow; the default without) or `"budget"` (after exactly `max_questions`; with candidates
        the questions are then about their order).
    confidence
        How sure "settled" is.
    max_questions
        Ends it at that number at the latest; by default 60 about candidates, and 20 × (number of weights − 1) about the
        weights (80 for two classes and two groups).
    interval_width
        The widest interval of a weight that ends an interview about the weights.
    out_of
        Show, and learn from, whole people out of this many, for example 100.
    visible
        The least difference between two profiles that somebody is asked about.
    error
        How often an answer is wrong, where that is known; it says, too, that the answers are not random. By default
        both are learned from the answers, and some questions are asked twice to that end.
    family
        The form of the cost: what is unfair about a model, by default the gaps between groups.
    equal_pairs
        All pairs of groups have the same violation weights, which takes far fewer questions.
    gaps_in
        The only kinds of mistake in which gaps between groups matter, each as (true class, predicted class).
    cost_order
        Kinds of mistake whose order is known, the costliest first.
    misclassification, violation
        A part to take as given, right or wrong, instead of asking about it.
    region
        What is within reach on your own data (`FeasibleRegion`): every question is about two classifiers that exist,
        and that are good ones, unless a `radius` keeps questions to a sphere.
    radius
        Of the sphere that questions are asked from; by default the largest that keeps rates rates, at most the paper's
        0.2, or the whole region.
    particles
        How many metrics stand for all that the answers leave possible: more are more exact, and slower.

    Examples
    --------
    >>> from evenhand import FairMetric, Setting, SimulatedOracle, elicit
    >>> setting = Setting.random(2, 2, random_state=7)
    >>> person = SimulatedOracle(FairMetric.random(setting, 7))
    >>> method = Adaptive(setting=setting, max_questions=5, out_of=100, visible=0.02)
    >>> elicit(person, method=method, random_state=0).questions
    5
    """

    name: ClassVar[str] = "adaptive"
    undecided: ClassVar[bool] = True
    draws_sides: ClassVar[bool] = True
    exact_length: ClassVar[bool] = False

    candidates: Mapping[str, GroupRates] | None = field(default=None, metadata=NOT_KEPT)
    stop: Stop | None = None
    confidence: float = 0.95
    max_questions: int | None = None
    interval_width: float = 0.1
    out_of: int | None = None
    visible: float = 0.0
    error: float | None = None
    family: str = Gaps.name
    equal_pairs: bool = False
    gaps_in: Mistakes | None = None
    cost_order: Mistakes | None = None
    misclassification: ArrayLike | None = None
    violation: ArrayLike | None = None
    region: FeasibleRegion | None = None
    radius: float | None = None
    particles: int = 800

    def __post_init__(self) -> None:
        super().__post_init__()
        in_words = f"a number between {_NARROWEST:g} and 1, for example 0.1"
        self.keep(
            interval_width=number(
                self.interval_width, "interval_width", in_words, lambda width: _NARROWEST <= width < 1
            ),
            confidence=number(self.confidence, "confidence", "a number between 0 and 1", lambda value: 0 < value < 1),
            visible=number(
                self.visible, "visible", "a difference of rates from 0 to less than 1", lambda value: 0 <= value < 1
            ),
            particles=_at_most(self.particles, "particles", 100, _MOST_PARTICLES),
        )
        if self.error is not None:
            likely = "a probability from 0 to less than 0.5"
            self.keep(error=number(self.error, "error", likely, lambda value: 0 <= value < 0.5))
        if self.max_questions is not None:
            self.keep(max_questions=_at_most(self.max_questions, "max_questions", 1, _MOST_QUESTIONS))
        if self.out_of is not None:
            self.keep(out_of=_at_most(self.out_of, "out_of", 2, _MOST_PEOPLE))
        if self.stop is not None and not (isinstance(self.stop, str) and self.stop in STOPS):
            raise EvenhandError(f"stop must be one of {listed(STOPS)}, but received {shown(self.stop)}")
        if self.stop in {"best", "ranking"} and self.candidates is None:
            raise EvenhandError(
                f"stop={self.stop!r} is about candidates, but none were given: give candidates, or take stop='weights'"
            )
        if self.stop == "budget" and self.max_questions is None:
            raise EvenhandError("stop='budget' needs max_questions: how many questions to ask")
        self._keep_known()
        sphere = sphere_for(self.setting, self.radius, self.region)
        self._check_visible(sphere)
        if self.radius is not None:
            self.keep(radius=float(self.radius))
        rounding = self._moved_by_rounding(sphere)
        if rounding >= sphere.radius and (self.radius is not None or self.candidates is not None):
            raise EvenhandError(
                f"out_of is {self.out_of}: rounding to whole people may move rates by {rounding:.3g}, and so out of "
                f"the sphere that is within reach, whose radius is {sphere.radius:.3g}. Take more than "
                f"{floor(sqrt(sphere.dimension) / sphere.radius)}, or leave it out"
            )

    def _keep_known(self) -> None:
        """Keep what is said to be known of the weights, checked, in the names of the setting."""
        every, prior = self.setting.mistakes, self.prior
        for name, places in (("gaps_in", prior.columns), ("cost_order", prior.order)):
            if places is not None:
                self.keep(**{name: tuple(every[place] for place in places)})
        self.keep(equal_pairs=bool(self.equal_pairs))
        keep_as_arrays(self, "misclassification", "violation")

    @cached_property
    def prior(self) -> Prior:
        """What is known of the weights before any answer."""
        known = ("family", "equal_pairs", "gaps_in", "cost_order", "misclassification", "violation")
        return Prior.of(self.setting, **{name: getattr(self, name) for name in known})

    def _check_visible(self, sphere: Sphere) -> None:
        """Refuse to ask where no pair could be told apart; what a region offers is known when it is searched."""
        if self.region is not None and self.radius is None:
            return
        steps = sphere.radius * np.eye(sphere.dimension)
        ends = np.concatenate([sphere.center + steps, sphere.center - steps])[:, None]
        everyone_alike = np.broadcast_to(ends, (2 * len(steps), len(self.setting.groups), len(steps)))
        self._expect_visible(everyone_alike, f"points of a sphere of radius {sphere.radius:.3g}")

    def _expect_visible(self, profiles: Floats, what: str) -> None:
        """Refuse profiles (n, m, q) of which, and of the candidates, no two can be told apart as they are shown."""
        candidates = self._candidates
        every = [profiles] if candidates is None else [profiles, candidates.profiles]
        shown = every if self.out_of is None else [whole_people(each, self.out_of) for each in every]
        most = max(float(np.ptp(each, axis=0).max()) for each in shown)
        if most < max(self.visible - ROUNDING, ROUNDING):
            also = "" if candidates is None else " and no two candidates"
            rounded = "" if self.out_of is None else f" in whole people of {self.out_of}"
            raise EvenhandError(
                f"no two {what}{also} differ by more than {most:.3g}{rounded}, and visible is {self.visible}: nobody "
                "could tell them apart. Take a larger out_of, or a smaller visible difference"
            )

    @cached_property
    def _candidates(self) -> Candidates | None:
        return None if self.candidates is None else Candidates.of(self.candidates, self.setting)

    @cached_property
    def _sphere(self) -> Sphere:
        """Return the sphere, drawn in where points of it are rounded to whole people and must stay within reach."""
        sphere = sphere_for(self.setting, self.radius, self.region)
        rounding = self._moved_by_rounding(sphere)
        return Sphere(sphere.center, sphere.radius - rounding) if rounding < sphere.radius else sphere

    def _moved_by_rounding(self, sphere: Sphere) -> float:
        """Return how far rounding to whole people moves a profile at most, where that matters: within a region."""
        return 0.0 if self.out_of is None or self.region is None else sqrt(sphere.dimension) / self.out_of

    @cached_property
    def _pool(self) -> PairPool:
        """Return where questions come from: the whole region, unless a radius narrows it to a sphere."""
        if self.region is not None and self.radius is None:
            pool = RegionPool(self.region, self.setting, self.out_of)
            self._expect_visible(pool.profiles, "realistic models of this region")
            return pool
        return SpherePool(self._sphere, self.setting)

    @cached_property
    def _goal(self) -> Goal:
        candidates = self._candidates
        if candidates is None or self.stop == "weights":
            return WeightsGoal(self.interval_width)
        return BestCandidate(candidates.models) if self.stop in {None, "best"} else RankingGoal(candidates.models)

    @property
    def _response(self) -> ResponsePrior:
        return ResponsePrior() if self.error is None else ResponsePrior.known(self.error)

    @property
    def most_questions(self) -> int:
        """How many questions will be asked at most."""
        if self.max_questions is not None:
            return self.max_questions
        if self.candidates is not None and self.stop != "weights":
            return STOPPING.questions_about_candidates
        return STOPPING.questions_per_weight * max(self.prior.size - 1, 1)

    def explanation(self) -> tuple[str, ...]:
        """Say that wrong answers are borne, and what ends the interview."""
        answers = (
            "Each question is the one that tells most after the answers before. Some are easy, and some come again: "
            "they show that the answers are not random. A wrong answer now and then does no harm, and “can't tell” is "
            "an answer too."
        )
        if self.candidates is not None and self.stop in {None, "best"}:
            return answers, "It ends as soon as one model is clearly the best for you; --max-questions ends it sooner."
        length = (
            f"It ends when every weight is known within an interval of {self.interval_width:g}: a larger "
            "--interval-width ends it sooner, and so does --max-questions."
        )
        return answers, length

    @classmethod
    def for_people(cls, setting: Setting) -> dict[str, Any]:  # noqa: ARG003
        """Return whole people of 100, and differences that can be seen."""
        return {"out_of": OUT_OF, "visible": QUESTIONS.visible_to_people}

    def procedure(self, history: History = (), *, seed: int | None = None) -> Procedure[Finding]:
        """Return a procedure that learns from a history, whose questions anyone may have chosen, and goes on."""
        return self._run(self.interviewer(seed), history)

    def reached(self, history: History, *, seed: int | None = None, snapshot: bytes | None = None) -> Reached:
        """Return what comes after a history, and what was learned from it; with the snapshot before it, by one step."""
        interviewer = self.interviewer(seed)
        before = None
        if snapshot is not None and history:
            before = learned_from(snapshot, interviewer, len(history) - 1)
        if before is None:
            learned = interviewer.learned(history)
        else:
            *_, (question, answer) = checked_history(history[-2:], self.setting)
            learned = interviewer.after(before, question, answer)
        kept, ended = snapshot_of(learned), interviewer.ended(learned)
        outcome = interviewer.question(learned) if ended is None else self._summary(ended, interviewer)
        return Reached(outcome, kept)

    def finding_after(self, history: History, *, seed: int | None = None) -> Finding | None:
        """Return what the answers say so far; None before the first."""
        if not history:
            return None
        ended = replace(self.interviewer(seed), whole_budget=True, max_questions=len(history))
        reached = step(self._run(ended, history))
        return reached if isinstance(reached, Finding) else None

    def check_asked(self, history: History) -> None:
        """Refuse questions beyond the last, about twice the same model, or in other than whole people."""
        for place, (question, _) in enumerate(history):
            profiles = (question.first, question.second)
            if place >= self.most_questions:
                raise HistoryError(place, f"there are {self.most_questions} questions at most")
            if np.array_equal(*profiles):
                raise HistoryError(place, "its two models are the same")
            if self.out_of is not None and any(_has_fractions(profile, self.out_of) for profile in profiles):
                raise HistoryError(place, f"its rates are not whole people of {self.out_of}")

    def _run(self, interviewer: Interviewer, history: History) -> Procedure[Finding]:
        return self._summary((yield from interviewer.procedure(history)), interviewer)

    @staticmethod
    def _summary(learned: Learned, interviewer: Interviewer) -> Finding:
        return summary(learned, interviewer, np.random.default_rng([interviewer.seed, 1]))

    def interviewer(self, seed: int | None) -> Interviewer:
        """Return the procedure step by step, which a simulation may look at after any answer."""
        return Interviewer(
            setting=self.setting,
            model=AnswerModel(self.prior, self._response),
            goal=self._goal,
            confidence=self.confidence,
            max_questions=self.most_questions,
            whole_budget=self.stop == "budget",
            pool=self._pool,
            sphere=self._sphere,
            candidates=self._candidates,
            out_of=self.out_of,
            visible=self.visible,
            particles=self.particles,
            seed=fresh_seed() if seed is None else seed,
        )


def _at_most(value: object, name: str, least: int, most: int) -> int:
    whole = whole_number(value, name, least)
    if whole > most:
        raise EvenhandError(f"{name} must be at most {most:,}, but received {shown(value)}")
    return whole


def _has_fractions(profile: Floats, out_of: int) -> bool:
    """Return whether rates are not those of whole people."""
    return bool(np.abs(profile - np.round(out_of * profile) / out_of).max() > ROUNDING)
