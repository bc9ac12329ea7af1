"""Models and pairs of models: their features are worked out once for each family."""

from __future__ import annotations

import numpy as np
import pytest
from tests.elicitation.adaptive_people import SETTING, models

from evenhand import Setting
from evenhand.elicitation.inference.features import Models, Pairs
from evenhand.metric.families import Gaps
from evenhand.typing import Floats


class _Counting(Gaps):
    """Counts how often features are asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def features(self, profiles: Floats, setting: Setting) -> Floats:
        self.asked += 1
        return super().features(profiles, setting)


def test_features_are_worked_out_once() -> None:
    family = _Counting()
    firsts, seconds = np.random.default_rng(0).uniform(0, 0.5, size=(2, 7, 2, 2))
    pairs = Pairs.between(firsts, seconds, SETTING)
    some = pairs[np.array([4, 1])]
    assert some.features(family).tolist() == pairs.features(family)[[4, 1]].tolist()
    assert (len(pairs), len(some), family.asked) == (7, 2, 1)


def test_the_features_of_a_pair_are_a_difference() -> None:
    firsts, seconds = np.random.default_rng(0).uniform(0, 0.5, size=(2, 7, 2, 2))
    expected = Gaps().features(seconds, SETTING) - Gaps().features(firsts, SETTING)
    assert Pairs.between(firsts, seconds, SETTING).features(Gaps()) == pytest.approx(expected, abs=1e-15)


def test_each_measured_model_counts_in_its_own_prevalence() -> None:
    other = Setting(SETTING.classes, SETTING.groups, SETTING.prevalence[::-1])
    one, another = (next(iter(models(setting, 1, 0).values())) for setting in (SETTING, other))
    first, second = Models.of([one, another]).features(Gaps())
    assert first.tolist() == Gaps().features(one.vector, SETTING).tolist()
    assert second.tolist() == Gaps().features(another.vector, other).tolist()
    assert first.tolist() != second.tolist()
