"""Refuses JSON that is nested too deeply before a parser reads it: parsers fail on it, or crash the process.

We count the brackets in the bytes. Python's parser and Arrow's refuse a line break within a string, so no string is
open at the start of a line.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from evenhand.errors import EvenhandError

DEEPEST = 32
"""The greatest depth of nested lists and objects; evenhand writes at most half of it."""

_OTHERS = bytes(set(range(256)) - set(b'"[]{}\r\n'))
_STRING = re.compile(rb'"[^"\r\n]*"')
_CHUNK = 1 << 18
_LONGEST_LINE = 1 << 22  # Arrow takes half of that


def loads(text: str | bytes, **options: Any) -> Any:
    """Parse a JSON document as `json.loads` does, unless it is nested too deeply."""
    if isinstance(text, bytes | bytearray):
        text = text.decode("utf-8-sig")
    if isinstance(text, str) and _is_deep(text):
        raise EvenhandError(f"lists and objects are nested more than {DEEPEST} deep")
    return json.loads(text, **options)


def _is_deep(text: str) -> bool:
    """Whether it is nested too deeply; most texts have too few brackets for that."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    return _levels(text.encode("utf-8", "surrogatepass"))[0] > DEEPEST


def check_lines(stream: BinaryIO, file: Path) -> None:
    """Refuse JSON lines if any line is nested too deeply."""
    before, level = 0, 0
    while chunk := stream.read(_CHUNK) + stream.readline(_LONGEST_LINE + 1):
        if len(chunk) > _CHUNK + _LONGEST_LINE:
            raise EvenhandError(f"{file} has a line of more than {_LONGEST_LINE:,} bytes: write a line for each row")
        most, after = (1, 0) if level == 0 and _is_flat(chunk) else _levels(chunk, level)
        if most > DEEPEST:
            for line in chunk.split(b"\n"):
                before += 1
                most, level = _levels(line, level)
                if most > DEEPEST:
                    raise EvenhandError(
                        f"{file}, line {before}: lists and objects are nested more than {DEEPEST} deep; a line is one "
                        'object with a plain value for each column, like {"label": 1, "prediction": 0, "group": "a"}'
                    )
        before += chunk.count(b"\n")
        level = after


def _is_flat(text: bytes) -> bool:
    """Whether each line is one object without lists or objects inside: a quick check, which most files pass.

    Every opening brace must follow a line that ends with a closing brace. If that brace is in a string, the line break
    is too, and the parser stops there.
    """
    if b"[" in text or not text.startswith(b"{") or not text.endswith(b"}\n"):
        return False
    characters = np.frombuffer(text, np.uint8)
    later = np.flatnonzero(characters == ord("{"))[1:]
    return bool((characters[later - 1] == ord("\n")).all() and (characters[later - 2] == ord("}")).all())


def _levels(text: bytes, level: int = 0) -> tuple[int, int]:
    """Return the greatest depth of the text and the depth at its end, given the depth before it.

    A bracket that closes nothing does not count: another thread of the parser may begin after it.
    """
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Remove pairs of quotes: everything else in a string stays in one, and everything outside stays outside.
    marks = text.translate(None, _OTHERS).replace(b'""', b"")
    if b'"' in marks:
        marks = _STRING.sub(b"", marks)
    brackets = np.frombuffer(marks.translate(None, b'"\r\n'), np.uint8)
    if not brackets.size:
        return level, level
    opens = (brackets == ord("[")) | (brackets == ord("{"))
    levels = level + np.cumsum(np.where(opens, 1, -1))
    levels -= np.minimum(np.minimum.accumulate(levels), 0)
    return int(levels.max()), int(levels[-1])
