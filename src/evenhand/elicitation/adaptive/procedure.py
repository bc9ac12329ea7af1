"""The adaptive procedure: learn from each answer, and ask what is worth most next."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from evenhand.elicitation.adaptive.answers import FIRST, NEITHER, SECOND
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.goal import Goal
from evenhand.elicitation.adaptive.pool import SpherePool
from evenhand.elicitation.adaptive.posterior import Posterior
from evenhand.elicitation.question import SKIP, Procedure, Question
from evenhand.metric.cost import linear_features
from evenhand.rates.rounding import whole_people
from evenhand.rates.vector import Floats
from evenhand.region import Sphere

REPEAT_EVERY = 8
_FROM_SPHERE = 150
_FROM_CANDIDATES = 200
_JUDGES = 400
_OPEN_MINDED = 0.3


@dataclass(frozen=True, eq=False)
class Reply:
    """An answer, how likely it was thought to be, and which earlier question it repeats."""

    first: Floats
    second: Floats
    answer: int | None
    foreseen: float | None
    repeats: int | None


@dataclass(eq=False)
class Interviewed:
    """What is known at the end: the sample, the replies, and why no more was asked."""

    posterior: Posterior
    replies: list[Reply] = field(default_factory=list)
    stopped_because: str = "budget"

    @property
    def consistency(self) -> float | None:
        """How often a question asked again was answered alike, or None if none was."""
        again = [reply for reply in self.replies if reply.repeats is not None and reply.answer is not None]
        if not again:
            return None
        # A repeat swaps the sides, so that the same preference is the other answer.
        swapped = {FIRST: SECOND, SECOND: FIRST, NEITHER: NEITHER}
        alike = [swapped.get(self.replies[reply.repeats or 0].answer or FIRST) == reply.answer for reply in again]
        return float(np.mean(alike))


@dataclass(frozen=True, eq=False, kw_only=True)
class Adaptive:
    """The adaptive procedure and its options."""

    tau: Floats
    sphere: Sphere
    goal: Goal
    confidence: float
    max_questions: int
    whole_budget: bool
    candidates: Candidates | None
    people: int | None
    visible: float
    particles: int
    rng: np.random.Generator

    def procedure(self) -> Procedure[Interviewed]:
        """Ask until the goal is reached or the budget is used up."""
        pairs, q = self.tau.shape[-2] * (self.tau.shape[-2] - 1) // 2, self.tau.shape[-1]
        posterior = Posterior(q, pairs, particles=self.particles, rng=self.rng)
        pool = SpherePool(self.sphere, self.tau, self.rng)
        found = Interviewed(posterior)
        while len(found.replies) < self.max_questions:
            first, second, repeats = self._next(found, pool)
            answer = yield Question(first, second, "repeat" if repeats is not None else "adaptive", undecided=True)
            features = self._features(first, second)
            code = None if answer is SKIP else NEITHER if answer is None else FIRST if answer else SECOND
            foreseen = None if code is None else float(posterior.predictive(features)[code])
            found.replies.append(Reply(first, second, code, foreseen, repeats))
            if code is not None:
                posterior.learn(features, code)
            if not self.whole_budget and self.goal.certainty(posterior) >= self.confidence:
                found.stopped_because = self.goal.name
                break
        posterior.refine()
        return found

    def _features(self, first: Floats, second: Floats) -> Floats:
        return linear_features(second, self.tau) - linear_features(first, self.tau)

    def _next(self, found: Interviewed, pool: SpherePool) -> tuple[Floats, Floats, int | None]:
        if len(found.replies) % REPEAT_EVERY == REPEAT_EVERY - 1:
            done = {reply.repeats for reply in found.replies}
            open_places = [
                place
                for place, reply in enumerate(found.replies)
                if reply.answer is not None and reply.repeats is None and place not in done
            ]
            if open_places:
                firsts = np.stack([found.replies[place].second for place in open_places])
                seconds = np.stack([found.replies[place].first for place in open_places])
                best = self._most_worth(found.posterior, firsts, seconds)
                return firsts[best], seconds[best], open_places[best]
        firsts, seconds = self._considered(found.posterior, pool)
        best = self._most_worth(found.posterior, firsts, seconds)
        if self.rng.random() < 0.5:
            firsts, seconds = seconds, firsts
        return firsts[best], seconds[best], None

    def _considered(self, posterior: Posterior, pool: SpherePool) -> tuple[Floats, Floats]:
        """Collect pairs that a person can tell apart, as they would be shown."""
        firsts, seconds = pool.draw(posterior, _FROM_SPHERE if self.candidates else _FROM_SPHERE + _FROM_CANDIDATES)
        if self.candidates is not None:
            own_firsts, own_seconds = self._own_pairs(self.candidates, posterior)
            firsts, seconds = np.concatenate([own_firsts, firsts]), np.concatenate([own_seconds, seconds])
        if self.people is not None:
            firsts, seconds = whole_people(firsts, self.people), whole_people(seconds, self.people)
        difference = np.abs(firsts - seconds).max(axis=(1, 2))
        told_apart = (difference > 0) & (difference >= self.visible)
        if not told_apart.any():  # then the pair that differs most is the best that can be shown
            told_apart = difference == difference.max()
        return firsts[told_apart], seconds[told_apart]

    def _own_pairs(self, candidates: Candidates, posterior: Posterior) -> tuple[Floats, Floats]:
        """Draw pairs of candidates, mostly of those that may be the best."""
        n = len(candidates.names)
        best = np.bincount(candidates.costs(posterior).argmin(axis=1), posterior.weight, minlength=n)
        chance = (1 - _OPEN_MINDED) * best + _OPEN_MINDED / n
        one, other = self.rng.choice(n, size=(2, _FROM_CANDIDATES), p=chance / chance.sum())
        differ = one != other
        return candidates.profiles[one[differ]], candidates.profiles[other[differ]]

    def _most_worth(self, posterior: Posterior, firsts: Floats, seconds: Floats) -> int:
        judges = self.rng.choice(posterior.size, size=_JUDGES, p=posterior.weight)
        answers = posterior.foresee(self._features(firsts, seconds), judges)
        return int(self.goal.worth(posterior, judges, answers).argmax())
