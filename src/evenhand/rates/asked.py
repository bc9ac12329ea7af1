"""Profiles that somebody is asked about, checked: those of a stored question, or of one from outside."""

from __future__ import annotations

from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array
from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError
from evenhand.rates.setting import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats


def checked_rates(profile: ArrayLike, side: str, setting: Setting) -> Floats:
    """Return the profile (m, q) of one side of a question; `side` names it in messages."""
    rates = float_array(profile, side, setting.tau.shape, "(groups, kinds of mistake)")
    if not ((rates >= -ROUNDING) & (rates <= 1 + ROUNDING)).all():
        raise EvenhandError(f"{side} holds {shown(rates.tolist())}: rates lie between 0 and 1")
    k = len(setting.classes)
    if (rates.reshape(-1, k, k - 1).sum(axis=-1) > 1 + ROUNDING).any():
        raise EvenhandError(f"{side} holds {shown(rates.tolist())}: mistakes about more people than a class has")
    return rates
