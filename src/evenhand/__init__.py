"""evenhand finds out which fairness metric people actually hold."""

from evenhand.elicitation import SKIP, AdaptivePlan, Elicited, Plan, Question, elicit, interview, next_question, replay
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.oracles import SimulatedOracle, classifier_oracle
from evenhand.rates import GroupRates, Setting, group_rates

__all__ = [
    "SKIP",
    "AdaptivePlan",
    "Elicited",
    "EvenhandError",
    "FairMetric",
    "GroupRates",
    "Plan",
    "Question",
    "Setting",
    "SimulatedOracle",
    "classifier_oracle",
    "elicit",
    "group_rates",
    "interview",
    "next_question",
    "replay",
]
