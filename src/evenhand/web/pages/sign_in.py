"""Signing in: by the link that the server prints, or by a form that takes the token.

The link is exchanged at once for a cookie, so that no page has the token in its address, and no other site is told it.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from evenhand.web.gate import HOME, gate_of
from evenhand.web.pages.page import page
from evenhand.web.problems import Problem

router = APIRouter(prefix="/-")

WRONG_LINK = Problem(
    status=401,
    code="not_signed_in",
    message="This link does not sign in.",
    hint="It may be of an earlier start of the server: use the link, or the token in it, that it printed last.",
)
WRONG_TOKEN = Problem(
    status=401,
    code="not_signed_in",
    message="This is not the token.",
    hint="Copy it again: it is the part after “token=” in the link that the server printed at its start.",
)


def form(problem: Problem | None) -> Response:
    """Return the form to sign in, with what is wrong."""
    return page("sign_in.html", problem.status if problem else 200, problem=problem)


@router.get("")
def without_slash() -> Response:
    """Lead to the owner's home."""
    return RedirectResponse(HOME, 303)


@router.get("/sign-in")
def empty_form(request: Request, link: str = "") -> Response:
    """Show the form to sign in."""
    if gate_of(request).has_cookie(request):
        return RedirectResponse(HOME, 303)
    return form(WRONG_LINK if link else None)


@router.post("/sign-in")
def sign_in(request: Request, token: Annotated[str, Form()] = "") -> Response:
    """Take a token."""
    return admitted(request) if gate_of(request).is_token(request, token.strip()) else form(WRONG_TOKEN)


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """Forget who is signed in at this browser."""
    return _with_cookie(RedirectResponse(f"{HOME}sign-in", 303), gate_of(request).no_cookie(request))


def by_link(request: Request, token: str) -> Response:
    """Exchange the token of a link, and lead to an address without it, whether it is right or not."""
    if gate_of(request).is_token(request, token):
        return admitted(request)
    return RedirectResponse(f"{HOME}sign-in?link=wrong", 303)


def admitted(request: Request) -> Response:
    """Lead to the owner's home, signed in."""
    return _with_cookie(RedirectResponse(HOME, 303), gate_of(request).new_cookie(request))


def _with_cookie(response: Response, cookie: dict[str, Any]) -> Response:
    response.set_cookie(**cookie)
    return response
