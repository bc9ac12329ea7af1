"""The theorem's exponents are seen, and a slope beyond them would be noticed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evenhand.experiments import Scaling, Slope, measure_scaling
from evenhand.experiments.exponents import Exponent
from evenhand.experiments.scaling import QUANTITIES, Quantity


@pytest.fixture(scope="module")
def measured() -> Scaling:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evenhand.experiments.scaling.BASE", 2)
        return measure_scaling(classes=[3, 2], groups=[2, 3], oracles=30)


def slope_of(measured: Scaling, quantity: str, part: str) -> Slope:
    (slope,) = [slope for slope in measured.slopes if (slope.quantity.name, slope.part) == (quantity, part)]
    return slope


@pytest.mark.parametrize("part", ["misclassification", "violation", "trade_off"])
def test_errors_go_with_the_tolerance_and_with_the_square_root_of_the_noise(measured: Scaling, part: str) -> None:
    for quantity, exponent in (("tolerance", 1.0), ("band", 0.5)):
        slope = slope_of(measured, quantity, part)
        assert slope.exponent is not None
        assert slope.exponent.value == pytest.approx(exponent, abs=0.12)
        assert slope.within


def test_points_come_in_the_order_in_which_the_limit_is_approached(measured: Scaling) -> None:
    assert slope_of(measured, "mistakes", "violation").values == (2, 6)
    assert slope_of(measured, "groups", "violation").values == (2, 3)
    for name in ("tolerance", "band"):
        values = slope_of(measured, name, "violation").values
        assert values == tuple(sorted(values, reverse=True))


def test_the_document_has_a_slope_for_every_quantity_and_error(measured: Scaling) -> None:
    document = json.loads(json.dumps(measured.as_json(), allow_nan=False))
    assert len({(each["quantity"], each["error"]) for each in document["scaling"]}) == 12
    assert all(point["median"] > 0 for each in document["scaling"] for point in each["points"])


def theorem_1(tolerance: float, band: float, mistakes: float, groups: float) -> dict[str, float]:
    """The theorem's bounds without their constants, on spheres of radius 1."""
    search = tolerance + np.sqrt(band)
    return {
        "misclassification": np.sqrt(mistakes) * search,
        "violation": groups * mistakes * search,
        "trade_off": search + np.sqrt(groups * mistakes * search),
    }


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda quantity: quantity.name)
def test_the_exponents_are_those_of_the_theorems_bounds(quantity: Quantity) -> None:
    """An exponent is the bound's slope on logarithms, far out towards the limit."""
    far, farther = (1e-20, 1e-24) if quantity.vanishing else (1e20, 1e24)
    others = {"tolerance": 0.0, "band": 0.0, "mistakes": 1.0, "groups": 1.0}
    if quantity.name in {"mistakes", "groups"}:
        others["tolerance"] = 1.0
    near, beyond = (theorem_1(**{**others, quantity.name: value}) for value in (far, farther))
    for part, exponent in quantity.allowed.items():
        assert np.log(beyond[part] / near[part]) / np.log(farther / far) == pytest.approx(exponent, abs=1e-3)


def slope(quantity: str, exponent: Exponent | None, at_the_end: Exponent | None) -> Slope:
    (found,) = [each for each in QUANTITIES if each.name == quantity]
    return Slope(found, "violation", "paper", (1.0, 2.0), (1, 1), (1.0, 2.0), exponent, at_the_end)


def test_an_error_may_not_vanish_more_slowly_than_the_tolerance() -> None:
    slow, fast, unsure = Exponent(0.8, 0.7, 0.9), Exponent(1.4, 1.3, 1.5), Exponent(0.8, 0.5, 1.1)
    assert slope("tolerance", fast, fast).verdict == "within"
    assert slope("tolerance", unsure, slow).verdict == "within"
    assert slope("tolerance", slow, fast).verdict == "within at the end"
    assert slope("tolerance", slow, slow).verdict == "beyond"


def test_an_error_may_not_grow_faster_than_the_number_of_groups() -> None:
    slow, fast = Exponent(0.8, 0.7, 0.9), Exponent(1.4, 1.3, 1.5)
    assert slope("groups", slow, slow).verdict == "within"
    assert slope("groups", fast, slow).verdict == "within at the end"
    assert slope("groups", fast, fast).verdict == "beyond"


def test_a_single_point_has_no_slope() -> None:
    alone = slope("groups", None, None)
    assert (alone.within, alone.verdict) == (None, "inconclusive")
