"""Rates of classifiers in each group, from true labels, predictions and groups in arrays or tables."""

from evenhand.rates.group_rates import GroupRates
from evenhand.rates.measure import group_rates
from evenhand.rates.profile import (
    group_pairs,
    matrix_from_vector,
    number_of_classes,
    off_diagonal,
    off_diagonal_entries,
    trivial_rates,
    uniform_rates,
)
from evenhand.rates.setting import Setting
from evenhand.rates.table import group_rates_from_table
from evenhand.typing import Label

__all__ = [
    "GroupRates",
    "Label",
    "Setting",
    "group_pairs",
    "group_rates",
    "group_rates_from_table",
    "matrix_from_vector",
    "number_of_classes",
    "off_diagonal",
    "off_diagonal_entries",
    "trivial_rates",
    "uniform_rates",
]
