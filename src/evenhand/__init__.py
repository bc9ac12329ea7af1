"""evenhand finds out which fairness metric people actually hold."""

from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates, Setting, group_rates

__all__ = ["EvenhandError", "GroupRates", "Setting", "group_rates"]
