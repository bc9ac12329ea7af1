"""Names as they may be shown: whatever a name holds, it cannot steer a terminal, fill it, or pass for another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from evenhand.typing import Label

_LONGEST = 40
_MOST_NAMED = 3


def printable(text: str) -> str:
    r"""Escape what could steer a terminal: control characters, direction marks, line ends.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a printable text takes.

    >>> columns_of("women"), columns_of("女性"), columns_of("e\u0301")
    (5, 4, 1)
    """
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def filled(text: str, width: int, *, left: bool) -> str:
    """Return a text with blanks so that it takes so many columns, at the left of them or at the right."""
    blank = " " * (width - columns_of(text))
    return text + blank if left else blank + text


def shown_names(labels: Sequence[Label], *, shortened: bool = True) -> tuple[str, ...]:
    r"""Return a printable name of each label; if two of them looked alike, all are numbered.

    Long names lose their end or, where that is what tells them apart, their middle.

    >>> shown_names(["women", "men\n"])
    ('women', 'men\\n')
    >>> shown_names(["women", "women "])
    ('1: women', '2: women')
    """
    names = [printable(str(label)).strip(" ") or "(no name)" for label in labels]
    if not shortened:
        return told_apart(names)
    ends = [name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…" for name in names]
    if not _alike(ends):
        return tuple(ends)
    half = _LONGEST // 2
    return told_apart([name if len(name) <= _LONGEST else f"{name[: half - 1]}…{name[-half:]}" for name in names])


def capitalised(words: str) -> str:
    """Return words as a sentence or a label begins, also within quotation marks.

    >>> capitalised("a false refusal"), capitalised("“those who repay”")
    ('A false refusal', '“Those who repay”')
    """
    start = 1 if words.startswith("“") else 0
    return words[:start] + words[start : start + 1].upper() + words[start + 1 :]


def in_a_row(names: Sequence[str]) -> str:
    """Return names with “and” before the last; of many, how many more there are.

    >>> in_a_row(["A"]), in_a_row(["A", "B", "C"]), in_a_row(["A", "B", "C", "D", "E"])
    ('A', 'A, B and C', 'A, B, C and 2 others')
    """
    if len(names) > _MOST_NAMED + 1:
        return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as they are; if two of them look alike, all are numbered.

    >>> told_apart(["a | b", "a | c"]), told_apart(["a | b", "a | b"])
    (('a | b', 'a | c'), ('1: a | b', '2: a | b'))
    """
    if _alike(names):
        return tuple(f"{place}: {name}" for place, name in enumerate(names, 1))
    return tuple(names)


def _alike(names: Sequence[str]) -> bool:
    """Whether two of the names look alike."""
    return len({unicodedata.normalize("NFKC", name).casefold() for name in names}) < len(names)
