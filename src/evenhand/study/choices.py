"""What a person can say to a question, by the word that is stored, and what a procedure is sent for it."""

from __future__ import annotations

from evenhand.elicitation.question import SKIP, Skip

Choice = bool | None | Skip
"""Whether one is preferred to the other; None is "can't tell", `SKIP` says nothing."""

CHOICES: dict[str, Choice] = {"first": True, "second": False, "neither": None, "skip": SKIP}

DECIDED = ("first", "second")
"""All that can be said to a method that needs to know."""


def word_for(choice: Choice) -> str:
    """Return the word that is stored.

    >>> word_for(False), word_for(None)
    ('second', 'neither')
    """
    return next(word for word, meaning in CHOICES.items() if meaning is choice)
