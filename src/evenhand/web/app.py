"""The web app, put together: `create_app(store)`.

The store is at `request.app.state.store`. Handlers are plain functions (not `async`), so that they run in threads and
may wait for the store; an error of ours that a handler raises becomes the fitting page, or JSON under `/api`.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from importlib.metadata import version
from math import ceil

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Mount

from evenhand.errors import EvenhandError
from evenhand.study.limits import MOST_BEGINNINGS, SECONDS_OF_BEGINNINGS
from evenhand.study.refusals import AnswerConflictError
from evenhand.study.store import Store
from evenhand.web.api import explorer, studies
from evenhand.web.api import interviews as api
from evenhand.web.drafts import Drafts
from evenhand.web.gate import DRAFT, HOME, Gate
from evenhand.web.guard import FILE_TOO_LARGE, UNEXPECTED, FileTooLargeError, Guard
from evenhand.web.owner import Owner
from evenhand.web.pages import entrance, home, new_study, owned_study, people_page, person, sign_in
from evenhand.web.pages.page import STATIC, problem_page
from evenhand.web.problems import SECONDS_TO_RETRY, Problem
from evenhand.web.tries import SECONDS, TooManyTriesError, Tries
from evenhand.web.turnstile import Turnstile

PAGES = (person, sign_in, home, new_study, owned_study, people_page, entrance)
"""The first has nearly all requests, and the last takes every other address for a study's."""

ABOUT_API = """\
People take part in studies: each has an interview, whose token opens it. The owner's part asks for the token that the
server printed at its start, as `Authorization: Bearer …`. Every error is `{"error": {"code", "message", "hint"}}`."""


_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def create_app(
    store: Store,
    *,
    hosts: Collection[str] | None = None,
    owner: Owner | None = None,
    drafts: Drafts | None = None,
    processes: int = 1,
) -> FastAPI:
    """Return the app that serves a store's studies, to those who ask for one of these hosts if any are given.

    Without an `owner`, nobody can sign in; without `drafts`, they are in the folder of the store. Of several
    `processes` that serve one address, each lets its share of interviews begin.
    """
    app = FastAPI(
        title="evenhand",
        version=version("evenhand"),
        description=ABOUT_API,
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's own page loads its script from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # would build an address from the Host header, which anybody can set
    )
    app.state.store = store
    app.state.drafts = drafts or Drafts.of_store(store.database.name)
    app.state.gate = gate = Gate(owner or Owner.unknown())
    app.state.begins = Tries(
        ceil(MOST_BEGINNINGS / processes),
        "Very many interviews were begun from where you are.",
        seconds=SECONDS_OF_BEGINNINGS,
    )
    for error, handler in (
        (EvenhandError, _refused),
        (HTTPException, _not_served),
        (RequestValidationError, _not_understood),
    ):
        app.add_exception_handler(error, handler)
    app.add_middleware(Turnstile, respond=respond)
    app.add_middleware(Guard, respond=respond, hosts=hosts, gate=gate)
    first, *others = PAGES
    app.include_router(first.router, include_in_schema=False)  # pages are for people
    app.include_router(api.router)
    app.include_router(studies.router)
    app.include_router(explorer.router, include_in_schema=False)
    app.mount("/api/assets", explorer.ASSETS)
    for pages in others:
        app.include_router(pages.router, include_in_schema=False)
    app.mount("/static", STATIC)
    return app


def respond(request: Request, problem: Problem) -> Response:
    """Tell about a problem: to a program as JSON, to a person as a page."""
    response = (
        JSONResponse(problem.to_document(), problem.status)
        if _is_for_programs(request)
        else sign_in.form(problem)
        if problem.status == HTTPStatus.UNAUTHORIZED
        else problem_page(request, problem)
    )
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["www-authenticate"] = "Bearer"
    if problem.status == HTTPStatus.TOO_MANY_REQUESTS:
        response.headers["retry-after"] = str(SECONDS)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["retry-after"] = SECONDS_TO_RETRY
    return response


def _is_for_programs(request: Request) -> bool:
    # Not `request.url`, which is made with the Host header and fails where that is nonsense.
    return str(request.scope["path"]).startswith(("/api/", "/healthz"))


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, EvenhandError)  # noqa: S101  # what it is registered for
    problem = Problem.of(error)
    if isinstance(error, AnswerConflictError) and _is_for_programs(request):
        return JSONResponse(problem.to_document() | {"stored": api.answer_document(error.stored)}, problem.status)
    response = respond(request, problem)
    if isinstance(error, TooManyTriesError):
        response.headers["retry-after"] = str(error.seconds)
    return response


def _not_served(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    if isinstance(error, FileTooLargeError):
        return respond(request, FILE_TOO_LARGE)
    status = HTTPStatus(error.status_code)
    if status == HTTPStatus.NOT_FOUND:
        problem = Problem(
            status=status, code="not_found", message="There is nothing at this address.", hint="Check the address."
        )
    elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        problem = UNEXPECTED
    elif status == HTTPStatus.BAD_REQUEST:
        problem = _not_read(request)
    else:
        problem = Problem(
            status=status,
            code=status.phrase.lower().replace(" ", "_"),
            message=f"{status.phrase}: {request.method} is not what this address takes, or not like this.",
            hint="See the documentation of the API." if _is_for_programs(request) else "Check the address.",
        )
    response = respond(request, problem)
    response.headers.update(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["allow"] = _allowed(request)
    return response


def _allowed(request: Request) -> str:
    """Return the methods of an address: each has a route of its own, and the router names those of one of them."""
    routes = [route for route in request.app.router.routes if not isinstance(route, Mount)]  # files
    scopes = {method: {**request.scope, "method": method, "root_path": ""} for method in _METHODS}
    taken = {one for one, scope in scopes.items() if any(route.matches(scope)[0] is Match.FULL for route in routes)}
    return ", ".join(sorted(taken | {"HEAD"} if "GET" in taken else taken) or ("GET", "HEAD"))


def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    if first["type"] == "json_invalid":
        return respond(request, _not_read(request))
    problem = Problem(status=422, code="invalid", message=f"{where}: {first['msg']}.", hint=_how_to_answer(request))
    return respond(request, problem)


def _not_read(request: Request) -> Problem:
    """Return the problem of a body that cannot be read: no JSON, nested without end, or bytes that are no text."""
    json = _is_for_programs(request) and request.scope["path"] != DRAFT  # which takes a form
    return Problem(
        status=400,
        code="not_json" if json else "bad_request",
        message="The body is not JSON that can be read." if json else "What was sent cannot be read.",
        hint=_how_to_answer(request),
    )


def _how_to_answer(request: Request) -> str:
    if _is_for_programs(request):
        if "/answers/" not in request.scope["path"]:
            return "See /api/docs for what this address takes."
        return 'An answer is like {"choice": "first"}; the choices are "first", "second", "neither" and "skip".'
    if request.scope["path"].startswith(HOME):
        return "Go back to the page before, and send its form."
    return "Go back to your interview, and answer with the buttons of its page."
