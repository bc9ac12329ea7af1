"""Options that take several names: with commas, `--classes repays,defaults`, or repeated once for each name."""

from __future__ import annotations

import re

import typer

from evenhand.errors import EvenhandError

_BETWEEN = re.compile(r",(?![^\[]*\])")  # a comma in brackets belongs to a pattern such as model_[1,2]


def names(given: list[str] | None, option: str) -> list[str]:
    """Read names from one option with commas, or from an option repeated for each name.

    >>> names(["model_a,model_b"], "--prediction"), names(["a, b", "c"], "--prediction")
    (['model_a', 'model_b'], ['a, b', 'c'])
    """
    if not given:
        return []
    listed = [name.strip() for name in (_BETWEEN.split(given[0]) if len(given) == 1 else given)]
    if "" in listed:
        raise EvenhandError(f"{option} has an empty name in {', '.join(map(repr, listed))}: every one needs a name")
    return listed


def of_option(parameter: typer.CallbackParam, given: list[str]) -> list[str]:
    """Read the names of an option, for use as its callback."""
    return names(given, parameter.opts[0])
