"""What to tell the person at the end: the metric, how sure it is, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.goals import RankingGoal
from evenhand.elicitation.adaptive.interviewer import BUDGET, Interviewer, Learned, seems_to_attend
from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.thresholds import STOPPING, WARNINGS
from evenhand.rates.ties import ROUNDING, comparable

_SWAPPED = (
    "These answers would be explained far better with their sides swapped: does whoever answers name the model that "
    "they would rather deploy, and not the one that costs more?"
)
_MISSING = {
    "best": "the best candidate was settled",
    "ranking": "the order of the candidates was settled",
    "weights": "all intervals were as narrow as asked",
}


def summary(learned: Learned, interviewer: Interviewer, rng: np.random.Generator) -> Finding:
    """Return what is told at the end of an interview."""
    beliefs, transcript = learned.beliefs, learned.transcript
    choice, really = _choice(interviewer.candidates, beliefs, rng)
    misfit = beliefs.misfit(rng)
    swapped = beliefs.swapped(rng) > WARNINGS.swapped_odds
    return Finding(
        metric=beliefs.metric(interviewer.setting),
        warnings=(*([_SWAPPED] if swapped else []), *_warnings(learned, interviewer, misfit, choice, really)),
        stopped_because=learned.stopped_because,
        uncertainty=Uncertainty(
            level=STOPPING.level,
            intervals=Intervals(*beliefs.intervals(STOPPING.level)),
            sample=beliefs.sample,
        ),
        choice=choice,
        reliability=Reliability(
            attending=1 - beliefs.inattentive,
            lapse_rate=beliefs.lapse_rate,
            predictive=transcript.predictive,
            misfit=misfit,
            consistency=transcript.consistency,
            repeats=transcript.repeats,
        ),
    )


def _choice(
    candidates: Candidates | None, beliefs: Beliefs, rng: np.random.Generator
) -> tuple[Choice | None, float | None]:
    """Return what the answers say about the candidates, and how certain the best is with its sampling error."""
    if candidates is None:
        return None, None
    probability, attending = beliefs.probability, 1 - beliefs.inattentive
    costs = beliefs.costs(candidates.models)
    nearly = probability @ (costs - costs.min(axis=1, keepdims=True) <= STOPPING.indifferent)
    expected = comparable(probability @ costs)
    favourite = int(np.where(nearly >= nearly.max() - WARNINGS.equally_good - ROUNDING, expected, np.inf).argmin())
    drawn = candidates.costs_with_sampling_error(beliefs, rng)
    really = attending * float(probability @ (drawn[:, favourite] - drawn.min(axis=1) <= STOPPING.indifferent))
    cheapest = drawn <= drawn.min(axis=1, keepdims=True) + ROUNDING
    shares = probability @ (cheapest / cheapest.sum(axis=1, keepdims=True))
    choice = Choice(
        best=candidates.names[favourite],
        best_certainty=attending * min(float(nearly[favourite]), 1.0),
        probabilities=dict(zip(candidates.names, (shares / shares.sum()).tolist(), strict=True)),
        ranking=tuple(candidates.names[place] for place in np.argsort(expected, kind="stable")),
        ranking_certainty=RankingGoal(candidates.models).certainty(beliefs),
    )
    return choice, really


def _warnings(
    learned: Learned, interviewer: Interviewer, misfit: float, choice: Choice | None, really: float | None
) -> Iterator[str]:
    beliefs, transcript, candidates = learned.beliefs, learned.transcript, interviewer.candidates
    yield from _about_attention(learned, interviewer)
    lapse = beliefs.lapse_rate
    if lapse > WARNINGS.lapses and beliefs.inattentive <= WARNINGS.inattentive:
        yield f"About {lapse:.0%} of the answers seem to have nothing to do with the question."
    *_, (least, most) = beliefs.intervals(STOPPING.level)
    for free, share in ((interviewer.model.prior.family.title, most), ("mistakes", 1 - least)):
        if share <= WARNINGS.negligible:
            yield f"The answers hardly depend on {free}, so the weights of {free} could not be learned."
    if misfit < WARNINGS.misfit:
        yield (
            f"Your answers are not explained by any metric of this form: answers this odd would come up with "
            f"probability {misfit:.3f} only."
        )
    if (
        transcript.consistency is not None
        and transcript.consistency < WARNINGS.consistency
        and transcript.repeats >= WARNINGS.repeats
        and beliefs.inattentive > 1 - interviewer.confidence
    ):
        yield f"Questions asked again were answered alike only {transcript.consistency:.0%} of the time."
    if learned.stopped_because == BUDGET and not interviewer.whole_budget and beliefs.answered:
        yield f"The questions ran out before {_MISSING[interviewer.goal.name]}."
    if candidates is not None and candidates.alike(beliefs):
        yield "All candidates have the same rates: whoever answers, none is better than another."
    elif (
        candidates is not None
        and candidates.counted
        and beliefs.inattentive <= WARNINGS.inattentive
        and choice is not None
        and choice.best_certainty is not None
        and really is not None
        and really < min(WARNINGS.sampling_certainty, choice.best_certainty - WARNINGS.sampling_loss)
    ):
        yield (
            "By the rates as measured the favourite is as good as the best with probability "
            f"{choice.best_certainty:.2f}; but they were measured on so few people that it is really so with "
            f"probability {really:.2f}."
        )


def _about_attention(learned: Learned, interviewer: Interviewer) -> Iterator[str]:
    """Say, if it is so, that the answers may have nothing to do with the questions."""
    beliefs = learned.beliefs
    if len(learned.transcript) and not beliefs.answered:
        yield "Every question was skipped: nothing is known beyond what could be said before the first."
    elif 2 * beliefs.undecided > beliefs.answered:
        yield (
            f"Neither was preferred in {beliefs.undecided} of {beliefs.answered} answers: they are "
            "unreliable guides to a metric, whether the differences were too small to tell or do not matter."
        )
    elif beliefs.inattentive > beliefs.inattentive_before and beliefs.answered >= WARNINGS.few_answers:
        yield (
            f"These answers are unreliable: they may be clicks at random (probability {beliefs.inattentive:.2f}), or "
            "follow a rule that no metric of this form explains. Nothing here should be decided by them."
        )
    elif beliefs.inattentive > WARNINGS.inattentive:
        few = beliefs.answered < WARNINGS.many_answers
        yield (
            f"{'So few' if few else 'These'} answers are unreliable ground for a decision: they may still be clicks at "
            f"random (probability {beliefs.inattentive:.2f}). More answers, to questions that are not close, would "
            "tell."
        )
    elif not (interviewer.whole_budget or seems_to_attend(beliefs, interviewer.confidence)):
        yield (
            f"It is not clear yet that the answers follow any metric: with probability {beliefs.inattentive:.2f} "
            "they are clicks at random."
        )
