"""Which rates each group can reach, the sphere of rates that questions come from, and classifiers with given rates."""

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
