"""Every public name says what it is for, with an example; `pytest --doctest-modules` runs them all."""

from __future__ import annotations

import inspect
from doctest import DocTestFinder
from types import ModuleType

import pytest

import evenhand
from evenhand import metrics, ranking

MODULES = {name for name in evenhand.__all__ if isinstance(getattr(evenhand, name), ModuleType)}
PUBLIC = [
    *(f"evenhand.{name}" for name in evenhand.__all__ if name not in MODULES),
    *(f"evenhand.metrics.{name}" for name in metrics.__all__),
    *(f"evenhand.ranking.{name}" for name in ranking.__all__),
]


def test_there_are_many_public_names_and_each_is_named_once() -> None:
    assert len(PUBLIC) == len(set(PUBLIC)) > 40


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_an_example(name: str) -> None:
    where, _, last = name.rpartition(".")
    known = {"evenhand": evenhand, "evenhand.metrics": metrics, "evenhand.ranking": ranking}
    thing = getattr(known[where], last)
    if not inspect.isclass(thing) and not inspect.isroutine(thing):
        thing = type(thing)
    examples = [
        example
        for test in DocTestFinder(recurse=False).find(thing, last, module=inspect.getmodule(thing))
        for example in test.examples
    ]
    assert any(example.want for example in examples), f"{name} has no example with a result"
