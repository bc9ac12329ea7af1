"""The prior of how people answer: two components, asked by with one share and told by with another."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import truncnorm

from evenhand.elicitation.inference.likelihood import lapse_rate
from evenhand.elicitation.inference.response import RESPONSE_SIZE, ResponsePrior
from evenhand.elicitation.thresholds import RESPONSE
from evenhand.typing import Floats


def _numbers(n: int) -> Floats:
    return np.random.default_rng(0).random((n, RESPONSE_SIZE))


def test_soft_respondents_have_their_share_and_a_sensitivity_of_their_own() -> None:
    prior, u = ResponsePrior(), _numbers(20_000)
    soft, log_sensitivity = prior.is_soft(u), prior.responses(u)[:, 1]
    assert soft.mean() == pytest.approx(prior.soft, abs=0.01)
    assert 2.5 <= log_sensitivity[soft].min() < 2.6
    assert np.median(log_sensitivity[soft]) == pytest.approx(4.0, abs=0.1)
    assert np.quantile(log_sensitivity[~soft], [0.0, 0.5, 1.0]) == pytest.approx([8.0, 10.5, 13.0], abs=0.1)
    assert np.median(lapse_rate(prior.responses(u)[soft])) < np.median(lapse_rate(prior.responses(u)[~soft]))


def test_what_is_told_counts_soft_respondents_as_if_they_were_as_many_as_that() -> None:
    prior, u = ResponsePrior(soft=0.3, soft_told=0.8), _numbers(20_000)
    counts = np.exp(prior.log_told(u))
    assert counts.mean() == pytest.approx(1.0, abs=0.03)
    assert (counts * prior.is_soft(u)).mean() == pytest.approx(0.8, abs=0.03)


def test_the_sensitivity_of_soft_respondents_is_normal_between_its_ends() -> None:
    prior, u = ResponsePrior(soft=0.3), _numbers(20_000)
    mean, deviation, low, high = RESPONSE.soft_log_sensitivity
    exact = truncnorm((low - mean) / deviation, (high - mean) / deviation, mean, deviation)
    assert prior.responses(u)[prior.is_soft(u), 1].mean() == pytest.approx(exact.mean(), abs=0.05)


def test_where_errors_are_known_nobody_is_soft_and_the_lapse_rate_is_given() -> None:
    prior, u = ResponsePrior.known(0.1), _numbers(100)
    assert len(prior.components) == 1
    assert not prior.is_soft(u).any()
    assert prior.log_told(u).tolist() == [0.0] * 100
    assert lapse_rate(prior.responses(u)) == pytest.approx(0.2)
    assert np.isfinite(prior.responses(u)).all()
