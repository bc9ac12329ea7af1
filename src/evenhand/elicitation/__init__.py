"""From answers to the metric: procedures that yield questions, are sent answers, and return what they learned."""

from evenhand.elicitation.elicit import elicit, next_question
from evenhand.elicitation.elicited import Elicited
from evenhand.elicitation.finding import Choice, Finding, Intervals, Reliability, Uncertainty, Verdict
from evenhand.elicitation.inference.evidence import compare_structures
from evenhand.elicitation.methods import Adaptive, Bisection, LeastSquares, Method, Paper
from evenhand.elicitation.paper.algorithm_1 import WeightsFound, fair_performance, questions_by_part
from evenhand.elicitation.paper.linear import linear
from evenhand.elicitation.paper.misclassification import misclassification
from evenhand.elicitation.paper.slopes import by_delta, by_least_squares
from evenhand.elicitation.paper.trade_off import trade_off
from evenhand.elicitation.paper.violation import violation
from evenhand.elicitation.procedure import Oracle, embed, interview, replay
from evenhand.elicitation.question import SKIP, Answer, History, Procedure, Question, Skip

__all__ = [
    "SKIP",
    "Adaptive",
    "Answer",
    "Bisection",
    "Choice",
    "Elicited",
    "Finding",
    "History",
    "Intervals",
    "LeastSquares",
    "Method",
    "Oracle",
    "Paper",
    "Procedure",
    "Question",
    "Reliability",
    "Skip",
    "Uncertainty",
    "Verdict",
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
