"""evenhand finds out which fairness metric people actually hold."""

from evenhand.elicitation import (
    SKIP,
    Adaptive,
    Bisection,
    Choice,
    Elicited,
    Finding,
    Intervals,
    LeastSquares,
    Method,
    Paper,
    Question,
    Reliability,
    Uncertainty,
    compare_structures,
    elicit,
    interview,
    next_question,
    replay,
)
from evenhand.errors import EvenhandError
from evenhand.metric import FairMetric
from evenhand.oracles import (
    NotDecidedError,
    SimulatedOracle,
    ab_oracle,
    classifier_oracle,
    majority_oracle,
    sample_oracle,
)
from evenhand.ranking import rank
from evenhand.rates import GroupRates, Setting, group_rates, group_rates_from_table
from evenhand.region import FeasibleRegion, MixtureClassifier, OutOfReachError

__all__ = [
    "SKIP",
    "Adaptive",
    "Bisection",
    "Choice",
    "Elicited",
    "EvenhandError",
    "FairMetric",
    "FeasibleRegion",
    "Finding",
    "GroupRates",
    "Intervals",
    "LeastSquares",
    "Method",
    "MixtureClassifier",
    "NotDecidedError",
    "OutOfReachError",
    "Paper",
    "Question",
    "Reliability",
    "Setting",
    "SimulatedOracle",
    "Uncertainty",
    "ab_oracle",
    "classifier_oracle",
    "compare_structures",
    "elicit",
    "group_rates",
    "group_rates_from_table",
    "interview",
    "majority_oracle",
    "next_question",
    "rank",
    "replay",
    "sample_oracle",
]
