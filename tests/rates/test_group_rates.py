"""Rates are probabilities with a diagonal that follows from the rest, and with intervals that mean what they say."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, GroupRates, Setting, group_rates
from evenhand.rates import matrix_from_vector, number_of_classes, off_diagonal

SETTING = Setting(["yes", "no"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
HALF = np.full((2, 2, 2), 0.5)


@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_the_vector_holds_all_there_is_to_know_of_the_matrix(k: int, m: int, seed: int) -> None:
    """Equation (2)."""
    rng = np.random.default_rng(seed)
    setting = Setting.random(k, m, rng)
    rates = GroupRates(setting=setting, matrix=rng.dirichlet(np.ones(k), size=(m, k)))
    assert rates.vector.shape == (m, k * k - k)
    assert GroupRates.from_vector(setting, rates.vector).matrix == pytest.approx(rates.matrix)
    assert number_of_classes(rates.vector.shape[1]) == k
    for place, (true, predicted) in enumerate(setting.mistakes):
        i, j = setting.classes.index(true), setting.classes.index(predicted)
        assert np.array_equal(rates.vector[:, place], rates.matrix[:, i, j])


@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_vectors_and_matrices_convert_in_batches(k: int, seed: int) -> None:
    matrices = np.random.default_rng(seed).dirichlet(np.ones(k), size=(3, 2, k))
    vectors = off_diagonal(matrices)
    assert matrix_from_vector(vectors) == pytest.approx(matrices)
    assert np.array_equal(matrix_from_vector(vectors)[1, 1], matrix_from_vector(vectors[1, 1]))


@pytest.mark.parametrize("q", [0, 1, 3, 5, 7, 19])
def test_only_some_lengths_are_vectors_of_rates(q: int) -> None:
    with pytest.raises(EvenhandError, match=f"this one has {q}"):
        number_of_classes(q)


def test_the_trivial_classifiers_and_guessing_are_the_same_for_every_group() -> None:
    assert np.array_equal(GroupRates.trivial(SETTING, "yes").vector, [[0, 1], [0, 1]])
    assert np.array_equal(GroupRates.trivial(SETTING, "no").vector, [[1, 0], [1, 0]])
    assert np.array_equal(GroupRates.uniform(SETTING).vector, [[0.5, 0.5], [0.5, 0.5]])
    assert np.array_equal(GroupRates.trivial(SETTING, "yes").overall, [[1, 0], [1, 0]])


@pytest.mark.parametrize("prediction", ["maybe", 0, None, np.array([1, 2]), ["yes"], {}, float("nan")], ids=str)
def test_a_trivial_classifier_predicts_one_of_the_classes(prediction: Any) -> None:
    with pytest.raises(EvenhandError, match="is not one of the classes 'yes', 'no'"):
        GroupRates.trivial(SETTING, prediction)


def test_rates_cannot_be_changed_and_do_not_change_with_what_they_were_made_from() -> None:
    matrix = HALF.copy()
    rates = GroupRates(setting=SETTING, matrix=matrix, counts=np.ones((2, 2, 2)), sizes=np.ones((2, 2)))
    matrix[0] = 0.9
    assert (rates.matrix == 0.5).all()
    for array in (rates.matrix, rates.vector, rates.overall, rates.counts, rates.sizes):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_equal_rates_are_equal_and_have_equal_hashes() -> None:
    sure = np.array([[[1.0, 0.0], [0.0, 1.0]]] * 2)
    minus = np.array([[[1.0, -0.0], [-0.0, 1.0]]] * 2)
    one, other = (GroupRates(setting=SETTING, matrix=matrix) for matrix in (sure, minus))
    assert one == other
    assert hash(one) == hash(other)
    assert one != GroupRates.uniform(SETTING)
    assert one != "rates"
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  # our own bytes


def with_entry(*place: int, value: Any) -> Any:
    matrix = HALF.astype(object)
    matrix[place] = value
    return matrix


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (with_entry(1, 0, 1, value=1.5), "rate of group 'men', true class 'yes', predicted 'no' is 1.5"),
        (with_entry(0, 1, 1, value=-0.1), "rate of group 'women', true class 'no', predicted 'no' is -0.1"),
        (with_entry(0, 1, 1, value=np.nan), "rate of group 'women', true class 'no', predicted 'no' is nan"),
        (with_entry(0, 1, 1, value=None), "rate of group 'women', true class 'no', predicted 'no' is nan"),
        (with_entry(1, 1, 0, value=np.inf), "rate of group 'men', true class 'no', predicted 'yes' is inf"),
        (with_entry(1, 1, 0, value=0.4), "rates of group 'men', true class 'no', sum to 0.9"),
        (with_entry(1, 1, 0, value="0.5"), "matrix must be numbers"),
        (with_entry(1, 1, 0, value=0.5j), "matrix must be numbers"),
        (np.full((2, 2), 0.5), r"matrix has shape \(2, 2\), but must have \(2, 2, 2\)"),
        (np.full((3, 2, 2), 0.5), r"matrix has shape \(3, 2, 2\)"),
        (np.ma.array(HALF, mask=HALF > 0), r"matrix is missing \(masked\) in row 0"),
        ([], r"matrix has shape \(0,\)"),
    ],
)
def test_what_is_not_a_rate_is_named(matrix: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        GroupRates(setting=SETTING, matrix=matrix)


def test_mistakes_on_one_class_cannot_exceed_its_people() -> None:
    setting = Setting(["a", "b", "c"], ["u", "v"], np.full((2, 3), 0.5))
    profile = np.full((2, 6), 0.3)
    profile[1, 2:4] = 0.6
    with pytest.raises(EvenhandError, match=r"group 'v', true class 'b', predicted 'b' is -0.2"):
        GroupRates.from_vector(setting, profile)


@pytest.mark.parametrize(
    ("profile", "message"),
    [([0.5, 0.5], r"shape \(2,\)"), (np.zeros((2, 3)), r"shape \(2, 3\)"), ("half", "must be numbers")],
)
def test_a_profile_has_a_row_for_each_group_and_a_column_for_each_mistake(profile: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        GroupRates.from_vector(SETTING, profile)


@pytest.mark.parametrize(
    "numbers",
    [
        {"sizes": np.zeros((2, 2))},
        {"sizes": np.full((2, 2), np.nan)},
        {"sizes": np.ones((2, 3))},
        {"counts": -np.ones((2, 2, 2))},
        {"counts": np.full((2, 2, 2), np.inf)},
        {"counts": np.ones((2, 2))},
        {"counts": [["many"]]},
    ],
)
def test_counts_and_sizes_are_numbers_of_people(numbers: Any) -> None:
    with pytest.raises(EvenhandError, match=next(iter(numbers))):
        GroupRates(setting=SETTING, matrix=HALF, **numbers)


def test_rates_need_a_setting() -> None:
    with pytest.raises(EvenhandError, match="setting must be a Setting: None is not"):
        GroupRates(setting=None, matrix=HALF)  # type: ignore[arg-type]


probabilities = st.floats(0, 1)
_ROUNDING = 1e-15  # near 0 and 1 an end is the difference of two almost equal numbers


@given(probabilities, st.floats(1, 1e6), st.floats(0.5, 1 - 1e-12))
def test_an_interval_contains_its_rate_and_lies_between_0_and_1(p: float, n: float, level: float) -> None:
    low, high = interval(p, n, level)
    assert 0 <= low <= p <= high <= 1
    assert low < high


@given(probabilities, st.floats(1, 1e6), st.floats(1.1, 100), st.floats(0.5, 0.999))
def test_an_interval_shrinks_with_more_people_and_grows_with_its_level(
    p: float, n: float, more: float, level: float
) -> None:
    low, high = interval(p, n, level)
    narrower, wider = interval(p, n * more, level), interval(p, n, (1 + level) / 2)
    assert narrower[1] - narrower[0] < high - low
    assert wider[0] <= low + _ROUNDING
    assert wider[1] >= high - _ROUNDING
    assert wider[1] - wider[0] > high - low


@given(probabilities, st.floats(1, 1e6))
def test_the_interval_of_the_opposite_is_the_opposite_interval(p: float, n: float) -> None:
    low, high = interval(p, n, 0.95)
    assert interval(1 - p, n, 0.95) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def interval(p: float, n: float, level: float) -> tuple[float, float]:
    matrix = np.array([[[1 - p, p], [0.5, 0.5]]] * 2)
    rates = GroupRates(setting=SETTING, matrix=matrix, sizes=np.full((2, 2), n))
    low, high = rates.interval(level)[0, 0, 1]
    return float(low), float(high)


def test_wilsons_interval_is_the_textbooks() -> None:
    """10 of 50 at 95 %, as in Newcombe (1998) and any statistics package: 0.1124 to 0.3304."""
    assert interval(0.2, 50, 0.95) == pytest.approx((0.1124, 0.3304), abs=5e-5)


@pytest.mark.parametrize("people", [10, 60])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_an_interval_holds_the_true_rate_about_as_often_as_it_says(people: int, level: float) -> None:
    """Decisions about 2000 groups of some people in each class are drawn with a known rate for each group."""
    rng = np.random.default_rng([people, int(100 * level)])
    rate = rng.uniform(0.02, 0.98, size=(2000, 1))
    group = np.repeat(np.arange(rate.size), 2 * people)
    true = np.tile(np.repeat([0, 1], people), rate.size)
    wrong = rng.random(true.size) < rate[group, 0]
    rates = group_rates(true, true ^ wrong, sensitive_features=group)
    low, high = np.moveaxis(rates.interval(level)[:, [0, 1], [1, 0]], -1, 0)
    assert ((low <= rate) & (rate <= high)).mean() == pytest.approx(level, abs=0.02)


def test_unequal_weights_widen_the_interval_equal_ones_do_not() -> None:
    columns = {"y_true": [0, 1] * 40, "y_pred": [0, 1, 1, 0] * 20, "sensitive_features": [0, 0, 0, 0, 1, 1, 1, 1] * 10}
    equal, sevenfold, unequal = (
        group_rates(**columns, sample_weight=weight).interval()  # type: ignore[arg-type]
        for weight in (np.ones(80), np.full(80, 7.0), np.tile([1.0, 1, 1, 1, 9, 9, 9, 9], 10)[::-1].cumsum())
    )
    assert sevenfold == pytest.approx(equal)
    assert (np.ptp(unequal, axis=-1) > np.ptp(equal, axis=-1)).all()


def test_rates_without_counts_have_no_interval() -> None:
    with pytest.raises(EvenhandError, match="without counts"):
        GroupRates.uniform(SETTING).interval()


@pytest.mark.parametrize(
    "level", [0, 1, -0.5, 95, np.nan, "0.95", None, True, pytest.param(10**5000, id="huge"), [0.9]]
)
def test_a_level_lies_between_0_and_1(level: Any) -> None:
    rates = GroupRates(setting=SETTING, matrix=HALF, sizes=np.ones((2, 2)))
    with pytest.raises(EvenhandError, match="level must be a number between 0 and 1"):
        rates.interval(level)


def test_rates_can_be_put_into_the_prevalence_of_those_who_were_counted() -> None:
    setting = Setting([0, 1], ["a", "b"], [[0.5, 0.5]] * 2)
    rates = group_rates([0, 0, 0, 1, 1], [0, 1, 0, 1, 1], sensitive_features=list("aabab"), setting=setting)
    here = rates.in_measured_prevalence()
    np.testing.assert_allclose(here.setting.prevalence, [[2 / 3, 0.5], [1 / 3, 0.5]])
    np.testing.assert_array_equal(here.matrix, rates.matrix)
    with pytest.raises(EvenhandError, match="without counts"):
        GroupRates.uniform(setting).in_measured_prevalence()
