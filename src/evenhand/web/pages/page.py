"""How a page is made: a template, what it shows, and the static files beside it."""

from __future__ import annotations

import hashlib
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined

from evenhand.display.names import capitalised, printable
from evenhand.rates.rounding import OUT_OF
from evenhand.report.reliability import DOUBT, where_it_lies
from evenhand.study.store import Store
from evenhand.web.problems import Problem

STATIC = StaticFiles(packages=[("evenhand.web", "static")])
"""The style sheet, the scripts and the icon."""

_templates = Environment(
    loader=PackageLoader("evenhand.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _static(name: str) -> str:
    """Return the address of a static file, which changes with what it holds: browsers keep the old one otherwise."""
    held = files("evenhand.web").joinpath("static", name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(held).hexdigest()[:12]}"


_templates.globals["static"] = cache(_static)
_templates.globals["doubt"] = DOUBT
_templates.filters["capitalised"] = capitalised
_templates.filters["printable"] = printable
_templates.filters["lies"] = where_it_lies


def page(template: str, status: int = 200, **content: object) -> HTMLResponse:
    """Return a template as a page."""
    return HTMLResponse(_templates.get_template(template).render(people=OUT_OF, **content), status)


def problem_page(request: Request, problem: Problem) -> Response:
    """Return the page that tells a person about a problem; it needs no store."""
    parts = str(request.scope["path"]).split("/")  # not `url`, which fails on a Host that is nonsense
    of_interview = len(parts) > 2 and parts[1] == "i" and problem.status != HTTPStatus.NOT_FOUND
    here = f"/i/{quote(parts[2], safe='')}" if of_interview else None
    return page("problem.html", problem.status, problem=problem, here=here)


def store_of(request: Request) -> Store:
    """Return the store that the app serves."""
    store: Store = request.app.state.store
    return store
