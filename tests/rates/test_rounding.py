"""Rates shown as whole people: nobody is lost, nobody is invented, and no rate moves by as much as a person."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.rates import matrix_from_vector, off_diagonal
from evenhand.rates.rounding import whole_people


@given(st.integers(2, 5), st.integers(1, 1000), st.integers(0, 2**32 - 1))
def test_rates_become_whole_people_of_whom_none_is_lost(k: int, people: int, seed: int) -> None:
    matrices = np.random.default_rng(seed).dirichlet(np.full(k, 0.5), size=(4, 2, k))
    shown = matrix_from_vector(whole_people(off_diagonal(matrices), people)) * people
    assert shown == pytest.approx(np.rint(shown), abs=1e-6)
    assert (shown > -1e-6).all()
    assert shown.sum(axis=-1) == pytest.approx(np.full((4, 2, k), people))
    assert (np.abs(shown - matrices * people) < 1 + 1e-6).all()


@given(st.integers(2, 5), st.integers(1, 1000), st.integers(0, 2**32 - 1))
def test_whole_people_stay_as_they_are(k: int, people: int, seed: int) -> None:
    counts = np.random.default_rng(seed).multinomial(people, np.full(k, 1 / k), size=(2, k))
    profiles = off_diagonal(counts / people)
    assert whole_people(profiles, people) == pytest.approx(profiles, abs=1e-12)


@pytest.mark.parametrize("error", [-1e-13, 0.0, 1e-13])
def test_rounding_errors_do_not_decide_who_gets_the_person_left_over(error: float) -> None:
    halves = np.array([[0.625 + error, 0.375 - error]])
    assert whole_people(halves, 100).tolist() == [[0.62, 0.38]]


def test_rounding_to_people_loses_nobody() -> None:
    rng = np.random.default_rng(0)
    profiles = rng.dirichlet(np.ones(4), size=(50, 3, 4))[..., :3].reshape(50, 3, 12)
    rounded = whole_people(profiles, 100)
    assert np.abs(rounded - profiles).max() < 0.01
    assert (rounded.reshape(50, 3, 4, 3).sum(axis=-1) <= 1 + 1e-9).all()
    assert whole_people(rounded, 100) == pytest.approx(rounded)
