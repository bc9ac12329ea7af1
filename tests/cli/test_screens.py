"""Tables lose nothing in a narrow terminal; how they look at 60, 80 and 120 columns and in a pipe is kept here."""

from __future__ import annotations

from functools import cache

import pytest
from rich.cells import cell_len
from tests.cli.screens import FOLDER, SCREENS, WIDTHS, drawn, long, ranking, screen

from evenhand.report.terminal.ranking_table import RankingTable


@pytest.mark.parametrize("name", SCREENS)
def test_a_table_looks_as_it_did(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert _screen(name) == kept, "look at the new table: python -m tests.cli.screens writes it"


@pytest.mark.parametrize("name", SCREENS)
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    for width, text in zip(WIDTHS, _screen(name).split("══ in a pipe")[0].split("columns ══\n")[1:], strict=True):
        lines = [line for line in text.splitlines() if not line.startswith("══")]
        assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_name_is_there_whatever_the_width(width: int) -> None:
    of_five_groups = ranking(2, 5, 4, long)
    text = "".join(drawn(RankingTable(of_five_groups), width).split())
    for row in of_five_groups:
        together = "".join(row.name.split()) + f"{row.cost:.4f}"
        assert together in text or all(word in text for word in row.name.split())


def test_long_names_that_begin_alike_keep_what_tells_them_apart() -> None:
    alike = ranking(2, 2, 3, lambda place: f"{'a model that begins as all of them do ' * 3}{place}")
    shown = drawn(RankingTable(alike), 60)
    for row in alike:
        assert f"do {row.name[-1]}" in shown
    assert drawn(RankingTable(alike), None).count("a model that begins") == 9


def test_a_pipe_gets_no_boxes_and_no_broken_lines() -> None:
    lines = drawn(RankingTable(ranking(2, 5, 4, long)), None).splitlines()
    assert len(lines) == 1 + 4 + 3 + 1 + 1
    assert not set("".join(lines)) & set("─│┃┏━")


_screen = cache(screen)
