"""How far to trust the answers, in the sentences that terminal, report and pages share."""

from __future__ import annotations

from collections.abc import Mapping

from evenhand.display.names import capitalised
from evenhand.elicitation import Finding, Reliability
from evenhand.elicitation.finding import VerdictKind
from evenhand.elicitation.thresholds import MISFIT
from evenhand.metric import Near, nearest
from evenhand.metric.nearest import differs_among
from evenhand.metric.sentences import NEAREST_UNKNOWN, decided_among, nearness
from evenhand.rates import GroupRates
from evenhand.wording.numerals import percent, plural

DOUBT = "A reason for doubt"
"""What stands before each warning."""
HELP = "What would help"
"""What stands before the advice of a verdict."""
HEADINGS: dict[VerdictKind, str] = {
    "decided": "The answers decide",
    "no answers": "No question was answered",
    "too few answers": "Too few answers to decide by: they may be random",
    "undecided answers": "Most answers are “can’t tell”",
    "swapped answers": "Were the answers the other way round?",
    "unreliable answers": "Nothing should be decided by these answers",
    "another rule": "The answers follow another rule",
    "change of mind": "The answers changed on the way",
}
"""What stands above a verdict; nothing else is headlined where nothing is decided."""


_MORE_LIKELY = 1.5
"""Answers so many times as likely by other rules are said to be. Chosen by judgement."""


def where_it_lies(level: float) -> str:
    """Say what an interval is, to follow “the line is …”."""
    return f"where the value lies with {percent(level)} probability"


def certainty(finding: Finding) -> list[str]:
    """Say which candidates cannot be told apart, how certain the favourite is, and why no more was asked."""
    said = [] if finding.choice is None else finding.choice.sentences()
    if finding.choice is not None and (apart := finding.choice.apart()) is not None:
        said = [apart, *said]
    return [*said, *([finding.ended] if finding.ended else [])]


def order_in_words(finding: Finding) -> list[str]:
    """Say how certain the order of all candidates is, and why another may look better than the favourite."""
    about = () if finding.choice is None else (finding.choice.outdone, finding.choice.overtaken)
    return [line for line in (finding.order, *about) if line is not None]


def steadiness(reliability: Reliability | None) -> list[str]:
    """Say how well the answers agree with one another, as far as that was measured."""
    if reliability is None:
        return []
    said = []
    if reliability.consistency is not None:
        again, same = plural(reliability.repeats, "question"), reliability.same_answers
        said.append(f"{again} came again, and {same} got the same answer. One reversal in five is ordinary.")
    if len(reliability.predictive) > 1:
        said.append(
            f"{reliability.expected} of {plural(len(reliability.predictive), 'answer')} could be predicted from the "
            "answers before. Of random answers it would be half or fewer, and most questions are chosen to be hard to "
            "predict."
        )
    return said


def diagnostics(finding: Finding) -> list[str]:
    """Say what the model of a respondent tells about these answers; only what they do follow, if that was found."""
    reliability = finding.reliability
    if reliability is None or finding.verdict.kind in {"no answers", "swapped answers", "undecided answers"}:
        return []
    fits = _other_rules(reliability)
    if finding.verdict.explained:
        return [fits]
    return [
        *([reliability.lapses] if reliability.lapses and finding.verdict.decided else []),
        f"The probability that the answers follow a metric at all is {percent(reliability.attending)}.",
        fits,
    ]


def _other_rules(reliability: Reliability) -> str:
    """Say whether something else explains the answers better than a metric of the family."""
    if reliability.other_rule is not None:
        return f"{capitalised(str(reliability.other_rule))}."
    also = ", and a change of mind," if len(reliability.predictive) >= 2 * MISFIT.least_before else ""
    tried = f"Rules outside this family{also} were tried"
    if reliability.misfit < _MORE_LIKELY:
        return f"{tried}: they do not explain the answers clearly better."
    return (
        f"{tried}: by them the answers are {reliability.misfit:.2g} times as likely as by metrics of the family. From "
        f"{MISFIT.decisive:.0f} times on, that would speak against the family."
    )


def nearest_in_words(finding: Finding, candidates: Mapping[str, GroupRates], near: Near | None = None) -> list[str]:
    """Say which metric with a name is nearest, and how often it decides differently, also between the candidates.

    `near` is that metric, where it is known.
    """
    if not finding.has_a_shape:
        return [NEAREST_UNKNOWN]
    metric = finding.metric
    near = near or nearest(metric)[0]
    said = [nearness(near)]
    if len(candidates) > 1:
        said.append(decided_among(differs_among(metric, near.metric, candidates), len(candidates)))
    return said
