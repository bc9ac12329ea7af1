"""The owner's page of one study: who is invited, how far they are, and what can be done about it."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from evenhand.errors import EvenhandError
from evenhand.study.exchange import export_study
from evenhand.study.limits import LONGEST_LABEL, MOST_INVITED_AT_ONCE, MOST_PLACES
from evenhand.study.overview import StudyOverview
from evenhand.study.refusals import Refusal, UnknownStudyError
from evenhand.web.drafts import drafts_of
from evenhand.web.links import Links, address_of
from evenhand.web.pages.page import page, store_of
from evenhand.web.views.owned import InvitationLine, StudyState

router = APIRouter(prefix="/-/studies/{slug}")


@router.get("")
def study_page(request: Request, slug: str, published: str = "") -> Response:
    """Show one study."""
    return _page(request, slug, published=bool(published))


@router.post("/invitations")
def invite(
    request: Request,
    slug: str,
    count: Annotated[str, Form()] = "1",
    label: Annotated[str, Form()] = "",
    until: Annotated[str, Form()] = "",
) -> Response:
    """Make invitations, and show their links, once."""
    store = store_of(request)
    title = store.study(slug).title
    try:
        made = store.invite(slug, _number(count), label.strip() or "invitation", _end_of(until))
    except Refusal:
        raise
    except EvenhandError as error:
        return _page(request, slug, problem=str(error))
    return page("links.html", slug=slug, links=Links.of(request, title, made), personal=True)


@router.post("/open-link")
def open_link(
    request: Request,
    slug: str,
    places: Annotated[str, Form()] = "",
    until: Annotated[str, Form()] = "",
) -> Response:
    """Make the open link, and show it, once."""
    store = store_of(request)
    title = store.study(slug).title
    try:
        made = store.invite_openly(slug, _number(places), expires=_end_of(until))
    except Refusal:
        raise
    except EvenhandError as error:
        return _page(request, slug, problem=str(error))
    return page("links.html", slug=slug, links=Links.of(request, title, [made]), personal=False)


@router.get("/invitations")
@router.get("/open-link")
def sent(slug: str) -> Response:
    """Lead back from an address that a form was sent to."""
    return _back(slug)


@router.post("/invitations/{invitation}/revoke")
def revoke(request: Request, slug: str, invitation: str) -> Response:
    """Take an invitation back."""
    store_of(request).revoke(slug, invitation)
    return _back(slug)


@router.post("/close")
def close(request: Request, slug: str) -> Response:
    """Let nobody begin or go on."""
    store_of(request).close_study(slug)
    return _back(slug)


@router.post("/open")
def reopen(request: Request, slug: str, to: Annotated[str, Form()] = "") -> Response:
    """Let people begin and go on again; `to` says who, if that is to change."""
    store_of(request).open_study(slug, anyone={"anyone": True, "invited": False}.get(to))
    return _back(slug)


@router.post("/edit")
def edit(request: Request, slug: str) -> Response:
    """Begin a new version."""
    study = store_of(request).study(slug)
    draft = drafts_of(request).begin(edits=slug, study=study.to_json())
    return RedirectResponse(f"/-/new/{draft.id}/words", 303)


@router.get("/export.json")
def export(request: Request, slug: str) -> Response:
    """Give the study with all its answers as a file."""
    headers = {"content-disposition": f'attachment; filename="evenhand-{quote(slug)}.json"'}
    return Response(export_study(store_of(request), slug), media_type="application/json", headers=headers)


def overview_of(request: Request, slug: str) -> StudyOverview:
    """Return how far a study has come."""
    for one in store_of(request).overview():
        if one.slug == slug:
            return one
    raise UnknownStudyError(slug)


def _page(request: Request, slug: str, *, problem: str | None = None, published: bool = False) -> Response:
    overview = overview_of(request, slug)
    return page(
        "owned_study.html",
        422 if problem else 200,
        state=StudyState.of(overview),
        anyone=overview.anyone,
        names_kept=store_of(request).study(slug).names_kept,
        lines=[InvitationLine.of_invitation(one) for one in store_of(request).invitations(slug)],
        address=f"{address_of(request)}/{slug}",
        problem=problem,
        published=published,
        most=MOST_INVITED_AT_ONCE,
        most_places=MOST_PLACES,
        longest=LONGEST_LABEL,
    )


def _back(slug: str) -> Response:
    return RedirectResponse(f"/-/studies/{quote(slug, safe='')}", 303)


def _number(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal() and len(text.strip()) < 10):
        raise EvenhandError(f"how many must be a whole number, but received {text[:40]!r}")
    return int(text)


def _end_of(day: str) -> datetime | None:
    """Return the end of a day in UTC."""
    if not day:
        return None
    try:
        return datetime.combine(datetime.fromisoformat(day).date(), time(23, 59, 59), UTC)
    except ValueError as error:
        raise EvenhandError(f"the last day must be a date such as 2026-12-31, but received {day[:40]!r}") from error
