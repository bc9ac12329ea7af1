"""What to tell the person at the end: the metric, how sure it is, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenhand.elicitation.adaptive.goals import RankingGoal
from evenhand.elicitation.adaptive.interviewer import BUDGET, Interviewed, Interviewer, seems_to_attend
from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty
from evenhand.elicitation.inference.diagnostics import misfit, swapped
from evenhand.elicitation.thresholds import STOPPING, WARNINGS
from evenhand.metric import FairMetric, MetricSample
from evenhand.rates import Setting
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


def verdict(found: Interviewed, interviewer: Interviewer, setting: Setting, rng: np.random.Generator) -> Finding:
    """Sum up an interview."""
    posterior, candidates = found.posterior, interviewer.candidates
    probability = posterior.probability
    weights = posterior.weights
    metric = FairMetric.of(setting, weights.mean(probability), posterior.model.prior.family.name)
    choice: Choice | None = None
    really: float | None = None
    if candidates is not None:
        costs = candidates.costs(posterior)
        nearly = probability @ (costs - costs.min(axis=1, keepdims=True) <= STOPPING.indifferent)
        expected = comparable(probability @ costs)
        favourite = int(np.where(nearly >= nearly.max() - WARNINGS.equally_good - ROUNDING, expected, np.inf).argmin())
        drawn = candidates.costs_with_sampling_error(posterior, rng)
        really = (1 - posterior.inattentive) * float(
            probability @ (drawn[:, favourite] - drawn.min(axis=1) <= STOPPING.indifferent)
        )
        cheapest = drawn <= drawn.min(axis=1, keepdims=True) + ROUNDING
        shares = probability @ (cheapest / cheapest.sum(axis=1, keepdims=True))
        choice = Choice(
            best=candidates.names[favourite],
            best_certainty=(1 - posterior.inattentive) * min(float(nearly[favourite]), 1.0),
            probabilities=dict(zip(candidates.names, (shares / shares.sum()).tolist(), strict=True)),
            ranking=tuple(candidates.names[place] for place in np.argsort(expected, kind="stable")),
            ranking_certainty=RankingGoal(candidates.features).certainty(posterior),
        )
    p_value = misfit(posterior, rng)
    sides = swapped(posterior, rng) > WARNINGS.swapped_odds
    return Finding(
        metric=metric,
        warnings=(*([_SWAPPED] if sides else []), *_doubts(found, interviewer, p_value, choice, really)),
        stopped_because=found.stopped_because,
        uncertainty=Uncertainty(
            level=STOPPING.level,
            intervals=Intervals(*posterior.intervals(STOPPING.level)),
            sample=MetricSample(weights, probability, posterior.model.prior.family.name),
        ),
        choice=choice,
        reliability=Reliability(
            attending=1 - posterior.inattentive,
            lapse_rate=posterior.lapse_rate,
            predictive=tuple(reply.foreseen for reply in found.replies if reply.foreseen is not None),
            misfit=p_value,
            consistency=found.consistency,
            repeats=found.repeats,
        ),
    )


def _doubts(
    found: Interviewed, interviewer: Interviewer, p_value: float, choice: Choice | None, really: float | None
) -> Iterator[str]:
    posterior, candidates = found.posterior, interviewer.candidates
    yield from _about_attention(found, interviewer)
    lapse = posterior.lapse_rate
    if lapse > WARNINGS.lapses and posterior.inattentive <= WARNINGS.inattentive:
        yield f"About {lapse:.0%} of the answers seem to have nothing to do with the question."
    *_, (least, most) = posterior.intervals(STOPPING.level)
    for free, share in ((posterior.model.prior.family.title, most), ("mistakes", 1 - least)):
        if share <= WARNINGS.negligible:
            yield f"The answers hardly depend on {free}, so the weights of {free} could not be learned."
    if p_value < WARNINGS.misfit:
        yield (
            f"Your answers are not explained by any metric of this form: answers this odd would come up with "
            f"probability {p_value:.3f} only."
        )
    if (
        found.consistency is not None
        and found.consistency < WARNINGS.consistency
        and found.repeats >= WARNINGS.repeats
        and posterior.inattentive > 1 - interviewer.confidence
    ):
        yield f"Questions asked again were answered alike only {found.consistency:.0%} of the time."
    if found.stopped_because == BUDGET and not interviewer.whole_budget and posterior.answered:
        yield f"The questions ran out before {_MISSING[interviewer.goal.name]}."
    if candidates is not None and candidates.alike:
        yield "All candidates have the same rates: whoever answers, none is better than another."
    elif (
        candidates is not None
        and candidates.counted
        and posterior.inattentive <= WARNINGS.inattentive
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


def _about_attention(found: Interviewed, interviewer: Interviewer) -> Iterator[str]:
    """Say, if it is so, that the answers may have nothing to do with the questions."""
    posterior = found.posterior
    if found.replies and not posterior.answered:
        yield "Every question was skipped: nothing is known beyond what could be said before the first."
    elif 2 * posterior.answers.undecided > posterior.answered:
        yield (
            f"Neither was preferred in {posterior.answers.undecided} of {posterior.answered} answers: they are "
            "unreliable guides to a metric, whether the differences were too small to tell or do not matter."
        )
    elif posterior.inattentive > posterior.inattentive_before and posterior.answered >= WARNINGS.few_answers:
        yield (
            f"These answers are unreliable: they may be clicks at random (probability {posterior.inattentive:.2f}), or "
            "follow a rule that no metric of this form explains. Nothing here should be decided by them."
        )
    elif posterior.inattentive > WARNINGS.inattentive:
        few = posterior.answered < WARNINGS.many_answers
        yield (
            f"{'So few' if few else 'These'} answers are unreliable ground for a decision: they may still be clicks at "
            f"random (probability {posterior.inattentive:.2f}). More answers, to questions that are not close, would "
            "tell."
        )
    elif not (interviewer.whole_budget or seems_to_attend(posterior, interviewer.confidence)):
        yield (
            f"It is not clear yet that the answers follow any metric: with probability {posterior.inattentive:.2f} "
            "they are clicks at random."
        )
