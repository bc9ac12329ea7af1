"""The owner's result page of a study: people side by side, and the same as files."""

from __future__ import annotations

import json
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from evenhand.metric.sentences import CAVEAT
from evenhand.study.people import People
from evenhand.web.pages.page import page, store_of
from evenhand.web.spreadsheet import csv_text
from evenhand.web.views.side_by_side import SideBySide
from evenhand.web.views.weight_rows import WeightRows

router = APIRouter(prefix="/-/studies/{slug}")


@router.get("/result")
def result(request: Request, slug: str) -> Response:
    """Show all finished interviews side by side."""
    people = People.of(store_of(request), slug)
    return page("people.html", study=people.study, together=SideBySide.of(people), caveat=CAVEAT)


@router.get("/result.json")
def as_json(request: Request, slug: str) -> Response:
    """Give everything of the page as JSON, with each person's finding."""
    document = People.of(store_of(request), slug).to_document()
    return _file(slug, "json", "application/json", json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))


@router.get("/result.csv")
def as_csv(request: Request, slug: str) -> Response:
    """Give a row for each person: the best model, how sure that is, and every weight with its interval."""
    people = People.of(store_of(request), slug)
    labels = any(person.label is not None for person in people.people)
    head = ["person", *(["label"] if labels else []), "best", "certainty", "certainty_by_test_set"]
    rows: list[list[object]] = []
    for person in people.people:
        weights = WeightRows.of(people.study, person.finding)
        flat = (*weights.mistakes, *weights.violation, weights.trade_off)
        if not rows:
            head += [f"{weight.words}{end}" for weight in flat for end in ("", ", from", ", to")]
        numbers = [f"{number:.6f}" for weight in flat for number in (weight.value, weight.low, weight.high)]
        tested = None if person.finding.choice is None else person.finding.choice.tested_certainty
        certain = ["" if each is None else f"{each:.6f}" for each in (person.certainty, tested)]
        label = [person.label or ""] if labels else []
        rows.append([person.number, *label, person.best, *certain, *numbers])
    return _file(slug, "csv", "text/csv; charset=utf-8", csv_text(head, rows))


def _file(slug: str, kind: str, media_type: str, content: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="evenhand-{quote(slug)}-people.{kind}"'}
    return Response(content, media_type=media_type, headers=headers)
