"""Text from outside that will be kept and shown: whatever it holds, it can be stored, sent and read."""

from __future__ import annotations

import unicodedata

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError

# Marks that turn the direction of what follows could make a page say something else than what is stored.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
LINES = frozenset("\n\t")


def checked_text(value: object, name: str, *, longest: int, lines: bool = False) -> str:
    r"""Return text without blanks around it, or say what is wrong with it; `lines` allows more than one.

    >>> checked_text(" Who is refused a loan? ", "title", longest=200)
    'Who is refused a loan?'
    """
    if not isinstance(value, str):
        raise EvenhandError(f"{name} must be text, but received {shown(value)}")
    text = value.replace("\r\n", "\n").strip()
    if not text:
        raise EvenhandError(f"{name} is empty: say something")
    if len(text) > longest:
        raise EvenhandError(f"{name} has {len(text)} characters, but {longest} is the most: say it shorter")
    check_characters(text, name, allowed=LINES if lines else frozenset())
    return text


def check_characters(text: str, name: str, *, allowed: frozenset[str] = frozenset()) -> None:
    """Refuse control characters, halves of characters, and marks that turn the direction of what follows."""
    for character in text:
        if character in _TURNING or (unicodedata.category(character) in {"Cc", "Cs"} and character not in allowed):
            raise EvenhandError(f"{name} holds {character!r}, which cannot be shown: leave it out of {shown(text)}")
