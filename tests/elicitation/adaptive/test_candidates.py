"""What is the same for every person of a study is drawn once, as long as it is small."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand import GroupRates, Setting
from evenhand.elicitation.adaptive import candidates
from evenhand.elicitation.adaptive.candidates import Candidates
from evenhand.elicitation.thresholds import QUESTIONS

SETTING = Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])


def measured(people: float) -> GroupRates:
    matrix = np.array([[[0.8, 0.2], [0.3, 0.7]], [[0.9, 0.1], [0.4, 0.6]]])
    return GroupRates(setting=SETTING, matrix=matrix, sizes=np.full((2, 2), people))


def test_draws_are_those_of_a_ranking_and_made_once() -> None:
    models = {"few": measured(20.0), "many": measured(2000.0)}
    choice = Candidates.of(models, SETTING)
    rng = np.random.default_rng(0)
    for drawn, one in zip(choice.drawn(50), models.values(), strict=True):
        assert np.array_equal(drawn.profiles, one.draw(50, rng))
    assert choice.drawn(50) is choice.drawn(50)
    assert [len(one.profiles) for one in choice.drawn(7)] == [7, 7]


def test_models_of_equal_rates_but_other_people_have_their_own_draws() -> None:
    few, many = (Candidates.of({"a": measured(n), "b": measured(n)}, SETTING) for n in (20.0, 2000.0))
    spread = [float(one.drawn(500)[0].profiles.std()) for one in (few, many)]
    assert spread[0] > spread[1]


def test_draws_that_take_much_memory_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "QUESTIONS", QUESTIONS._replace(most_bytes_kept=1000))
    choice = Candidates.of({"a": measured(20.0), "b": measured(30.0)}, SETTING)
    assert choice.drawn(100) is not choice.drawn(100)
    assert choice.drawn(10) is choice.drawn(10)
