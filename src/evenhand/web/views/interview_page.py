"""Where an interview stands, as a page: its question or, when all is answered, its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evenhand.metric.sentences import CAVEAT, POINT
from evenhand.study.interview import Interview
from evenhand.web.views.cards import outcomes
from evenhand.web.views.result import Result, Undecided


def interview_page(
    state: Interview, downloads: Mapping[str, str], *, again: bool = False
) -> tuple[str, dict[str, Any]]:
    """Return the template and what it shows.

    `downloads` are the kinds of file that the result is offered as; `again` says whether anyone can begin the study.
    """
    question = state.question
    about: dict[str, Any] = {"interview": state, "study": state.study}
    if question is None:
        about |= {"downloads": downloads, "caveat": CAVEAT, "point": POINT, "again": again}
        if state.finding is not None and not state.finding.verdict.decided:
            return "undecided.html", about | {"result": Undecided.of(state.finding, len(state.answers))}
        return "result.html", about | {"result": Result.of(state)}
    left = state.about_left - 1
    return "question.html", about | {
        "question": question,
        "left": f"about {left} more" if left > 0 else "perhaps the last",
        "outcomes": outcomes(state.study, {"A": question.a, "B": question.b}),
    }
