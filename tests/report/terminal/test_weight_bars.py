"""A metric as a picture, and what is said around an interview."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from evenhand import Adaptive, FairMetric, Finding, Paper, Question, Setting
from evenhand.elicitation import Intervals, Reliability, Uncertainty
from evenhand.oracles.terminal import possible_keys
from evenhand.report.terminal.guide import help_text, introduction, keys, questions_by_part, result
from evenhand.report.terminal.progress import Progress
from evenhand.report.terminal.weight_bars import MetricPicture

HOSTILE = Setting(["[bold]x[/]", "a\nb\x1b[31m"], ["\u202eevil", ":smile:", "w" * 300], np.full((3, 2), 1 / 3))

RELIABILITY = Reliability(
    attending=0.99,
    lapse_rate=0.1,
    lapse_interval=(0.06, 0.2),
    predictive=(0.4, 0.6, 0.9),
    misfit=0.5,
    consistency=0.5,
    repeats=2,
)


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
    metric = FairMetric.random(HOSTILE, 0)
    doubt = f"group {HOSTILE.classes[1]} is odd"
    search = Paper(setting=HOSTILE, tolerance=0.1)
    adaptive = Adaptive(setting=HOSTILE, out_of=100)
    question = Question(metric.violation, metric.violation, "adaptive", undecided=True, left=30)
    for undecided, plan, uncertainty in ((False, search, None), (True, adaptive, around(metric))):
        possible = possible_keys(undecided=undecided)
        begun = introduction(plan, Progress.of(plan, 0, question))
        finding = Finding(metric=metric, warnings=(doubt,), uncertainty=uncertainty, reliability=RELIABILITY)
        for thing in (begun, help_text(plan, possible), keys(possible), result(finding, 12)):
            lines = drawn(thing, width=width).splitlines()
            assert all(line.isprintable() and cell_len(line) <= width for line in lines)


def around(metric: FairMetric) -> Uncertainty:
    """Return intervals from a half of every weight to one and a half of it."""
    a, B, t = metric.misclassification, metric.violation, np.array(metric.trade_off)
    ends = (np.stack([weight / 2, 1.5 * weight], axis=-1) for weight in (a, B, t))
    return Uncertainty(level=0.9, intervals=Intervals(*ends))


def test_a_line_goes_from_where_a_weight_may_lie_at_least_to_at_most() -> None:
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
    metric = FairMetric(setting, misclassification=[0.6, 0.8], violation=[[1.0, 0.0]], trade_off=0.25)
    finding = Finding(
        metric=metric,
        uncertainty=around(metric),
        reliability=RELIABILITY,
        warnings=("Odd.",),
    )
    rows = drawn(result(finding, 3)).splitlines()
    assert rows[0] == "What your 3 answers say"
    place = rows.index("The cost of each mistake (true class → predicted class)")
    assert "0.60  0.30–0.90" in rows[place + 1]
    line = rows[place + 2][rows[place + 2].index("·") :]  # from 0.4 to 1.2, which is the largest of all
    assert line.index("━") / (len(line) - 1) == pytest.approx(0.4 / 1.2, abs=0.03)
    assert line.index("●") / (len(line) - 1) == pytest.approx(0.8 / 1.2, abs=0.03)
    assert line.endswith("━")
    said = " ".join(" ".join(rows).split())
    assert "where the value lies with 90% probability" in said
    assert "2 of 3 answers could be predicted from the answers before." in said
    assert "2 questions came again, and 1 of them got the same answer." in said
    assert "! Odd." in said


def test_progress_is_said_in_words() -> None:
    plan = Paper(setting=HOSTILE, tolerance=0.1)
    total = sum(plan.questions_by_part().values())
    rates = np.zeros((3, 2))
    said = Progress.of(plan, 11, Question(rates, rates, "violation", left=total - 11))
    assert said.line().plain.endswith(f" question 12 of {total} · part 2 of 3: gaps between groups")
    assert said.answers() == f"11 of {total} answers are"


@pytest.mark.parametrize(
    ("answered", "left", "line", "answers"),
    [(11, 30, "question 12 · about 30 left", "11 answers are"), (1, 1, "question 2 · perhaps the last", "1 answer is")],
)
def test_progress_is_about_so_much_where_the_total_is_not_known(
    answered: int, left: int, line: str, answers: str
) -> None:
    rates = np.zeros((3, 2))
    said = Progress.of(Adaptive(setting=HOSTILE), answered, Question(rates, rates, "adaptive", left=left))
    assert said.line().plain.endswith(line)
    assert said.answers() == answers


def test_the_questions_are_counted_by_part() -> None:
    counts = {"misclassification": 3, "violation": 4, "trade_off": 0}
    assert questions_by_part(counts).plain == "7 questions: 3 on mistakes, 4 on gaps between groups"
