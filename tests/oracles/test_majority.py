"""A group of experts at one table: the majority answers, and every vote is kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from evenhand import SKIP, EvenhandError, FairMetric, GroupRates, Setting, SimulatedOracle, elicit, majority_oracle
from evenhand.oracles import MajorityOracle

SETTING = Setting.random(2, 2, random_state=7)
PAIR = GroupRates.trivial(SETTING, 1), GroupRates.uniform(SETTING)


def table(*answers: Any) -> MajorityOracle:
    return majority_oracle({f"expert {n}": lambda *_, answer=answer: answer for n, answer in enumerate(answers, 1)})


@pytest.mark.parametrize("answers", list(product([True, False], repeat=3)), ids=str)
def test_three_experts_who_decide_always_have_a_majority(answers: Sequence[bool]) -> None:
    assert table(*answers)(*PAIR) is (sum(answers) >= 2)


@pytest.mark.parametrize(
    ("answers", "answer"),
    [
        ((True, False), None),
        ((True, None), True),
        ((False, SKIP), False),
        ((True, True, False, None, SKIP), True),
        ((True, False, None), None),
        ((None, SKIP), None),
        ((SKIP, SKIP), SKIP),
        ((np.True_, np.True_, np.False_), True),
    ],
    ids=str,
)
def test_who_cannot_tell_or_skips_abstains(answers: Sequence[Any], answer: Any) -> None:
    assert table(*answers)(*PAIR) is answer


def test_every_vote_is_kept_with_the_question_it_was_cast_on() -> None:
    experts = table(True, False, SKIP)
    experts(*PAIR)
    experts(*PAIR[::-1])
    assert experts.questions == 2
    last = experts.votes[-1]
    assert (last.first, last.second) == PAIR[::-1]
    assert last.answers == {"expert 1": True, "expert 2": False, "expert 3": SKIP}
    assert last.majority is None


def test_experts_who_agree_are_one_expert() -> None:
    truth = FairMetric.random(SETTING, random_state=7)
    alone = elicit(SimulatedOracle(truth), SETTING, method="bisection")
    experts = majority_oracle({name: SimulatedOracle(truth) for name in "abc"})
    assert elicit(experts, SETTING, method="bisection").metric == alone.metric
    assert experts.questions == alone.questions


def test_two_who_are_right_outvote_one_who_is_not() -> None:
    truth, other = (FairMetric.random(SETTING, random_state=seed) for seed in (7, 8))
    experts = {name: SimulatedOracle(metric) for name, metric in (("Ana", truth), ("Ben", other), ("Cem", truth))}
    alone = elicit(experts["Ana"], SETTING, method="bisection")
    assert elicit(majority_oracle(experts), SETTING, method="bisection").metric == alone.metric


def test_a_tie_is_an_answer_to_the_adaptive_method_and_no_other() -> None:
    told = elicit(table(True, False), SETTING, method="adaptive", stop="budget", max_questions=3, random_state=0)
    assert [answer for _, answer in told.history] == [None] * 3
    with pytest.raises(EvenhandError, match=r"None \(can't tell\).*method='adaptive'.*odd number of experts"):
        elicit(table(True, False), SETTING, method="bisection")


@pytest.mark.parametrize("answer", ["yes", 1, 0.0, [True], np.array([True, False]), PAIR[0]], ids=repr)
def test_who_gives_no_answer_is_named(answer: Any) -> None:
    experts = majority_oracle({"Ana": lambda *_: True, "Ben": lambda *_: answer})
    with pytest.raises(EvenhandError, match="expert 'Ben' must answer True"):
        experts(*PAIR)
    assert not experts.votes


@pytest.mark.parametrize("experts", [{}, None, [SimulatedOracle], "Ana"], ids=repr)
def test_somebody_must_sit_at_the_table(experts: Any) -> None:
    with pytest.raises(EvenhandError, match="experts must map at least one name to an oracle"):
        majority_oracle(experts)


def test_only_an_oracle_can_vote() -> None:
    with pytest.raises(EvenhandError, match="expert 'Ben' must be a function of two classifiers' rates, but is True"):
        majority_oracle({"Ana": lambda *_: True, "Ben": True})  # type: ignore[dict-item]
