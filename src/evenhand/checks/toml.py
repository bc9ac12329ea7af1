"""TOML from outside, with the line of every key: Python's parser does not tell, and a message should.

A statement of TOML (a header, or a key with its value) is valid TOML by itself. So the parser itself finds where each
one begins: lines are added until they parse.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.errors import EvenhandError

Path = tuple[str, ...]

_LONGEST = 4_000_000
_MOST_LINES = 2_000
"""The longest value in lines: to look for its end takes time that grows with the square of them."""


@dataclass(frozen=True)
class Toml:
    """A document, and the line in which each key is, from 1."""

    document: dict[str, Any]
    lines: Mapping[Path, int]

    def line(self, *path: str) -> int | None:
        """Return the line of a key or, where it is missing, that of the table that it should be in."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None


def read_toml(content: bytes, name: str) -> Toml:
    r"""Parse a TOML document; messages call it by its name.

    >>> toml = read_toml(b"title = 'Loans'\n\n[words.groups]\nf = 'women'", "loans.toml")
    >>> toml.document["words"], toml.line("words", "groups", "f"), toml.line("words", "groups", "m")
    ({'groups': {'f': 'women'}}, 4, 3)
    """
    if len(content) > _LONGEST:
        raise EvenhandError(f"{name} has {len(content):,} bytes, but the limit is {_LONGEST:,}")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise EvenhandError(f"{name}, line {line}: this is not text in UTF-8: save it in that encoding") from error
    except tomllib.TOMLDecodeError as error:
        raise EvenhandError(f"{name} is not a TOML document: {error}") from error
    except RecursionError as error:
        raise EvenhandError(f"{name}: lists and tables are nested too deeply") from error
    return Toml(document, dict(_lines(text)))


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path of each header and key with its line; the text as a whole is known to be valid."""
    lines = text.split("\n")
    header: Path = ()
    place = 0
    while place < len(lines):
        statement, after = _statement(lines, place)
        first = lines[place].lstrip()
        if first.startswith("["):
            header = _only_path(statement)
            yield header, place + 1
        else:
            yield from ((header + path, place + 1) for path in _paths(statement))
        place = after


def _statement(lines: list[str], start: int) -> tuple[dict[str, Any], int]:
    """Return the statement that begins in a line, and the line after it."""
    for end in range(start + 1, min(len(lines), start + _MOST_LINES) + 1):
        try:
            return tomllib.loads("\n".join(lines[start:end])), end
        except tomllib.TOMLDecodeError:
            continue
    return {}, len(lines)


def _only_path(statement: Any) -> Path:
    """Return the path that a header names: at each level there is one key."""
    path: Path = ()
    while statement:
        if isinstance(statement, list):
            statement = statement[0]
            continue
        key = next(iter(statement))
        path += (key,)
        statement = statement[key]
    return path


def _paths(statement: Mapping[str, Any], before: Path = ()) -> Iterator[Path]:
    for key, value in statement.items():
        yield (*before, key)
        if isinstance(value, dict):
            yield from _paths(value, (*before, key))
