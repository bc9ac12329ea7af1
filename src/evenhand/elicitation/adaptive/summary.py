"""The finding of an interview: the metric, how certain it is, and each reason to doubt it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.adaptive.checks import looks_random
from evenhand.elicitation.adaptive.goals import order_told
from evenhand.elicitation.adaptive.interviewer import BUDGET, Interviewer, Learned, seems_to_attend
from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty, Verdict
from evenhand.elicitation.inference.beliefs import Beliefs
from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import FIRST, NEITHER
from evenhand.elicitation.inference.ratios import ratios
from evenhand.elicitation.misfit import Decided, Misfit, misfit
from evenhand.elicitation.thresholds import STOPPING, WARNINGS
from evenhand.metric.sample import first_place
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.wording.numerals import percent_missing

_SWAPPED = Verdict(
    kind="swapped answers",
    reason=(
        "These answers would fit far better with their sides swapped. Was the model that was named always the one to "
        "deploy, and not the one that costs more?"
    ),
    advice="If the worse model was named, answer again, and name the model to deploy.",
)
_MORE = "Answer more questions; if none are left, answer again and allow more."
_ALIKE = "All candidates have the same rates, so none is better than another."
_MISSING = {
    "best": "it was settled which model is the best",
    "ranking": "the order of the models was settled",
    "weights": "all intervals were as narrow as asked",
}


def summary(learned: Learned, interviewer: Interviewer, rng: np.random.Generator) -> Finding:
    """Return the finding at the end of an interview."""
    beliefs, transcript = learned.beliefs, learned.transcript
    metric, told = beliefs.metric(interviewer.setting), beliefs.told
    intervals, sample = Intervals(*told.intervals(STOPPING.level)), told.mixture()
    choice = None if interviewer.candidates is None else _choice(interviewer.candidates, beliefs)
    unlike = _misfit(learned, interviewer, rng)
    # Random answers, too, may fit better swapped: they must also be far from random.
    swapped = beliefs.swapped(rng) * min(1.0, beliefs.attention.bayes_factor) > WARNINGS.swapped_odds
    verdict = _verdict(learned, interviewer, unlike, swapped=swapped)
    reliability = Reliability(
        attending=1 - beliefs.inattentive,
        lapse_rate=beliefs.lapse_rate,
        lapse_interval=beliefs.lapse_interval(STOPPING.level),
        predictive=transcript.predictive,
        misfit=unlike.odds,
        other_rule=unlike.rule,
        consistency=transcript.consistency,
        repeats=transcript.repeats,
    )
    return Finding(
        metric=metric,
        verdict=verdict,
        warnings=(
            *([] if verdict.decided else [verdict.reason]),
            *_about_answers(learned, interviewer, reliability, verdict),
            *(_about_what_they_say(interviewer, intervals, choice) if verdict.decided else []),
            *([_ALIKE] if interviewer.candidates is not None and interviewer.candidates.alike(beliefs) else []),
        ),
        stopped_because=learned.stopped_because,
        uncertainty=Uncertainty(
            level=STOPPING.level,
            intervals=intervals,
            ratios=ratios(metric, sample, STOPPING.level_of_ratios, STOPPING.level),
            sample=beliefs.sample,
        ),
        choice=choice,
        reliability=reliability,
    )


def _choice(candidates: Candidates, beliefs: Beliefs) -> Choice:
    """Return what the answers say about the candidates."""
    probability, attending = beliefs.probability, 1 - beliefs.inattentive
    costs = beliefs.costs(candidates.models)
    nearly = probability @ (costs - costs.min(axis=1, keepdims=True) <= STOPPING.indifferent)
    own = comparable(beliefs.mean_costs(candidates.models))
    favourite = int(np.where(nearly >= nearly.max() - WARNINGS.equally_good - ROUNDING, own, np.inf).argmin())
    order, order_certainty = order_told(beliefs, candidates.models)
    first = first_place(candidates.drawn_costs(beliefs), probability, STOPPING.indifferent)
    return Choice(
        best=candidates.names[favourite],
        best_certainty=attending * min(float(nearly[favourite]), 1.0),
        probabilities=dict(zip(candidates.names, (attending * first).tolist(), strict=True)),
        ranking=tuple(candidates.names[place] for place in order),
        ranking_certainty=order_certainty,
    )


def _about_answers(
    learned: Learned, interviewer: Interviewer, reliability: Reliability, verdict: Verdict
) -> Iterator[str]:
    """Yield a sentence for each reason to doubt the answers, but for that of the verdict."""
    beliefs, transcript = learned.beliefs, learned.transcript
    lapses = None if verdict.explained else reliability.lapses
    if lapses and reliability.lapse_rate > WARNINGS.lapses and beliefs.inattentive <= WARNINGS.inattentive:
        yield lapses
    if (
        transcript.consistency is not None
        and transcript.consistency < WARNINGS.consistency
        and transcript.repeats >= WARNINGS.repeats
        and beliefs.inattentive > 1 - interviewer.confidence
    ):
        same = round(transcript.consistency * transcript.repeats)
        few = f"Only {same}" if same else "None"
        yield f"{few} of the {transcript.repeats} repeated questions got the same answer."
    if learned.stopped_because == BUDGET and not interviewer.whole_budget and beliefs.answered:
        yield f"The questions ran out before {_MISSING[interviewer.goal.name]}."


def _about_what_they_say(interviewer: Interviewer, intervals: Intervals, choice: Choice | None) -> Iterator[str]:
    """Yield a sentence for each reason to doubt what the answers say of weights and candidates."""
    least, most = intervals.trade_off
    for free, share in ((interviewer.model.prior.family.title, most), ("mistakes", 1 - least)):
        if share <= WARNINGS.negligible:
            yield f"The answers hardly depend on {free}, so the weights of {free} could not be learned."
    if choice is not None and not choice.test_set_decides:
        yield (
            "The models were tested on so few people that chance may have decided which looks best: a larger test set "
            "would tell more than further answers."
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
        return unlike.rule.verdict
    return _about_attention(learned, interviewer)


def _about_attention(learned: Learned, interviewer: Interviewer) -> Verdict:
    """Return whether the answers have anything to do with the questions."""
    beliefs = learned.beliefs
    random = percent_missing(1 - beliefs.inattentive)
    if 2 * beliefs.undecided > beliefs.answered:
        return Verdict(
            kind="undecided answers",
            reason=(
                f"Neither was preferred in {beliefs.undecided} of {beliefs.answered} answers, which makes them an "
                "unreliable guide to a metric: the differences were too small to tell, or do not matter."
            ),
            advice=(
                "Ask about models that differ more; if such differences do not matter either, nor does the choice "
                "between the models."
            ),
        )
    if seems_to_attend(beliefs, interviewer.confidence):
        return Verdict()
    if looks_random(beliefs.attention, about_candidates=interviewer.about_candidates):
        return Verdict(
            kind="unreliable answers",
            reason=(
                f"These answers are unreliable: they may be random (probability {random}), or "
                "follow a rule that no metric of this form explains. Do not base a decision on them."
            ),
            advice="Answer again, without hurry; or, if a rule was followed, put it in words.",
        )
    unclear = "It is not clear yet that the answers follow any metric"
    if beliefs.answered < WARNINGS.many_answers:
        unclear = "So few answers are no basis for a decision"
    return Verdict(
        kind="too few answers",
        reason=f"{unclear}: they may still be random (probability {random}).",
        advice=_MORE,
    )
