"""Which rates are within reach, the sphere of them that questions are asked from, and the classifier behind a rate."""

from evenhand.region.classifier import MixtureClassifier
from evenhand.region.feasible import Containment, FeasibleRegion, OutOfReachError, sphere_for
from evenhand.region.search import Nearest
from evenhand.region.sphere import Sphere, common_sphere, largest_radius

__all__ = [
    "Containment",
    "FeasibleRegion",
    "MixtureClassifier",
    "Nearest",
    "OutOfReachError",
    "Sphere",
    "common_sphere",
    "largest_radius",
    "sphere_for",
]
