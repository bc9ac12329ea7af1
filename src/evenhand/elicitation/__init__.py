"""From answers to the metric: procedures that yield questions, are sent answers, and return what they learned."""

from evenhand.elicitation.adaptive.plan import AdaptivePlan, next_question
from evenhand.elicitation.adaptive.support import compare_structures
from evenhand.elicitation.algorithm_1 import WeightsFound, fair_performance, questions_by_part
from evenhand.elicitation.elicit import Elicited, elicit
from evenhand.elicitation.finding import Finding, Intervals
from evenhand.elicitation.interview import Oracle, interview, replay
from evenhand.elicitation.linear import linear
from evenhand.elicitation.misclassification import misclassification
from evenhand.elicitation.plan import METHODS, SEARCHES, Plan
from evenhand.elicitation.question import SKIP, Answer, Procedure, Question, Skip, embed
from evenhand.elicitation.slopes import by_delta, by_least_squares
from evenhand.elicitation.trade_off import trade_off
from evenhand.elicitation.violation import violation

__all__ = [
    "METHODS",
    "SEARCHES",
    "SKIP",
    "AdaptivePlan",
    "Answer",
    "Elicited",
    "Finding",
    "Intervals",
    "Oracle",
    "Plan",
    "Procedure",
    "Question",
    "Skip",
    "WeightsFound",
    "by_delta",
    "by_least_squares",
    "compare_structures",
    "elicit",
    "embed",
    "fair_performance",
    "interview",
    "linear",
    "misclassification",
    "next_question",
    "questions_by_part",
    "replay",
    "trade_off",
    "violation",
]
