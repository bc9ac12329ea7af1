"""A metric as a picture, and what is said around an interview."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from evenhand import FairMetric, Plan, Setting
from evenhand.elicitation import Finding
from evenhand.report.interview import help_text, introduction, progress, questions_by_part, result
from evenhand.report.metric import MetricPicture

HOSTILE = Setting(["[bold]x[/]", "a\nb\x1b[31m"], ["\u202eevil", ":smile:", "w" * 300], np.full((3, 2), 1 / 3))


def drawn(thing: RenderableType, *, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(thing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_bar_is_as_long_as_its_weight_and_the_knob_stands_at_the_trade_off() -> None:
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    metric = FairMetric(setting, misclassification=[0.6, 0.8], violation=[[1.0, 0.0]], trade_off=0.25)
    rows = drawn(MetricPicture({"yours": metric})).splitlines()
    assert rows[1].count("█") / rows[2].count("█") == pytest.approx(0.75, abs=0.02)
    assert (rows[5].count("█"), rows[6].count("█")) == (50, 0)
    track = rows[-1][rows[-1].index("├") : rows[-1].index("┤") + 1]
    assert track.index("●") / (len(track) - 1) == pytest.approx(0.25, abs=0.02)


def test_only_the_heaviest_weights_are_drawn_and_the_others_counted() -> None:
    metric = FairMetric.random(Setting.random(4, 3, 1), 1)
    picture = drawn(MetricPicture({"true": metric, "recovered": metric}))
    assert f"{np.sort(metric.violation.ravel())[-1]:.3f}" in picture
    assert "… and 24 lighter ones" in picture  # 12 of 3 · 12


@pytest.mark.parametrize("width", [30, 80, 120])
def test_no_name_breaks_what_is_said_around_an_interview(width: int) -> None:
    plan = Plan(setting=HOSTILE, tolerance=0.1)
    finding = Finding(metric=FairMetric.random(HOSTILE, 0), warnings=(f"group {HOSTILE.classes[1]} is odd",))
    for thing in (introduction(plan), help_text(plan), result(finding, 12)):
        lines = drawn(thing, width=width).splitlines()
        assert all(line.isprintable() and cell_len(line) <= width for line in lines)


def test_progress_is_said_in_words() -> None:
    plan = Plan(setting=HOSTILE, tolerance=0.1)
    total = sum(plan.questions_by_part().values())
    said = progress(plan, 11, "violation").plain
    assert said.endswith(f" question 12 of {total} · part 2 of 3: gaps between groups")


def test_the_questions_are_counted_by_part() -> None:
    counts = {"misclassification": 3, "violation": 4, "trade_off": 0}
    assert questions_by_part(counts).plain == "7 questions: 3 on mistakes, 4 on gaps between groups"
