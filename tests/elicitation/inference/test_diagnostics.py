"""Whether answers look like those of somebody who named the other model each time."""

from __future__ import annotations

import numpy as np
from tests.elicitation.adaptive_people import SETTING, TRUTH

from evenhand.elicitation.inference.features import Pairs
from evenhand.elicitation.inference.likelihood import FIRST, SECOND
from evenhand.elicitation.inference.model import AnswerModel
from evenhand.elicitation.inference.posterior import Posterior
from evenhand.metric.prior import Prior


def test_without_answers_there_is_nothing_to_say() -> None:
    posterior = Posterior.without_answers(AnswerModel(Prior.of(SETTING)), particles=100, rng=np.random.default_rng(0))
    assert posterior.swapped(np.random.default_rng(0)) == 1.0


def test_somebody_who_names_the_worse_one_fits_far_better_with_sides_swapped() -> None:
    rng = np.random.default_rng(0)
    right = wrong = Posterior.without_answers(AnswerModel(Prior.of(SETTING)), particles=400, rng=rng)
    for _ in range(15):
        first, second = rng.uniform(0.05, 0.45, size=(2, 1, 2, 2))
        pair = Pairs.between(first, second, SETTING)
        better, worse = (
            (FIRST, SECOND) if TRUTH.cost_of_profiles(first[0]) < TRUTH.cost_of_profiles(second[0]) else (SECOND, FIRST)
        )
        right, wrong = right.updated(pair, better, rng), wrong.updated(pair, worse, rng)
    assert right.swapped(rng) < 0.1
    assert wrong.swapped(rng) > 10
