"""The arithmetic of the search: the same sums on every processor, and the nearest mixture all the same."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.region.made_up import region, unit

from evenhand.region.search import _least_squares


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_least_squares_are_those_of_lapack(rows: int, more: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors, target = unit(rng, rows, rows + more), rng.normal(size=rows + more)
    expected = np.linalg.lstsq(vectors.T, target)[0]
    worst = np.linalg.cond(vectors)
    assert _least_squares(vectors, target) == pytest.approx(expected, abs=1e-13 * worst**2)


def test_a_row_that_others_make_up_gets_no_weight() -> None:
    rng = np.random.default_rng(0)
    vectors = unit(rng, 3, 5)
    vectors[2] = (vectors[0] + vectors[1]) / np.linalg.norm(vectors[0] + vectors[1])
    target = 0.3 * vectors[0] + 0.5 * vectors[1]
    assert _least_squares(vectors, target) == pytest.approx(np.array([0.3, 0.5, 0.0]))


def test_rates_are_added_up_exactly_in_whichever_order() -> None:
    for group in region(3, 2).groups:
        decided = np.random.default_rng(0).random(len(group.weight)) < 0.5
        shares = group._shares  # noqa: SLF001
        exactly = [fsum(column) for column in shares[decided].T]
        assert exactly == shares[decided].sum(axis=0).tolist() == (decided @ shares).tolist()
