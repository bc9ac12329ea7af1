"""The owner's home: every study at a glance."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from evenhand.web.pages.page import page, store_of
from evenhand.web.pages.sign_in import by_link
from evenhand.web.views.owned import StudyState

router = APIRouter(prefix="/-")


@router.get("/")
def home(request: Request, token: str | None = None) -> Response:
    """Show all studies; with a token in the address, sign in first."""
    if token is not None:
        return by_link(request, token)
    studies = [(StudyState.of(one), one.anyone and not one.closed) for one in store_of(request).overview()]
    return page("home.html", studies=studies)
