"""Forms of cost, each in a file of its own: import one here, and `elicit` can learn it."""

from evenhand.metric.families.family import Family, family_named, family_names, register
from evenhand.metric.families.gaps import Gaps

__all__ = ["Family", "Gaps", "family_named", "family_names", "register"]
