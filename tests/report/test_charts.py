"""Charts are drawn without a browser, fetch nothing, and show names as names."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.ranking.test_rank import models

from evenhand import FairMetric, GroupRates, Setting, rank
from evenhand.elicitation import Intervals
from evenhand.metric import nearest
from evenhand.report.charts import nearest_chart, ranking_chart, weights_chart
from evenhand.report.drawing import NARROW, as_png, as_svg

EVIL = "<script>alert(1)</script>"
SETTING = Setting([EVIL, "defaults"], ["women", "men & 'others'"], [[0.5, 0.4], [0.5, 0.6]])
METRIC = FairMetric.random(SETTING, 0)
INTERVALS = Intervals(np.array([[0.1, 0.9]] * 2), np.array([[[0.2, 0.8]] * 2]), np.array([0.3, 0.6]))
MODELS = {**models(SETTING, 3, 0, people=100), EVIL: GroupRates.uniform(SETTING)}


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314  # our own
    return [text for element in root.iter() if element.tag.endswith("text") and (text := element.text)]


@pytest.mark.parametrize(
    ("chart", "wanted"),
    [
        (
            weights_chart(METRIC),
            [f"{EVIL} → defaults", "The trade-off (0: only mistakes, 1: only gaps between groups)"],
        ),
        (
            weights_chart(METRIC, INTERVALS),
            [f"{METRIC.trade_off:.2f}", "The cost of each mistake (true class → predicted class)"],
        ),
        (ranking_chart(rank(METRIC, MODELS)), [f"3. {EVIL}", "cost (lower is better)", "mistakes"]),
        (nearest_chart(nearest(METRIC)), ["How near the metrics with a name are"]),
    ],
    ids=["weights", "intervals", "ranking", "nearest"],
)
def test_a_chart_stands_alone(chart: Any, wanted: list[str]) -> None:
    svg = as_svg(chart)
    assert set(wanted) <= set(texts(svg))
    assert set(re.findall(r"https?://[^\"'\s)]+", svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "<script" not in svg


def test_only_what_was_counted_has_a_line_of_its_interval() -> None:
    whole = ranking_chart(rank(METRIC, MODELS)).to_dict()["layer"][-1]["data"]["values"]
    assert [row["name"][:2] for row in whole if row["low"] is None] == ["3."]


def test_a_chart_can_be_a_picture_too() -> None:
    assert as_png(nearest_chart(nearest(METRIC))).startswith(b"\x89PNG")


def test_many_weights_and_many_candidates_are_cut_to_those_that_matter() -> None:
    metric = FairMetric.random(Setting.random(4, 4, 0), 0)
    found = texts(as_svg(weights_chart(metric)))
    assert "… and 60 lighter ones" in found
    found = texts(as_svg(ranking_chart(rank(metric, models(metric.setting, 30, 0)), most=5)))
    assert any("and 25 that cost more" in text for text in found)
    assert "5. model" in " ".join(found)
    assert not any(text.startswith("6. ") for text in found)


def test_narrow_charts_fit_a_phone_with_whole_names() -> None:
    for chart in (
        weights_chart(METRIC, INTERVALS, NARROW),
        ranking_chart(rank(METRIC, MODELS), layout=NARROW),
        nearest_chart(nearest(METRIC), layout=NARROW),
    ):
        width = re.search(r'<svg[^>]* width="([0-9]+)', as_svg(chart))
        assert width is not None
        assert int(width[1]) <= 450, "scaled to 358 pixels, letters keep four fifths of their size"
