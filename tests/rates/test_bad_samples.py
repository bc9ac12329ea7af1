"""A sample that cannot be measured is refused with the row, group or class that is wrong, and never half measured."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, Setting, group_rates
from evenhand.oracles import StandInClassifier
from evenhand.rates import GroupRates

TRUE = [0, 0, 1, 1]
GROUP = ["a", "b", "a", "b"]
SETTING = Setting([0, 1], ["a", "b"], [[0.5, 0.5], [0.5, 0.5]])
HALVES = [[0.5, 0.5]] * 4


class NAType:
    """What a missing value of pandas calls itself."""

    def __repr__(self) -> str:
        return "<NA>"

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = object.__hash__


class Frame:
    """A table of another library, which says how it becomes an array."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype)


def measured(**changes: Any) -> GroupRates:
    sample = {"y_true": TRUE, "y_pred": TRUE, "sensitive_features": GROUP, **changes}
    return group_rates(sample.pop("y_true"), sample.pop("y_pred"), **sample)


# Columns that are wrong in themselves, and what the message must name.
UNREADABLE = [
    pytest.param([], "is empty", id="nothing"),
    pytest.param(np.zeros(0), "is empty", id="no rows"),
    pytest.param(np.array([], dtype="U3"), "is empty", id="no rows of text"),
    pytest.param([0, 1, 1], r"(has 3 rows, but y_true has 4|has 4 rows, but y_true has 3)", id="too few"),
    pytest.param([0, 1, 1, 0, 0], r"(has 5 rows, but y_true has 4|has 4 rows, but y_true has 5)", id="too many"),
    pytest.param(None, "received None", id="None itself"),
    pytest.param(3, "received 3", id="a number"),
    pytest.param("abab", "received 'abab'", id="one text"),
    pytest.param(b"abab", "received b'abab'", id="bytes"),
    pytest.param({0, 1}, "rows in order", id="a set"),
    pytest.param(frozenset([0, 1, 1, 0]), "rows in order", id="a frozen set"),
    pytest.param(dict.fromkeys([0, 1, 1, 0]), "rows in order", id="a dict"),
    pytest.param(dict.fromkeys([0, 1, 1, 0]).keys(), "rows in order", id="dict keys"),
    pytest.param(np.array(0), r"shape \(\)", id="a 0-d array"),
    pytest.param(
        np.array([0.0, np.nan, 1.0, np.nan]), r"missing \(nan\) in row 1: fill or drop such rows \(2 in all\)", id="NaN"
    ),
    pytest.param([0, 1, float("nan"), 0], r"missing \(nan\) in row 2", id="NaN in a list"),
    pytest.param(np.array([0.0, 1.0, -np.inf, 1.0]), r"missing \(-inf\) in row 2", id="an infinite label"),
    pytest.param([0, None, 1, 0], r"missing \(None\) in row 1", id="None among labels"),
    pytest.param([None, 1, 1, 0], r"missing \(None\) in row 0", id="None first"),
    pytest.param(np.array([0, 1, 1, None], dtype=object), r"missing \(None\) in row 3", id="None among objects"),
    pytest.param([0, 1, NAType(), 0], r"missing \(<NA>\) in row 2", id="NA"),
    pytest.param(np.array([0, NAType(), 1, 0], dtype=object), r"missing \(<NA>\) in row 1", id="NA among objects"),
    pytest.param(
        np.ma.array([0, 1, 1, 0], mask=[False, False, True, False]), r"missing \(masked\) in row 2", id="masked"
    ),
    pytest.param([0, np.ma.masked, 1, 0], "missing .* in row 1", id="masked in a list"),
    pytest.param(np.array(["NaT", "2020", "2021", "2022"], dtype="M8[Y]"), "dtype datetime64", id="not a time"),
    pytest.param(np.array(["2019", "2020", "2021", "2022"], dtype="M8[D]"), "dtype datetime64", id="days"),
    pytest.param(np.array([b"x", b"y", b"x", b"y"]), r"dtype \|S1", id="bytes in an array"),
    pytest.param([b"x", b"y", b"x", b"y"], r"holds b'x' in row 0, which is of type bytes", id="bytes in a list"),
    pytest.param(["x", b"x", "y", "y"], r"holds b'x' in row 1", id="bytes beside text"),
    pytest.param(np.array([0j, 1, 0, 1]), "dtype complex", id="complex"),
    pytest.param([0, 1, 1 + 0j, 1], r"holds \(1\+0j\) in row 2, which is of type complex", id="complex in a list"),
    pytest.param([Decimal(0), Decimal(1), 0, 1], r"holds Decimal\('0'\) in row 0", id="decimals"),
    pytest.param([0, 1, Fraction(1), 1], r"holds Fraction\(1, 1\) in row 2", id="fractions"),
    pytest.param(np.zeros(4, dtype=[("a", int)]), "labels must be text, numbers", id="records"),
    pytest.param([0, 1, object(), 1], r"in row 2, which is of type object", id="objects"),
    pytest.param(
        [[1], [2, 3], [1], [2]], r"holds \[1\] in row 0, which is of type list", id="lists of different lengths"
    ),
    pytest.param([np.ones((2, 2)), np.ones((2, 3))] * 2, "rows of different shapes", id="arrays of different shapes"),
    pytest.param([{}, {}, {}, {}], r"holds \{\} in row 0, which is of type dict", id="dicts"),
    pytest.param([range(2)] * 4, r"holds range\(0, 2\) in row 0", id="ranges"),
    pytest.param([0, 1, 0, 10**5000], "row 3, which is a whole number of more than 64 bits", id="a very long integer"),
    pytest.param([0, 2**64, 0, 1], r"holds 18446744073709551616 in row 1", id="an integer of 65 bits"),
    pytest.param([1, "1", 0, 0], r"mixes text and numbers: 1 in row 0 but '1' in row 1", id="text beside its number"),
    pytest.param(
        np.array(["1", "0", 1, "0"], dtype=object), r"'1' in row 0 but 1 in row 2", id="a number beside its text"
    ),
    pytest.param([True, False, "True", False], r"True in row 0 but 'True' in row 2", id="truth beside text"),
]


@pytest.mark.parametrize("column", ["y_true", "y_pred", "sensitive_features"])
@pytest.mark.parametrize(("values", "message"), UNREADABLE)
def test_a_column_that_cannot_be_read_is_refused_by_name(column: str, values: Any, message: str) -> None:
    for setting in (None, SETTING):
        with pytest.raises(EvenhandError, match=message) as caught:
            measured(**{column: values}, setting=setting)
        assert column in str(caught.value)


@pytest.mark.parametrize(("values", "message"), UNREADABLE)
def test_what_cannot_be_measured_cannot_be_drawn_for_either(values: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        StandInClassifier(GroupRates.uniform(SETTING)).predict(values, sensitive_features=GROUP)


@pytest.mark.parametrize("table", [[[0], [0], [1], [1]], np.array([[0], [0], [1], [1]]), Frame([[0], [0], [1], [1]])])
def test_a_table_of_one_column_is_not_a_column_of_classes(table: Any) -> None:
    with pytest.raises(EvenhandError, match=r"y_true must be one label per row, but it has shape \(4, 1\)"):
        measured(y_true=table)


def test_a_column_of_another_library_is_read() -> None:
    assert measured(y_true=Frame(TRUE), y_pred=Frame(TRUE), sensitive_features=Frame(GROUP)) == measured()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_pred": [0, 0, 1, 2]}, r"y_pred has 2 in row 3, but the classes are 0, 1"),
        ({"y_pred": np.array([0, -1, 1, 1], np.int8)}, r"y_pred has -1 in row 1"),
        ({"y_pred": np.array([0, 255, 1, 1], np.uint8)}, r"y_pred has 255 in row 1"),
        ({"y_pred": [0.0, 0.5, 1.0, 1.0]}, r"y_pred has 0.5 in row 1"),
        ({"y_pred": [0, 0, 2**63, 1]}, r"y_pred has 9223372036854775808 in row 2"),
        ({"y_pred": ["0", "0", "1", "1"]}, r"y_pred has '0' in row 0, but the classes are 0, 1; text and numbers"),
        ({"y_pred": np.array(["0", "0", "1", "1"])}, r"y_pred has '0' in row 0.*text and numbers are different"),
        ({"y_true": ["0", "0", "1", "1"]}, r"y_pred has 0 in row 0, but the classes are '0', '1'; text and numbers"),
        ({"y_pred": ["w" * 10**6] * 4}, r"y_pred has 'w+…w+' in row 0"),
    ],
)
def test_a_prediction_never_seen_among_the_true_classes_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message) as caught:
        measured(**changes)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_true": [0, 0, 1, 3]}, r"y_true has 3 in row 3, but the classes are 0, 1$"),
        ({"sensitive_features": ["a", "c", "a", "b"]}, r"sensitive_features has 'c' in row 1, but the groups are"),
        ({"sensitive_features": [b"a", b"b", b"a", b"b"]}, r"sensitive_features holds b'a' in row 0"),
        ({"sensitive_features": ["a", "a", "a", "b"]}, r"group 'b' has no people of true class 0"),
        ({"sensitive_features": ["a", "b", "b", "b"]}, r"group 'a' has no people of true class 1"),
    ],
)
def test_a_setting_knows_its_classes_and_groups(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        measured(**changes, setting=SETTING)


@pytest.mark.parametrize("group", [["a", "b", "a", "a"], ["a", "b", "c", "a"]])
def test_a_group_without_a_class_has_no_rates_there(group: list[str]) -> None:
    with pytest.raises(
        EvenhandError, match=r"group 'b' has no people of true class 1, so its rates there are undefined"
    ):
        measured(sensitive_features=group)


def test_a_setting_is_a_setting() -> None:
    with pytest.raises(EvenhandError, match="setting must be a Setting: 'the usual' is not"):
        measured(setting="the usual")


def test_a_group_whose_people_of_a_class_have_no_weight_has_no_rates_there() -> None:
    with pytest.raises(EvenhandError, match=r"group 'b' has no people of true class 1"):
        measured(sample_weight=[1, 1, 1, 0])


def test_a_column_of_numbers_that_differ_in_every_row_is_refused_at_once() -> None:
    """The table of all groups by all classes would have 10¹⁰ cells."""
    rows = np.arange(100_000)
    with pytest.raises(EvenhandError, match=r"group 0 has no people of true class 1"):
        group_rates(rows, rows, sensitive_features=rows)
    with pytest.raises(EvenhandError, match=r"group 0.0 has no people of true class 0.7"):
        Setting.from_labels(rows * 0.7, sensitive_features=rows * 1.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_true": [1, 1, 1, 1], "y_pred": [1] * 4}, r"at least two classes are needed, but received 1 \(1\)"),
        ({"sensitive_features": ["a"] * 4}, r"at least two groups are needed, but received 1 \('a'\)"),
    ],
)
def test_one_class_or_one_group_leaves_nothing_to_compare(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        measured(**changes)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 1, 1], r"shape \(3,\), but must have \(4,\)"),
        ([[1], [1], [1], [1]], r"shape \(4, 1\)"),
        (1.0, r"shape \(\)"),
        ([1, -1, 1, 1], r"-1.0 in row 1"),
        ([1, 1, np.nan, 1], r"nan in row 2"),
        ([1, None, 1, 1], r"nan in row 1"),
        ([1, 1, 1, np.inf], r"inf in row 3"),
        ([0, 0, 0, 0], r"zero in every row"),
        ([1e308] * 4, r"more than a float can hold"),
        ([1, 1, 1, 10**400], r"too large"),
        ([np.longdouble("1e4000")] * 4, r"inf in row 0"),
        (["1", "1", "1", "1"], r"must be numbers.*<U1"),
        ([1, 1, "1", 1], r"must be numbers"),
        (np.array([1, 1, "1", 1], dtype=object), r"received '1'"),
        ([b"1"] * 4, r"must be numbers"),
        ([1j] * 4, r"must be numbers.*complex"),
        (np.array([1, 2j, 1, 1], dtype=object), r"received 2j"),
        (np.array([1, 1, 1, 1], dtype="m8[s]"), r"must be numbers.*timedelta64"),
        ([NAType(), 1, 1, 1], r"must be numbers.*NAType"),
        (np.ma.array([1, 1, 1, 1], mask=[False, False, False, True]), r"missing \(masked\) in row 3"),
        ({1, 2, 3, 4}, r"must be numbers.*set"),
        ((x for x in (1, 1, 1, 1)), r"must be numbers.*generator"),
        ([[1, 2], [3]], r"must be numbers"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_weights_that_are_none_are_refused(weight: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message) as caught:
        measured(sample_weight=weight)
    assert "sample_weight" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.5, 0.6], r"y_pred in row 2 is \[0.5, 0.6\]: probabilities lie between 0 and 1 and sum to 1"),
        ([0.5, 0.4], r"y_pred in row 2"),
        ([1.5, -0.5], r"y_pred in row 2"),
        ([np.nan, 1.0], r"y_pred in row 2 is \[nan, 1.0\]"),
        ([np.inf, -np.inf], r"y_pred in row 2"),
        ([np.inf, 0.0], r"y_pred in row 2"),
        ([0.0, 0.0], r"y_pred in row 2"),
        ([None, 1.0], r"y_pred in row 2"),
        (["0.5", "0.5"], r"y_pred must be numbers"),
        ([0.5 + 0j, 0.5], r"y_pred must be numbers"),
        ([10**400, 0], r"y_pred must be numbers.*too large"),
        ([0.5, 0.25, 0.25], r"y_pred"),
    ],
)
def test_a_row_of_probabilities_sums_to_one(row: list[Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        measured(y_pred=[*HALVES[:2], row, HALVES[3]])


@pytest.mark.parametrize(
    "table",
    [np.full((4, 3), 1 / 3), np.full((3, 2), 0.5), np.ones((4, 1)), np.zeros((4, 0)), np.zeros((0, 2))],
    ids=lambda table: str(table.shape),
)
def test_probabilities_have_a_row_for_each_person_and_a_column_for_each_class(table: Any) -> None:
    with pytest.raises(EvenhandError, match=r"y_pred has shape .* but must have \(4, 2\)"):
        measured(y_pred=table)


def test_probabilities_of_three_dimensions_are_no_predictions() -> None:
    with pytest.raises(EvenhandError, match=r"y_pred must be one label per row, but it has shape \(4, 2, 1\)"):
        measured(y_pred=np.ones((4, 2, 1)))


def test_a_masked_probability_is_missing() -> None:
    with pytest.raises(EvenhandError, match=r"y_pred is missing \(masked\) in row 1"):
        measured(y_pred=np.ma.array(np.array(HALVES), mask=np.eye(4, 2, -1, dtype=bool)))


junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary()
    | st.dates()
    | st.builds(NAType),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=12,
)


@given(junk, st.sampled_from(["y_true", "y_pred", "sensitive_features", "sample_weight"]), st.booleans())
def test_whatever_comes_is_measured_or_refused_in_words(values: Any, column: str, given_setting: bool) -> None:
    try:
        rates = measured(**{column: values}, setting=SETTING if given_setting else None)
    except EvenhandError:
        return
    assert isinstance(rates, GroupRates)
    assert np.allclose(rates.matrix.sum(axis=-1), 1)


@given(st.lists(junk, min_size=4, max_size=4), st.sampled_from(["y_true", "y_pred", "sensitive_features"]))
def test_whatever_stands_in_four_rows_is_measured_or_refused_in_words(values: Any, column: str) -> None:
    try:
        rates = measured(**{column: values})
    except EvenhandError:
        return
    kinds = {isinstance(value, str) for value in values}
    assert len(kinds) == 1
    assert np.allclose(rates.matrix.sum(axis=-1), 1)
