"""Who elicits may choose which groups are set apart, if the equations that follow have one solution."""

from typing import Any

import numpy as np
import pytest

from evenhand import Bisection, EvenhandError, FairMetric, LeastSquares, Paper, Setting, SimulatedOracle, elicit
from evenhand.elicitation.methods import make
from evenhand.elicitation.profiles import cuts_by_name, gap, independent_cuts, within
from evenhand.rates import group_pairs
from evenhand.region import common_sphere
from evenhand.typing import Floats

THREE = Setting(["repays", "defaults"], ["women", "men", "others"], [[0.4, 0.5], [0.4, 0.3], [0.2, 0.2]])
SINGLES = [["women"], ["men"], ["others"]]


def set_apart(profile: Floats) -> tuple[bool, ...]:
    """Return which groups have a trivial classifier's rates."""
    return tuple(bool(np.isin(rates, [0, 1]).all()) for rates in profile)


@pytest.mark.parametrize("method", ["paper", "least-squares", "bisection"])
@pytest.mark.parametrize("cuts", [SINGLES, [{"women", "men"}, ("women",), ["men"]]], ids=["single", "mixed"])
def test_any_cuts_with_independent_equations_find_the_metric(method: str, cuts: Any) -> None:
    truth = FairMetric.random(THREE, 3)
    elicited = elicit(SimulatedOracle(truth), THREE, method=method, cuts=cuts)
    assert max(elicited.metric.distance(truth)) < 0.01
    assert elicited.questions == make(method, THREE, {}).most_questions


def test_the_groups_that_are_named_get_the_trivial_classifier_one_cut_after_the_other() -> None:
    cuts = [["others", "women"], ["men"], ["others"]]
    plan = Paper(setting=THREE, tolerance=0.3, cuts=[["women", "others"], ["women"], ["others"]])
    assert plan.cuts == (("women", "others"), ("women",), ("others",))
    with pytest.raises(EvenhandError, match="only 2 independent equations for the 3 pairs"):
        Paper(setting=THREE, cuts=cuts)
    truth = SimulatedOracle(FairMetric.random(THREE, 1))
    history = elicit(truth, THREE, method="paper", tolerance=0.3, cuts=plan.cuts).history
    asked = [set_apart(question.first) for question, _ in history if question.part == "violation"]
    assert list(dict.fromkeys(asked)) == [(True, False, True), (True, False, False), (False, False, True)]


def test_of_two_groups_either_may_be_set_apart() -> None:
    setting = Setting.random(3, 2, 4)
    truth = FairMetric.random(setting, 4)
    one, other = (elicit(SimulatedOracle(truth), setting, method="paper", cuts=[[group]]) for group in setting.groups)
    assert set_apart(one.history[-100][0].first) == (True, False)
    assert set_apart(other.history[-100][0].first) == (False, True)
    assert np.array_equal(
        other.metric.violation, elicit(SimulatedOracle(truth), setting, method="paper").metric.violation
    )
    for elicited in (one, other):
        assert max(elicited.metric.distance(truth)) < 0.01


def test_bisection_makes_its_gaps_at_the_chosen_cuts() -> None:
    """A gap moves the groups that are set apart towards more mistakes, and the others towards fewer."""
    setting = Setting.random(2, 3, 6)
    truth = SimulatedOracle(FairMetric.random(setting, 6))
    history = elicit(truth, setting, method="bisection", cuts=[[1], [2], [3]]).history
    for question, _ in history:
        if question.part == "trade_off":
            moves = (question.second - question.first).sum(axis=-1)
            assert (moves > moves.min() + 1e-9).sum() == 1
        if question.part == "violation":
            for profile in (question.first, question.second):
                assert (profile.sum(axis=-1) > 1 + 1e-9).sum() == 1  # o has rates of one half


@pytest.mark.parametrize(("k", "m"), [(2, 2), (3, 4)])
def test_a_gap_leaves_the_overall_rates_alone_and_is_as_wide_as_asked(k: int, m: int) -> None:
    setting = Setting.random(k, m, 0)
    size = np.linspace(0.1, 0.3, len(setting.mistakes))
    sigma = np.arange(m) % 2 == 1
    moves = gap(setting.tau, sigma, size)
    assert (setting.tau * moves).sum(axis=0) == pytest.approx(np.zeros(len(size)), abs=1e-15)
    for u, v in group_pairs(m):
        assert np.abs(moves[u] - moves[v]) == pytest.approx(size * (sigma[u] != sigma[v]))
    others = Setting.random(k, m, 1)
    batch = gap(
        np.stack([setting.tau, others.tau, setting.tau]), np.stack([sigma, sigma, ~sigma]), np.stack([size] * 3)
    )
    assert batch[0] == pytest.approx(moves)
    assert batch[1] == pytest.approx(gap(others.tau, sigma, size))
    assert batch[2] == pytest.approx(-moves)


def test_of_two_sets_of_moves_the_group_that_moves_farthest_reaches_the_sphere() -> None:
    """Each of a batch on a scale of its own, the same for both of its sets; who does not move stays in the centre."""
    sphere = common_sphere(3)
    moves = np.random.default_rng(0).normal(size=(2, 4, 3, 6)) * np.array([10, 1, 0.1, 0])[:, None, None]
    moves[0, 0] /= 2
    first, second = within(sphere, *moves)
    placed = np.stack([first, second]) - sphere.center
    reached = np.linalg.norm(placed, axis=-1).max(axis=(0, 2))
    assert reached == pytest.approx(np.array([1, 1, 1, 0]) * sphere.radius)
    for person in range(3):
        ratio = placed[:, person] / moves[:, person]
        assert ratio == pytest.approx(np.full(ratio.shape, ratio.flat[0]))
        assert ratio.flat[0] > 0


def test_our_own_cuts_may_be_chosen_by_name() -> None:
    for m in range(2, 7):
        setting = Setting.random(2, m, 0)
        named = [[setting.groups[g] for g in np.flatnonzero(cut)] for cut in independent_cuts(m)]
        assert [cut.tolist() for cut in cuts_by_name(setting, named)] == [cut.tolist() for cut in independent_cuts(m)]


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        ([["women"]], "cuts must be a list of 3 sets of groups, one for each pair of the 3 groups"),
        ([*SINGLES, ["women", "men"]], "cuts must be a list of 3 sets"),
        ([], "cuts must be a list of 3 sets"),
        (7, "cuts must be a list of 3 sets"),
        ("abc", "cuts must be a list of 3 sets"),
        (["women", "men", "others"], "each of cuts must be a list of groups, but received 'women'"),
        ([1, 2, 3], "each of cuts must be a list of groups, but received 1"),
        ([["women"], ["men"], ["man"]], "cuts name the group 'man', but the groups are 'women', 'men', 'others'"),
        ([["women"], ["men"], [["women"]]], r"cuts name the group \['women'\]"),
        ([["women"], ["men"], []], r"at least one group and not all, but received \[\]"),
        ([["women"], ["men"], ["women", "men", "others"]], "at least one group and not all"),
        ([["women"], ["women"], ["men"]], "only 2 independent equations for the 3 pairs of groups"),
        ([["women"], ["men", "others"], ["men"]], "setting all others apart is the same cut"),
    ],
)
def test_cuts_that_will_not_do_are_refused_before_the_first_question(cuts: Any, message: str) -> None:
    for method in (Paper, LeastSquares, Bisection):
        with pytest.raises(EvenhandError, match=message):
            method(setting=THREE, cuts=cuts)


def test_all_pairs_of_four_groups_are_refused() -> None:
    setting = Setting.random(2, 4, 0)
    with pytest.raises(EvenhandError, match="only 3 independent equations for the 6 pairs of groups"):
        Paper(setting=setting, cuts=setting.pairs)


def test_cuts_are_refused_where_nothing_is_asked_with_them() -> None:
    oracle = SimulatedOracle(FairMetric.random(THREE, 0))
    with pytest.raises(EvenhandError, match="with equal_pairs, no cuts are chosen"):
        elicit(oracle, THREE, method="paper", cuts=SINGLES, equal_pairs=True)
    with pytest.raises(EvenhandError, match="with violation, no cuts are chosen"):
        elicit(oracle, THREE, method="paper", cuts=SINGLES, violation=np.ones((3, 2)))
    with pytest.raises(EvenhandError, match="method='adaptive' has no option 'cuts'"):
        elicit(oracle, THREE, method="adaptive", cuts=SINGLES)
