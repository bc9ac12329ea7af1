"""Proposition 1 on samples: the trivial classifiers are corners of what each group can reach, guessing is inside.

The rates that a group can reach are convex, so they are known from the best classifier in every direction. For a
direction ℓ of rates that classifier looks at each person's features x alone and predicts the class j with the
largest Σᵢ ℓᵢⱼ·P(x | i, group).
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evenhand import group_rates
from evenhand.rates import off_diagonal_entries, trivial_rates, uniform_rates
from evenhand.typing import Floats

Ints = NDArray[np.int64]
FEATURES = 8


class Sample:
    """People with one feature out of eight, which depends on their class and group unless there is no signal."""

    def __init__(self, k: int, m: int, seed: int, *, signal: bool = True) -> None:
        rng = np.random.default_rng(seed)
        self.k, self.m = k, m
        self.group, self.true, self.feature = (part.ravel() for part in np.indices((m, k, FEATURES)))
        chance = rng.dirichlet(np.full(FEATURES, 2.0), size=(m, k)) + 0.01
        if not signal:
            chance[:] = chance[:, :1]
        self.weight: Floats = (chance / chance.sum(axis=-1, keepdims=True)).ravel()

    def rates(self, predicted: Ints | Floats) -> Floats:
        columns = (self.true, predicted)
        return group_rates(*columns, sensitive_features=self.group, sample_weight=self.weight).vector

    def best(self, direction: Floats) -> Ints:
        """Return the predictions that go farthest in a direction (q,), for every group at once."""
        slopes = np.zeros((self.k, self.k))
        for (i, j), slope in zip(off_diagonal_entries(self.k), direction, strict=True):
            slopes[i, j] = slope
        chance = self.weight.reshape(self.m, self.k, FEATURES)
        gain = np.einsum("ij,gix->gxj", slopes, chance)
        predicted: Ints = gain.argmax(axis=-1)[self.group, self.feature]
        return predicted


cells = st.tuples(st.integers(2, 4), st.integers(2, 3), st.integers(0, 2**32 - 1))


@given(cells)
def test_some_direction_has_the_trivial_classifier_as_its_best_and_no_other(cell: tuple[int, int, int]) -> None:
    """Away from the rates of predicting anything else than i, nothing goes as far as predicting i for everybody."""
    sample = Sample(*cell)
    rng = np.random.default_rng(cell[2])
    for i, corner in enumerate(trivial_rates(sample.k)):
        direction = 2 * corner - 1
        assert (sample.best(direction) == i).all()
        for nearly in (0.5, 0.01, 1e-6):
            mixed = np.full((sample.true.size, sample.k), nearly / sample.k)
            mixed[:, i] += 1 - nearly
            mixed = (1 - nearly) * mixed + nearly * rng.dirichlet(np.ones(sample.k), size=sample.true.size)
            assert (sample.rates(mixed) @ direction < corner @ direction).all()


@given(cells)
def test_with_the_slopes_of_the_papers_proof_the_trivial_classifier_is_best_too(cell: tuple[int, int, int]) -> None:
    """The proof's hyperplane has slopes ℓ₁ᵢ < ℓ₁ⱼ < 0 and no others: mistakes on the first class are all that count."""
    sample = Sample(*cell)
    rng = np.random.default_rng(cell[2])
    direction = np.zeros(sample.k * (sample.k - 1))
    direction[: sample.k - 1] = -rng.uniform(0.1, 1, size=sample.k - 1)
    assert (sample.best(direction) == 0).all()
    assert sample.rates(sample.best(direction)) == pytest.approx(np.tile(trivial_rates(sample.k)[0], (sample.m, 1)))


@given(cells)
def test_with_signal_guessing_can_be_improved_on_in_every_direction_by_every_group(cell: tuple[int, int, int]) -> None:
    """So o lies inside of what every group can reach, and a sphere around it does too (Remark 2)."""
    sample = Sample(*cell)
    guessing = uniform_rates(sample.k)
    rng = np.random.default_rng(cell[2])
    for direction in rng.normal(size=(30, guessing.size)):
        unit = direction / np.linalg.norm(direction)
        slack = (sample.rates(sample.best(unit)) - guessing) @ unit
        assert (slack > 1e-4).all()


@pytest.mark.parametrize("m", [2, 3])
def test_without_signal_guessing_is_on_the_border(m: int) -> None:
    """Assumption 1 is needed: if features say nothing, fewer mistakes on one class are more on the other."""
    sample = Sample(2, m, 0, signal=False)
    for direction in (np.array([1.0, 1.0]), np.array([-1.0, -1.0])):
        slack = (sample.rates(sample.best(direction)) - uniform_rates(2)) @ direction
        assert slack == pytest.approx(np.zeros(m), abs=1e-12)


@given(cells)
def test_the_best_classifier_in_a_direction_is_best_among_all_that_see_the_feature(cell: tuple[int, int, int]) -> None:
    sample = Sample(*cell)
    rng = np.random.default_rng(cell[2])
    direction = rng.normal(size=sample.k * (sample.k - 1))
    best = sample.rates(sample.best(direction)) @ direction
    for _ in range(5):
        table = rng.dirichlet(np.full(sample.k, 0.3), size=(sample.m, FEATURES))
        assert (sample.rates(table[sample.group, sample.feature]) @ direction <= best + 1e-12).all()
