"""Who answers: somebody simulated, exact or noisy, or somebody who compares classifiers rather than rates."""

from evenhand.oracles.classifiers import ClassifierOracle, StandInClassifier, classifier_oracle
from evenhand.oracles.simulated import SimulatedOracle

__all__ = ["ClassifierOracle", "SimulatedOracle", "StandInClassifier", "classifier_oracle"]
