"""`load`: reads any document that evenhand writes, and says what it is."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evenhand.checks.documents import parsed
from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation import Elicited, Finding
from evenhand.elicitation.codec import FINDING_FORMAT, read_finding
from evenhand.elicitation.elicited_document import ELICITED_FORMAT, read_elicited
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.metric import FairMetric
from evenhand.metric.fair_metric import METRIC_FORMAT
from evenhand.wording.numerals import plural

if TYPE_CHECKING:
    from evenhand.region import FeasibleRegion, MixtureClassifier
    from evenhand.study.answers import Answered, StudyAnswers
    from evenhand.study.study import Study

Loaded: TypeAlias = "FairMetric | Finding | StudyAnswers | Study | FeasibleRegion | MixtureClassifier"


@dataclass(frozen=True, eq=False)
class Document:
    """What a file holds, and in words what that is; answers are not weighed yet."""

    what: str
    content: FairMetric | Finding | Answered | StudyAnswers | Study | FeasibleRegion | MixtureClassifier
    notice: str = ""
    """What is wrong with it, if that is not so bad that it cannot be read."""


def load(path: str | Path) -> Loaded:
    """Read any document that evenhand writes.

    ================================================  ==================================================================
    the file                                          what it comes back as
    ================================================  ==================================================================
    `FairMetric.to_json`, `interview --metric`        `FairMetric`
    `Elicited.to_json`                                `Elicited`
    the answers of `evenhand interview`               `Elicited`, of all answers so far
    the JSON from the result page of a study          `Elicited`: what the person was told
    `evenhand export`                                 a mapping, interview → `Elicited`, with an attribute `study`
    `Finding.to_json`                                 `Finding`
    `evenhand study draft`, `Study.to_json`           `Study`
    `FeasibleRegion.to_json`                          `FeasibleRegion`
    `MixtureClassifier.to_json`                       `MixtureClassifier`
    ================================================  ==================================================================

    Files leave out the sample of metrics that fit the answers; it is drawn again, the same one. Only the JSON of a
    result page does not hold the candidates, so that its sample is another one of the same kind.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from evenhand import FairMetric, Setting
    >>> metric = FairMetric.random(Setting.random(2, 2, 0), 0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "metric.json"
    ...     _ = file.write_text(metric.to_json())
    ...     load(file) == metric
    True
    """
    expect(path, "path", str, os.PathLike)
    content = read_document(Path(path)).content
    if isinstance(content, FairMetric | Finding):
        return content
    from evenhand.study.answers import Answered  # noqa: PLC0415  # not on Windows, unlike the rest

    return content.elicited() if isinstance(content, Answered) else content


def read_document(path: Path) -> Document:
    """Read a document, or say why that cannot be done."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EvenhandError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the name
        raise EvenhandError(f"{shown(str(path))} is no name of a file: {error}") from error
    if path.suffix.lower() == ".toml":
        from evenhand.study.study import Study  # noqa: PLC0415

        return Document("a study without answers", Study.from_file(path))
    if _format(content.split(b"\n", 1)[0]) == "evenhand.interview":
        return _interview(content, path)
    try:
        document = parsed(content)
    except UnicodeDecodeError as error:
        raise EvenhandError(
            f"{path} is no JSON document, nor the file of an interview: it is not text in UTF-8 (byte {error.start}); "
            "if it is text, save it as UTF-8"
        ) from error
    except (TypeError, ValueError) as error:
        raise EvenhandError(f"{path} is no JSON document, nor the file of an interview: {error}") from error
    name = document.get("format") if isinstance(document, dict) else None
    if not (isinstance(name, str) and name in _READERS):
        raise EvenhandError(
            f"{path} is not a document of evenhand that can be loaded: its format is {shown(name)}, but "
            f"{listed((*_READERS, 'evenhand.interview'))} can be"
        )
    try:
        return _READERS[name](document, content.decode("utf-8-sig"))
    except EvenhandError as error:
        raise EvenhandError(f"{path}: {error}") from error


def _format(line: bytes) -> object:
    try:
        first = parsed(line)
    except ValueError:
        return None
    return first.get("format") if isinstance(first, dict) else None


def _interview(content: bytes, path: Path) -> Document:
    from evenhand.study.answers import Answered  # noqa: PLC0415  # not on Windows, unlike the rest
    from evenhand.study.log.file import InterviewFile  # noqa: PLC0415

    kept = InterviewFile.read(io.BytesIO(content), path)
    try:
        answers = Answered.of(kept.state)
    except EvenhandError as error:
        raise EvenhandError(f"{path}: {error}") from error
    return Document(f"an interview, with {answers.what}", answers, kept.notice)


def _metric(document: Any, text: str) -> Document:  # noqa: ARG001
    return Document("a metric", FairMetric.from_json(text))


def _elicited(document: Any, text: str) -> Document:  # noqa: ARG001
    return _of_finding(read_elicited(document))


def _finding(document: Any, text: str) -> Document:  # noqa: ARG001
    return _of_finding(read_finding(document))


def _of_finding(finding: Finding) -> Document:
    if not isinstance(finding, Elicited):
        return Document("what was found, without the answers", finding)
    asked = f"{plural(finding.questions, 'answer')} to questions of method={finding.method!r}"
    return Document(f"an elicited metric, with {asked}", finding)


def _result(document: Any, text: str) -> Document:  # noqa: ARG001
    from evenhand.study.result_file import read_result  # noqa: PLC0415

    answers = read_result(document)
    return Document(f"the result of an interview of the study {shown(document['study'])}, with {answers.what}", answers)


def _study(document: Any, text: str) -> Document:  # noqa: ARG001
    from evenhand.study.study import Study  # noqa: PLC0415

    return Document("a study without answers", Study.from_json(text))


def _export(document: Any, text: str) -> Document:  # noqa: ARG001
    try:
        from evenhand.study.exchange import read_export  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "sqlalchemy", "web") from error
    answers = read_export(text).answers()
    what = f"the study {shown(answers.study.slug)}, with {plural(len(answers), 'interview')} that have answers"
    return Document(what, answers)


def _classifier(document: Any, text: str) -> Document:  # noqa: ARG001
    from evenhand.region import MixtureClassifier  # noqa: PLC0415  # loads what regions need

    return Document("a classifier", MixtureClassifier.from_json(text))


def _region(document: Any, text: str) -> Document:  # noqa: ARG001
    from evenhand.region import FeasibleRegion  # noqa: PLC0415

    return Document("a region", FeasibleRegion.from_json(text))


_READERS: dict[str, Callable[[Any, str], Document]] = {
    METRIC_FORMAT.name: _metric,
    ELICITED_FORMAT.name: _elicited,
    FINDING_FORMAT.name: _finding,
    "evenhand.result": _result,
    "evenhand.export": _export,
    "evenhand.study": _study,
    "evenhand.classifier": _classifier,
    "evenhand.region": _region,
}
