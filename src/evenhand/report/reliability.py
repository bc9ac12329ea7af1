"""How far to trust the answers, in the sentences that terminal, report and pages share."""

from __future__ import annotations

from evenhand.display.names import capitalised, printable
from evenhand.elicitation import Choice, Reliability
from evenhand.wording.numerals import percent, plural

DOUBT = "A reason for doubt"
"""What stands before each warning."""


def where_it_lies(level: float) -> str:
    """Say what an interval is, to follow “the line is …”."""
    return f"where the value lies with {percent(level)} probability"


def certainty(choice: Choice | None) -> list[str]:
    """Say which candidate the answers favour, and how certain that is."""
    if choice is None:
        return []
    best = printable(choice.best)
    if choice.best_certainty is None:
        return [f"The answers favour {best}."]
    others = f"no other of the {len(choice.ranking)} candidates" if choice.ranking else "no other candidate"
    sure = percent(choice.best_certainty)
    return [f"The answers favour {best}, and make it {sure} certain that {others} is clearly better."]


def steadiness(reliability: Reliability | None) -> list[str]:
    """Say how well the answers agree with one another, as far as that was measured."""
    if reliability is None:
        return []
    said = []
    if reliability.consistency is not None:
        said.append(
            f"{plural(reliability.repeats, 'question')} came again, and "
            f"{percent(reliability.consistency)} got the same answer. One reversal in five is ordinary."
        )
    if reliability.predictive:
        said.append(
            f"{reliability.expected} of {plural(len(reliability.predictive), 'answer')} could be predicted from the "
            "answers before. Of random answers it would be about half, and most questions are chosen to be hard to "
            "predict."
        )
    return said


def diagnostics(reliability: Reliability | None) -> list[str]:
    """Say what the model of a respondent tells about these answers."""
    if reliability is None:
        return []
    if reliability.other_rule is None:
        fits = (
            "Of the rules outside this family that were tried, and of a change of mind, nothing explains them better."
        )
    else:
        fits = f"{capitalised(str(reliability.other_rule))}."
    return [
        f"About {percent(reliability.lapse_rate)} of the answers seem to have nothing to do with their question.",
        f"The probability that the answers follow a metric at all is {reliability.attending:.2f}.",
        fits,
    ]
