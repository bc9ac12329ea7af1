"""An interactive page for the API at `/api/docs`: Swagger UI, whose script and style come with a package.

It loads nothing from elsewhere, and its few lines of set-up are a file of ours, so that the page needs no exception
from the policy that forbids inline scripts.
"""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.staticfiles import StaticFiles

from evenhand.web.pages.page import page

ASSETS = StaticFiles(packages=[("fastapi_offline", "static")])
"""The script and the style sheet of Swagger UI."""

router = APIRouter()


@router.get("/api/docs")
def explorer() -> Response:
    """Show the API, with forms to try it."""
    return page("api.html")
