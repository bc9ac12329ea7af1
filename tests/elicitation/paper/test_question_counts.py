"""How many questions Algorithm 1 asks follows from the paper's pseudo-code, and ours asks exactly that many.

The count that the paper prints in Section 6.1 is lower. It leaves out the q questions with which Algorithm 2 finds the
orthant (lines 2–6), and it does not round up the number of halvings.
"""

from collections.abc import Callable
from math import ceil, log2, pi

import pytest

from evenhand import EvenhandError, FairMetric, Paper, Setting, SimulatedOracle, elicit
from evenhand.elicitation.methods import make
from evenhand.elicitation.paper.linear import linear_questions
from evenhand.elicitation.paper.shrink_interval import checked_tolerance

KNOWN = {(2, 2): 574, (2, 3): 1286, (2, 4): 2354, (2, 5): 3778, (3, 2): 2698, (3, 3): 6242, (5, 5): 70_684}


def our_formula(k: int, m: int, tolerance: float) -> int:
    """Count the questions of the pseudo-code: 1 + 2M runs of Algorithm 2, with M pairs of groups, and one of 4."""
    q = k * k - k
    lpme = q + 16 * (q - 1) * ceil(log2(pi / (2 * tolerance)))
    return (1 + m * (m - 1)) * lpme + 4 * ceil(log2(1 / tolerance))


def printed_formula(k: int, m: int, tolerance: float, rounded: Callable[[float], float]) -> float:
    """The count as Section 6.1 prints it: 16(q − 1) log(π/2ε) for each LPME, and 4 log(1/ε) for the trade-off."""
    q = k * k - k
    lpme = 16 * (q - 1) * rounded(log2(pi / (2 * tolerance)))
    return (1 + m * (m - 1)) * lpme + 4 * rounded(log2(1 / tolerance))


def test_the_printed_formula_counts_fewer_questions_than_the_pseudo_code_asks() -> None:
    assert printed_formula(2, 2, 1e-3, float) == pytest.approx(549.5, abs=0.05)
    assert printed_formula(2, 2, 1e-3, ceil) == 568
    orthants = 3 * 2  # three runs of LPME, q = 2 questions each
    assert our_formula(2, 2, 1e-3) == 568 + orthants == 574


@pytest.mark.parametrize(("k", "m"), [cell for cell in KNOWN if cell != (5, 5)])
def test_an_interview_asks_exactly_as_many_questions_as_the_pseudo_code(k: int, m: int) -> None:
    setting = Setting.random(k, m, 1)
    oracle = SimulatedOracle(FairMetric.random(setting, 2))
    elicited = elicit(oracle, setting, method="paper")
    assert elicited.questions == oracle.questions == KNOWN[k, m]
    assert elicited.questions_by_part == Paper(setting=setting).questions_by_part()
    assert sum(elicited.questions_by_part.values()) == elicited.questions


@pytest.mark.parametrize("tolerance", [1e-3, 1e-2, 0.3])
@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_plan_foretells_our_formula(k: int, m: int, tolerance: float) -> None:
    foretold = sum(Paper(setting=Setting.random(k, m, 0), tolerance=tolerance).questions_by_part().values())
    assert foretold == our_formula(k, m, tolerance)
    if tolerance == 1e-3 and (k, m) in KNOWN:
        assert foretold == KNOWN[k, m]


def test_each_angle_is_searched_four_times_unless_said_otherwise() -> None:
    assert linear_questions(6, 1e-3) == linear_questions(6, 1e-3, 4) == 6 + 4 * 5 * 4 * 11
    assert linear_questions(6, 1e-3, 2) == 6 + 2 * 5 * 4 * 11


def test_progress_is_told_after_every_answer() -> None:
    setting = Setting.random(2, 2, 0)
    told: list[tuple[int, int]] = []
    elicit(
        SimulatedOracle(FairMetric.random(setting, 0)),
        setting,
        method="paper",
        progress=lambda *pair: told.append(pair),
    )
    assert told == [(asked, 574) for asked in range(1, 575)]


def test_equal_violation_weights_need_one_partition_only() -> None:
    setting = Setting.random(2, 5, 0)
    lpme = 2 + 16 * 11
    assert Paper(setting=setting, equal_pairs=True).questions_by_part() == {
        "misclassification": lpme,
        "violation": 2 * lpme,
        "trade_off": 40,
    }


@pytest.mark.parametrize("method", ["paper", "bisection"])
def test_as_many_questions_are_asked_about_equal_pairs_as_are_announced(method: str) -> None:
    setting = Setting.random(2, 4, 0)
    truth = FairMetric.random(setting, 0)
    elicited = elicit(SimulatedOracle(truth), setting, method=method, tolerance=0.1, equal_pairs=True)
    announced = make(method, setting, {"tolerance": 0.1, "equal_pairs": True}).questions_by_part()
    assert elicited.questions_by_part == announced
    assert announced["violation"] < make(method, setting, {"tolerance": 0.1}).questions_by_part()["violation"]


def test_the_finest_tolerance_is_one_too() -> None:
    assert checked_tolerance(1e-12) == 1e-12
    with pytest.raises(EvenhandError, match="tolerance must be"):
        checked_tolerance(0.9e-12)
