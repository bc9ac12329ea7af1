"""The last page says which models are not worth having; of the favourite it says so first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.support.quick import SETTING, study

from evenhand import Choice, FairMetric, Finding, GroupRates
from evenhand.notebook.page import page
from evenhand.study.interview import Interview

METRIC = FairMetric.from_weights(SETTING, misclassification=[1, 1], violation=[[1, 1]])
GOOD, BAD, WORSE = (GroupRates.from_vector(SETTING, np.full((2, 2), wrong)) for wrong in (0.1, 0.6, 0.7))


def last_page(best: str, **models: GroupRates) -> str:
    about = replace(study(), candidates=models)
    finding = Finding(metric=METRIC, choice=Choice(best=best))
    return page(Interview(token="", study=about, method=about.method, seed=0, finding=finding))


@pytest.mark.parametrize(
    ("best", "models", "said", "first"),
    [
        ("good", {"good": GOOD, "bad": BAD}, "“bad” does not clearly cost less than", False),
        ("bad", {"good": GOOD, "bad": BAD}, "“bad” does not clearly cost less than", True),
        ("bad", {"bad": BAD, "worse": WORSE}, "No model clearly costs less than", True),
    ],
)
def test_a_favourite_that_no_model_would_beat_is_doubted_at_the_top(
    best: str, models: dict[str, GroupRates], said: str, first: bool
) -> None:
    shown = last_page(best, **models)
    assert shown.count(said) == 1
    assert (shown.index(said) < shown.index("What this model does")) == first
    assert "for everybody" in shown
    assert "a coin" in shown


def test_models_that_are_worth_having_are_not_doubted() -> None:
    assert "clearly cost" not in last_page("good", good=GOOD, better=GroupRates.from_vector(SETTING, 0.5 * GOOD.vector))


@pytest.mark.parametrize(("certainty", "settled"), [(0.71, False), (0.95, True), (None, True)])
def test_a_favourite_that_is_not_settled_is_headed_as_such(certainty: float | None, settled: bool) -> None:
    about = replace(study(), candidates={"good": GOOD, "bad": BAD})
    finding = Finding(metric=METRIC, choice=Choice(best="good", best_certainty=certainty))
    shown = page(Interview(token="", study=about, method=about.method, seed=0, finding=finding))
    assert ("<small>Not settled: your 0 answers favour</small>" in shown) is not settled
    assert ("<small>Your 0 answers favour</small>" in shown) is settled
