"""An oracle made from a group of experts: each is asked, and the majority decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.checks.messages import shown
from evenhand.elicitation.procedure import Oracle
from evenhand.elicitation.question import SKIP, Skip
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates

Vote = bool | None | Skip


@dataclass(frozen=True, eq=False)
class Ballot:
    """A question, each expert's answer, and the majority.

    Examples
    --------
    >>> from evenhand import Setting
    >>> rates = GroupRates.uniform(Setting.random(2, 2, 0))
    >>> table = majority_oracle({"Ana": lambda one, other: True, "Ben": lambda one, other: None})
    >>> answer = table(rates, rates)
    >>> table.votes[0].answers, table.votes[0].majority
    ({'Ana': True, 'Ben': None}, True)
    """

    first: GroupRates
    second: GroupRates
    answers: Mapping[str, Vote]
    majority: Vote


class MajorityOracle:
    """Asks several oracles, and answers with the majority.

    Attributes
    ----------
    votes
        A `Ballot` for each question so far: the two rates, each expert's answer by name, and the majority.

    Examples
    --------
    >>> from evenhand import Setting
    >>> rates = GroupRates.uniform(Setting.random(2, 2, 0))
    >>> table = MajorityOracle({"Ana": lambda one, other: True, "Ben": lambda one, other: False})
    >>> table(rates, rates) is None, table.questions  # a tie
    (True, 1)
    """

    def __init__(self, experts: Mapping[str, Oracle]) -> None:
        if not isinstance(experts, Mapping) or not experts:
            raise EvenhandError(f"experts must map at least one name to an oracle, but received {shown(experts)}")
        for name, oracle in experts.items():
            if not callable(oracle):
                raise EvenhandError(
                    f"expert {shown(name)} must be a function of two classifiers' rates, but is {shown(oracle)}"
                )
        self.experts = dict(experts)
        self.votes: list[Ballot] = []

    @property
    def questions(self) -> int:
        """The number of questions asked so far."""
        return len(self.votes)

    def __call__(self, first: GroupRates, second: GroupRates) -> Vote:
        """Ask every expert and return the majority: None for a tie, SKIP if all of them skip."""
        answers = {name: _vote(name, oracle(first, second)) for name, oracle in self.experts.items()}
        majority = _majority(list(answers.values()))
        self.votes.append(Ballot(first, second, answers, majority))
        return majority


def majority_oracle(experts: Mapping[str, Oracle]) -> MajorityOracle:
    """Make one oracle from a group of experts: each is asked, and the majority decides.

    An expert who answers None (can't tell) or `evenhand.SKIP` abstains. The group's answer is None for a tie, and SKIP
    if every expert skips. Only `method="adaptive"` accepts these two; for the other methods, use an odd number of
    experts who always decide.

    Parameters
    ----------
    experts
        The oracle of each expert, by name.

    Examples
    --------
    >>> from evenhand import FairMetric, GroupRates, Setting, SimulatedOracle, majority_oracle
    >>> setting = Setting.random(2, 2, random_state=0)
    >>> seeds = {"Ana": 0, "Ben": 1, "Cem": 2}
    >>> experts = {name: SimulatedOracle(FairMetric.random(setting, seed)) for name, seed in seeds.items()}
    >>> table = majority_oracle(experts)
    >>> table(GroupRates.uniform(setting), GroupRates.trivial(setting, 1))
    True
    >>> table.votes[0].answers
    {'Ana': False, 'Ben': True, 'Cem': True}
    """
    return MajorityOracle(experts)


def _vote(name: str, answer: Any) -> Vote:
    if answer is None or isinstance(answer, Skip):
        return answer
    if not isinstance(answer, bool | np.bool_):
        raise EvenhandError(
            f"expert {shown(name)} must answer True (prefers the first), False (prefers the second), None (can't tell) "
            f"or evenhand.SKIP, but answered {shown(answer)}"
        )
    return bool(answer)


def _majority(votes: list[Vote]) -> Vote:
    if all(vote is SKIP for vote in votes):
        return SKIP
    ahead = votes.count(True) - votes.count(False)
    return None if ahead == 0 else ahead > 0
