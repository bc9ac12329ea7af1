"""Forms of cost, one in each file. `elicit(..., family=)` knows those that are imported here."""

from evenhand.metric.families.family import Family, family_named, family_names, register
from evenhand.metric.families.gaps import Gaps

__all__ = ["Family", "Gaps", "family_named", "family_names", "register"]
