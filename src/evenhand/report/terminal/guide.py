"""What a person is told around the questions: before the first, above each, on request, and in the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from rich.columns import Columns
from rich.console import Group
from rich.text import Text

from evenhand.elicitation import AdaptivePlan, Finding, Plan
from evenhand.metric.sentences import CAVEAT, sentences
from evenhand.oracles.terminal import QUESTION, Choice
from evenhand.report.reliability import certainty, steadiness
from evenhand.report.terminal.progress import PARTS, Progress, questions
from evenhand.report.terminal.screen import FAINT, WORSE
from evenhand.report.terminal.weight_bars import MetricPicture
from evenhand.wording.comparison import who_is_in_the_groups
from evenhand.wording.names import printable
from evenhand.wording.vocabulary import Words

YOURS = "your metric"
_KEYS = {
    Choice.A: "a, 1 or ←   prefer A",
    Choice.B: "b, 2 or →   prefer B",
    Choice.NEITHER: "= or n      can't tell",
    Choice.SKIP: "s           skip this question",
    Choice.UNDO: "u           undo the last answer, and the one before, as far back as you like",
    Choice.QUIT: "q, Ctrl-C   quit; every answer is saved",
}

_BEARABLE = 30  # comparisons that a person bears in one go
_TOLERANCES = (0.25, 0.1, 0.01, 0.001)


def introduction(plan: Plan | AdaptivePlan, progress: Progress) -> Group:
    """Say what will be asked, how much of it, and what would make it shorter or longer."""
    return Group(
        Text("Which fairness metric do you hold?", style="bold"),
        Text(
            "You will see two models at a time and say which one you would rather deploy. The answers show what "
            "each mistake and each gap between groups costs you, and how the two trade off. This measures your "
            "preferences; it does not certify that any model is fair."
        ),
        Text(),
        *(_length(plan) if isinstance(plan, Plan) else _about_length(plan, progress)),
        Text(),
        *groups(plan),
    )


def _length(plan: Plan) -> Iterator[Text]:
    others = [f"{tolerance} asks {questions(replace(plan, tolerance=tolerance))}" for tolerance in _TOLERANCES]
    paper = questions(replace(plan, method="paper", tolerance=1e-3, cycles=4, equal_pairs=False))
    yield questions_by_part(plan.questions_by_part())
    yield Text(
        ("That is long, so take breaks. " if questions(plan) > _BEARABLE else "")
        + "Every answer is kept at once, and you can quit and resume at any time. "
        f"The tolerance, {plan.tolerance:g}, is where each search ends: the weights of mistakes come out about "
        "that exactly, those of gaps and the trade-off less so."
    )
    yield Text(f"Another --tolerance, another length: {', '.join(others)}. As in the paper: {paper}.", style=FAINT)


def _about_length(plan: AdaptivePlan, progress: Progress) -> Iterator[Text]:
    about = f"About {progress.left} questions, and " if plan.budget > progress.left else ""
    yield Text(f"{about}{plan.budget}{'' if about else ' questions'} at most", style="bold")
    yield Text(
        "Each is the one that tells most after the answers before; some come again with their sides swapped. A wrong "
        "answer now and then does no harm, and “can't tell” is an answer too. Every answer is kept at once, and you "
        "can quit and resume at any time: you are shown what your answers say so far."
    )
    yield Text(
        f"It ends when every weight is known within an interval of {plan.tolerance:g}: a larger --tolerance ends it "
        "sooner, and so does --max-questions.",
        style=FAINT,
    )


def questions_by_part(counts: Mapping[str, int]) -> Text:
    """Say how many questions there are, and on what."""
    parts = ", ".join(f"{counts[part]} on {words}" for part, words in PARTS.items() if counts.get(part))
    text = Text(f"{sum(counts.values())} questions", style="bold")
    return text.append(f": {parts}", "not bold") if parts else text


def groups(plan: Plan | AdaptivePlan) -> Iterator[Text]:
    """Say who is in the groups."""
    yield Text("Who is in the groups", style="bold")
    for line in who_is_in_the_groups(plan.setting):
        yield Text(f"  {line}")
    if np.ptp(plan.setting.prevalence) == 0:
        yield Text("  (Equal groups, unless --people gives their sizes when the interview is begun.)", style=FAINT)


def ask() -> Text:
    """The question itself."""
    return Text(QUESTION, style="bold")


def keys(possible: Iterable[Choice]) -> Columns:
    """Name the keys; a key and its words stay on one line."""
    named = [Text.assemble((f" {choice.key} ", "reverse"), f" {choice.words}") for choice in possible]
    return Columns(named, padding=(0, 3))


def help_text(plan: Plan | AdaptivePlan, possible: Collection[Choice]) -> Group:
    """Explain the screen and the keys."""
    undecided = Choice.NEITHER in possible
    return Group(
        Text("How to read this", style="bold"),
        Text(
            "Each bar is 100 people of one group and one true class; its filled part are those whom the model gets "
            "wrong in this way. +7 marks the model that gets 7 people more wrong than the other. A gap is how far "
            "the groups are apart within one model."
            + ("" if undecided else " Numbers are rounded: <1 means fewer than one, but not none.")
        ),
        Text(
            (
                "If you cannot tell, say so: that the two are about as good is an answer, too. Skip a question that "
                "you would rather not answer: it counts for nothing, and another one comes."
                if undecided
                else "If you cannot tell, take either: this method needs an answer to every question."
            )
            + " Which model is shown as A is drawn by lot."
        ),
        *groups(plan),
        Text("Keys", style="bold"),
        *(Text(f"  {_KEYS[choice]}") for choice in possible if choice in _KEYS),
    )


def result(finding: Finding, answers: int, *, so_far: bool = False) -> Group:
    """Show what was found, with every reason to doubt it."""
    yours = f"What your {answers} answer{'s say' if answers != 1 else ' says'}{' so far' if so_far else ''}"
    uncertainty = {} if finding.uncertainty is None else {YOURS: finding.uncertainty}
    return Group(
        Text(yours, style="bold underline"),
        *(Text(sentence) for sentence in sentences(finding.metric, Words.spoken(finding.metric.setting))),
        Text(),
        MetricPicture({YOURS: finding.metric}, uncertainty),
        *_paragraph(certainty(finding.choice) + steadiness(finding.reliability)),
        *doubts(finding.warnings),
        *_paragraph([CAVEAT], FAINT),
    )


def _paragraph(said: list[str], style: str = "") -> Iterator[Text]:
    if said:
        yield Text()
        yield Text(" ".join(said), style=style)


def doubts(warnings: tuple[str, ...]) -> Iterator[Text]:
    """Return the reasons to doubt a metric, each with a sign."""
    for warning in warnings:
        yield Text()
        yield Text.assemble(("! ", WORSE), printable(warning))
