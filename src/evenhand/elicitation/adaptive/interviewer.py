"""The adaptive procedure: learn from each answer, and ask what is worth most next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import ceil, log2, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.checks.arrays import float_array
from evenhand.checks.messages import expect, shown
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.goals import Goal
from evenhand.elicitation.adaptive.information import information_about_attention
from evenhand.elicitation.adaptive.magnify import magnified
from evenhand.elicitation.adaptive.pools import PairPool
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER, SECOND, Probabilities, ResponsePrior
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.procedure import checked
from evenhand.elicitation.question import SKIP, Answer, Procedure, Question
from evenhand.elicitation.thresholds import QUESTIONS, STOPPING
from evenhand.errors import EvenhandError, HistoryError
from evenhand.metric.prior import Prior
from evenhand.rates import Setting
from evenhand.rates.rounding import whole_people
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.region import Sphere
from evenhand.typing import Floats

BUDGET = "budget"


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
    stopped_because: str = BUDGET

    def earlier(self, first: Floats, second: Floats) -> int | None:
        """Return which reply was the last to the question of these two in this order, or None."""
        asked = [_key(reply.first, reply.second) for reply in self.replies]
        key = _key(first, second)
        return max((place for place, one in enumerate(asked) if one == key), default=None)

    def just_asked(self, first: Floats, second: Floats) -> bool:
        """Return whether the last question was about these two in this order."""
        return any(_key(last.first, last.second) == _key(first, second) for last in self.replies[-1:])

    def asked(self, firsts: Floats, seconds: Floats) -> NDArray[np.bool_]:
        """Return which pairs (n,) of profiles (n, m, q) were asked before, either way round."""
        before = {_key(*pair) for reply in self.replies for pair in permutations((reply.first, reply.second))}
        return np.array([_key(*pair) in before for pair in zip(firsts, seconds, strict=True)])

    def repeatable(self) -> list[Reply]:
        """Return the replies whose question was answered a while ago and not asked again yet."""
        again = {reply.repeats for reply in self.replies}
        return [
            reply
            for place, reply in enumerate(self.replies[: -QUESTIONS.repeat_gap])
            if reply.answer is not None and reply.repeats is None and place not in again
        ]

    @property
    def repeats(self) -> int:
        """How many questions were asked again."""
        return sum(reply.repeats is not None for reply in self.replies)

    @property
    def consistency(self) -> float | None:
        """How often a question asked again was answered alike, or None if none was."""
        # A repeat swaps the sides, so that the same preference is the other answer.
        swapped = {FIRST: SECOND, SECOND: FIRST, NEITHER: NEITHER}
        alike = [
            swapped[earlier] == reply.answer
            for reply in self.replies
            if reply.repeats is not None
            and reply.answer is not None
            and (earlier := self.replies[reply.repeats].answer) is not None
        ]
        return float(np.mean(alike)) if alike else None


@dataclass(frozen=True, eq=False, kw_only=True)
class Interviewer:
    """Asks by the adaptive procedure: its options, and everything set up."""

    setting: Setting
    sphere: Sphere
    pool: PairPool
    prior: Prior
    goal: Goal
    confidence: float
    max_questions: int
    whole_budget: bool
    candidates: Candidates | None
    out_of: int | None
    visible: float
    response: ResponsePrior
    particles: int
    seed: int

    def _rng(self, step: int, purpose: str) -> np.random.Generator:
        """Return the random numbers of one step, the same whether the steps before were lived through or replayed."""
        return np.random.default_rng([self.seed, step, *purpose.encode()])

    def procedure(self, history: Sequence[tuple[Question, Answer]] = ()) -> Procedure[Interviewed]:
        """Learn from the answers there are, then ask until the goal is reached or the budget is used up.

        Answers are learned from as the questions stand in the history, whoever chose them.
        """
        found = self.learned(history)
        while not self._done(found):
            question = self._next(found)
            self._take(found, question, (yield question))
        return found

    def learned(self, history: Sequence[tuple[Question, Answer]]) -> Interviewed:
        """Return what is known after these answers, with nothing asked."""
        rng = self._rng(0, "prior")
        found = Interviewed(
            Posterior.without_answers(AnswerModel(self.prior, self.response), particles=self.particles, rng=rng)
        )
        for question, answer in self._checked(history):
            self._take(found, question, answer)
        return found

    def _checked(self, history: Sequence[tuple[Question, Answer]]) -> Iterator[tuple[Question, Answer]]:
        """Yield a history from outside, entry by entry, or name the one that is not a question with its answer."""
        expect(history, "history", Sequence)
        before: Question | None = None
        for place, entry in enumerate(history):
            try:
                asked, told = self._entry(entry, before)
            except EvenhandError as error:
                raise HistoryError(place, str(error)) from error
            before = asked
            yield asked, told

    def _entry(self, entry: object, before: Question | None) -> tuple[Question, Answer]:
        if not (isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], Question)):
            raise EvenhandError(f"an entry must be a Question and its answer, but received {shown(entry)}")
        question, answer = entry
        first, second = self._rates(question.first, "first"), self._rates(question.second, "second")
        asked = Question(first, second, question.part, undecided=True)
        told = checked(answer, asked)
        if before is not None and _same(before, asked):
            raise EvenhandError("it is the same question as the one before, with the same sides: remove it")
        return asked, told

    def _rates(self, profile: ArrayLike, where: str) -> Floats:
        rates = float_array(profile, where, self.setting.tau.shape, "(groups, kinds of mistake)")
        if not ((rates >= -1e-9) & (rates <= 1 + 1e-9)).all():
            raise EvenhandError(f"{where} holds {shown(rates.tolist())}: rates lie between 0 and 1")
        classes = round((1 + sqrt(1 + 4 * rates.shape[-1])) / 2)
        if (rates.reshape(-1, classes, classes - 1).sum(axis=-1) > 1 + 1e-9).any():
            raise EvenhandError(f"{where} holds {shown(rates.tolist())}: mistakes about more people than a class has")
        return rates

    def _done(self, found: Interviewed) -> bool:
        """Return whether to ask no more; if so, what was found rests on a larger sample from then on."""
        used_up = len(found.replies) >= self.max_questions
        if not used_up and not self._reached(found.posterior, self.confidence - STOPPING.close_confidence):
            return False
        # A sample is noisy, and "settled" would catch it in its highest moment: look again, and more carefully.
        careful = found.posterior.refined(self._rng(len(found.replies), "refine"))
        if self._reached(careful, self.confidence):
            found.stopped_because = self.goal.name
        elif not used_up:
            return False
        found.posterior = careful
        return True

    def _reached(self, posterior: Posterior, confidence: float) -> bool:
        """Return whether the goal is reached; a handful of answers fits some metric whether or not anybody attends."""
        return (
            not self.whole_budget
            and seems_to_attend(posterior, confidence)
            and self.goal.reached(posterior, confidence)
        )

    def _take(self, found: Interviewed, question: Question, answer: Answer) -> None:
        features = self._features(question.first, question.second)
        code = None if answer is SKIP else NEITHER if answer is None else FIRST if answer else SECOND
        foreseen = None if code is None else float(found.posterior.predictive(features)[code])
        repeats = found.earlier(question.second, question.first)
        found.replies.append(Reply(question.first, question.second, code, foreseen, repeats))
        if code is not None:
            found.posterior = found.posterior.updated(features, code, self._rng(len(found.replies), "learn"))

    def _features(self, first: Floats, second: Floats) -> Floats:
        features = self.prior.family.features
        return features(second, self.setting) - features(first, self.setting)

    def _next(self, found: Interviewed) -> Question:
        rng = self._rng(len(found.replies), "choose")
        again, overdue = self._repeats(found)
        firsts, seconds = (
            np.array([getattr(reply, side) for reply in again]).reshape(-1, *self.setting.tau.shape)
            for side in ("second", "first")
        )
        if not (again and overdue):
            new = self._considered(found, rng)
            if rng.random() < 0.5:
                new = new[::-1]
            firsts, seconds = (np.concatenate(each) for each in zip((firsts, seconds), new, strict=True))
        best = self._best(found.posterior, firsts, seconds, len(again), rng)
        part = "repeat" if best < len(again) else "adaptive"
        first, second = firsts[best].copy(), seconds[best].copy()  # lest each question keep all the others
        if found.just_asked(first, second):  # there was nothing else to ask
            first, second = second, first
        return Question(first, second, part, undecided=True, left=self._left(found))

    def _repeats(self, found: Interviewed) -> tuple[list[Reply], bool]:
        """Return what may be asked again now, and whether it is high time: of every eight questions one comes again."""
        asked = len(found.replies)
        in_this_eight = asked % QUESTIONS.repeat_every
        if self.response.inattentive == 0 or any(
            reply.repeats is not None for reply in found.replies[asked - in_this_eight :]
        ):
            return [], False
        return found.repeatable(), in_this_eight == QUESTIONS.repeat_every - 1

    def _left(self, found: Interviewed) -> int:
        """Return about how many questions are left."""
        at_most = self.max_questions - len(found.replies)
        if self.whole_budget:
            return at_most
        inattentive, enough = found.posterior.inattentive, _enough(self.confidence)
        doubt = inattentive / (1 - inattentive) * enough / (1 - enough)
        attention = STOPPING.questions_per_bit_of_attention * log2(max(doubt, 1.0))
        left = max(attention, self.goal.questions_left(found.posterior, self.confidence))
        return min(max(ceil(left - ROUNDING), 1), at_most)

    def _considered(self, found: Interviewed, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Collect pairs that a person can tell apart and has not seen, as they would be shown."""
        firsts, seconds = self.pool.draw(
            found.posterior, QUESTIONS.from_pool if self.candidates else 2 * QUESTIONS.from_pool, rng
        )
        if self.candidates is not None:
            own = _own_pairs(self.candidates, found.posterior, rng)
            large = magnified(*own, self.setting.tau, self.sphere)
            firsts, seconds = (np.concatenate(each) for each in zip(own, large, (firsts, seconds), strict=True))
        if self.out_of is not None:
            firsts, seconds = whole_people(firsts, self.out_of), whole_people(seconds, self.out_of)
        difference = np.abs(firsts - seconds).max(axis=(1, 2))
        told_apart = (difference > ROUNDING) & (difference >= self.visible - ROUNDING)
        if not told_apart.any():  # then the pair that differs most is the best that can be shown
            told_apart = difference >= difference.max() - ROUNDING
        new = told_apart & ~found.asked(firsts, seconds)
        chosen = new if new.any() else told_apart
        return firsts[chosen], seconds[chosen]

    def _best(
        self, posterior: Posterior, firsts: Floats, seconds: Floats, repeats: int, rng: np.random.Generator
    ) -> int:
        """Return which question is worth most; the first so many of them are repeats."""
        subsample = rng.choice(posterior.size, size=QUESTIONS.subsample, p=posterior.probability)
        features = self._features(firsts, seconds)
        bonus = np.where(np.arange(len(features)) < repeats, QUESTIONS.repeat_bonus, 1.0)
        # Most are clearly worth less, by whatever rounding does to single precision. The others are compared in double.
        roughly = bonus * self._utility(posterior, subsample, features, single_precision=True)
        close = np.flatnonzero(roughly >= roughly.max() - QUESTIONS.close_utility)
        utility = bonus[close] * self._utility(posterior, subsample, features[close], single_precision=False)
        return int(close[comparable(utility).argmax()])

    def _utility(
        self, posterior: Posterior, subsample: NDArray[np.intp], features: Floats, *, single_precision: bool
    ) -> Probabilities:
        answers = posterior.answer_probabilities(features, subsample, single_precision=single_precision)
        attending = seems_to_attend(posterior, self.confidence)
        if not attending and self.goal.reached_if_attending(posterior, self.confidence):
            return information_about_attention(answers, posterior.inattentive, posterior.inattentive_answers)
        return self.goal.utility(posterior, subsample, answers)


def seems_to_attend(posterior: Posterior, confidence: float) -> bool:
    """Return whether the answers are hardly those of an inattentive respondent."""
    return 1 - posterior.inattentive >= _enough(confidence)


def _enough(confidence: float) -> float:
    return max(confidence, STOPPING.attending)


def _same(one: Question, other: Question) -> bool:
    return np.array_equal(one.first, other.first) and np.array_equal(one.second, other.second)


def _key(first: Floats, second: Floats) -> bytes:
    """Return what two pairs have in common if and only if they are the same, but for the last digits."""
    return np.asarray(np.concatenate([first, second]).round(9) + 0.0).tobytes()


def _own_pairs(candidates: Candidates, posterior: Posterior, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw pairs of candidates: of those that may be the best for one half, of all for the other."""
    n = len(candidates.names)
    best = np.bincount(comparable(candidates.costs(posterior)).argmin(axis=1), posterior.probability, minlength=n)
    half = (QUESTIONS.from_candidates // 2, 2)
    drawn = np.concatenate([rng.choice(n, size=half, p=best / best.sum()), rng.choice(n, size=half)])
    # A pair and its mirror image are worth the same, but for rounding, which must not decide what is asked.
    one, other = np.unique(np.sort(drawn, axis=1), axis=0).T
    differ = one != other
    return candidates.profiles[one[differ]], candidates.profiles[other[differ]]
