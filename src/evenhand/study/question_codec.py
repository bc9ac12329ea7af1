"""Shown questions as JSON documents: logged, exported and sent alike, and read back by later versions."""

from __future__ import annotations

from typing import Any

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import Format, checked_fields
from evenhand.checks.messages import expect, shown
from evenhand.checks.text import any_text
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.rates.asked import checked_rates
from evenhand.rates.rounding import OUT_OF
from evenhand.study.shown_question import ShownQuestion
from evenhand.wording.comparison import Rounding

QUESTION_FORMAT = Format(
    name="evenhand.question",
    what="question",
    fields=("n", "first", "second", "swapped", "undecided", "out_of", "decimals", "part", "left"),
)

_MOST_DECIMALS = 15  # of a float


def question_document(question: ShownQuestion) -> dict[str, Any]:
    """Return a question as JSON holds it."""
    return QUESTION_FORMAT.write(
        n=question.n,
        first=question.first.tolist(),
        second=question.second.tolist(),
        swapped=question.swapped,
        undecided=question.undecided,
        out_of=OUT_OF,
        decimals=dict(vars(question.rounding)),
        part=question.part,
        left=question.left,
    )


def read_question(document: object, setting: Setting) -> ShownQuestion:
    """Read a question back, or say what is wrong with it."""
    fields = QUESTION_FORMAT.read(document)
    for name in ("swapped", "undecided"):
        expect(fields[name], name, bool)
    if fields["out_of"] != OUT_OF:
        raise EvenhandError(f"out_of must be {OUT_OF}, but received {shown(fields['out_of'])}")
    decimals = checked_fields(fields["decimals"], "decimals", ("people", "differences"))
    return ShownQuestion(
        n=whole_number(fields["n"], "n", 1),
        setting=setting,
        first=checked_rates(fields["first"], "first", setting),
        second=checked_rates(fields["second"], "second", setting),
        swapped=fields["swapped"],
        undecided=fields["undecided"],
        rounding=Rounding(**{name: _decimals(value, name) for name, value in decimals.items()}),
        part=any_text(fields["part"], "part"),
        left=whole_number(fields["left"], "left", 1),
    )


def _decimals(value: object, name: str) -> int:
    decimals = whole_number(value, name, 0)
    if decimals > _MOST_DECIMALS:
        raise EvenhandError(f"{name} must be at most {_MOST_DECIMALS} decimals, but received {shown(value)}")
    return decimals
