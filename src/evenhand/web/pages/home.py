"""The owner's home: every study at a glance."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from evenhand.web.pages.page import page, store_of
from evenhand.web.pages.sign_in import by_link
from evenhand.web.views.owned import InvitationLine, StudyState

router = APIRouter(prefix="/-")

LINES = 8
"""Invitations of each study that are shown here; its own page shows all of them."""


@router.get("/")
def home(request: Request, token: str | None = None) -> Response:
    """Show all studies; with a token in the address, sign in first."""
    if token is not None:
        return by_link(request, token)
    store = store_of(request)
    first = store.first_invitations(LINES + 1)
    studies = []
    for one in store.overview():
        invited = first.get(one.slug, [])
        lines = [InvitationLine.of_invitation(invitation) for invitation in invited[:LINES]]
        studies.append((StudyState.of(one), one.anyone and not one.closed, lines, len(invited) > LINES))
    return page("home.html", studies=studies)
