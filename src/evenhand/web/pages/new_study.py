"""A new study, step by step: a file, its columns, the models, the words, a preview, and publishing.

What is chosen is written down at every step, right or wrong, so that going back loses nothing. Only publishing puts
something into the store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from io import BytesIO
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Form as PostedForm
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from evenhand.errors import EvenhandError
from evenhand.rates.looking import Role, columns_of
from evenhand.study.demo.example_file import NAME, example_file
from evenhand.study.draft import drafted, slug_of
from evenhand.study.limits import MOST_UPLOADED
from evenhand.study.refusals import ChangedError, Refusal
from evenhand.study.shown_question import ShownQuestion
from evenhand.study.study import Study, digest_of, is_slug
from evenhand.web.drafts import Draft, UnknownDraftError, drafts_of
from evenhand.web.gate import HOME
from evenhand.web.pages.page import page, store_of
from evenhand.web.views.cards import outcomes
from evenhand.web.views.model_table import ModelTable
from evenhand.web.views.words_form import NAMES_KEPT, WordsForm

router = APIRouter(prefix="/-/new")

STEPS = ("columns", "models", "words", "preview")


async def form_of(request: Request) -> AsyncIterator[FormData]:
    """Read a form; a large file in it goes to the disk."""
    async with request.form(max_files=1) as form:
        yield form


Form = Annotated[FormData, Depends(form_of)]


@router.get("")
def file_page(request: Request) -> Response:
    """Ask for a file."""
    drafts_of(request).sweep()
    return _file_page()


@router.post("")
def take_file(request: Request, form: Form) -> Response:
    """Take a file, and lead to its columns."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _file_page("No file was chosen.")
    try:
        return _to(drafts_of(request).begin_with_file(file.filename, file.file), "columns")
    except Refusal:
        raise
    except EvenhandError as error:
        return _file_page(str(error))


@router.post("/example")
def take_example(request: Request) -> Response:
    """Take the example file."""
    return _to(drafts_of(request).begin_with_file(NAME, BytesIO(example_file().encode())), "columns")


@router.get("/example.csv")
def example() -> Response:
    """Give the example file."""
    headers = {"content-disposition": f'attachment; filename="{NAME}"'}
    return Response(example_file(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/{draft}/columns")
def columns_page(request: Request, draft: str) -> Response:
    """Show the columns of the file with what each may be for."""
    return _columns_page(_with_file(request, draft))


@router.post("/{draft}/columns")
def choose_columns(request: Request, draft: str, form: Form) -> Response:
    """Measure the models with the columns that were chosen."""
    drafts = drafts_of(request)
    begun = _with_file(request, draft)
    roles = tuple(str(form.get(f"role-{place}", "")) for place in range(len(begun.columns)))
    begun = drafts.keep(begun, roles=roles)
    try:
        columns = columns_of([name for name, _ in begun.columns], roles)
        rates = drafts.rates(begun, columns)
        study = drafted(rates, label=columns.label, group=columns.group, slug=_free_slug(request, begun.file or ""))
    except Refusal:
        raise
    except EvenhandError as error:
        return _columns_page(begun, str(error))
    text = study.to_json()
    changes = {} if text == begun.study else _without_words(begun)
    drafts.keep(begun, study=text, label=columns.label, groups=tuple(columns.group), **changes)
    return _to(begun, "models")


@router.get("/{draft}/models")
def models_page(request: Request, draft: str) -> Response:
    """Show what the models do, and which can hardly be told apart."""
    begun, study = _measured(request, draft)
    return _models_page(begun, study)


@router.post("/{draft}/models")
def choose_models(request: Request, draft: str, form: Form) -> Response:
    """Leave out models."""
    begun, study = _measured(request, draft)
    kept = set(map(str, form.getlist("keep")))
    left_out = tuple(name for place, name in enumerate(study.candidates) if str(place) not in kept)
    begun = drafts_of(request).keep(begun, left_out=left_out)
    if form.get("to") == "columns":
        return _to(begun, "columns")
    if len(study.candidates) - len(left_out) < 2:
        return _models_page(begun, study, "A study needs at least two models to choose from: keep two or more.")
    return _to(begun, "words")


@router.get("/{draft}/words")
def words_page(request: Request, draft: str) -> Response:
    """Show the words, and the sentences that they make."""
    begun, form = _form(request, draft)
    return _page("new_words.html", begun, "words", form=form, problem=None)


@router.post("/{draft}/words")
def write_words(request: Request, draft: str, form: Form) -> Response:
    """Write down the words, and go on if they can be used."""
    begun, shown = _form(request, draft)
    texts = {field.name: str(form.get(field.name, field.text)).replace("\r\n", "\n") for field in shown.fields}
    texts["names_kept"] = NAMES_KEPT if "names_kept" in form else ""
    drafts_of(request).keep(begun, texts=texts)
    if form.get("to") in {"columns", "models"}:
        return _to(begun, str(form["to"]))
    begun, shown = _form(request, draft)
    if shown.problems:
        return _page("new_words.html", begun, "words", status=422, form=shown, problem=None)
    if "show" in form:
        return RedirectResponse(f"/-/new/{begun.id}/words#sentences", 303)
    return _to(begun, "preview")


@router.get("/{draft}/preview")
def preview_page(request: Request, draft: str) -> Response:
    """Show one of the first questions as people will see it."""
    begun, form = _form(request, draft)
    if form.problems:
        return _to(begun, "words")
    try:
        study = form.study()
        question = _first_question(study)
    except EvenhandError as error:
        return _page("new_words.html", begun, "words", status=422, form=form, problem=str(error))
    over = "" if begun.edits is None else digest_of(store_of(request).study(begun.edits).to_json())
    return _page(
        "new_preview.html",
        begun,
        "preview",
        study=study,
        outcomes=outcomes(study, {"A": question.a, "B": question.b}),
        over=over,
        changed=begun.edits is not None and over != _version_of(begun),
    )


@router.post("/{draft}/publish")
def publish(
    request: Request, draft: str, slug: Annotated[str, PostedForm()] = "", over: Annotated[str, PostedForm()] = ""
) -> Response:
    """Put the study into the store, and remove the draft; what somebody else published meanwhile stays as it is."""
    store = store_of(request)
    try:
        begun, form = _form(request, draft, taken=())
    except UnknownDraftError:
        if slug in store.studies():  # the button was pressed twice
            return _published(slug)
        raise
    if form.problems:
        return _to(begun, "words")
    study = form.study()
    _first_question(study)  # what cannot be asked is not published
    try:
        store.put_study(study, by_invitation=True, over=over or _version_of(begun))
    except ChangedError:
        return _to(begun, "preview")  # which says so, or leads to the words where the name is taken
    drafts_of(request).leave(begun.id)
    return _published(study.slug)


@router.post("/{draft}/leave")
def leave(request: Request, draft: str) -> Response:
    """Remove the draft."""
    drafts_of(request).leave(draft)
    return RedirectResponse(HOME, 303)


def _to(draft: Draft, step: str) -> Response:
    return RedirectResponse(f"/-/new/{draft.id}/{step}", 303)


def _measured(request: Request, name: str) -> tuple[Draft, Study]:
    """Return a draft with its study as it was measured."""
    draft = drafts_of(request).draft(name)
    if draft.study is None:
        raise Refusal("The columns of this file are not chosen yet.", "Go back to the columns.")
    return draft, Study.from_json(draft.study)


def _form(request: Request, name: str, taken: Collection[str] | None = None) -> tuple[Draft, WordsForm]:
    """Return a draft with its words; `taken` are the names that others have, by default those in the store."""
    draft, study = _measured(request, name)
    kept = {name: rates for name, rates in study.candidates.items() if name not in draft.left_out}
    others = store_of(request).studies().keys() if taken is None else taken
    return draft, WordsForm.of(draft, replace(study, candidates=kept), others)


def _version_of(draft: Draft) -> str:
    """Return which version of a study is edited, or nothing for a new study."""
    return "" if draft.edits is None else digest_of(draft.study or "")


def _published(slug: str) -> Response:
    return RedirectResponse(f"{HOME}studies/{slug}?published=1", 303)


def _first_question(study: Study) -> ShownQuestion:
    return ShownQuestion.of(next(study.method.procedure(seed=0)), 1, study.setting)


def _without_words(draft: Draft) -> dict[str, object]:
    """Return what to change where groups or classes may be others: their words are guessed anew."""
    texts = {name: text for name, text in draft.texts.items() if "-" not in name}
    return {"texts": texts, "left_out": ()}


def _free_slug(request: Request, file: str) -> str:
    taken, slug = store_of(request).studies().keys(), slug_of(file)
    numbered = (f"{slug[:36].rstrip('-')}-{number}" for number in range(2, 1000))
    return next(one for one in (slug, *numbered) if is_slug(one) and one not in taken)


def _file_page(problem: str | None = None) -> Response:
    return page("new_file.html", 422 if problem else 200, problem=problem, most=MOST_UPLOADED // 1024**2, example=NAME)


def _with_file(request: Request, name: str) -> Draft:
    draft = drafts_of(request).draft(name)
    if draft.file is None:
        raise Refusal("This is a new version of a study, whose models stay as they are.", "Go on with the words.")
    return draft


def _columns_page(draft: Draft, problem: str | None = None) -> Response:
    status = 422 if problem else 200
    return _page("new_columns.html", draft, "columns", status=status, role=Role, problem=problem)


def _models_page(draft: Draft, study: Study, problem: str | None = None) -> Response:
    return _page(
        "new_models.html",
        draft,
        "models",
        status=422 if problem else 200,
        table=ModelTable.of(study.candidates, draft.left_out),
        study=study,
        problem=problem,
    )


def _page(template: str, draft: Draft, step: str, *, status: int = 200, **content: object) -> Response:
    steps = [name for name in STEPS if draft.edits is None or name != "columns"]
    return page(template, status, draft=draft, step=step, steps=steps, here=f"/-/new/{quote(draft.id)}", **content)
