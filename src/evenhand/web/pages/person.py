"""The pages of the person who takes a study: plain forms, answered with a redirect, so that nothing needs a script.

An interview has one address, `/i/<token>`, which shows where it stands: the next question, or the result. The link of a
personal invitation is the address of its interview. The address alone gives access; there are no cookies.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request, Response

from evenhand.study.refusals import (
    AnswerConflictError,
    NotAdmittedError,
    NotSavedError,
    NotToldError,
    OutOfOrderError,
    UnknownInterviewError,
    WithdrawnError,
)
from evenhand.web.pages import downloads
from evenhand.web.pages.entrance import introduction_page
from evenhand.web.pages.page import page, problem_page, store_of, to_interview
from evenhand.web.problems import SECONDS_TO_RETRY, Problem
from evenhand.web.tries import client_of
from evenhand.web.views.interview_page import interview_page

router = APIRouter()

_SAID = {"first": "you prefer A", "second": "you prefer B", "neither": "you can't tell", "skip": "you skipped it"}


@router.get("/i/{token}")
def interview(request: Request, token: str) -> Response:
    """Show where an interview stands or, before it has begun, what the invitation is to."""
    store = store_of(request)
    try:
        state = store.interview(token)
    except UnknownInterviewError:
        return _invitation_page(request, token)
    except NotAdmittedError as refusal:
        return _refusal_page(refusal, may_withdraw=token)
    except WithdrawnError as refusal:
        return _refusal_page(refusal)
    again = state.finding is not None and store.door(state.study.slug).admits_anyone
    template, shown = interview_page(state, downloads.offered(state), again=again)
    return page(template, **shown)


@router.post("/i/{token}")
def accept(request: Request, token: str, names_told: Annotated[str, Form()] = "") -> Response:
    """Begin the interview of an invitation, and go to it; who was not told that names are kept is told first."""
    request.app.state.begins.count(client_of(request))
    try:
        return to_interview(store_of(request).accept(token, names_told=names_told == "yes"))
    except NotToldError:
        return to_interview(token)


@router.get("/i/{token}/withdraw")
def leaving(request: Request, token: str) -> Response:
    """Say what it means to withdraw, and ask whether the person wants that."""
    try:
        answers = store_of(request).answers_kept(token)
    except WithdrawnError:
        return to_interview(token)
    return page("withdraw.html", token=token, answers=answers)


@router.post("/i/{token}/withdraw")
def withdraw(request: Request, token: str) -> Response:
    """Erase what a person said; their address then says that it is gone."""
    try:
        store_of(request).withdraw(token)
    except NotSavedError as error:
        return _not_saved_page(token, error, f"/i/{quote(token, safe='')}/withdraw", {})
    return to_interview(token)


@router.post("/i/{token}/answers/{n}")
def answer(
    request: Request,
    token: str,
    n: int,
    choice: Annotated[str, Form()],
    why: Annotated[str, Form()] = "",
    revision: Annotated[int | None, Form()] = None,
) -> Response:
    """Keep an answer and go on; if that failed, say so and offer what can be done."""
    try:
        store_of(request).answer(token, n, choice, why.strip() or None, revision=revision)
    except AnswerConflictError as conflict:
        return _conflict_page(token, conflict, choice)
    except OutOfOrderError as error:
        return problem_page(request, Problem.of(error))
    except NotSavedError as error:
        again = {"choice": choice, "why": why} | ({} if revision is None else {"revision": str(revision)})
        return _not_saved_page(token, error, f"/i/{quote(token, safe='')}/answers/{n}", again)
    return to_interview(token)


@router.post("/i/{token}/undo/{n}")
def undo(request: Request, token: str, n: int, revision: Annotated[int | None, Form()] = None) -> Response:
    """Undo the last answer and show its question again."""
    try:
        store_of(request).undo(token, n, revision=revision)
    except NotSavedError as error:
        again = {} if revision is None else {"revision": str(revision)}
        return _not_saved_page(token, error, f"/i/{quote(token, safe='')}/undo/{n}", again)
    return to_interview(token, to_question=True)


@router.get("/i/{token}/answers/{n}")
@router.get("/i/{token}/undo/{n}")
def sent(token: str, n: str) -> Response:  # noqa: ARG001  # part of the address
    """Lead back to the interview from an address that an answer was sent to."""
    return to_interview(token)


@router.get("/i/{token}/result.{kind}")
def download(request: Request, token: str, kind: str) -> Response:
    """Give a finished interview as a file."""
    return downloads.response(store_of(request).interview(token), kind)


def _invitation_page(request: Request, secret: str) -> Response:
    """Show what an invitation is to, if it is one that can be accepted now."""
    store = store_of(request)
    try:
        invitation = store.invitation(secret)
    except NotAdmittedError as refusal:
        return _refusal_page(refusal)
    if invitation is None:
        raise UnknownInterviewError
    address = f"/i/{quote(secret, safe='')}"
    return introduction_page(store.study(invitation.study), address, personal=invitation.personal)


def _refusal_page(refusal: NotAdmittedError | WithdrawnError, *, may_withdraw: str | None = None) -> Response:
    problem = Problem.of(refusal)
    return page("refusal.html", problem.status, problem=problem, token=may_withdraw)


def _conflict_page(token: str, conflict: AnswerConflictError, choice: str) -> Response:
    return page(
        "conflict.html",
        409,
        token=token,
        stored=conflict.stored,
        said=_SAID[conflict.stored.choice],
        sent=_SAID.get(choice, "something else"),
    )


def _not_saved_page(token: str, error: NotSavedError, address: str, fields: dict[str, str]) -> Response:
    saved = page("not_saved.html", 503, token=token, problem=Problem.of(error), address=address, fields=fields)
    saved.headers["retry-after"] = SECONDS_TO_RETRY
    return saved
