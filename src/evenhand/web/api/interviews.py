"""The JSON API: begin an interview, see how it stands, answer, undo; and whether the store can be written."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from evenhand.elicitation.codec import finding_document
from evenhand.study.interview import GivenAnswer, Interview
from evenhand.study.question_codec import question_document
from evenhand.study.store import Store
from evenhand.web.api.owner_schema import FOR_OWNER
from evenhand.web.api.schema import (
    ANY_REQUEST,
    CONFLICT,
    GONE,
    NOT_ADMITTED,
    NOT_UNDERSTOOD,
    TOO_LARGE,
    TOO_OFTEN,
    UNKNOWN,
    BegunInterview,
    Health,
    InterviewReply,
    NewAnswer,
)
from evenhand.web.gate import authorised
from evenhand.web.tries import client_of

router = APIRouter(responses=ANY_REQUEST, tags=["people"])

CHANGE = UNKNOWN | CONFLICT | GONE | TOO_LARGE | NOT_UNDERSTOOD
"""The problems that an answer or an undo may meet."""

Number = Annotated[int, Path(ge=1, le=1_000_000)]


@router.get("/healthz", response_model=Health)
def healthz(request: Request) -> dict[str, str]:
    """Say "ok" if the store can be written: something is."""
    _store(request).check_writable()
    return {"status": "ok"}


@router.post(
    "/api/studies/{slug}/interviews",
    status_code=201,
    response_model=BegunInterview,
    responses=UNKNOWN | NOT_ADMITTED | FOR_OWNER | TOO_OFTEN | TOO_LARGE | NOT_UNDERSTOOD,
)
def begin(request: Request, slug: str) -> dict[str, Any]:
    """Begin an interview of a study that is open to anyone; with the owner's token, of any that is not closed."""
    store = _store(request)
    by_owner = "authorization" in request.headers
    if by_owner:
        authorised(request)
    else:
        request.app.state.begins.count(client_of(request))
    token = store.begin(slug, by_owner=by_owner)
    return {"token": token, "address": f"/i/{token}"} | state_document(store.interview(token))


@router.get(
    "/api/interviews/{token}", response_model=InterviewReply, responses=UNKNOWN | NOT_ADMITTED | GONE | NOT_UNDERSTOOD
)
def state(request: Request, token: str) -> dict[str, Any]:
    """Return an interview as it stands."""
    return state_document(_store(request).interview(token))


@router.delete("/api/interviews/{token}", status_code=204, responses=UNKNOWN | NOT_UNDERSTOOD)
def withdraw(request: Request, token: str) -> Response:
    """Erase all that a person said, for good; their token opens nothing any more."""
    _store(request).withdraw(token)
    return Response(status_code=204)


@router.put("/api/interviews/{token}/answers/{n}", response_model=InterviewReply, responses=CHANGE)
def answer(request: Request, token: str, n: Number, given: NewAnswer) -> dict[str, Any]:
    """Keep answer n, and return the interview as it stands after it: with the next question, or the result."""
    store = _store(request)
    return state_document(store.answer(token, n, given.choice, given.why, revision=given.revision))


@router.delete("/api/interviews/{token}/answers/{n}", response_model=InterviewReply, responses=CHANGE)
def undo(request: Request, token: str, n: Number, revision: int | None = None) -> dict[str, Any]:
    """Take back answer n, the last one that stands; `revision` is as in an answer."""
    return state_document(_store(request).undo(token, n, revision=revision))


def state_document(interview: Interview) -> dict[str, Any]:
    """Return an interview as it stands."""
    study = interview.study
    return {
        "study": {
            "slug": study.slug,
            "title": study.title,
            **study.setting.to_document(),
            "population": study.population.tolist(),
        },
        "revision": interview.revision,
        "answered": len(interview.answers),
        "about_left": interview.about_left,
        "done": interview.finding is not None,
        "question": None if interview.question is None else question_document(interview.question),
        "result": None if interview.finding is None else finding_document(interview.finding),
        "answers": [answer_document(given) for given in interview.answers],
    }


def answer_document(given: GivenAnswer) -> dict[str, Any]:
    """Return an answer that stands."""
    return {"n": given.n, "choice": given.choice, "why": given.why, "time": given.time}


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store
