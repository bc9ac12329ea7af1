"""Whole numbers that lie close together take a shorter way to the same rates."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, group_rates
from evenhand.rates.counting.close_integers import count_close_integers


@given(
    st.sampled_from([np.int8, np.int64, np.uint8, np.uint64, np.bool_]),
    st.integers(2, 4),
    st.integers(2, 3),
    st.integers(0, 1000),
)
def test_both_ways_give_the_same(dtype: Any, k: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = 2 if dtype is np.bool_ else k
    low = 0 if dtype is np.bool_ else int(rng.integers(0, 100))
    rows = np.arange(40 * k * m)
    true, group = (rows % k + low).astype(dtype), (rows // k % m * 3 - 7).astype(np.int16)
    predicted = (rng.integers(0, k, rows.size) + low).astype(dtype)
    assert count_close_integers([true, group, predicted]) is not None
    assert count_close_integers([true.tolist(), group, predicted]) is None
    short = group_rates(true, predicted, sensitive_features=group)
    long = group_rates(true.tolist(), predicted, sensitive_features=group)
    assert short == long
    assert short.setting.classes == long.setting.classes
    assert [type(label) for label in short.setting.classes] == [type(label) for label in long.setting.classes]
    for name in ("counts", "sizes"):
        np.testing.assert_array_equal(getattr(short, name), getattr(long, name))


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 30)), min_size=1, max_size=3),
    st.integers(1, 40),
    st.integers(0, 1000),
)
def test_every_row_is_counted_once(columns: list[tuple[int, int]], rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(low, low + width, rows).astype(np.int8) for low, width in columns]
    counts = count_close_integers(arrays)
    if counts is None:  # more bits than are counted in a table
        assert sum(int(np.ptp(array)).bit_length() for array in arrays) > 14
        return
    found = dict(zip(zip(*counts.labels, strict=True), counts.rows.tolist(), strict=True))
    assert found == Counter(zip(*(array.tolist() for array in arrays), strict=True))


@pytest.mark.parametrize("rows", [300_000, 300_001])
@pytest.mark.parametrize("classes", [3, 7])
def test_the_rows_of_every_stretch_are_counted(rows: int, classes: int) -> None:
    true, group, predicted = np.random.default_rng(0).integers(4, 4 + classes, (3, rows))
    counts = count_close_integers([true, group, predicted])
    assert counts is not None
    found, times = np.unique(np.stack([true, group, predicted]), axis=1, return_counts=True)
    np.testing.assert_array_equal(counts.labels, found)
    np.testing.assert_array_equal(counts.rows, times)


def test_what_only_a_late_row_shows_is_still_seen() -> None:
    rows = np.arange(500_000)
    true, group = rows % 2, rows // 2 % 2
    late = np.where(rows == 499_999, 2, true)
    with pytest.raises(EvenhandError, match="y_pred has 2 in row 499999, but the classes are 0, 1"):
        group_rates(true, late, sensitive_features=group)
    far = np.where(rows >= 499_000, true + 1_000_000, true)
    assert len(group_rates(far, far, sensitive_features=group).setting.classes) == 4


@pytest.mark.parametrize(
    "columns",
    [
        [np.array([0, 1]), np.array([0, 1, 1])],
        [np.array([], dtype=int)] * 2,
        [np.array([0, 10**6])],
        [np.array([2**63, 2**63 + 1], dtype=np.uint64)],
        [np.array([0.0, 1.0])],
        [np.ma.masked_array([0, 1], [False, True])],
        [np.eye(2, dtype=int)],
    ],
    ids=["rows", "none", "far", "large", "floats", "masked", "square"],
)
def test_other_columns_go_the_other_way(columns: list[object]) -> None:
    assert count_close_integers(columns) is None
