"""A hundred people are always a hundred, whatever they are divided into."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from evenhand.web.views.figures import COLUMNS, DOWN, HEIGHT, ROWS, STEP, WIDTH, Figures, hundred, place

shares = st.lists(st.integers(0, 100), max_size=3).filter(lambda parts: sum(parts) <= 100)


def _places(part: Figures) -> list[tuple[int, int]]:
    """Return the column and row of each figure that a path draws: its dashes are a step apart."""
    found = []
    for x, y, length in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)", part.heads):
        figures = round(float(length) / STEP) + 1
        found += [(int(float(x) // STEP) + n, int(float(y) // DOWN)) for n in range(figures)]
    return found


@given(shares)
def test_everybody_has_a_place_of_their_own(parts: list[int]) -> None:
    drawn = hundred([(f"mistake-{kind}", people) for kind, people in enumerate(parts)])
    places = [place for part in drawn for place in _places(part)]
    assert sorted(places) == [(column, row) for column in range(COLUMNS) for row in range(ROWS)]


@given(shares)
def test_each_kind_is_drawn_as_often_as_it_is_counted(parts: list[int]) -> None:
    drawn = {part.kind: len(_places(part)) for part in hundred([(str(kind), n) for kind, n in enumerate(parts)])}
    expected = {str(kind): people for kind, people in enumerate(parts)} | {"right": 100 - sum(parts)}
    assert drawn == {kind: people for kind, people in expected.items() if people}


@given(st.integers(0, 100))
def test_the_filled_part_is_as_long_as_the_bar_on_the_ruler(people: int) -> None:
    columns = {column for part in hundred([("sure", people)]) if part.kind == "sure" for column, _ in _places(part)}
    assert 0 <= len(columns) * STEP - place(people) < STEP


def test_everybody_is_in_the_picture() -> None:
    assert (COLUMNS * STEP, ROWS * DOWN) == (WIDTH, HEIGHT)
