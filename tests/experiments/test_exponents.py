"""An exponent is found where there is a power law, and its interval knows how few oracles there were."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.experiments.exponents import FEWEST_ORACLES, STATISTICS, Exponent, exponents
from evenhand.typing import Floats

GRID = [(k, m) for k in (2, 3, 4, 5) for m in (2, 3, 4, 5)]
POWERS = {"classes": [k for k, _ in GRID], "groups": [m for _, m in GRID]}


def power_law(by_classes: float, by_groups: float, *, oracles: int = 100, spread: float = 0.5) -> list[Floats]:
    rng = np.random.default_rng(3)
    return [1e-3 * k**by_classes * m**by_groups * np.exp(spread * rng.standard_normal(oracles)) for k, m in GRID]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_power_law_is_recovered(statistic: str) -> None:
    found = exponents(power_law(1.5, -0.5), POWERS, statistic)
    for name, truth, trend in (("classes", 1.5, "grows"), ("groups", -0.5, "falls")):
        exponent = found[name]
        assert exponent.low is not None
        assert exponent.high is not None
        assert exponent.low < exponent.value < exponent.high
        assert exponent.value == pytest.approx(truth, abs=0.15)
        assert exponent.trend == trend


def test_errors_without_a_law_show_no_trend() -> None:
    found = exponents(power_law(0.0, 0.0), POWERS, "mean")
    assert [exponent.trend for exponent in found.values()] == ["no trend", "no trend"]


def test_fewer_oracles_give_wider_intervals() -> None:
    def width(oracles: int) -> float:
        exponent = exponents(power_law(1, 1, oracles=oracles), POWERS, "mean")["classes"]
        return (exponent.high or 0) - (exponent.low or 0)

    assert width(20) > 1.5 * width(200) > 0


def test_too_few_oracles_give_no_interval_and_no_trend() -> None:
    found = exponents(power_law(1, 1, oracles=FEWEST_ORACLES - 1), POWERS, "mean")["classes"]
    assert (found.low, found.high, found.trend) == (None, None, "unknown")


def test_what_does_not_vary_has_no_exponent() -> None:
    errors = [np.full(20, 1e-3 * m) for m in (2, 3, 4)]
    found = exponents(errors, {"classes": [2, 2, 2], "groups": [2, 3, 4]}, "median")
    assert list(found) == ["groups"]
    assert found["groups"].value == pytest.approx(1.0)


def test_an_error_of_exactly_zero_stays_a_number() -> None:
    found = exponents([np.zeros(20), np.ones(20)], {"groups": [2, 3]}, "median")["groups"]
    assert np.isfinite([found.value, found.low or 0, found.high or 0]).all()


def test_numbers_are_written_with_a_real_minus_sign_and_without_minus_zero() -> None:
    assert str(Exponent(-0.001, -0.5, 0.25)) == "0.00 [−0.50, 0.25]"
