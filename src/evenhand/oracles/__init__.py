"""Who answers: somebody simulated, exact or noisy; somebody who compares classifiers; a person at the terminal."""

from evenhand.oracles.classifiers import ClassifierOracle, StandInClassifier, classifier_oracle
from evenhand.oracles.samples import sample_oracle
from evenhand.oracles.simulated import SimulatedOracle
from evenhand.oracles.terminal import TerminalOracle

__all__ = [
    "ClassifierOracle",
    "SimulatedOracle",
    "StandInClassifier",
    "TerminalOracle",
    "classifier_oracle",
    "sample_oracle",
]
