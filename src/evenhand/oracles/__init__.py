"""Oracles, which answer questions: a person at the terminal, a group of experts, A/B tests, a simulated person."""

from evenhand.oracles.ab_test import ABOracle, ABTest, NotDecidedError, ab_oracle
from evenhand.oracles.classifiers import ClassifierOracle, StandInClassifier, classifier_oracle
from evenhand.oracles.majority import Ballot, MajorityOracle, majority_oracle
from evenhand.oracles.samples import sample_oracle
from evenhand.oracles.simulated import SimulatedOracle
from evenhand.oracles.terminal import TerminalOracle

__all__ = [
    "ABOracle",
    "ABTest",
    "Ballot",
    "ClassifierOracle",
    "MajorityOracle",
    "NotDecidedError",
    "SimulatedOracle",
    "StandInClassifier",
    "TerminalOracle",
    "ab_oracle",
    "classifier_oracle",
    "majority_oracle",
    "sample_oracle",
]
