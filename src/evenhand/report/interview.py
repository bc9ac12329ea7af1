"""What a person is told around the questions: before the first, above each, on request, and in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from rich.console import Group
from rich.text import Text

from evenhand.elicitation import Finding, Plan
from evenhand.oracles.people import who_is_in_the_groups
from evenhand.oracles.terminal import QUESTION, Choice
from evenhand.report.bars import bar
from evenhand.report.metric import MetricPicture
from evenhand.report.screen import BAR, FAINT, WORSE, printable

PARTS = {
    "misclassification": "mistakes",
    "violation": "gaps between groups",
    "trade_off": "the trade-off",
}
_BEARABLE = 30  # comparisons that a person bears in one go
_TOLERANCES = (0.25, 0.1, 0.01, 0.001)


def introduction(plan: Plan) -> Group:
    """Say what will be asked, how much of it, and what a coarser or finer tolerance would change."""
    others = [f"{tolerance} asks {questions(replace(plan, tolerance=tolerance))}" for tolerance in _TOLERANCES]
    paper = questions(replace(plan, method="paper", tolerance=1e-3, cycles=4, equal_pairs=False))
    return Group(
        Text("Which fairness metric do you hold?", style="bold"),
        Text(
            "You will see two models at a time and say which one you would rather deploy. The answers show what "
            "each mistake and each gap between groups costs you, and how the two trade off. This measures your "
            "preferences; it does not certify that any model is fair."
        ),
        Text(),
        questions_by_part(plan.questions_by_part()),
        Text(
            ("That is long, so take breaks. " if questions(plan) > _BEARABLE else "")
            + "Every answer is kept at once, and you can quit and resume at any time. "
            f"The tolerance, {plan.tolerance:g}, is where each search ends: the weights of mistakes come out about "
            "that exactly, those of gaps and the trade-off less so."
        ),
        Text(f"Another --tolerance, another length: {', '.join(others)}. As in the paper: {paper}.", style=FAINT),
        Text(),
        *groups(plan),
    )


def questions(plan: Plan) -> int:
    """Return how many questions a plan has."""
    return sum(plan.questions_by_part().values())


def questions_by_part(counts: Mapping[str, int]) -> Text:
    """Say how many questions there are, and on what."""
    parts = ", ".join(f"{counts[part]} on {words}" for part, words in PARTS.items() if counts.get(part))
    text = Text(f"{sum(counts.values())} questions", style="bold")
    return text.append(f": {parts}", "not bold") if parts else text


def groups(plan: Plan) -> Iterator[Text]:
    """Say who is in the groups."""
    yield Text("Who is in the groups", style="bold")
    for line in who_is_in_the_groups(plan.setting):
        yield Text(f"  {line}")
    if np.ptp(plan.setting.prevalence) == 0:
        yield Text("  (Equal groups, unless --people gives their sizes when the interview is begun.)", style=FAINT)


def progress(plan: Plan, answered: int, part: str) -> Text:
    """Say how far the interview is, such as "question 12 of 70 · part 1 of 3: mistakes"."""
    total = questions(plan)
    place = list(PARTS).index(part) + 1
    text = Text(bar(answered / total, 20).rstrip(), style=BAR)
    text.append("·" * (20 - len(text)), FAINT)
    return text.append(f" question {answered + 1} of {total} · part {place} of {len(PARTS)}: {PARTS[part]}", "default")


def ask() -> Text:
    """The question itself."""
    return Text(QUESTION, style="bold")


def keys() -> Text:
    """Name the keys."""
    text = Text()
    for choice in Choice:
        text.append("   " if text else "").append(f" {choice.key} ", "reverse").append(f" {choice.words}")
    return text


def help_text(plan: Plan) -> Group:
    """Explain the screen and the keys."""
    return Group(
        Text("How to read this", style="bold"),
        Text(
            "Each bar is 100 people of one group and one true class; its filled part are those whom the model gets "
            "wrong in this way. +7 marks the model that gets 7 people more wrong than the other. A gap is how far "
            "the groups are apart within one model. Numbers are rounded: <1 means fewer than one, but not none."
        ),
        Text(
            "If you cannot tell, take either: this method needs an answer to every question. Which model is shown "
            "as A is drawn by lot."
        ),
        *groups(plan),
        Text("Keys", style="bold"),
        Text("  a, 1 or ←   prefer A"),
        Text("  b, 2 or →   prefer B"),
        Text("  u           undo the last answer, and the one before, as far back as you like"),
        Text("  q, Ctrl-C   quit; every answer is saved"),
    )


def result(finding: Finding, answers: int) -> Group:
    """Show what was found, with every reason to doubt it."""
    return Group(
        Text(f"What your {answers} answers say", style="bold underline"),
        Text(),
        MetricPicture({"your metric": finding.metric}),
        *doubts(finding.warnings),
        Text(),
        Text("This is what your answers say that you prefer. It does not certify that a model is fair.", style=FAINT),
    )


def doubts(warnings: tuple[str, ...]) -> Iterator[Text]:
    """Return the reasons to doubt a metric, each with a sign."""
    for warning in warnings:
        yield Text()
        yield Text.assemble(("! ", WORSE), printable(warning))
