"""The owner's part of the API: studies, who may take part in them, how far they have come, and their export.

Each request bears the owner's token: `Authorization: Bearer …`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile
from fastapi.security import HTTPBearer

from evenhand.rates.files import Columns
from evenhand.study.draft import drafted, slug_of
from evenhand.study.exchange import export_study
from evenhand.study.people import People
from evenhand.study.study import Study
from evenhand.web.api.owner_schema import (
    FOR_OWNER,
    DoorChange,
    ExportDocument,
    InvitationsReply,
    MadeInvitation,
    MadeInvitations,
    NewInvitations,
    NewOpenLink,
    PeopleDocument,
    PublishedStudy,
    StudiesReply,
    StudyDocument,
    StudyProgress,
)
from evenhand.web.api.schema import ANY_REQUEST, NOT_UNDERSTOOD, TOO_LARGE, TOO_OFTEN, UNKNOWN
from evenhand.web.drafts import drafts_of
from evenhand.web.gate import authorised
from evenhand.web.pages.page import store_of

BEARER = HTTPBearer(auto_error=False, description="The token that the server printed at its start.")

router = APIRouter(
    prefix="/api/studies",
    tags=["the owner"],
    dependencies=[Depends(authorised), Depends(BEARER)],
    responses=ANY_REQUEST | FOR_OWNER | TOO_OFTEN | NOT_UNDERSTOOD,
)

SENT = UNKNOWN | TOO_LARGE


@router.get("", response_model=StudiesReply)
def studies(request: Request) -> dict[str, Any]:
    """Return how far every study has come."""
    return {"studies": [asdict(one) for one in store_of(request).overview()]}


@router.post("", status_code=201, response_model=PublishedStudy, responses=TOO_LARGE)
def publish(request: Request, study: StudyDocument) -> dict[str, Any]:
    """Keep a study; where there is one of that name, this is its new version, with which new interviews begin."""
    read = Study.from_json(study.model_dump_json())
    changed = store_of(request).put_study(read)
    return {"slug": read.slug, "address": f"/{read.slug}", "changed": changed}


@router.post("/draft", response_model=StudyDocument, responses=TOO_LARGE)
def draft(
    request: Request,
    file: Annotated[UploadFile, File(description="CSV, TSV, Parquet, Arrow or JSON lines, by the end of its name")],
    label: Annotated[str, Form(description="The column of what really happened")],
    group: Annotated[list[str], Form(description="The column of the group; several make intersections")],
    model: Annotated[list[str], Form(description="A column of predictions, or wildcards such as model_*")],
    weight: Annotated[str | None, Form(description="The column of weights")] = None,
) -> dict[str, Any]:
    """Make a study of a file of predictions, with words guessed: to be changed, and then published. It is not kept."""
    drafts = drafts_of(request)
    begun = drafts.begin_with_file(file.filename or "", file.file)
    try:
        rates = drafts.rates(begun, Columns(label, model, group, weight))
        return drafted(rates, label=label, group=group, slug=slug_of(begun.file or "")).to_document()
    finally:
        drafts.leave(begun.id)


@router.get("/{slug}", response_model=StudyDocument, responses=UNKNOWN)
def study(request: Request, slug: str) -> dict[str, Any]:
    """Return a study as it is now."""
    return store_of(request).study(slug).to_document()


@router.patch("/{slug}", response_model=StudyProgress, responses=SENT)
def change_door(request: Request, slug: str, change: DoorChange) -> dict[str, Any]:
    """Close a study or open it again, to invited people only or to anyone; return how far it has come."""
    store = store_of(request)
    store.study(slug)
    if change.closed is not None or change.anyone is not None:
        door = store.door(slug)
        store.open_study(slug, anyone=change.anyone)
        if door.closed if change.closed is None else change.closed:
            store.close_study(slug)
    return asdict(next(one for one in store.overview() if one.slug == slug))


@router.get("/{slug}/invitations", response_model=InvitationsReply, responses=UNKNOWN)
def invitations(request: Request, slug: str) -> dict[str, Any]:
    """Return the invitations of a study, and how far each has come."""
    return {"invitations": [asdict(one) for one in store_of(request).invitations(slug)]}


@router.post("/{slug}/invitations", status_code=201, response_model=MadeInvitations, responses=SENT)
def invite(request: Request, slug: str, new: NewInvitations) -> dict[str, Any]:
    """Invite people, each by a link of their own, which is told only now."""
    made = store_of(request).invite(slug, new.count, new.label, new.expires)
    return {"invitations": [{"id": one.id, "label": one.label, "address": f"/i/{one.secret}"} for one in made]}


@router.delete("/{slug}/invitations/{invitation}", status_code=204, responses=UNKNOWN)
def revoke(request: Request, slug: str, invitation: str) -> Response:
    """Take an invitation back; what was answered is kept."""
    store_of(request).revoke(slug, invitation)
    return Response(status_code=204)


@router.post("/{slug}/open-link", status_code=201, response_model=MadeInvitation, responses=SENT)
def invite_openly(request: Request, slug: str, new: NewOpenLink) -> dict[str, Any]:
    """Make the open link of a study, which is told only now; the one that it had is revoked."""
    made = store_of(request).invite_openly(slug, new.places, new.label, new.expires)
    return {"id": made.id, "label": made.label, "address": f"/i/{made.secret}"}


@router.get("/{slug}/result", response_model=PeopleDocument, responses=UNKNOWN)
def result(request: Request, slug: str) -> dict[str, Any]:
    """Return the finished interviews side by side: where people agree, and where they do not."""
    return People.of(store_of(request), slug).to_document()


@router.get("/{slug}/export", response_model=ExportDocument, responses=UNKNOWN)
def export(request: Request, slug: str) -> Response:
    """Return a study with all its answers, for `evenhand import`."""
    file = f"evenhand-{slug}.json"
    return Response(
        export_study(store_of(request), slug),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{file}"'},
    )
