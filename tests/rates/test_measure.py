"""Rates measured on a sample mean what they say, however the sample is written down."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evenhand import GroupRates, Setting, group_rates
from evenhand.rates import trivial_rates, uniform_rates

Ints = NDArray[np.int64]
Sample = tuple[Ints, Ints, Ints, int, int]  # true class, prediction, group of each person; k, m


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Draw a sample in which every group has somebody of every class."""
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    extra = draw(st.integers(0, 60))
    group, true = (part.ravel() for part in np.indices((m, k)))
    group = np.append(group, rng.integers(m, size=extra))
    true = np.append(true, rng.integers(k, size=extra))
    order = rng.permutation(true.size)
    return true[order], rng.integers(k, size=true.size), group[order], k, m


@given(samples())
def test_a_rate_is_the_share_of_a_groups_class_that_gets_a_prediction(sample: Sample) -> None:
    true, predicted, group, k, m = sample
    rates = group_rates(true, predicted, sensitive_features=group)
    for g, i, j in np.ndindex(m, k, k):
        people = (group == g) & (true == i)
        assert rates.matrix[g, i, j] == (predicted[people] == j).mean()
        assert rates.counts is not None
        assert rates.counts[g, i, j] == (predicted[people] == j).sum()
        assert rates.sizes is not None
        assert rates.sizes[g, i] == people.sum()
        assert rates.setting.prevalence[g, i] == people.sum() / (true == i).sum()


@given(samples())
def test_the_overall_rates_are_those_of_everybody_whatever_their_group(sample: Sample) -> None:
    """Equation (3)."""
    true, predicted, group, k, _ = sample
    overall = group_rates(true, predicted, sensitive_features=group).overall
    for i, j in np.ndindex(k, k):
        assert overall[i, j] == pytest.approx((predicted[true == i] == j).mean())


@given(samples())
def test_tau_spreads_the_prevalence_so_that_the_overall_vector_is_a_weighted_sum_of_the_groups(sample: Sample) -> None:
    true, predicted, group, k, _ = sample
    rates = group_rates(true, predicted, sensitive_features=group)
    overall = rates.overall[~np.eye(k, dtype=bool)]
    assert (rates.setting.tau * rates.vector).sum(axis=0) == pytest.approx(overall)


@given(samples(), st.integers(0, 2**32 - 1))
def test_a_weight_of_two_is_the_same_person_twice(sample: Sample, seed: int) -> None:
    true, predicted, group, *_ = sample
    times = np.random.default_rng(seed).integers(1, 4, size=true.size)
    weighted = group_rates(true, predicted, sensitive_features=group, sample_weight=times)
    again = np.repeat(np.arange(true.size), times)
    repeated = group_rates(true[again], predicted[again], sensitive_features=group[again])
    assert np.array_equal(weighted.matrix, repeated.matrix)
    assert weighted == repeated
    assert np.array_equal(weighted.counts, repeated.counts)  # type: ignore[arg-type]


@given(samples(), st.sampled_from([1e-300, 3.0, 1e290]))
def test_only_the_ratio_of_weights_matters(sample: Sample, unit: float) -> None:
    true, predicted, group, *_ = sample
    weight = 1.0 + np.arange(true.size) % 3
    one = group_rates(true, predicted, sensitive_features=group, sample_weight=weight)
    other = group_rates(true, predicted, sensitive_features=group, sample_weight=weight * unit)
    assert other.matrix == pytest.approx(one.matrix)
    assert other.sizes == pytest.approx(one.sizes)
    assert other.overall == pytest.approx(one.overall)


@given(samples())
def test_people_of_no_weight_might_as_well_be_absent(sample: Sample) -> None:
    true, predicted, group, k, m = sample
    everybody = np.arange(true.size + 5)
    more = (np.append(true, [0] * 5), np.append(predicted, [k - 1] * 5), np.append(group, [m - 1] * 5))
    rates = group_rates(more[0], more[1], sensitive_features=more[2], sample_weight=everybody < true.size)
    assert rates == group_rates(true, predicted, sensitive_features=group)


@given(samples())
def test_certain_probabilities_are_hard_labels(sample: Sample) -> None:
    true, predicted, group, k, _ = sample
    soft = group_rates(true, np.eye(k)[predicted], sensitive_features=group)
    hard = group_rates(true, predicted, sensitive_features=group)
    assert soft == hard
    assert np.array_equal(soft.counts, hard.counts)  # type: ignore[arg-type]


@given(samples(), st.integers(0, 2**32 - 1))
def test_probabilities_give_the_expected_rates_of_the_draws(sample: Sample, seed: int) -> None:
    true, _, group, k, m = sample
    probabilities = np.random.default_rng(seed).dirichlet(np.ones(k), size=true.size)
    rates = group_rates(true, probabilities, sensitive_features=group)
    for g, i in np.ndindex(m, k):
        assert rates.matrix[g, i] == pytest.approx(probabilities[(group == g) & (true == i)].mean(axis=0))


@given(samples())
def test_mixing_two_classifiers_mixes_their_rates(sample: Sample) -> None:
    """The convexity in Proposition 1."""
    true, predicted, group, k, _ = sample
    one, other = np.eye(k)[predicted], np.full((true.size, k), 1 / k)
    measured = [group_rates(true, h, sensitive_features=group).matrix for h in (one, other, 0.3 * one + 0.7 * other)]
    assert measured[2] == pytest.approx(0.3 * measured[0] + 0.7 * measured[1])


@given(samples())
def test_predicting_one_class_for_everybody_has_the_trivial_rates_in_every_group(sample: Sample) -> None:
    true, _, group, k, m = sample
    for i in range(k):
        rates = group_rates(true, np.full(true.size, i), sensitive_features=group)
        assert np.array_equal(rates.vector, np.tile(trivial_rates(k)[i], (m, 1)))
        assert rates == GroupRates.trivial(rates.setting, i)


@given(samples())
def test_guessing_has_the_uniform_rates_which_are_the_mean_of_the_trivial_ones(sample: Sample) -> None:
    true, _, group, k, m = sample
    rates = group_rates(true, np.full((true.size, k), 1 / k), sensitive_features=group)
    assert rates.vector == pytest.approx(GroupRates.uniform(rates.setting).vector)
    assert rates.vector == pytest.approx(np.tile(trivial_rates(k).mean(axis=0), (m, 1)))
    assert uniform_rates(k) == pytest.approx(trivial_rates(k).mean(axis=0))


@given(samples(), st.integers(0, 2**32 - 1))
def test_renaming_classes_and_groups_permutes_the_rates_alike(sample: Sample, seed: int) -> None:
    true, predicted, group, k, m = sample
    rng = np.random.default_rng(seed)
    of_class, of_group = rng.permutation(k), rng.permutation(m)
    rates = group_rates(true, predicted, sensitive_features=group)
    renamed = group_rates(of_class[true], of_class[predicted], sensitive_features=of_group[group])
    assert np.array_equal(renamed.matrix[np.ix_(of_group, of_class, of_class)], rates.matrix)
    assert np.array_equal(renamed.setting.prevalence[np.ix_(of_group, of_class)], rates.setting.prevalence)
    assert renamed.overall[np.ix_(of_class, of_class)] == pytest.approx(rates.overall)


@given(samples(), st.integers(0, 2**32 - 1))
def test_the_order_of_the_people_does_not_matter(sample: Sample, seed: int) -> None:
    true, predicted, group, *_ = sample
    order = np.random.default_rng(seed).permutation(true.size)
    shuffled = group_rates(true[order], predicted[order], sensitive_features=group[order])
    assert shuffled == group_rates(true, predicted, sensitive_features=group)


@given(samples())
def test_a_setting_keeps_its_own_order_and_prevalence(sample: Sample) -> None:
    true, predicted, group, k, m = sample
    setting = Setting(range(k)[::-1], range(m)[::-1], np.full((m, k), 1 / m))
    rates = group_rates(true, predicted, sensitive_features=group, setting=setting)
    assert rates.setting is setting
    plain = group_rates(true, predicted, sensitive_features=group)
    assert np.array_equal(rates.matrix, plain.matrix[::-1, ::-1, ::-1])


WRITINGS: dict[str, Any] = {
    "a list": lambda column: column.tolist(),
    "a tuple": lambda column: tuple(column.tolist()),
    "a generator": lambda column: (value for value in column.tolist()),
    "dict values": lambda column: dict(enumerate(column.tolist())).values(),
    "objects": lambda column: column.astype(object),
    "one byte": lambda column: column.astype(np.int8),
    "unsigned": lambda column: column.astype(np.uint64),
    "big-endian": lambda column: column.astype(">i4"),
    "floats": lambda column: column.astype(np.float64),
    "short floats": lambda column: column.astype(np.float32),
    "long floats": lambda column: column.astype(np.longdouble),
    "big-endian floats": lambda column: column.astype(">f8"),
    "every other row of a longer one": lambda column: np.repeat(column, 2)[::2],
    "backwards": lambda column: column[::-1].copy()[::-1],
    "a column of a Fortran-ordered table": lambda column: np.asfortranarray(np.stack([column, column]))[0],
    "a masked array without a mask": np.ma.array,
    "integers and floats in turn": lambda column: [float(x) if i % 2 else x for i, x in enumerate(column.tolist())],
}


@pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)
@given(samples())
@settings(max_examples=20)
def test_it_does_not_matter_how_a_column_is_written(write: Any, sample: Sample) -> None:
    true, predicted, group, k, m = sample
    expected = group_rates(true, predicted, sensitive_features=group)
    for setting in (None, expected.setting):
        rates = group_rates(write(true), write(predicted), sensitive_features=write(group), setting=setting)
        assert rates == expected
        assert rates.setting.classes == tuple(range(k))
        assert rates.setting.groups == tuple(range(m))


@given(samples())
def test_columns_that_cannot_be_written_to_are_read(sample: Sample) -> None:
    columns = [np.array(column) for column in sample[:3]]
    for column in columns:
        column.flags.writeable = False
    before = [column.copy() for column in columns]
    weight = np.ones(columns[0].size)
    group_rates(columns[0], columns[1], sensitive_features=columns[2], sample_weight=weight)
    assert all(np.array_equal(column, copy) for column, copy in zip(columns, before, strict=True))
    assert (weight == 1).all()


@given(samples(), st.sampled_from([np.float32, np.float64, np.longdouble]), st.sampled_from("CF"))
def test_it_does_not_matter_how_probabilities_are_written(sample: Sample, dtype: Any, order: Any) -> None:
    true, predicted, group, k, _ = sample
    probabilities = np.asarray(np.eye(k)[predicted] * 0.5 + 0.5 / k, dtype=dtype, order=order)
    expected = group_rates(true, np.eye(k)[predicted] * 0.5 + 0.5 / k, sensitive_features=group)
    for written in (probabilities, probabilities.tolist(), list(probabilities), probabilities.astype(object)):
        rates = group_rates(true, written, sensitive_features=group)
        assert rates.matrix == pytest.approx(expected.matrix, abs=1e-6)


@pytest.mark.parametrize("dtype", ["U", object, *(["T"] if hasattr(np.dtypes, "StringDType") else [])])
@given(samples())
def test_text_is_a_label_like_any_other(dtype: Any, sample: Sample) -> None:
    true, predicted, group, *_ = sample
    text = np.array(["née", "b" * 70, "c d", "Ω"]).astype(dtype)
    rates = group_rates(text[true], text[predicted], sensitive_features=text[group])
    place = {label: code for code, label in enumerate(text.tolist())}
    expected = group_rates(true, predicted, sensitive_features=group)
    classes = [place[label] for label in rates.setting.classes]
    groups = [place[label] for label in rates.setting.groups]
    assert list(rates.setting.classes) == sorted(rates.setting.classes)
    assert np.array_equal(rates.matrix, expected.matrix[np.ix_(groups, classes, classes)])


@pytest.mark.parametrize(
    "names",
    [
        [False, True],
        [-128, 127],
        [-(2**63), 2**63 - 1],
        [0, 2**64 - 1],
        [-1, 2**64 - 1],
        [70_000, 0],
        [0.1, 0.2],
        [-0.5, 10**15],
        ["1", "01"],
        ["x" * 100_000, "x" * 100_001],
    ],
    ids=lambda names: f"{names[0]!r:.12} {names[1]!r:.12}",
)
def test_any_two_labels_are_told_apart(names: list[Any]) -> None:
    """Each of them as a list, as the array that NumPy makes of it, and against a given setting."""
    true = [names[0], names[1], names[0], names[1]]
    predicted = [names[0], names[0], names[1], names[1]]
    group = [names[1], names[1], names[0], names[0]]
    for write in (list, np.array):
        columns = [write(column) for column in (true, predicted, group)]
        if any(isinstance(column, np.ndarray) and column.dtype.kind == "f" for column in columns) and (
            float(names[1]) != names[1]
        ):
            continue  # NumPy has no integers that hold both
        rates = group_rates(columns[0], columns[1], sensitive_features=columns[2])
        assert rates.setting.classes == tuple(sorted(names))
        given_setting = Setting(names, names, [[0.5, 0.5], [0.5, 0.5]])
        rates = group_rates(columns[0], columns[1], sensitive_features=columns[2], setting=given_setting)
        expected = np.array([[[0, 1], [0, 1]], [[1, 0], [1, 0]]])
        assert np.array_equal(rates.matrix, expected)


def test_bool_columns_keep_their_names() -> None:
    flags = np.array([True, False, True, False])
    setting = group_rates(flags, flags, sensitive_features=["a", "a", "b", "b"]).setting
    assert [type(label) for label in setting.classes] == [bool, bool]


@pytest.mark.parametrize("write", [np.array, list])
def test_many_classes_are_no_different_from_few(write: Any) -> None:
    names = [f"class {i:03}" for i in range(100)]
    true = np.repeat(np.arange(100), 4)
    group = np.tile([0, 0, 1, 1], 100)
    predicted = np.where(np.arange(400) % 2, true, (true + 1) % 100)
    text = write([names[i] for i in true])
    rates = group_rates(text, [names[j] for j in predicted], sensitive_features=group)
    assert rates.setting.classes == tuple(names)
    assert np.array_equal(rates.matrix, group_rates(true, predicted, sensitive_features=group).matrix)
    spread = group_rates(true * 1e9, predicted * 1e9, sensitive_features=group * 10**12)
    assert np.array_equal(rates.matrix, spread.matrix)


def test_a_long_column_is_counted_in_full() -> None:
    rows = np.arange(300_001)
    rates = group_rates(
        rows % 2, rows // 2 % 2, sensitive_features=rows // 4 % 2, sample_weight=np.full(rows.size, 0.5)
    )
    assert rates.counts is not None
    assert rates.counts.sum() == rows.size / 2
    expected = np.bincount(rows // 4 % 2 * 4 + rows % 2 * 2 + rows // 2 % 2).reshape(2, 2, 2) / 2
    assert np.array_equal(rates.counts, expected)
