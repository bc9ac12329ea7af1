"""What a person reads around the questions: before the first, above each, on request, and at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import numpy as np
from rich.columns import Columns
from rich.console import Group
from rich.table import Table
from rich.text import Text

from evenhand.display.names import printable
from evenhand.elicitation import Finding, Method
from evenhand.metric.sentences import CAVEAT, POINT
from evenhand.oracles.terminal import QUESTION, Key
from evenhand.rates import GroupRates
from evenhand.report.reliability import HEADINGS, HELP, certainty, nearest_in_words, order_in_words, steadiness
from evenhand.report.terminal.progress import PARTS, Progress
from evenhand.report.terminal.screen import FAINT, WORSE
from evenhand.report.terminal.weight_bars import MetricPicture
from evenhand.wording.comparison import who_is_in_the_groups
from evenhand.wording.numerals import plural
from evenhand.wording.phrases import Phrases
from evenhand.wording.vocabulary import Words

YOURS = "your metric"
TITLE = "Which fairness metric do you hold?"
_KEYS = {
    Key.A: "a, 1 or ←   prefer A",
    Key.B: "b, 2 or →   prefer B",
    Key.NEITHER: "= or n      can't tell",
    Key.SKIP: "s           skip this question",
    Key.UNDO: "u           undo the last answer, and the one before, as far back as you like",
    Key.QUIT: "q, Ctrl-C   quit; every answer is saved",
}

_BEARABLE = 30  # comparisons that a person can answer without a break


def introduction(method: Method, progress: Progress, phrases: Phrases | None = None) -> Group:
    """Say what will be asked, how much of it, and what would make it shorter or longer."""
    return Group(
        Text(TITLE, style="bold"),
        Text(
            "You will see two models at a time and say which one you would rather deploy. The answers show what "
            "each mistake and each gap between groups costs you, and how the two trade off. This measures your "
            "preferences; it does not certify that any model is fair."
        ),
        Text(),
        *_length(method, progress),
        Text(),
        *groups(method, phrases),
    )


def _length(method: Method, progress: Progress) -> Iterator[Text]:
    yield _number_of_questions(method, progress)
    breaks = "That is long, so take breaks. " if method.exact_length and progress.left > _BEARABLE else ""
    so_far = "" if method.exact_length else ": you are shown what your answers say so far"
    kept = f"{breaks}Every answer is kept at once, and you can quit and resume at any time{so_far}."
    what, *length = method.explanation() or ("",)
    yield Text(f"{kept} {what}".rstrip())
    for line in length:
        yield Text(line, style=FAINT)


def _number_of_questions(method: Method, progress: Progress) -> Text:
    if method.exact_length:
        return questions_by_part(method.questions_by_part() or {"": progress.left})
    at_most = method.most_questions
    if at_most is None or at_most > progress.left:
        about = f"About {progress.left} questions"
        return Text(about if at_most is None else f"{about}, and {at_most} at most", style="bold")
    return Text(f"{at_most} questions at most", style="bold")


def questions_by_part(counts: Mapping[str, int]) -> Text:
    """Say how many questions there are, and what they are about."""
    parts = ", ".join(f"{counts[part]} on {words}" for part, words in PARTS.items() if counts.get(part))
    text = Text(f"{sum(counts.values())} questions", style="bold")
    return text.append(f": {parts}", "not bold") if parts else text


def groups(method: Method, phrases: Phrases | None = None) -> Iterator[Text]:
    """Say who is in the groups."""
    yield Text("Who is in the groups", style="bold")
    for line in who_is_in_the_groups(method.setting, phrases):
        yield Text(f"  {line}")
    if phrases is None and np.ptp(method.setting.prevalence) == 0:
        yield Text("  (Equal groups, unless --people gives their sizes when the interview is begun.)", style=FAINT)


def ask() -> Text:
    """The question itself."""
    return Text(QUESTION, style="bold")


def keys(possible: Iterable[Key]) -> Columns:
    """Show the keys; a key and its meaning stay on one line."""
    named = [Text.assemble((f" {key.shown} ", "reverse"), f" {key.meaning}") for key in possible]
    return Columns(named, padding=(0, 3))


def help_text(method: Method, possible: Collection[Key], phrases: Phrases | None = None) -> Group:
    """Explain the screen and the keys."""
    undecided = Key.NEITHER in possible
    return Group(
        Text("How to read this", style="bold"),
        Text(
            "Each bar stands for 100 people of one group and one true class; the filled part shows how many of them "
            "the model gets wrong in this way. +7 marks the model that gets 7 more people wrong than the other. A gap "
            "is how far apart the groups are within one model."
            + ("" if undecided else " Numbers are rounded: <1 means fewer than one, but not none.")
        ),
        Text(
            (
                "If you cannot tell, say so: that the two are about equally good is an answer too. Skip a question "
                "that you would rather not answer: it does not count, and another one follows."
                if undecided
                else "If you cannot tell, take either: this method needs an answer to every question."
            )
            + " Which model is shown as A is drawn at random."
        ),
        *groups(method, phrases),
        Text("Keys", style="bold"),
        *(Text(f"  {_KEYS[key]}") for key in possible if key in _KEYS),
    )


def result(
    finding: Finding,
    answers: int,
    words: Words | None = None,
    *,
    candidates: Mapping[str, GroupRates] | None = None,
    so_far: bool = False,
) -> Group:
    """Show what was found with every reason to doubt it; where nothing is decided, why, and what would help.

    `candidates` are the models that the answers are about, if they are about some.
    """
    yours = f"What your {plural(answers, 'answer')} {'says' if answers == 1 else 'say'}{' so far' if so_far else ''}"
    if not finding.verdict.decided:
        return _undecided(finding, yours)
    uncertainty = {} if finding.uncertainty is None else {YOURS: finding.uncertainty}
    return Group(
        Text(yours, style="bold underline"),
        *_paragraph(certainty(finding)),
        *shown_warnings(finding.warnings),
        Text(),
        _listed(finding.sentences(words or Words.spoken(finding.metric.setting))),
        Text(f"  {POINT}", style=FAINT),
        *_paragraph(nearest_in_words(finding, candidates or {})),
        Text(),
        MetricPicture({YOURS: finding.metric}, uncertainty, words),
        *_paragraph(steadiness(finding.reliability)),
        *_paragraph(order_in_words(finding)),
        *_paragraph([CAVEAT], FAINT),
    )


def _undecided(finding: Finding, title: str) -> Group:
    """Say why nothing should be decided, and what would help."""
    above = [] if finding.verdict.kind == "no answers" else [Text(title, style="bold underline"), Text()]
    return Group(
        *above,
        Text(HEADINGS[finding.verdict.kind], style="bold"),
        *_paragraph([finding.verdict.reason]),
        *_paragraph([f"{HELP}: {finding.verdict.advice}"]),
        *shown_warnings(finding.doubts),
        *_paragraph(steadiness(finding.reliability)),
    )


def _listed(said: list[str]) -> Table:
    table = Table.grid(padding=(0, 1))
    for sentence in said:
        table.add_row("•", Text(sentence))
    return table


def _paragraph(said: list[str], style: str = "") -> Iterator[Text]:
    if said:
        yield Text()
        yield Text(" ".join(said), style=style)


def shown_warnings(warnings: tuple[str, ...]) -> Iterator[Text]:
    """Return the reasons to doubt a metric, each with a sign."""
    for warning in warnings:
        yield Text()
        yield Text.assemble(("! ", WORSE), printable(warning))
