"""The paper says how many questions its procedure asks; ours asks exactly that many."""

from math import ceil, log2, pi

import pytest

from evenhand import FairMetric, Plan, Setting, SimulatedOracle, elicit

KNOWN = {(2, 2): 574, (2, 3): 1286, (2, 4): 2354, (2, 5): 3778, (3, 2): 2698, (3, 3): 6242, (5, 5): 70_684}


def paper_formula(k: int, m: int, tolerance: float) -> int:
    q = k * k - k
    lpme = q + 16 * (q - 1) * ceil(log2(pi / (2 * tolerance)))
    return (1 + m * (m - 1)) * lpme + 4 * ceil(log2(1 / tolerance))


@pytest.mark.parametrize(("k", "m"), [cell for cell in KNOWN if cell != (5, 5)])
def test_an_interview_asks_exactly_as_many_questions_as_the_paper(k: int, m: int) -> None:
    setting = Setting.random(k, m, 1)
    oracle = SimulatedOracle(FairMetric.random(setting, 2))
    elicited = elicit(oracle, setting)
    assert elicited.questions == oracle.questions == KNOWN[k, m]
    assert elicited.questions_by_part == Plan(setting=setting).questions_by_part()
    assert sum(elicited.questions_by_part.values()) == elicited.questions


@pytest.mark.parametrize("tolerance", [1e-3, 1e-2, 0.3])
@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_plan_foretells_the_papers_formula(k: int, m: int, tolerance: float) -> None:
    foretold = sum(Plan(setting=Setting.random(k, m, 0), tolerance=tolerance).questions_by_part().values())
    assert foretold == paper_formula(k, m, tolerance)
    if tolerance == 1e-3 and (k, m) in KNOWN:
        assert foretold == KNOWN[k, m]


def test_progress_is_told_after_every_answer() -> None:
    setting = Setting.random(2, 2, 0)
    told: list[tuple[int, int]] = []
    elicit(SimulatedOracle(FairMetric.random(setting, 0)), setting, progress=lambda *pair: told.append(pair))
    assert told == [(asked, 574) for asked in range(1, 575)]


def test_equal_violation_weights_need_one_partition_only() -> None:
    setting = Setting.random(2, 5, 0)
    lpme = 2 + 16 * 11
    assert Plan(setting=setting, equal_pairs=True).questions_by_part() == {
        "misclassification": lpme,
        "violation": 2 * lpme,
        "trade_off": 40,
    }
