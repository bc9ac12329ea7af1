"""A setting names its classes and groups, says who is in them, and refuses what cannot be compared."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, Setting
from evenhand.rates import group_pairs, off_diagonal_entries

HALVES = [[0.5, 0.5], [0.5, 0.5]]


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_a_random_setting_is_the_papers(k: int, m: int, seed: int) -> None:
    """Prevalence is uniform on (0.1, 1.1) before its columns are normalised, so no ratio within one exceeds 11."""
    setting = Setting.random(k, m, seed)
    assert setting.prevalence.shape == (m, k)
    assert setting.prevalence.sum(axis=0) == pytest.approx(np.ones(k))
    assert (setting.prevalence.max(axis=0) / setting.prevalence.min(axis=0) <= 11).all()
    assert setting == Setting.random(k, m, np.random.default_rng(seed))
    assert hash(setting) == hash(Setting.random(k, m, seed))
    assert setting != Setting.random(k, m, seed + 1)


def test_random_prevalence_has_the_spread_of_two_numbers_between_a_tenth_and_eleven_tenths() -> None:
    """P(x ≤ r·y) = 0.605 r − 0.11 + 0.005 / r for x, y uniform on (0.1, 1.1) and r between 1/11 and 1."""
    rng = np.random.default_rng(0)
    shares = np.array([Setting.random(2, 2, rng).prevalence for _ in range(2000)])
    smaller = np.sort(shares.min(axis=1).ravel())
    ratio = smaller / (1 - smaller)
    expected = 2 * (0.605 * ratio - 0.11 + 0.005 / ratio)
    observed = np.arange(1, smaller.size + 1) / smaller.size
    assert np.abs(observed - expected).max() < 1.63 / np.sqrt(smaller.size)  # Kolmogorov–Smirnov at 1 %


@given(st.integers(2, 6), st.integers(2, 6))
def test_there_is_a_mistake_for_every_two_classes_in_order_and_a_gap_for_every_two_groups(k: int, m: int) -> None:
    setting = Setting.random(k, m, 0)
    assert len(set(setting.mistakes)) == len(setting.mistakes) == k * k - k
    assert len({frozenset(pair) for pair in setting.pairs}) == len(setting.pairs) == m * (m - 1) // 2
    assert list(group_pairs(m)) == sorted(group_pairs(m))
    assert list(off_diagonal_entries(k)) == sorted(off_diagonal_entries(k))
    for (true, _), tau in zip(setting.mistakes, setting.tau.T, strict=True):
        assert np.array_equal(tau, setting.prevalence[:, setting.classes.index(true)])


def test_prevalence_read_off_a_sample_is_the_share_of_each_group_in_each_class() -> None:
    setting = Setting.from_labels(list("yyynn"), sensitive_features=[2, 2, 1, 1, 2], sample_weight=[1, 1, 2, 1, 3])
    assert setting.classes == ("n", "y")
    assert setting.groups == (1, 2)
    assert np.array_equal(setting.prevalence, [[0.25, 0.5], [0.75, 0.5]])


def test_a_setting_cannot_be_changed_and_does_not_change_with_the_array_it_was_made_from() -> None:
    prevalence = np.array(HALVES)
    setting = Setting([0, 1], ["a", "b"], prevalence)
    prevalence[0] = 0.9
    assert (setting.prevalence == 0.5).all()
    for array in (setting.prevalence, setting.tau):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        setting.classes = (0, 1)  # type: ignore[misc]


def test_a_setting_survives_pickling() -> None:
    setting = Setting.random(3, 2, 0)
    assert pickle.loads(pickle.dumps(setting)) == setting  # noqa: S301  # our own bytes


@pytest.mark.parametrize(
    "names", [["a", "b"], ("a", "b"), np.array(["a", "b"]), np.array(["a", "b"], dtype=object), iter(["a", "b"])]
)
def test_names_may_come_in_any_sequence(names: Any) -> None:
    setting = Setting(names, [np.int8(3), np.float32(0.5)], HALVES)  # type: ignore[arg-type]
    assert setting.classes == ("a", "b")
    assert [type(name) for name in setting.groups] == [int, float]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "at least two {what} are needed, but received 0"),
        (["a"], r"at least two {what} are needed, but received 1 \('a'\)"),
        (["a", "a"], "{what} names 'a' twice"),
        ([1, 1.0], "{what} names 1.0 twice"),
        ([1, True], "{what} names True twice"),
        ([1, "1"], "{what} mixes text and numbers: 1 at place 0 but '1' at place 1"),
        (["a", None], r"{what} is missing \(None\) at place 1"),
        (["a", float("nan")], r"{what} is missing \(nan\) at place 1"),
        ([0.0, float("inf")], r"{what} is missing \(inf\) at place 1"),
        (np.ma.array([1, 2], mask=[False, True]), r"{what} is missing \(masked\) in row 1"),
        ([b"a", b"b"], "{what} holds b'a' at place 0"),
        ([["a"], ["b"]], r"{what} must be a sequence of labels, but it has shape \(2, 1\)"),
        ([["a"], "b"], r"{what} holds \['a'\] at place 0"),
        ([{}, {}], r"{what} holds \{{\}} at place 0"),
        ([1j, 2j], "{what} holds 1j at place 0"),
        (
            [10**5000, 1],
            "{what} holds a int that is too long to show at place 0, which is a whole number of more than 64",
        ),
        (np.array(["2020", "2021"], dtype="M8[Y]"), r"{what} holds datetime.date\(2020, 1, 1\) at place 0"),
        ("ab", "{what} must be .* received 'ab'"),
        (b"ab", "{what} must be .* received b'ab'"),
        pytest.param({"a", "b"}, "{what} must be .* in order", id="a set"),
        ({"a": 1, "b": 2}, "{what} must be .* in order"),
        (2, "{what} must be .* received 2"),
        (None, "{what} must be .* received None"),
        (np.array(2), r"{what} must be a sequence of labels, but it has shape \(\)"),
    ],
    ids=lambda value: str(value)[:30] if not isinstance(value, list) or len(value) < 2 else repr(value[1])[:9],
)
def test_classes_and_groups_each_need_a_name_of_their_own(names: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message.format(what="classes")):
        Setting(names, ["a", "b"], HALVES)
    with pytest.raises(EvenhandError, match=message.format(what="groups")):
        Setting(["a", "b"], names, HALVES)


@pytest.mark.parametrize(
    ("prevalence", "message"),
    [
        ([[0.5, 0.5]], r"prevalence has shape \(1, 2\), but must have \(2, 2\)"),
        ([0.5, 0.5], r"shape \(2,\)"),
        ([[0.5, 0.4], [0.5, 0.5]], "prevalence in class 'no' sums to 0.9 over the groups"),
        ([[1.0, 0.5], [0.0, 0.5]], "prevalence of group 'men' in class 'yes' is 0.0"),
        ([[1.5, 0.5], [-0.5, 0.5]], "prevalence of group 'women' in class 'yes' is 1.5"),
        ([[0.5, 0.5], [0.5, np.nan]], "prevalence of group 'men' in class 'no' is nan"),
        ([[0.5, np.inf], [0.5, 0.5]], "prevalence of group 'women' in class 'no' is inf"),
        ([[0.5, None], [0.5, 0.5]], "prevalence of group 'women' in class 'no' is nan"),
        ([[0.5, "0.5"], [0.5, 0.5]], "prevalence must be numbers"),
        ([["0.5", "0.5"], ["0.5", "0.5"]], "prevalence must be numbers"),
        ([[0.5, 0.5], [0.5]], "prevalence must be numbers"),
        ([[0.5j, 0.5], [0.5, 0.5]], "prevalence must be numbers"),
        (
            np.ma.array(np.array(HALVES), mask=np.array([[False, False], [False, True]])),
            r"prevalence is missing \(masked\) in row 1",
        ),
        (None, r"prevalence has shape \(\)"),
        ("half", "prevalence must be numbers"),
    ],
)
def test_prevalence_is_the_share_of_each_group_in_each_class(prevalence: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        Setting(["yes", "no"], ["women", "men"], prevalence)


@pytest.mark.parametrize("wrong", [1, 0, -1, 2.0, "2", None, True])
def test_a_random_setting_has_whole_numbers_of_classes_and_groups(wrong: Any) -> None:
    with pytest.raises(EvenhandError, match=r"classes must be a whole number of at least 2"):
        Setting.random(wrong, 2, 0)
    with pytest.raises(EvenhandError, match=r"groups must be a whole number of at least 2"):
        Setting.random(2, wrong, 0)


@pytest.mark.parametrize("wrong", [-1, 0.5, "seed"])
def test_a_random_state_is_a_seed_or_a_generator(wrong: Any) -> None:
    with pytest.raises(EvenhandError, match="random_state must be"):
        Setting.random(2, 2, wrong)


def test_a_name_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(EvenhandError, match=r"groups: 'b\\ud800' has .* half a character, which no file can hold"):
        Setting(["no", "yes"], ["a", "b\ud800"], [[0.5, 0.5], [0.5, 0.5]])
