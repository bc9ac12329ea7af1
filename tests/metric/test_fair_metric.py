"""Definition 1: the metric is a cost of mistakes and of gaps between groups, linear in its weights."""

import pickle
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import EvenhandError, FairMetric, GroupRates, Setting
from evenhand.metric import Distance
from evenhand.rates import group_pairs, off_diagonal_entries, trivial_rates, uniform_rates
from evenhand.typing import Floats

cells = st.tuples(st.integers(2, 5), st.integers(2, 5))
seeds = st.integers(0, 2**32 - 1)
SETTING = Setting(["yes", "no"], ["women", "men"], [[0.5, 0.4], [0.5, 0.6]])
METRIC = FairMetric(SETTING, misclassification=[0.6, 0.8], violation=[[0.8, 0.6]], trade_off=0.25)


def drawn(cell: tuple[int, int], seed: int) -> tuple[FairMetric, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return FairMetric.random(Setting.random(*cell, rng), rng), rng


def profiles(metric: FairMetric, rng: np.random.Generator, *batch: int) -> Floats:
    """Draw profiles (…, m, q) of rates."""
    k, m = len(metric.setting.classes), len(metric.setting.groups)
    wrong = ~np.eye(k, dtype=bool)
    profile: Floats = rng.dirichlet(np.ones(k), size=(*batch, m, k))[..., wrong]
    return profile


def reweighted(metric: FairMetric, **weights: Any) -> FairMetric:
    old = {name: getattr(metric, name) for name in ("misclassification", "violation", "trade_off")}
    return FairMetric(metric.setting, **{**old, **weights})


def test_the_cost_is_the_papers_formula() -> None:
    """Definition 1 by hand: overall rates (0.14, 0.2), gaps (0.1, 0.3)."""
    profile = [[0.2, 0.3], [0.1, 0.0]]
    overall = [0.5 * 0.2 + 0.5 * 0.1, 0.4 * 0.3 + 0.6 * 0.0]
    mistakes = 0.6 * overall[0] + 0.8 * overall[1]
    gaps = 0.8 * 0.1 + 0.6 * 0.3
    assert METRIC.cost_of_profiles(profile) == pytest.approx(0.75 * mistakes + 0.25 * gaps)
    assert METRIC.cost(GroupRates.from_vector(SETTING, profile)) == pytest.approx(0.75 * mistakes + 0.25 * gaps)


@pytest.mark.parametrize(
    ("trade_off", "profile"), [(0, [[1, 1], [1, 1]]), (1, [[1, 1], [0, 0]])], ids=["mistakes", "gaps"]
)
def test_the_papers_normalisation_leaves_costs_above_one(trade_off: float, profile: list[list[float]]) -> None:
    """The paper says that φ and ϕ go up to 1; with unit weights both go up to √2 for two classes and two groups."""
    alike = np.full(2, 0.5**0.5)
    metric = reweighted(METRIC, misclassification=alike, violation=alike[None], trade_off=trade_off)
    assert metric.cost_of_profiles(profile) == pytest.approx(2**0.5)


@given(cells, seeds, st.floats(0, 1))
def test_the_cost_moves_at_most_root_two_times_as_far_as_the_rates(
    cell: tuple[int, int], seed: int, trade_off: float
) -> None:
    metric, rng = drawn(cell, seed)
    one, other = profiles(metric, rng, 2)
    moved = reweighted(metric, trade_off=trade_off).cost_of_profiles([one, other])
    assert abs(moved[0] - moved[1]) <= 2**0.5 * np.linalg.norm(one - other) + 1e-12


def test_where_gaps_are_all_that_counts_the_cost_is_not_1_lipschitz() -> None:
    """Both groups move by 0.1, in opposite directions: the gap grows by 0.2."""
    metric = reweighted(METRIC, violation=[[1, 0]], trade_off=1)
    one, other = np.array([[0.4, 0], [0.3, 0]]), np.array([[0.5, 0], [0.2, 0]])
    assert metric.cost_of_profiles(other) - metric.cost_of_profiles(one) == pytest.approx(
        2**0.5 * np.linalg.norm(other - one)
    )


@given(cells, seeds)
def test_a_drawn_metric_is_normalised_and_has_every_weight(cell: tuple[int, int], seed: int) -> None:
    metric, _ = drawn(cell, seed)
    assert np.linalg.norm(metric.misclassification) == pytest.approx(1)
    assert np.linalg.norm(metric.violation, axis=1).sum() == pytest.approx(1)
    assert 0 < metric.trade_off < 1
    assert (metric.misclassification > 0).all()
    assert (metric.violation > 0).all()
    assert FairMetric.random(metric.setting, seed) == FairMetric.random(metric.setting, np.random.default_rng(seed))


def test_drawn_weights_are_uniform_before_they_are_normalised() -> None:
    """The ratio of two uniform numbers is below 1/2 with probability 1/4; λ is uniform itself."""
    rng = np.random.default_rng(0)
    drawn = [FairMetric.random(SETTING, rng) for _ in range(4000)]
    for ratio in (
        np.array([metric.misclassification[0] / metric.misclassification[1] for metric in drawn]),
        np.array([metric.violation[0, 0] / metric.violation[0, 1] for metric in drawn]),
        np.array([2 * metric.trade_off for metric in drawn]),
    ):
        assert (ratio < 0.5).mean() == pytest.approx(0.25, abs=0.03)
        assert (ratio < 1).mean() == pytest.approx(0.5, abs=0.03)


@given(cells, seeds)
def test_equal_rates_for_all_groups_leave_only_the_misclassification_cost(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    rates = profiles(metric, rng)[0]
    expected = (1 - metric.trade_off) * metric.misclassification @ rates
    assert metric.cost_of_profiles(np.tile(rates, (cell[1], 1))) == pytest.approx(expected)


@given(cells, seeds)
def test_the_perfect_classifier_costs_nothing_and_every_other_costs_something(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    assert metric.cost_of_profiles(np.zeros(metric.setting.tau.shape)) == 0
    assert (metric.cost_of_profiles(profiles(metric, rng, 5)) > 0).all()


@given(cells, seeds)
def test_a_batch_costs_what_its_profiles_cost_one_by_one(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    batch = profiles(metric, rng, 2, 3)
    costs = metric.cost_of_profiles(batch)
    assert costs.shape == (2, 3)
    for place in np.ndindex(2, 3):
        assert costs[place] == pytest.approx(metric.cost_of_profiles(batch[place]), abs=1e-15)
        rates = GroupRates.from_vector(metric.setting, batch[place])
        assert isinstance(metric.cost(rates), float)
        assert metric.cost(rates) == pytest.approx(costs[place])
    assert metric.cost_of_profiles(batch[:0]).shape == (0, 3)


@given(cells, seeds)
def test_the_cost_is_linear_in_the_misclassification_weights(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    batch = profiles(metric, rng, 4)
    other = FairMetric.random(metric.setting, rng)
    total = metric.misclassification + other.misclassification
    length = float(np.linalg.norm(total))
    parts = [
        reweighted(metric, misclassification=a, trade_off=0.0).cost_of_profiles(batch)
        for a in (metric.misclassification, other.misclassification, total / length)
    ]
    assert parts[0] + parts[1] == pytest.approx(length * parts[2])


@given(cells, seeds)
def test_the_cost_is_linear_in_the_violation_weights(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    batch = profiles(metric, rng, 4)
    other = FairMetric.random(metric.setting, rng)
    total = metric.violation + other.violation
    length = float(np.linalg.norm(total, axis=1).sum())
    parts = [
        reweighted(metric, violation=B, trade_off=1.0).cost_of_profiles(batch)
        for B in (metric.violation, other.violation, total / length)
    ]
    assert parts[0] + parts[1] == pytest.approx(length * parts[2])


@given(cells, seeds, st.floats(0, 1))
def test_the_trade_off_weighs_the_two_costs(cell: tuple[int, int], seed: int, trade_off: float) -> None:
    metric, rng = drawn(cell, seed)
    batch = profiles(metric, rng, 4)
    mistakes, gaps, both = (reweighted(metric, trade_off=t).cost_of_profiles(batch) for t in (0.0, 1.0, trade_off))
    assert both == pytest.approx((1 - trade_off) * mistakes + trade_off * gaps)


@given(cells, seeds)
def test_gaps_do_not_care_which_group_is_ahead(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    gaps = reweighted(metric, trade_off=1.0)
    profile = profiles(metric, rng) / 2
    mirrored = profile.max(axis=0) - profile
    assert gaps.cost_of_profiles(profile) == pytest.approx(gaps.cost_of_profiles(mirrored))


@given(cells, seeds)
def test_renaming_classes_and_groups_leaves_the_cost_alone(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    k, m = cell
    of_class, of_group = rng.permutation(k), rng.permutation(m)  # the new order lists these old places
    entries, pairs = off_diagonal_entries(k), group_pairs(m)
    mistake = np.array([entries.index((of_class[i], of_class[j])) for i, j in entries])
    pair = np.array([pairs.index((min(of_group[[u, v]]), max(of_group[[u, v]]))) for u, v in pairs])
    setting = metric.setting
    renamed = FairMetric(
        Setting(
            [setting.classes[i] for i in of_class],
            [setting.groups[g] for g in of_group],
            setting.prevalence[np.ix_(of_group, of_class)],
        ),
        misclassification=metric.misclassification[mistake],
        violation=metric.violation[np.ix_(pair, mistake)],
        trade_off=metric.trade_off,
    )
    profile = profiles(metric, rng)
    assert renamed.cost_of_profiles(profile[np.ix_(of_group, mistake)]) == pytest.approx(
        metric.cost_of_profiles(profile)
    )


def test_rates_bring_their_own_prevalence() -> None:
    elsewhere = Setting(["yes", "no"], ["women", "men"], [[0.9, 0.9], [0.1, 0.1]])
    profile = [[0.2, 0.3], [0.1, 0.0]]
    mistakes = 0.6 * (0.9 * 0.2 + 0.1 * 0.1) + 0.8 * 0.9 * 0.3
    expected = 0.75 * mistakes + 0.25 * (0.8 * 0.1 + 0.6 * 0.3)
    assert METRIC.cost(GroupRates.from_vector(elsewhere, profile)) == pytest.approx(expected)


def test_rates_at_the_edge_of_rounding_are_rates() -> None:
    for k in (2, 3, 4):
        metric = FairMetric.random(Setting.random(k, 2, 0), 0)
        for rates in (*trivial_rates(k), uniform_rates(k)):
            assert metric.cost_of_profiles(np.tile(rates, (2, 1)) + 1e-12) >= 0
            assert metric.cost_of_profiles(np.tile(rates, (2, 1)) - 1e-12) >= 0


@given(cells, seeds)
def test_the_distance_is_the_papers_three_errors(cell: tuple[int, int], seed: int) -> None:
    metric, rng = drawn(cell, seed)
    other = FairMetric.random(metric.setting, rng)
    distance = metric.distance(other)
    assert distance == other.distance(metric)
    assert distance.misclassification**2 == pytest.approx(
        ((metric.misclassification - other.misclassification) ** 2).sum()
    )
    assert distance.violation**2 == pytest.approx(((metric.violation - other.violation) ** 2).sum())
    assert distance.trade_off == abs(metric.trade_off - other.trade_off)
    assert metric.distance(metric) == Distance(0.0, 0.0, 0.0)


def test_equal_metrics_are_equal_and_have_equal_hashes() -> None:
    minus = FairMetric(SETTING, misclassification=[-0.0, 1], violation=[[1, -0.0]], trade_off=-0.0)
    plus = FairMetric(SETTING, misclassification=[0, 1], violation=[[1, 0]], trade_off=0)
    assert minus == plus
    assert hash(minus) == hash(plus)
    assert "-0" not in str(minus)
    assert plus != FairMetric(SETTING, misclassification=[1e-200, 1], violation=[[1, 0]], trade_off=0)
    for other in ({"misclassification": [1, 0]}, {"violation": [[0, 1]]}, {"trade_off": 0.1}):
        assert reweighted(plus, **other) != plus
        assert hash(reweighted(plus, **other)) != hash(plus)  # most likely, or sets of metrics are slow
    assert METRIC != "a metric"
    assert pickle.loads(pickle.dumps(METRIC)) == METRIC  # noqa: S301  # our own bytes


def test_a_metric_cannot_be_changed_and_does_not_change_with_what_it_was_made_from() -> None:
    a = np.array([0.6, 0.8])
    metric = FairMetric(SETTING, misclassification=a, violation=[[0.6, 0.8]], trade_off=0.5)
    a[:] = 0
    assert metric.misclassification.tolist() == [0.6, 0.8]
    for array in (metric.misclassification, metric.violation):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        metric.trade_off = 0.1  # type: ignore[misc]


GOOD: dict[str, Any] = {"misclassification": [0.6, 0.8], "violation": [[0.6, 0.8]], "trade_off": 0.5}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"misclassification": [0.6, 0.7]},
            r"misclassification weights must be normalised to ‖a‖₂ = 1, but it is 0.92",
        ),
        ({"misclassification": [3, 4]}, r"but it is 5: FairMetric.from_weights normalises"),
        ({"misclassification": [0, 0]}, r"misclassification weights must be normalised"),
        ({"violation": [[1, 1]]}, r"violation weights must be normalised to Σ‖bᵘᵛ‖₂ = 1, but it is 1.41"),
        ({"violation": [[0, 0]]}, r"violation weights must be normalised"),
        ({"misclassification": [-0.6, 0.8]}, r"misclassification weight of yes → no is -0.6"),
        ({"misclassification": [0.6, np.nan]}, r"misclassification weight of no → yes is nan"),
        ({"violation": [[0.6, -0.8]]}, r"violation weight of a gap of one point between women and men in no → yes is"),
        (
            {"violation": [[np.inf, 0.8]]},
            r"violation weight of a gap of one point between women and men in yes → no is inf",
        ),
        ({"misclassification": [0.6, 0.8, 0]}, r"misclassification has shape \(3,\), but must have \(2,\)"),
        ({"violation": [0.6, 0.8]}, r"violation has shape \(2,\), but must have \(1, 2\)"),
        ({"misclassification": ["0.6", "0.8"]}, r"misclassification must be numbers"),
        ({"violation": [[0.6, "0.8"]]}, r"violation must be numbers"),
        ({"misclassification": None}, r"misclassification has shape \(\)"),
        ({"misclassification": [0.6j, 0.8]}, r"misclassification must be numbers"),
        (
            {"misclassification": np.ma.array([0.6, 0.8], mask=[False, True])},
            r"misclassification is missing \(masked\) in row 1",
        ),
        ({"misclassification": [10**400, 1]}, r"misclassification must be numbers"),
        ({"trade_off": 1.5}, r"trade_off must be a number from 0 to 1, but received 1.5"),
        ({"trade_off": -1e-9}, r"trade_off must be"),
        ({"trade_off": np.nan}, r"trade_off must be .* received nan"),
        ({"trade_off": "0.5"}, r"trade_off must be .* received '0.5'"),
        ({"trade_off": True}, r"trade_off must be .* received True"),
        ({"trade_off": None}, r"trade_off must be .* received None"),
        ({"trade_off": [0.5]}, r"trade_off must be"),
        ({"trade_off": np.array(0.5)}, r"trade_off must be"),
        ({"trade_off": 0.5j}, r"trade_off must be"),
        ({"trade_off": 10**5000}, r"trade_off must be"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_weights_that_no_metric_has_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        FairMetric(SETTING, **{**GOOD, **wrong})


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ([0.5, 0.5], r"must end in \(groups, kinds of mistake\) = \(2, 2\), but received \(2,\)"),
        (np.zeros((2, 6)), r"received \(2, 6\)"),
        (np.zeros((5, 3, 2)), r"received \(5, 3, 2\)"),
        (None, r"received \(\)"),
        ("rates", r"profiles must be numbers"),
        ([[0.5, "0.5"], [0.5, 0.5]], r"profiles must be numbers"),
        ([[0.5, 0.5], [np.nan, 0.5]], r"group 'men', true class 'yes', predicted 'no' is nan"),
        (
            [[0.5, 1.5], [0.5, 0.5]],
            r"group 'women', true class 'no', predicted 'yes' is 1.5: rates lie between 0 and 1",
        ),
        (
            [[[0.5, 0.5]] * 2, [[0.5, -0.5], [0, 0]]],
            r"group 'women', true class 'no', predicted 'yes' of profile 1 is -0.5",
        ),
        (np.full((2, 2), np.inf), r"is inf"),
    ],
    ids=lambda value: "" if isinstance(value, str) else str(np.shape(value)),
)
def test_what_is_not_a_profile_has_no_cost(rates: Any, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        METRIC.cost_of_profiles(rates)


def test_models_by_name_or_in_a_list_cost_what_each_costs_alone() -> None:
    one, other = GroupRates.uniform(SETTING), GroupRates.trivial(SETTING, "yes")
    assert METRIC.cost({"one": one, 2: other}) == {"one": METRIC.cost(one), 2: METRIC.cost(other)}
    assert METRIC.cost([other, one]) == [METRIC.cost(other), METRIC.cost(one)]


def test_an_array_is_not_taken_for_a_model() -> None:
    matrix = GroupRates.uniform(SETTING).matrix  # of the same shape as two profiles
    for array in (matrix, matrix.tolist(), GroupRates.uniform(SETTING).vector, {"a": matrix}):
        with pytest.raises(EvenhandError, match=r"cost takes GroupRates.*cost_of_profiles"):
            METRIC.cost(cast("Any", array))


@pytest.mark.parametrize(
    ("classes", "groups", "message"),
    [
        (["no", "yes"], ["women", "men"], r"about the classes 'yes', 'no', but received 'no', 'yes'"),
        (["yes", "no"], ["men", "women"], r"about the groups 'women', 'men', but received 'men', 'women'"),
        (["yes", "no"], ["women", "men", "x"], r"the same, in the same order"),
    ],
)
def test_a_metric_judges_only_its_own_classes_and_groups(classes: list[str], groups: list[str], message: str) -> None:
    setting = Setting(classes, groups, np.full((len(groups), 2), 1 / len(groups)))
    with pytest.raises(EvenhandError, match=message):
        METRIC.cost(GroupRates.uniform(setting))
    with pytest.raises(EvenhandError, match=message):
        METRIC.distance(FairMetric.random(setting, 0))


@pytest.mark.parametrize("wrong", [None, "setting", SETTING.classes])
def test_a_metric_needs_a_setting_and_is_compared_with_a_metric(wrong: Any) -> None:
    with pytest.raises(EvenhandError, match="setting must be a Setting"):
        FairMetric(wrong, **GOOD)
    with pytest.raises(EvenhandError, match="other must be a FairMetric"):
        METRIC.distance(wrong)
