"""What a person downloads from the result page as JSON: what was found, and every answer with its question as shown."""

from __future__ import annotations

from typing import Any

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import Format, checked_fields, checked_time
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.codec import finding_document, read_finding
from evenhand.elicitation.question import STORED
from evenhand.errors import EvenhandError
from evenhand.study.answers import Answered
from evenhand.study.interview import GivenAnswer, Interview
from evenhand.study.methods import method_document, read_without_candidates
from evenhand.study.question_codec import question_document, read_question

RESULT_FORMAT = Format(
    name="evenhand.result",
    what="result",
    fields=("study", "title", "method", "seed", "finding", "answers"),
)

_ANSWER = ("n", "question", "choice", "why", "time")


def result_document(interview: Interview) -> dict[str, Any]:
    """Return a finished interview as JSON holds it."""
    assert interview.finding is not None  # noqa: S101  # asked by the caller
    return RESULT_FORMAT.write(
        study=interview.study.slug,
        title=interview.study.title,
        method=method_document(interview.method),
        seed=interview.seed,
        finding=finding_document(interview.finding),
        answers=[_answer(given) for given in interview.answers],
    )


def read_result(document: object) -> Answered:
    """Read the answers of a result, with what the person was told, or say what is wrong with it."""
    fields = RESULT_FORMAT.read(document)
    told = read_finding(fields["finding"])
    setting = told.metric.setting
    expect(fields["answers"], "answers", list)
    history, times = [], []
    for place, entry in enumerate(fields["answers"], 1):
        given = checked_fields(entry, f"answer {place}", _ANSWER)
        if not (isinstance(given["choice"], str) and given["choice"] in STORED):
            raise EvenhandError(f"choice {place} is one of {listed(tuple(STORED))}, but is {shown(given['choice'])}")
        asked = read_question(given["question"], setting)
        history.append((asked.question, asked.as_asked(STORED[given["choice"]])))
        times.append(checked_time(given["time"]))
    if not history:
        raise EvenhandError("this result has no answers")
    method, about_candidates = read_without_candidates(fields["method"], setting)
    return Answered(
        method=method,
        seed=whole_number(fields["seed"], "seed", 0),
        history=tuple(history),
        told=told,
        about_candidates=about_candidates,
        times=times,
    )


def _answer(given: GivenAnswer) -> dict[str, Any]:
    return {
        "n": given.n,
        "question": question_document(given.asked),
        "choice": given.choice,
        "why": given.why,
        "time": given.time,
    }
