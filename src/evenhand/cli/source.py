"""Reads METRIC on the command line: a metric in JSON, or the answers of an interview."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import typer

from evenhand.checks.nesting import loads
from evenhand.elicitation import Adaptive, Finding, History, Method
from evenhand.elicitation.procedure import seed_of
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.rates import GroupRates
from evenhand.rates.models import named_models


class Source:
    """A metric from a file; from the file of an interview, also its answers, which give the uncertainty."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            content = path.read_bytes()
        except OSError as error:
            raise EvenhandError(f"the metric {path} cannot be read: {error.strerror or error}") from error
        self.history: History = ()
        self._known: FairMetric | Method
        self._seed: int | None = None
        if _is_interview(content):
            self._known, self._seed, self.history = self._answers(content)
        else:
            try:
                self._known = FairMetric.from_json(content.decode())
            except UnicodeDecodeError as error:
                raise EvenhandError(f"the metric {path} cannot be read: {error}") from error
            except EvenhandError as error:
                raise EvenhandError(f"{path}: {error}") from error
        self.setting = self._known.setting

    def _answers(self, content: bytes) -> tuple[Method, int | None, History]:
        """Return the method of an interview, its procedure's seed, and the answers."""
        from evenhand.study.log.file import InterviewFile  # noqa: PLC0415  # not on Windows, unlike the rest

        kept = InterviewFile.read(io.BytesIO(content), self.path)
        if kept.notice:
            typer.echo(f"Warning: {kept.notice}", err=True)
        history = kept.state.history
        if not history:
            raise EvenhandError(f"{self.path} is an interview without answers: answer some questions first")
        return kept.header.method, seed_of(kept.header.seed), history

    def result(self, candidates: Mapping[str, GroupRates]) -> FairMetric | Finding:
        """Return the metric or, for an interview, the finding from all its answers."""
        if isinstance(self._known, FairMetric):
            return self._known
        own = named_models(candidates, self.setting) if len(candidates) > 1 else None
        # A search finds nothing before its end, and no uncertainty; the adaptive method can evaluate any answers.
        for method in (self._known, Adaptive(setting=self.setting)):
            about = {"candidates": own} if "candidates" in method.option_names() else {}
            found = method.with_options(**about).finding_after(self.history, seed=self._seed)
            if found is not None:
                return found
        raise EvenhandError(f"no metric follows from {self.path}: this is a bug in evenhand, please report it")


def _is_interview(content: bytes) -> bool:
    try:
        first = loads(content.split(b"\n", 1)[0])
    except ValueError:
        return False
    return isinstance(first, dict) and first.get("format") == "evenhand.interview"
