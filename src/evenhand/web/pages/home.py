"""The owner's home: every study at a glance."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from evenhand.web.pages.page import page, store_of
from evenhand.web.pages.sign_in import by_link

router = APIRouter(prefix="/-")


@router.get("/")
def home(request: Request, token: str | None = None) -> Response:
    """Show all studies; with a token in the address, sign in first."""
    if token is not None:
        return by_link(request, token)
    return page("home.html", studies=store_of(request).studies())
