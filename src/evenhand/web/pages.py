"""The pages of the person who takes a study."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import escape

from evenhand.web.problems import Problem

router = APIRouter()


def problem_page(request: Request, problem: Problem) -> Response:
    """Return the page that tells a person about a problem."""
    del request
    return HTMLResponse(f"<h1>{escape(problem.message)}</h1><p>{escape(problem.hint)}</p>", problem.status)
