"""Which rates are within reach, and the sphere of them that questions are asked from."""

from evenhand.region.sphere import Sphere, common_sphere, largest_radius

__all__ = ["Sphere", "common_sphere", "largest_radius"]
