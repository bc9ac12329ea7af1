"""The adaptive procedure: update on each answer, and ask the question of the highest utility next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.checks import check_due, first_check, mixed_pairs
from evenhand.elicitation.adaptive.goals import WEIGHTS, Goal, about_attention
from evenhand.elicitation.adaptive.information import least_entropy, mean_entropy
from evenhand.elicitation.adaptive.magnify import magnified
from evenhand.elicitation.adaptive.pools import PairPool
from evenhand.elicitation.adaptive.transcript import Observation, Transcript
from evenhand.elicitation.history import checked_history
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import code_of
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.elicitation.inference.sampler import random_numbers
from evenhand.elicitation.question import Answer, History, Procedure, Question
from evenhand.elicitation.thresholds import QUESTIONS, STOPPING
from evenhand.metric.weights import Weights
from evenhand.rates import Setting
from evenhand.rates.rounding import whole_people
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.region import Sphere
from evenhand.typing import Floats

BUDGET = "budget"


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned so far: what is believed, the transcript, and why no more is asked."""

    beliefs: Beliefs
    transcript: Transcript = field(default_factory=Transcript)
    stopped_because: str = BUDGET


@dataclass(frozen=True, eq=False, kw_only=True)
class Interviewer:
    """The adaptive procedure and its options, with everything set up.

    Attributes
    ----------
    setting
        The classes, groups and prevalence that the metric is about.
    model
        What is known of the weights and of how people answer before any answer.
    goal, confidence
        What ends the interview, and with which probability it must be reached.
    max_questions, whole_budget
        How many questions are asked at most, and whether all of them are asked whatever the goal.
    pool, sphere, candidates
        Where questions come from: pairs of a pool, pairs of candidates, and those pairs magnified to fill a sphere.
    out_of, visible
        The denominator that rates are shown in, and the least difference that is shown.
    particles, seed
        How many particles the posterior has, and what all random numbers follow from.
    """

    setting: Setting
    model: AnswerModel
    goal: Goal
    confidence: float
    max_questions: int
    whole_budget: bool
    pool: PairPool
    sphere: Sphere
    candidates: Candidates | None
    out_of: int | None
    visible: float
    particles: int
    seed: int

    @property
    def about_candidates(self) -> bool:
        """Whether the questions are for a choice between candidates, and so fewer than for the weights."""
        return self.candidates is not None and self.goal.name != WEIGHTS

    def _rng(self, step: int, purpose: str) -> np.random.Generator:
        return random_numbers(self.seed, step, purpose)

    def procedure(self, history: History = ()) -> Procedure[Learned]:
        """Learn from a history, then ask until the goal is reached or the budget is used up.

        Answers are learned from as the questions stand in the history, no matter who chose them.
        """
        learned = self.learned(history)
        while (ended := self.ended(learned)) is None:
            question = self.question(learned)
            learned = self.after(learned, question, (yield question))
        return ended

    def learned(self, history: History = ()) -> Learned:
        """Return what a history says, with nothing asked."""
        learned = Learned(self.prior_sample())
        for question, answer in checked_history(history, self.setting):
            learned = self.after(learned, question, answer)
        return learned

    def prior_sample(self) -> Posterior:
        """Return what is believed before any answer."""
        return Posterior.without_answers(self.model, particles=self.particles, rng=self._rng(0, "prior"))

    def weights_before(self) -> Weights:
        """Return the weights that `prior_sample` keeps, which are those of its first particles."""
        return self.model.weights(self.model.draw(self.particles, self._rng(0, "prior")))

    def after(self, learned: Learned, question: Question, answer: Answer) -> Learned:
        """Take one answer into account."""
        beliefs, code = learned.beliefs, code_of(answer)
        predictive = None
        if code is not None:
            pair = Pairs.between(question.first[None], question.second[None], self.setting)
            predictive = float(beliefs.predictive(pair)[code])
            beliefs = beliefs.updated(
                pair,
                code,
                self._rng(len(learned.transcript) + 1, "learn"),
                sides_drawn=not learned.transcript.just_asked(question.first, question.second),
            )
        transcript = learned.transcript.with_answer(question.first, question.second, code, predictive)
        return replace(learned, beliefs=beliefs, transcript=transcript)

    def ended(self, learned: Learned) -> Learned | None:
        """Return what was learned if no more is asked, by a refined sample; else None."""
        used_up = len(learned.transcript) >= self.max_questions
        if not used_up and not self._reached(learned.beliefs, self.confidence - STOPPING.close_confidence):
            return None
        # A sample is noisy, and the goal would be reached in its highest moment: look again at a better one.
        fine = learned.beliefs.refined(self._rng(len(learned.transcript), "refine"))
        if self._reached(fine, self.confidence):
            return replace(learned, beliefs=fine, stopped_because=self.goal.name)
        return replace(learned, beliefs=fine) if used_up else None

    def _reached(self, beliefs: Beliefs, confidence: float) -> bool:
        """Return whether the goal is reached; a handful of answers fits some metric whether or not anybody attends."""
        return not self.whole_budget and seems_to_attend(beliefs, confidence) and self.goal.reached(beliefs, confidence)

    def question(self, learned: Learned) -> Question:
        """Return the question to ask next."""
        rng = self._rng(len(learned.transcript), "choose")
        check = self.checks(learned)
        again, overdue = self._repeats(learned.transcript)
        firsts, seconds = (
            np.array([getattr(one, side) for one in again]).reshape(-1, *self.setting.tau.shape)
            for side in ("first", "second")
        )
        if not (again and overdue):
            new = self._considered(learned, rng, check=check)
            firsts, seconds = (np.concatenate(each) for each in zip((firsts, seconds), new, strict=True))
        pairs = Pairs.between(firsts, seconds, self.setting)
        best = self._best(learned.beliefs, pairs, len(again), rng, check=check)
        part = "repeat" if best < len(again) else "adaptive"
        first, second = (
            firsts[best].copy(),
            seconds[best].copy(),
        )  # or each question would keep all the others in memory
        if self._sides_swapped(learned.transcript, first, second):
            first, second = second, first
        return Question(first, second, part, undecided=True, left=self._left(learned))

    def _sides_swapped(self, transcript: Transcript, first: Floats, second: Floats) -> bool:
        """Draw the sides, once the pair is chosen; only the last pair, where there is no other, comes the other way."""
        if transcript.just_asked(first, second):
            return bool(np.allclose(first, transcript.observations[-1].first, rtol=0.0, atol=ROUNDING))
        return bool(self._rng(len(transcript), "sides").random() < 0.5)

    def checks(self, learned: Learned) -> bool:
        """Return whether the next question is about attention alone."""
        beliefs = learned.beliefs
        if self.model.response.inattentive == 0:
            return False
        if not seems_to_attend(beliefs, self.confidence) and self.goal.reached_if_attending(beliefs, self.confidence):
            return True
        first = first_check(self.max_questions, about_candidates=self.about_candidates)
        return check_due(len(learned.transcript), beliefs.attention, first_check=first)

    def _repeats(self, transcript: Transcript) -> tuple[list[Observation], bool]:
        """Return which questions may be repeated now, and whether one must be: of every eight, one is a repeat."""
        asked = len(transcript)
        since = asked % QUESTIONS.repeat_every
        if self.model.response.inattentive == 0 or transcript.repeated_since(asked - since):
            return [], False
        return transcript.repeatable(), since == QUESTIONS.repeat_every - 1

    def _left(self, learned: Learned) -> int:
        """Return about how many questions are left."""
        at_most = self.max_questions - len(learned.transcript)
        if self.whole_budget:
            return at_most
        doubt = _enough(learned.beliefs, self.confidence) / learned.beliefs.attention.bayes_factor
        attention = STOPPING.questions_per_bit_of_attention * log2(max(doubt, 1.0))
        left = attention + self.goal.questions_left(learned.beliefs, self.confidence)
        return min(max(ceil(left - ROUNDING), 1), at_most)

    def _considered(self, learned: Learned, rng: np.random.Generator, *, check: bool) -> tuple[Floats, Floats]:
        """Collect pairs that a person can tell apart and has not seen, as they would be shown."""
        n = QUESTIONS.from_pool if self.candidates else 2 * QUESTIONS.from_pool
        firsts, seconds = self.pool.draw(learned.beliefs, n, rng)
        if self.candidates is not None:
            own = _own_pairs(self.candidates, learned.beliefs, rng)
            large = magnified(*own, self.setting.tau, self.sphere)
            firsts, seconds = (np.concatenate(each) for each in zip(own, large, (firsts, seconds), strict=True))
        if check:
            easy = mixed_pairs(firsts, seconds, rng)
            firsts, seconds = (np.concatenate(each) for each in zip((firsts, seconds), easy, strict=True))
        if self.out_of is not None:
            firsts, seconds = np.split(whole_people(np.concatenate([firsts, seconds]), self.out_of), 2)
        difference = np.abs(firsts - seconds).max(axis=(1, 2))
        told_apart = (difference > ROUNDING) & (difference >= self.visible - ROUNDING)
        if not told_apart.any():  # then the pair that differs most is the best that can be shown
            told_apart = difference >= difference.max() - ROUNDING
        transcript = learned.transcript
        new = (told_apart & ~some.asked(firsts, seconds) for some in (transcript, transcript.last))
        chosen = next((some for some in new if some.any()), told_apart)
        return firsts[chosen], seconds[chosen]

    def _best(self, beliefs: Beliefs, pairs: Pairs, repeats: int, rng: np.random.Generator, *, check: bool) -> int:
        """Return which question has the highest utility; the first so many of them are repeats."""
        subsample = rng.choice(beliefs.size, size=QUESTIONS.subsample, p=beliefs.probability)
        bonus = np.where(np.arange(len(pairs)) < repeats, QUESTIONS.repeat_bonus, 1.0)
        utility = about_attention(beliefs) if check else self.goal.utility(beliefs, subsample)

        # Single precision rules out most of them, whatever its rounding does; and a bound most of these without their
        # noise, which takes longest. The others are compared in double.
        answers = beliefs.answer_probabilities(pairs, subsample, single_precision=True)
        but_for_noise = utility.but_for_noise(answers)
        at_most = bonus * (but_for_noise - utility.noise * least_entropy(answers))
        roughly = np.full(len(pairs), -np.inf)

        def look_at(some: NDArray[np.intp]) -> None:
            roughly[some] = bonus[some] * (but_for_noise[some] - utility.noise * mean_entropy(answers[..., some]))

        look_at(np.argsort(-at_most)[: QUESTIONS.likely])
        look_at(np.flatnonzero(np.isinf(roughly) & (at_most >= roughly.max() - QUESTIONS.close_utility)))
        close = np.flatnonzero(roughly >= roughly.max() - QUESTIONS.close_utility)
        if len(close) == 1:
            return int(close[0])
        exactly = utility.of(beliefs.answer_probabilities(pairs[close], subsample, single_precision=False))
        return int(close[comparable(bonus[close] * exactly).argmax()])


def seems_to_attend(beliefs: Beliefs, confidence: float) -> bool:
    """Return whether the answers are hardly those of an inattentive respondent."""
    return beliefs.attention.bayes_factor >= _enough(beliefs, confidence)


def _enough(beliefs: Beliefs, confidence: float) -> float:
    """Return the Bayes factor at which attention is clear, with this confidence at least; 0 where it was never doubted.

    It is of no use to be surer of the best candidate than of attention.
    """
    before = beliefs.inattentive_before
    if before == 0:
        return 0.0
    return max(STOPPING.attending, before / (1 - before) * confidence / (1 - confidence))


def _own_pairs(candidates: Candidates, beliefs: Beliefs, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw pairs of candidates: of those that may be the best for one half, of all for the other."""
    n = len(candidates.names)
    cheapest = comparable(beliefs.costs(candidates.models)).argmin(axis=1)
    best = np.bincount(cheapest, beliefs.probability, minlength=n)
    half = (QUESTIONS.from_candidates // 2, 2)
    drawn = np.concatenate([rng.choice(n, size=half, p=best / best.sum()), rng.choice(n, size=half)])
    # A pair and its mirror image have the same utility, but for rounding, which must not decide what is asked.
    one, other = np.divmod(np.unique(drawn.min(axis=1) * n + drawn.max(axis=1)), n)
    differ = one != other
    return candidates.profiles[one[differ]], candidates.profiles[other[differ]]
