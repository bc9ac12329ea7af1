"""All thresholds of the adaptive method stand in one place, each with what it trades."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from evenhand.elicitation import thresholds
from evenhand.elicitation.thresholds import QUESTIONS, RESPONSE, SAMPLER, STOPPING, WARNINGS

_HERE = Path(thresholds.__file__).parent


def test_every_threshold_says_what_it_trades() -> None:
    document = ast.parse(Path(thresholds.__file__).read_text(encoding="utf-8"))
    silent = [
        ast.unparse(threshold)
        for group in document.body
        if isinstance(group, ast.ClassDef)
        for threshold, said in pairwise([*group.body, None])
        if isinstance(threshold, ast.AnnAssign) and not isinstance(said, ast.Expr)
    ]
    assert silent == []


@pytest.mark.parametrize("group", [RESPONSE, SAMPLER, QUESTIONS, STOPPING, WARNINGS])
def test_nobody_changes_a_threshold_on_the_way(group: NamedTuple) -> None:
    with pytest.raises(AttributeError):
        setattr(group, group._fields[0], 0)


@pytest.mark.parametrize("room", ["adaptive", "inference"])
def test_no_module_has_a_threshold_of_its_own(room: str) -> None:
    own = []
    for module in (_HERE / room).glob("*.py"):
        for statement in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Constant):
                value = statement.value.value
                name = ast.unparse(statement).split(" ")[0]
                if isinstance(value, float | int) and name != "RESPONSE_SIZE":
                    own.append((module.name, name))
    assert own == []
