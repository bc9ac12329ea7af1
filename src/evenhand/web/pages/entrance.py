"""Where people come in: the list of studies, and what a study is about, with the button that begins an interview.

To look at an address changes nothing: mail scanners and previews in chats open links too. A study's address, and the
link of an invitation, show what the study is about and what people agree to; the button there begins an interview.
"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from evenhand.study.invitations import Door
from evenhand.study.study import Study
from evenhand.web.pages.page import page, store_of, to_interview
from evenhand.web.tries import client_of
from evenhand.web.views.population import WIDTH, groups

router = APIRouter()


@router.get("/")
def index(request: Request) -> Response:
    """Go to the only study that anyone can begin, or list them if there are several."""
    store = store_of(request)
    doors = store.doors()
    studies = {slug: study for slug, study in store.studies().items() if doors.get(slug, Door()).admits_anyone}
    if len(studies) == 1:
        return RedirectResponse(f"/{next(iter(studies))}", 303)
    return page("index.html", studies=studies)


@router.get("/{slug}")
def study(request: Request, slug: str) -> Response:
    """Say what a study is about, what people do in it and what they agree to, above the button that begins it."""
    store = store_of(request)
    found = store.study(slug)
    store.door(slug).check_anyone()
    return introduction_page(found, f"/{slug}", personal=False)


@router.post("/{slug}")
def begin(request: Request, slug: str) -> Response:
    """Begin an interview of a study."""
    request.app.state.begins.count(client_of(request))
    return to_interview(store_of(request).begin(slug))


def introduction_page(study: Study, action: str, *, personal: bool) -> Response:
    """Return the page that says what a study is about; `action` is where its button leads."""
    return page(
        "introduction.html",
        action=action,
        study=study,
        personal=personal,
        groups=groups(study),
        width=WIDTH,
        most=study.method.most_questions,
    )
