"""Weighted quantiles."""

from __future__ import annotations

import numpy as np

from evenhand.elicitation.inference.quantiles import weighted_quantiles
from evenhand.typing import Floats


def test_weighted_quantiles_count_by_weight() -> None:
    values: Floats = np.array([3.0, 1.0, 2.0])
    assert weighted_quantiles(values, np.array([0.0, 0.9, 0.1]), (0.5, 0.95)).tolist() == [1.0, 2.0]
