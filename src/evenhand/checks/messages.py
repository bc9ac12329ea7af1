"""How error messages show the input that they refuse: on one line, and shortened."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.errors import EvenhandError

_LONGEST = 80
_MOST = 20


def shown(value: object) -> str:
    """Return the `repr` of a value, shortened in the middle.

    >>> shown("women"), len(shown("w" * 1_000_000))
    ("'women'", 80)
    """
    try:
        text = repr(value).replace("\n", " ")
    except (ValueError, RecursionError):  # an integer of more than 4300 digits, or lists nested too deeply
        return f"a {type(value).__name__} that is too long to show"
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 21]}…{text[-20:]}"
    return text


def expect(value: object, name: str, *kinds: type) -> None:
    """Refuse a value that is not an instance of one of these types."""
    if not isinstance(value, kinds):
        wanted = " or ".join(dict.fromkeys(kind.__name__ for kind in kinds))
        raise EvenhandError(f"{name} must be a {wanted}: {shown(value)} is not")


def listed(values: Sequence[object]) -> str:
    """Return values separated by commas, and only the first 20 if there are more.

    >>> listed(["women", "men"])
    "'women', 'men'"
    """
    more = f", … ({len(values)} in all)" if len(values) > _MOST else ""
    return ", ".join(map(shown, values[:_MOST])) + more
