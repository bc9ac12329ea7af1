"""What a file of answers says, read without writing: a header, then an answer or a withdrawal per line.

A last line that lacks only its line break counts. One that a crash cut short was never acknowledged, and does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from evenhand.checks.nesting import loads
from evenhand.errors import EvenhandError
from evenhand.study.log.header import Header
from evenhand.study.log.stored_answer import StoredAnswer, check_fields, checked_time, whole_number


@dataclass(frozen=True, kw_only=True)
class KeptAnswers:
    """The answers of an interview, as the lines of its file tell them.

    Attributes
    ----------
    header
        What the interview is about.
    answers
        The answers that stand: given, and not withdrawn.
    notice
        In words, that the last line is not counted, or an empty text.
    lines, size
        How many lines count, and how many bytes they have.
    ends_line
        Whether the last of them has its line break.
    """

    header: Header
    answers: list[StoredAnswer]
    notice: str
    lines: int
    size: int
    ends_line: bool

    @classmethod
    def read(cls, content: Iterable[bytes], path: Path) -> Self:
        """Read the lines of the file at that path, or say which one is wrong."""
        header: Header | None = None
        answers: list[StoredAnswer] = []
        notice, lines, size, ends_line = "", 0, 0, True
        for raw in content:
            ends_line = raw.endswith(b"\n")
            if not ends_line and not _is_object(raw):
                notice = f"The last line of {path} was cut short, by a crash perhaps, and does not count."
                ends_line = True  # the one before it does
                break
            try:
                document = _parsed(raw)
                if header is None:
                    header = Header.from_document(document)
                else:
                    _apply(document, lines + 1, header, answers)
            except EvenhandError as error:
                raise EvenhandError(f"{path}, line {lines + 1}: {error}") from error
            lines += 1
            size += len(raw)
        if header is None:
            raise EvenhandError(
                f"{path} holds no complete first line, so it is not a file of answers and none can be lost: "
                "delete it, or name another file"
            )
        return cls(header=header, answers=answers, notice=notice, lines=lines, size=size, ends_line=ends_line)


def _apply(document: Any, line: int, header: Header, answers: list[StoredAnswer]) -> None:
    """Take one event into account."""
    if not isinstance(document, dict):
        raise EvenhandError(f"an answer or a withdrawal was expected, but this is {document!r:.60}")
    if "undo" in document:
        check_fields(document, {"undo", "time"})
        checked_time(document["time"])
        withdrawn = whole_number(document["undo"], "undo")
        if not answers or withdrawn != len(answers):
            raise EvenhandError(f"answer {withdrawn} is withdrawn, but the last one standing is {len(answers)}")
        answers.pop()
        return
    answer = StoredAnswer.from_document(document, line, header.method.answers)
    if answer.n != len(answers) + 1:
        raise EvenhandError(f"this is answer {answer.n}, but answer {len(answers) + 1} comes next")
    answers.append(answer)


def _is_object(raw: bytes) -> bool:
    """Whether this is a JSON object from brace to brace, which no beginning of a longer one is."""
    try:
        return isinstance(_parsed(raw), dict)
    except EvenhandError:
        return False


def _parsed(raw: bytes) -> Any:
    try:
        return loads(raw)
    except ValueError as error:
        raise EvenhandError(f"this is not JSON ({error}); was the file edited?") from error
