"""Reads METRIC on the command line: any document that holds a metric, or answers that a metric follows from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.checks.messages import shown
from evenhand.documents import Document, read_document
from evenhand.elicitation import Elicited, Finding, History
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.rates import GroupRates, Setting

if TYPE_CHECKING:
    from evenhand.study.answers import Answered, StudyAnswers

_SHORTEST_ID, _LISTED = 4, 20

MetricArgument = Annotated[
    Path,
    typer.Argument(
        metavar="METRIC",
        help="A metric, an interview, a result from a page, a study's export, or what Elicited.to_json wrote.",
    ),
]
InterviewOption = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="Which interview of a study's export: its place in the file, or how its id begins."
    ),
]


class Source:
    """What a file holds, of which standard error is told; of a study's export, one interview.

    Attributes
    ----------
    setting
        What the metric is about.
    candidates
        The models of the study, if it is a study's export.
    """

    def __init__(self, path: Path, interview: str | None = None) -> None:
        document = read_document(path)
        typer.echo(f"{path}: {document.what}.", err=True)
        if document.notice:
            typer.echo(f"Warning: {document.notice}", err=True)
        self.candidates: Mapping[str, GroupRates] = {}
        self._known = self._one(document, path, interview)
        self.setting: Setting = self._known.metric.setting if isinstance(self._known, Finding) else self._known.setting

    def _one(self, document: Document, path: Path, interview: str | None) -> FairMetric | Finding | Answered:
        content = document.content
        if interview is not None and not isinstance(content, Mapping):
            raise EvenhandError(f"--interview is for a study's export, but {path} is {document.what}: leave it out")
        if isinstance(content, FairMetric | Finding):
            return content
        from evenhand.study.answers import Answered, StudyAnswers  # noqa: PLC0415  # not on Windows, unlike the rest

        if isinstance(content, StudyAnswers):
            self.candidates = content.study.candidates
            return _chosen(content, interview, path)
        if isinstance(content, Answered):
            return content
        raise EvenhandError(f"{path} is {document.what}, and no metric follows from that: name a metric or answers")

    @property
    def history(self) -> History:
        """The questions and answers, if there are any."""
        if isinstance(self._known, FairMetric):
            return ()
        return getattr(self._known, "history", ())

    @property
    def when(self) -> str:
        """On which days the questions were answered, where the file says it."""
        return getattr(self._known, "when", "")

    def result(self, candidates: Mapping[str, GroupRates]) -> FairMetric | Finding:
        """Return the metric or, of answers, what they say about it and about the candidates."""
        if isinstance(self._known, Elicited):
            return self._known.about(candidates)
        if isinstance(self._known, FairMetric | Finding):
            return self._known
        return self._known.elicited(candidates)


def _chosen(study: StudyAnswers, interview: str | None, path: Path) -> Answered:
    """Return the interview that is meant: the only one, the n-th one, or the one whose identity begins like that."""
    known = list(study.answers)
    if not known:
        raise EvenhandError(f"{path}: no interview of this study has an answer yet")
    if interview is None and len(known) == 1:
        return study.answers[known[0]]
    if interview is not None:
        if interview.isdecimal() and 1 <= int(interview) <= len(known):
            return study.answers[known[int(interview) - 1]]
        fitting = [one for one in known if len(interview) >= _SHORTEST_ID and one.startswith(interview)]
        if len(fitting) == 1:
            return study.answers[fitting[0]]
    asked = "name one with --interview" if interview is None else f"--interview {shown(interview)} is not one of them"
    first = "\n".join(
        f"  {place:>3}  {one[:12]}…  {study.answers[one].what}" for place, one in enumerate(known[:_LISTED], 1)
    )
    more = f"\n  and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    raise EvenhandError(
        f"{path} has {len(known)} interviews with answers: {asked}, by its place or its id\n{first}{more}"
    )
