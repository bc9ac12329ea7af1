"""Values are readable: one line as `repr`, a table on `print` and in a notebook, a data frame, and a plot."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from evenhand import (
    Elicited,
    EvenhandError,
    FairMetric,
    FeasibleRegion,
    Finding,
    GroupRates,
    Setting,
    SimulatedOracle,
    compare_metrics,
    elicit,
    rank,
)
from evenhand.display.frames import as_frame
from evenhand.display.table import Bar, Table
from evenhand.elicitation import Verdict
from evenhand.rates.models import made_up_models

MARKS: tuple[object, ...] = ("o", "s")
EVIL = "<b>evil</b> $x_1$\x1b[2J"
SETTING = Setting(["repays", "defaults"], ["women", EVIL], [[0.5, 0.4], [0.5, 0.6]])


def models(names: list[str]) -> dict[str, GroupRates]:
    sizes = np.full((2, 2), 200.0)
    made = {}
    for name, profile in zip(names, made_up_models(SETTING, len(names), np.random.default_rng(0)), strict=True):
        matrix = GroupRates.from_vector(SETTING, profile).matrix
        made[name] = GroupRates(setting=SETTING, matrix=matrix, counts=matrix * sizes[..., None], sizes=sizes)
    return made


MODELS = models(["gbm", "forest", EVIL])
TRUTH = FairMetric.random(SETTING, 4)
ELICITED = elicit(SimulatedOracle(TRUTH), SETTING, candidates=MODELS, max_questions=25, random_state=0)
UNDECIDED = Finding(metric=TRUTH, verdict=Verdict(kind="too few answers", reason="Too few.", advice="Ask more."))
RANKING = rank(ELICITED, MODELS)
SCORES = np.stack([np.linspace(0.05, 0.95, 80), np.linspace(0.95, 0.05, 80)], axis=1)
TRUE = np.where(np.random.default_rng(0).random(80) < SCORES[:, 0], "defaults", "repays")
GROUPS = np.tile(["women", EVIL], 40)
SHOWN: dict[str, Any] = {
    "setting": SETTING,
    "rates": MODELS["gbm"],
    "rates without counts": GroupRates.uniform(SETTING),
    "metric": TRUTH,
    "finding": Finding(metric=TRUTH),
    "elicited": ELICITED,
    "undecided": UNDECIDED,
    "ranking": RANKING,
    "region": FeasibleRegion.from_scores(SCORES, TRUE, sensitive_features=GROUPS),
    "region without classes": FeasibleRegion.from_scores(SCORES, sensitive_features=GROUPS),
    "comparison": compare_metrics(ELICITED, TRUTH, MODELS),
}


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    with mpl.rc_context({"backend": "agg"}):
        yield
    plt.close("all")


class Cells(HTMLParser):
    """Collects the tags and the texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _texts(html: str) -> list[str]:
    page = Cells()
    page.feed(html)
    return page.texts


@pytest.mark.parametrize("name", SHOWN)
def test_a_repr_is_one_short_line(name: str) -> None:
    text = repr(SHOWN[name])
    assert text.startswith(type(SHOWN[name]).__name__ + "(")
    assert "\n" not in text
    assert "\x1b" not in text
    assert len(text) < 120


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "undecided"])
def test_what_is_printed_is_a_table_that_steers_no_terminal(name: str) -> None:
    text = str(SHOWN[name])
    assert len(text.splitlines()) > 2
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_shows_names_as_names_in_the_colours_of_its_theme(name: str) -> None:
    page = Cells()
    html = SHOWN[name]._repr_html_()
    page.feed(html)
    page.close()
    assert page.tags <= {"style", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
    if name != "undecided":
        assert "<b>" not in html
        assert any("<b>evil</b>" in text for text in page.texts)
    assert "color:inherit" in html
    for fixed in ("color:#", "color:black", "color:white", "background:#", "http"):
        assert fixed not in html.replace("background-color:transparent", "")


def test_what_should_not_be_decided_is_neither_shown_nor_drawn_as_weights() -> None:
    assert str(UNDECIDED) == "What was found:\nToo few. Ask more."
    html = UNDECIDED._repr_html_()
    assert "Too few." in html
    assert "Ask more." in html
    assert f"{TRUTH.trade_off:.3f}" not in html
    assert "not decided: too few answers" in repr(UNDECIDED)
    with pytest.raises(EvenhandError, match=r"Too few\. Ask more\. So there is nothing to plot"):
        UNDECIDED.plot()


def test_rates_go_by_name() -> None:
    rates = MODELS["gbm"]
    assert rates["women", "repays", "defaults"] == rates.matrix[0, 0, 1]
    assert isinstance(rates["women", "repays", "defaults"], float)
    np.testing.assert_array_equal(rates["women", "defaults"], rates.matrix[0, 1])
    np.testing.assert_array_equal(rates[EVIL], rates.matrix[1])
    wrongs: list[tuple[Any, str]] = [
        (("girls",), "the group 'girls' is not one of the groups 'women'"),
        (("women", "x"), "the true class 'x' is not one of the classes 'repays', 'defaults'"),
        (("women", "repays", "x"), "the predicted class 'x' is not one of the classes"),
        (("women", "repays", "repays", 1), "go by group, true class and predicted class"),
    ]
    for wrong, message in wrongs:
        with pytest.raises(EvenhandError, match=message):
            rates[wrong]
    with pytest.raises(TypeError):
        iter(rates)


def test_a_ranking_goes_by_name_and_by_place() -> None:
    for row in RANKING:
        assert RANKING[row.name] is row
    assert RANKING[0] is RANKING.rows[0]
    assert RANKING[-2:] == RANKING.rows[-2:]
    with pytest.raises(EvenhandError, match="this ranking has no model 'svm', but '"):
        RANKING["svm"]


def test_a_frame_holds_every_number_in_the_library_that_is_asked_for() -> None:
    kinds = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}
    for library, kind in kinds.items():
        assert isinstance(RANKING.to_frame(library), kind)  # type: ignore[arg-type]
        assert isinstance(ELICITED.to_frame(library), kind)  # type: ignore[arg-type]
    rates = MODELS["gbm"].to_frame("polars")
    assert rates.shape == (8, 7)
    assert rates["rate"].to_list() == MODELS["gbm"].matrix.ravel().tolist()
    assert rates.filter(pl.col("group") == "women", true_class="defaults")["rate"].sum() == pytest.approx(1)
    weights = ELICITED.to_frame("polars")
    assert weights["weight"].to_list()[-1] == ELICITED.metric.trade_off
    assert (weights["low"] <= weights["high"]).all()
    assert "low" not in TRUTH.to_frame("polars").columns
    assert SETTING.to_frame("polars")["prevalence"].sum() == pytest.approx(2)
    with pytest.raises(EvenhandError, match="library must be one of 'pandas', 'polars', 'pyarrow'"):
        as_frame({"a": [1]}, "excel")  # type: ignore[arg-type]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_usual_library_is_the_one_that_the_program_uses(library: str) -> None:
    code = f"import {library}, evenhand; s = evenhand.Setting.random(2, 2, 0); print(type(s.to_frame()).__module__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert run.stdout.startswith(library)


@pytest.mark.parametrize("name", ["rates", "rates without counts", "metric", "finding", "elicited", "ranking"])
def test_a_plot_returns_its_axes_with_every_name_as_it_is(name: str) -> None:
    axes = SHOWN[name].plot()
    axes.figure.canvas.draw()  # where a name taken for a formula would fail
    said = " ".join(
        text.get_text() for text in [*axes.get_yticklabels(), *axes.get_legend().get_texts(), axes.xaxis.label]
    )
    assert "repays" in said or "forest" in said
    assert ("evil" in said) == (name not in {"metric", "finding"}) or "gap" in said
    own = plt.figure().subplots()
    assert SHOWN[name].plot(own) is own
    with pytest.raises(EvenhandError, match="ax must be axes of Matplotlib, but received 3"):
        SHOWN[name].plot(3)


@pytest.mark.parametrize(
    "as_text", [str, lambda one: " ".join(_texts(one._repr_html_()))], ids=["printed", "in a notebook"]
)
def test_every_weight_that_was_learned_stands_beside_its_interval(as_text: Callable[[Elicited], str]) -> None:
    text = as_text(ELICITED)
    for row in ELICITED.weight_rows():
        assert row.low is not None
        assert row.high is not None
        shown = rf"{re.escape(row.name)}\s+{row.weight:.2f}\s+{row.low:.2f}–{row.high:.2f}"
        assert re.search(shown, text), row
    assert "The trade-off goes from 0 (only mistakes) to 1 (only gaps between groups)." in text
    assert ELICITED.ended is not None
    assert ELICITED.ended in text


def test_a_plot_says_what_its_lines_are_and_how_many_models_it_leaves_out() -> None:
    assert "90% intervals" in ELICITED.plot().get_xlabel()
    assert "95% confidence intervals" in MODELS["gbm"].plot().get_xlabel()
    assert "intervals" not in GroupRates.uniform(SETTING).plot().get_xlabel()
    label = RANKING.plot(most=2).get_xlabel()
    assert "the best 2 of 3" in label
    assert "probability of being as good as the best" in label
    assert len(RANKING.plot(most=2).get_yticklabels()) == 2
    assert "probability" not in rank(TRUTH, MODELS).plot().get_xlabel()
    drawn = RANKING.plot()
    key = [text.get_text() for text in drawn.get_legend().get_texts()]  # type: ignore[union-attr]
    assert any("no model: " in text for text in key), "what takes no model is drawn beside them"


@pytest.mark.parametrize("name", ["w", "women from 30 to 59"])
def test_nothing_above_a_plot_is_cut(name: str) -> None:
    groups = [f"{name}, {place}" for place in range(3)]
    metric = FairMetric.random(Setting(["repays", "late", "defaults"], groups, np.full((3, 3), 1 / 3)), 0)
    for axes in (metric.plot(), GroupRates.uniform(metric.setting).plot()):
        axes.figure.canvas.draw()
        key = axes.get_legend().get_window_extent()  # type: ignore[union-attr]
        assert axes.figure.bbox.x0 <= key.x0
        assert key.x1 <= axes.figure.bbox.x1


def test_the_marks_of_a_plot_are_the_numbers() -> None:
    drawn = [
        np.asarray(line.get_xdata(), float) for line in MODELS["gbm"].plot().get_lines() if line.get_marker() in MARKS
    ]
    np.testing.assert_allclose(np.concatenate(drawn), 100 * MODELS["gbm"].vector.ravel())
    bars = [patch.get_width() for patch in RANKING.plot().patches]  # type: ignore[attr-defined]
    assert sum(bars) == pytest.approx(sum(row.cost for row in RANKING))


def test_a_table_lines_up_and_a_bar_shows_its_number() -> None:
    table = Table(["", "share"], [["a", Bar("0.5", 0.5)], ["longer", "0.25"]], title="Shares", notes=["of one"])
    assert str(table) == "Shares\n        share\na         0.5\nlonger   0.25\nof one"
    wide = Table(["", "share"], [["女性", "1"], ["men", "2"]])
    assert str(wide) == "      share\n女性      1\nmen       2", "a Chinese letter takes two columns"
    assert "transparent 50%" in table.html()
    assert str(replace(table, quiet=1)) == str(table)
    assert replace(table, quiet=1).html().count("<tr class='quiet'>") == 1
    assert RANKING._repr_html_().count("<tr class='quiet'>") == len(RANKING.yardsticks)


def test_a_region_says_how_few_mistakes_each_group_can_have() -> None:
    region = SHOWN["region"]
    frame = region.to_frame("polars")
    best = region.support(-np.ones(2)).mean(axis=-1)
    np.testing.assert_allclose(frame["fewest_mistakes"].to_numpy(), best)
    assert frame.select(pl.sum("people of repays", "people of defaults")).sum_horizontal().item() == 80
    assert "calibration error" in str(region)
    assert "calibration error" not in str(SHOWN["region without classes"])
