"""A finished interview as a file: everything as JSON, the ranking as CSV, the result's picture as SVG or PNG."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import Response

from evenhand.display.names import capitalised
from evenhand.errors import EvenhandError
from evenhand.study.interview import Interview
from evenhand.study.refusals import OutOfOrderError
from evenhand.study.result_file import result_document
from evenhand.web.spreadsheet import csv_text
from evenhand.web.views.result import Result
from evenhand.wording.numerals import percent


def response(interview: Interview, kind: str) -> Response:
    """Return the file of that kind, to be saved under a name that says what it is."""
    if kind not in KINDS:
        raise EvenhandError(f"a result can be downloaded as {', '.join(KINDS)}, but not as {kind[:20]!r}")
    if interview.finding is None:
        raise OutOfOrderError(
            "There is no result yet: not all questions are answered.", "Answer the questions, then download it."
        )
    if kind not in offered(interview):
        verdict = interview.finding.verdict
        raise OutOfOrderError(
            f"There is no ranking to download. {verdict.reason}",
            f"{verdict.advice} The answers themselves can be downloaded as JSON.",
        )
    media_type, write = KINDS[kind]
    name = f"evenhand-{interview.study.slug}.{kind}"
    return Response(
        write(interview), media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def offered(interview: Interview) -> dict[str, str]:
    """Return which files there are and what they hold: only the answers, where nothing should be decided by them."""
    finding = interview.finding
    if finding is None or finding.verdict.decided:
        return WHAT
    return {"json": "the answers, and why they do not decide"}


def as_json(interview: Interview) -> str:
    """Write the metric with its intervals, the ranking, and every answer with its question as it was shown."""
    return json.dumps(result_document(interview), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_csv(interview: Interview) -> str:
    """Write the ranking: a row for each candidate, the best first."""
    head = ("place", "model", "cost", "cost_of_mistakes", "cost_of_violation", "probability_of_being_the_best")
    result = Result.of(interview)
    rows = []
    for one in result.ranking:
        numbers = (one.cost, one.misclassification, one.violation, result.probabilities.get(one.name))
        rows.append([one.place, one.name, *("" if number is None else f"{number:.6f}" for number in numbers)])
    return csv_text(head, rows)


def as_svg(interview: Interview) -> str:
    """Draw the result."""
    from evenhand.report.drawing import as_svg as drawn  # noqa: PLC0415  # Altair takes a second to import

    return drawn(_picture(interview))


def as_png(interview: Interview) -> bytes:
    """Draw the result in pixels."""
    from evenhand.report.drawing import as_png as drawn  # noqa: PLC0415

    return drawn(_picture(interview))


def _picture(interview: Interview) -> Any:
    from evenhand.report.result_chart import result_chart  # noqa: PLC0415

    result = Result.of(interview)
    weights = result.weights
    called = weights.called
    charts = {called.cost_of_mistakes: weights.mistakes}
    if weights.violation:
        charts |= {called.cost_of_violation: weights.violation, called.trade_off: (weights.trade_off,)}
    return result_chart(
        title=f"{'' if result.settled else 'Not settled: '}{len(interview.answers)} answers favour {result.best}",
        subtitle=_subtitle(interview, result),
        weights={
            title: [
                {"name": capitalised(one.words), "value": one.value, "low": one.low, "high": one.high}
                for one in sorted(some, key=lambda weight: -weight.value)
            ]
            for title, some in charts.items()
        },
        ranking=[
            {"name": one.name, "mistakes": one.misclassification, "violation": one.violation} for one in result.ranking
        ],
        unfair=weights.trade_off.words,
    )


def _subtitle(interview: Interview, result: Result) -> str:
    certain = "".join(f" {sure.sentence}" for sure in result.sures)
    lines = f" Lines: {percent(result.weights.level)} intervals." if result.weights.level else ""
    return f"{interview.study.title}.{certain}{lines}"


WHAT = {"json": "everything", "csv": "the ranking", "svg": "a picture", "png": "a picture"}
KINDS: dict[str, tuple[str, Callable[[Interview], str | bytes]]] = {
    "json": ("application/json", as_json),
    "csv": ("text/csv; charset=utf-8", as_csv),
    "svg": ("image/svg+xml", as_svg),
    "png": ("image/png", as_png),
}
