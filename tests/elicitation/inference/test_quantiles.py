"""Weighted quantiles and intervals."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.elicitation.inference.quantiles import weighted_intervals, weighted_quantiles
from evenhand.typing import Floats


def test_weighted_quantiles_count_by_weight() -> None:
    values: Floats = np.array([3.0, 1.0, 2.0])
    assert weighted_quantiles(values, np.array([0.0, 0.9, 0.1]), (0.5, 0.95)).tolist() == [1.0, 2.0]


def _share_inside(values: Floats, ends: Floats) -> float:
    return float(((values >= ends[0]) & (values <= ends[1])).mean())


def test_an_interval_leaves_out_as_much_on_either_side() -> None:
    values: Floats = np.linspace(0.3, 0.7, 1001)
    ends = weighted_intervals(values, np.full(1001, 1 / 1001), 0.9)
    assert ends == pytest.approx([0.32, 0.68], abs=0.001)


def test_an_interval_that_comes_close_to_an_end_has_all_its_doubt_on_the_other_side() -> None:
    values: Floats = np.linspace(0.0, 0.2, 1001)
    equal = np.full(1001, 1 / 1001)
    near_0, near_1 = weighted_intervals(np.stack([values, 1 - values], axis=1), equal, 0.9)
    assert near_0 == pytest.approx([0.0, 0.18], abs=0.001)
    assert near_1 == pytest.approx([0.82, 1.0], abs=0.001)
    assert _share_inside(values, near_0) == pytest.approx(0.9, abs=0.002)


def test_an_interval_that_comes_close_to_both_ends_tells_nothing() -> None:
    values: Floats = np.linspace(0.0, 1.0, 1001)
    assert weighted_intervals(values, np.full(1001, 1 / 1001), 0.9).tolist() == [0.0, 1.0]
