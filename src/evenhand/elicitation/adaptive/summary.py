"""The finding of an interview: the metric, how certain it is, and each reason to doubt it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.checks import looks_random
from evenhand.elicitation.adaptive.goals import RankingGoal
from evenhand.elicitation.adaptive.interviewer import BUDGET, Interviewer, Learned, seems_to_attend
from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty, Verdict
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER
from evenhand.elicitation.inference.ratios import ratios
from evenhand.elicitation.misfit import Decided, Misfit, misfit
from evenhand.elicitation.thresholds import STOPPING, WARNINGS
from evenhand.rates.ties import ROUNDING, comparable

_SWAPPED = Verdict(
    kind="swapped answers",
    reason=(
        "These answers would fit far better with their sides swapped. Was the model that was named always the one to "
        "deploy, and not the one that costs more?"
    ),
    advice="If the worse model was named, it would help to answer again, and to name the model to deploy.",
)
_BY_THE_RULE = (
    "If this is the rule that was followed, it would help to compare the models by the rule itself; if not, to say "
    "which one was."
)
_AGAIN = "It would help to answer again from the start, by what was in mind at the end."
_MORE = "More answers, to questions that are not close, would tell."
_MISSING = {
    "best": "the best candidate was settled",
    "ranking": "the order of the candidates was settled",
    "weights": "all intervals were as narrow as asked",
}


def summary(learned: Learned, interviewer: Interviewer, rng: np.random.Generator) -> Finding:
    """Return the finding at the end of an interview."""
    beliefs, transcript = learned.beliefs, learned.transcript
    choice, really = _choice(interviewer.candidates, beliefs, rng)
    unlike = _misfit(learned, interviewer, rng)
    swapped = beliefs.swapped(rng) > WARNINGS.swapped_odds
    verdict = _verdict(learned, interviewer, unlike, swapped=swapped)
    metric = beliefs.metric(interviewer.setting)
    return Finding(
        metric=metric,
        verdict=verdict,
        warnings=(
            *([] if verdict.decided else [verdict.reason]),
            *_warnings(learned, interviewer, choice, really),
        ),
        stopped_because=learned.stopped_because,
        uncertainty=Uncertainty(
            level=STOPPING.level,
            intervals=Intervals(*beliefs.intervals(STOPPING.level)),
            ratios=ratios(metric, beliefs.mixture(), STOPPING.level),
            sample=beliefs.sample,
        ),
        choice=choice,
        reliability=Reliability(
            attending=1 - beliefs.inattentive,
            lapse_rate=beliefs.lapse_rate,
            lapse_interval=beliefs.lapse_interval(STOPPING.level),
            predictive=transcript.predictive,
            misfit=unlike.odds,
            other_rule=unlike.rule,
            consistency=transcript.consistency,
            repeats=transcript.repeats,
        ),
    )


def _choice(
    candidates: Candidates | None, beliefs: Beliefs, rng: np.random.Generator
) -> tuple[Choice | None, float | None]:
    """Return what the answers say about the candidates, and the certainty of the best one with sampling error."""
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


def _warnings(learned: Learned, interviewer: Interviewer, choice: Choice | None, really: float | None) -> Iterator[str]:
    """Yield a sentence for each reason to doubt the finding, but for that of the verdict."""
    beliefs, transcript, candidates = learned.beliefs, learned.transcript, interviewer.candidates
    lapse = beliefs.lapse_rate
    if lapse > WARNINGS.lapses and beliefs.inattentive <= WARNINGS.inattentive:
        yield f"About {lapse:.0%} of the answers seem to have nothing to do with the question."
    *_, (least, most) = beliefs.intervals(STOPPING.level)
    for free, share in ((interviewer.model.prior.family.title, most), ("mistakes", 1 - least)):
        if share <= WARNINGS.negligible:
            yield f"The answers hardly depend on {free}, so the weights of {free} could not be learned."
    if (
        transcript.consistency is not None
        and transcript.consistency < WARNINGS.consistency
        and transcript.repeats >= WARNINGS.repeats
        and beliefs.inattentive > 1 - interviewer.confidence
    ):
        yield f"Only {transcript.consistency:.0%} of the repeated questions got the same answer."
    if learned.stopped_because == BUDGET and not interviewer.whole_budget and beliefs.answered:
        yield f"The questions ran out before {_MISSING[interviewer.goal.name]}."
    if candidates is not None and candidates.alike(beliefs):
        yield "All candidates have the same rates, so none is better than another."
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
            f"By its measured rates the favourite is as good as the best with probability {choice.best_certainty:.2f}, "
            "but the rates were measured on so few people that the probability with sampling error is only "
            f"{really:.2f}."
        )


def _misfit(learned: Learned, interviewer: Interviewer, rng: np.random.Generator) -> Misfit:
    """Compare the family with other rules and with a change of mind."""
    answered = [one for one in learned.transcript.observations if one.answer is not None]
    decided = np.array([one.answer != NEITHER for one in answered], dtype=bool)
    if not decided.any():
        return Misfit()
    kept = [one for one in answered if one.answer != NEITHER]
    firsts, seconds = (np.stack([getattr(one, side) for one in kept]) for side in ("first", "second"))
    pairs = Pairs.between(firsts, seconds, interviewer.setting)
    return misfit(
        Decided(firsts, seconds, np.array([one.answer == FIRST for one in kept])),
        learned.beliefs.attention.predicted[decided],
        lambda draws: learned.beliefs.savings_before(pairs, draws, rng),
        interviewer.setting,
        None if interviewer.candidates is None else interviewer.candidates.population,
    )


def _verdict(learned: Learned, interviewer: Interviewer, unlike: Misfit, *, swapped: bool) -> Verdict:
    """Return whether the answers are a basis for a decision."""
    beliefs = learned.beliefs
    if not beliefs.answered:
        skipped = "Every question was skipped" if len(learned.transcript) else "No question was asked"
        return Verdict(
            kind="no answers",
            reason=f"{skipped}, so nothing was learned.",
            advice="Each answer helps; a skipped question tells nothing.",
        )
    if swapped:
        return _SWAPPED
    if unlike.rule is not None:
        return Verdict(
            kind="another rule",
            reason=f"Do not base a decision on a metric fitted to these answers: {unlike.rule}.",
            advice=_AGAIN if unlike.rule.agrees is None else _BY_THE_RULE,
        )
    return _about_attention(learned, interviewer)


def _about_attention(learned: Learned, interviewer: Interviewer) -> Verdict:
    """Return whether the answers have anything to do with the questions."""
    beliefs = learned.beliefs
    if 2 * beliefs.undecided > beliefs.answered:
        return Verdict(
            kind="undecided answers",
            reason=(
                f"Neither was preferred in {beliefs.undecided} of {beliefs.answered} answers, which makes them an "
                "unreliable guide to a metric: the differences were too small to tell, or do not matter."
            ),
            advice=(
                "Questions about models that differ more would help; if such differences do not matter either, nor "
                "does the choice between the models."
            ),
        )
    if seems_to_attend(beliefs, interviewer.confidence):
        return Verdict()
    if looks_random(beliefs.attention, about_candidates=interviewer.candidates is not None):
        return Verdict(
            kind="unreliable answers",
            reason=(
                f"These answers are unreliable: they may be random (probability {beliefs.inattentive:.2f}), or follow "
                "a rule that no metric of this form explains. Do not base a decision on them."
            ),
            advice="It would help to say which rule was followed, and to answer again without hurry.",
        )
    few = beliefs.answered < WARNINGS.many_answers
    unclear = "So few answers are no basis for a decision" if few else "It is not clear yet that they follow any metric"
    return Verdict(
        kind="too few answers",
        reason=f"{unclear}: the answers may still be random (probability {beliefs.inattentive:.2f}).",
        advice=_MORE,
    )
