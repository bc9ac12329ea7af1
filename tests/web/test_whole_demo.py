"""A person with a hidden metric takes the whole demo in a real browser, in four ways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.web.person import Answers, answer_all, begin, by_clicks, by_keys, ranking
from tests.web.served import Served

from evenhand.elicitation.thresholds import STOPPING
from evenhand.metric import FairMetric
from evenhand.study.demo.demo import demo_study

_WAYS: dict[str, tuple[dict[str, Any], Answers]] = {
    "by clicks": ({}, by_clicks),
    "by keys": ({}, by_keys),
    "without JavaScript": ({"java_script_enabled": False}, by_clicks),
    "on a phone": ({"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}, by_clicks),
}


@pytest.mark.parametrize("way", _WAYS)
def test_the_favourite_that_comes_out_matches_the_hidden_metric(
    way: str, browser: Browser, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenhand.study.store.new_seed", lambda: list(_WAYS).index(way))
    options, answers = _WAYS[way]
    study = demo_study()
    truth = FairMetric.from_weights(study.setting, misclassification=[0.5, 1.0], violation=[[0.4, 1.0]], trade_off=0.35)
    with browser.new_context(**options) as context:
        page = context.new_page()
        troubles: list[str] = []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))

        begin(page, f"{served.address}/demo")
        asked = answer_all(page, truth, answers)

        assert 5 <= asked <= 15
        heading = page.get_by_role("heading", level=1).inner_text()
        favourite = max((name for name in study.candidates if name in heading), key=len)
        costs = {name: truth.cost(rates) for name, rates in study.candidates.items()}
        assert costs[favourite] - min(costs.values()) <= STOPPING.indifferent
        assert sorted(ranking(page)) == sorted(study.candidates)
        expect(
            page.get_by_text("The questions were about the best model, not about the order of the others.")
        ).to_be_visible()
        expect(page.get_by_role("button", name="Undo")).to_be_visible()
        assert troubles == []
