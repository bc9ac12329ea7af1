"""Checks of text that will be stored and shown."""

from __future__ import annotations

import unicodedata

from evenhand.checks.messages import expect, shown
from evenhand.errors import EvenhandError

# Bidirectional controls change the direction of the text that follows: a page could then show something other than
# what is stored.
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
LINES = frozenset("\n\t")


def checked_text(value: object, name: str, *, longest: int, lines: bool = False) -> str:
    r"""Return text without the white space around it, or say what is wrong with it.

    `longest` is the greatest number of characters; `lines` allows line breaks and tabs.

    >>> checked_text(" Who is refused a loan? ", "title", longest=200)
    'Who is refused a loan?'
    """
    if not isinstance(value, str):
        raise EvenhandError(f"{name} must be text, but received {shown(value)}")
    text = value.replace("\r\n", "\n").strip()
    if not text:
        raise EvenhandError(f"{name} is empty: write at least one character")
    if len(text) > longest:
        raise EvenhandError(f"{name} has {len(text)} characters, but the limit is {longest}: shorten it")
    check_characters(text, name, allowed=LINES if lines else frozenset())
    return text


def check_characters(text: str, name: str, *, allowed: frozenset[str] = frozenset()) -> None:
    """Refuse control characters, lone surrogates and bidirectional controls."""
    for character in text:
        control = unicodedata.category(character) in {"Cc", "Cs"}
        if character in _BIDIRECTIONAL or (control and character not in allowed):
            raise EvenhandError(f"{name} contains {character!r}, which cannot be shown: remove it from {shown(text)}")


def check_writable(text: str, name: str) -> None:
    """Refuse a lone surrogate: half a character, which no file in UTF-8 can hold."""
    half = next((character for character in text if "\ud800" <= character <= "\udfff"), None)
    if half is not None:
        raise EvenhandError(
            f"{name} {shown(text)} has {half!r}, half a character, which no file can hold: read the text again "
            "with the encoding that it was written in"
        )


def any_text(value: object, name: str) -> str:
    """Return text of any length and with any number of lines, also none."""
    expect(value, name, str)
    check_characters(str(value), name, allowed=LINES)
    return str(value)
