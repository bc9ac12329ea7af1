"""A question as a picture: both models side by side, differences marked with a sign, in any width."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from evenhand import GroupRates, Setting
from evenhand.report.terminal.bars import bar, slider, span
from evenhand.report.terminal.side_by_side import ComparisonPicture
from evenhand.wording.comparison import Comparison

SETTING = Setting(["repays", "defaults"], ["women", "men"], [[0.45, 0.3], [0.55, 0.7]])
HOSTILE = ["[bold]x[/]", "a\nb\x1b[31m", "🦆 ducks", "שלום", "\u202eevil", ":smile:", "long " * 99]


def drawn(comparison: Comparison, *, width: int = 80, colours: bool = False) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colours, markup=False, emoji=False, highlight=False
    )
    console.print(ComparisonPicture(comparison))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def compared(women_and_men_of_a: list[list[float]], women_and_men_of_b: list[list[float]]) -> Comparison:
    a, b = (GroupRates.from_vector(SETTING, np.array(p)) for p in (women_and_men_of_a, women_and_men_of_b))
    return Comparison.of(a, b)


def test_every_number_stands_beside_its_bar_and_the_worse_one_has_a_sign() -> None:
    picture = drawn(compared([[0.36, 0.64], [0.3, 0.64]], [[0.64, 0.64], [0.64, 0.6]]))
    rows = [" ".join(re.sub("[·▏▎▍▌▋▊▉█├─┤│]", " ", row).split()) for row in picture.splitlines() if row.strip()]
    assert rows[0] == "Model A Model B"
    assert rows[1] == "Of 100 who are “repays”, wrongly predicted “defaults”:"
    assert rows[2:5] == ["women 36 64 +28", "men 30 64 +34", "gap 6 +6 0"]
    assert rows[6:9] == ["women 64 64", "men 64 +4 60", "gap 0 4 +4"]


def test_the_longer_bar_belongs_to_the_model_with_more_mistakes() -> None:
    head, _, women, *_ = drawn(compared([[0.2, 0.5], [0.5, 0.5]], [[0.8, 0.5], [0.5, 0.5]])).splitlines()
    half = head.index("Model B")
    assert women[half:].count("█") > 3 * women[:half].count("█") > 0


def test_without_colours_there_is_not_a_single_control_code() -> None:
    comparison = compared([[0.36, 0.64], [0.3, 0.64]], [[0.64, 0.64], [0.64, 0.6]])
    assert "\x1b" not in drawn(comparison)
    assert "\x1b[1;31m" in drawn(comparison, colours=True)


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100, 200])
def test_no_name_breaks_the_picture_at_any_width(width: int) -> None:
    m = len(HOSTILE)
    setting = Setting(HOSTILE[:2], HOSTILE, np.full((m, 2), 1 / m))
    rng = np.random.default_rng(0)
    a, b = (GroupRates.from_vector(setting, rng.random((m, 2))) for _ in range(2))
    picture = drawn(Comparison.of(a, b), width=width)
    lines = picture.splitlines()
    assert all(cell_len(line) <= width for line in lines)
    assert all(line.isprintable() for line in lines)
    if width >= 80:
        assert all(any(name in line for line in lines) for name in ("[bold]x[/]", "a\\nb\\x1b[31m", ":smile:"))


def test_columns_stay_in_their_place_from_one_question_to_the_next() -> None:
    one = drawn(compared([[0.36, 0.64], [0.3, 0.64]], [[0.64, 0.64], [0.64, 0.6]])).splitlines()[0]
    other = drawn(compared([[0.0, 1.0], [0.0, 0.64]], [[0.02, 0.98], [0.02, 0.64]])).splitlines()[0]
    assert one == other


@pytest.mark.parametrize(("share", "text"), [(0.0, "    "), (0.001, "▏   "), (0.5, "██  "), (1.0, "████"), (7, "████")])
def test_a_bar_shows_little_as_something_and_never_overflows(share: float, text: str) -> None:
    assert bar(share, 4) == text


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (0.0, 1.0), (0.99, 1.0), (0.3, 0.35), (1.0, 1.0)])
@pytest.mark.parametrize("width", [0, 1, 4, 25])
def test_the_gap_is_drawn_within_the_width_of_the_bars(low: float, high: float, width: int) -> None:
    assert len(span(low, high, width)) == width


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_slider_has_one_knob(share: float) -> None:
    assert slider(share, 9).index("●") == round(share * 8)
