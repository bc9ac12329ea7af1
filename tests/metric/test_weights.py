"""Weights are normalised in one place, alone and in batches, and all equal where nothing has a weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.metric.weights import Dimensions, Weights

dimensions = st.builds(Dimensions, st.integers(1, 6), st.integers(1, 4), st.integers(1, 6))
seeds = st.integers(0, 2**32 - 1)


def alone(weights: Weights, n: int) -> Weights:
    return Weights(weights.misclassification[n], weights.violation[n], weights.trade_off[n])


@given(dimensions, st.integers(1, 5), seeds)
def test_random_weights_have_norm_one(shape: Dimensions, n: int, seed: int) -> None:
    weights = Weights.random(shape, np.random.default_rng(seed), (n,))
    assert np.linalg.norm(weights.misclassification, axis=-1) == pytest.approx(np.ones(n))
    assert np.linalg.norm(weights.violation, axis=-1).sum(axis=-1) == pytest.approx(np.ones(n))
    assert ((weights.trade_off >= 0) & (weights.trade_off < 1)).all()


@given(dimensions, seeds)
def test_what_has_no_weight_at_all_gets_equal_weights_and_nothing_else_changes(shape: Dimensions, seed: int) -> None:
    drawn = Weights.random(shape, np.random.default_rng(seed), (2,))
    a, B = drawn.misclassification.copy(), drawn.violation.copy()
    a[0], B[1] = 0.0, 0.0
    weights, equal = Weights.normalised(a, B, drawn.trade_off), Weights.equal(shape)
    assert np.array_equal(weights.misclassification[0], equal.misclassification)
    assert np.array_equal(weights.violation[1], equal.violation)
    assert weights.misclassification[1] == pytest.approx(drawn.misclassification[1])
    assert weights.violation[0] == pytest.approx(drawn.violation[0])


@given(dimensions, st.integers(1, 5), seeds)
def test_a_batch_is_what_its_members_are(shape: Dimensions, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = (Weights.random(shape, rng, (n,)) for _ in range(2))
    assert one.distance(other).shape == (3, n)
    for place in range(n):
        assert np.array_equal(one.distance(other)[:, place], alone(one, place).distance(alone(other, place)))
    again = Weights.stacked([alone(one, place) for place in range(n)])
    assert not one.distance(again).any()
    assert again.width is None


def test_widths_are_stacked_and_averaged_with_the_weights() -> None:
    drawn = Weights.random(Dimensions(2, 1, 2), np.random.default_rng(0))
    wide, narrow = (Weights(drawn.misclassification, drawn.violation, drawn.trade_off, np.array(w)) for w in (0.3, 0.1))
    both = Weights.stacked([wide, narrow])
    assert both.width is not None
    assert both.width.tolist() == [0.3, 0.1]
    assert both.mean(np.array([0.25, 0.75])).width == pytest.approx(0.15)


@given(dimensions, seeds)
def test_the_parts_of_a_cost_add_up_to_it(shape: Dimensions, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = Weights.random(shape, rng, (4,))
    mistakes, violation = rng.random((4, shape.mistakes)), rng.random((4, shape.rows, shape.columns))
    of_mistakes, of_rows = weights.parts(mistakes, violation)
    assert of_rows.shape == (4, shape.rows)
    assert of_mistakes + of_rows.sum(axis=-1) == pytest.approx(weights.cost(mistakes, violation))


def test_a_mean_is_normalised_and_weighs_by_probability() -> None:
    one, other = Weights.random(Dimensions(2, 1, 2), np.random.default_rng(0), (2,)), np.array([0.0, 1.0])
    assert one.mean(other).distance(alone(one, 1)) == pytest.approx([0, 0, 0])
    assert np.linalg.norm(one.mean(np.array([0.5, 0.5])).misclassification) == pytest.approx(1)
    assert one.mean(np.array([0.25, 0.75])).trade_off == pytest.approx(one.trade_off @ [0.25, 0.75])
