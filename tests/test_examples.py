"""Every public name says what it is for, with an example; `pytest --doctest-modules` runs them all."""

from __future__ import annotations

import inspect
from doctest import DocTestFinder
from types import ModuleType

import pytest

import evenhand
from evenhand import elicitation, metric, metrics, oracles, ranking, rates, region
from evenhand.report import document

KNOWN = {one.__name__: one for one in (evenhand, elicitation, metric, metrics, oracles, ranking, rates, region)}
ALIASES = {"evenhand.elicitation": {"Answer", "History", "Oracle", "Procedure"}, "evenhand.rates": {"Label"}}
"""Names of types, which have no docstring."""
PUBLIC = [
    f"{where}.{name}"
    for where, one in KNOWN.items()
    for name in one.__all__
    if not isinstance(getattr(one, name), ModuleType) and name not in ALIASES.get(where, ())
] + [f"{document.__name__}.{name}" for name in ("Report", "report")]


def test_there_are_many_public_names_and_each_is_named_once() -> None:
    assert len(PUBLIC) == len(set(PUBLIC)) > 100


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name: str) -> None:
    where, _, last = name.rpartition(".")
    thing = getattr((KNOWN | {document.__name__: document})[where], last)
    if not inspect.isclass(thing) and not inspect.isroutine(thing):
        thing = type(thing)
    examples = [
        example
        for test in DocTestFinder(recurse=False).find(thing, last, module=inspect.getmodule(thing))
        for example in test.examples
    ]
    assert any(example.want for example in examples), f"{name} has no example with a result"
