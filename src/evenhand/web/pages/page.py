"""How a page is made: a template, what it shows, and the static files beside it."""

from __future__ import annotations

import hashlib
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles

from evenhand.study.store import Store
from evenhand.web.gate import HOME
from evenhand.web.problems import Problem
from evenhand.web.templating import environment

STATIC = StaticFiles(packages=[("evenhand.web", "static")])
"""The style sheet, the scripts and the icon."""

_templates = environment()


def _static(name: str) -> str:
    """Return the address of a static file, which changes with what it holds: browsers keep the old one otherwise."""
    held = files("evenhand.web").joinpath("static", name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(held).hexdigest()[:12]}"


_templates.globals["static"] = cache(_static)


def page(template: str, status: int = 200, **content: object) -> HTMLResponse:
    """Return a template as a page."""
    return HTMLResponse(_templates.get_template(template).render(**content), status)


def problem_page(request: Request, problem: Problem) -> Response:
    """Return the page that tells a person about a problem; it needs no store."""
    parts = str(request.scope["path"]).split("/")  # not `url`, which fails on a Host that is nonsense
    of_interview = len(parts) > 2 and parts[1] == "i" and problem.status != HTTPStatus.NOT_FOUND
    here = f"/i/{quote(parts[2], safe='')}" if of_interview else None
    home = HOME if parts[1:2] == ["-"] else "/"
    return page("problem.html", problem.status, problem=problem, here=here, home=home)


def to_interview(token: str, *, to_question: bool = False) -> RedirectResponse:
    """Return to the interview's address, which shows where it stands now."""
    return RedirectResponse(f"/i/{quote(token, safe='')}{'#question' if to_question else ''}", 303)


def store_of(request: Request) -> Store:
    """Return the store that the app serves."""
    store: Store = request.app.state.store
    return store
