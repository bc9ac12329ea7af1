"""Rounds rates to whole people out of a given number, as respondents see them."""

from __future__ import annotations

import numpy as np

from evenhand.rates.profile import matrix_from_vector, off_diagonal
from evenhand.rates.ties import ROUNDING, comparable
from evenhand.typing import Floats

OUT_OF = 100
"""The denominator that people are shown rates in: whole people out of 100."""


def whole_people(profiles: Floats, out_of: int) -> Floats:
    """Round profiles (…, m, q) so that each row of rates is a number of whole people out of `out_of`.

    By the largest remainder method (Hamilton): all counts are rounded down, and the people left over go to the largest
    remainders. So each row still sums to `out_of`.
    """
    wanted = np.ascontiguousarray(np.moveaxis(matrix_from_vector(profiles), -1, 0)) * out_of  # by predicted class
    whole = np.floor(wanted + ROUNDING)
    left = np.rint(out_of - whole.sum(axis=0))
    remainder = comparable(wanted - whole)
    for place, own in enumerate(remainder):  # faster than to sort thousands of short rows
        ahead = (remainder[:place] >= own).sum(axis=0) + (remainder[place + 1 :] > own).sum(axis=0)
        whole[place] += ahead < left
    return off_diagonal(np.moveaxis(whole, 0, -1) / out_of)
