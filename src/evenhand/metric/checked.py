"""Weights and profiles from outside the library, checked, as `FairMetric` takes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from evenhand.checks.arrays import float_array, number
from evenhand.checks.messages import expect, shown
from evenhand.errors import EvenhandError
from evenhand.metric.families import Family
from evenhand.rates import Setting
from evenhand.rates.ties import ROUNDING
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words

_NORM_TOLERANCE = 1e-6


def checked_weights(
    setting: Setting, family: Family, misclassification: ArrayLike, violation: ArrayLike
) -> tuple[Floats, Floats]:
    """Return a and B as arrays of the shapes that a family has, finite and not negative."""
    expect(setting, "setting", Setting)
    q, rows, columns = family.dimensions(setting)
    a = float_array(misclassification, "misclassification", (q,), "one weight per kind of mistake")
    B = float_array(violation, "violation", (rows, columns), f"the rows and columns of {family.title}")
    for name, weights in (("misclassification", a), ("violation", B)):
        wrong = ~((weights >= 0) & np.isfinite(weights))
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            words = Words.plain(setting)
            where = (
                words.mistakes[place[0]] if name == "misclassification" else family.phrase(place[0], place[-1], words)
            )
            raise EvenhandError(
                f"the {name} weight of {where} is {weights[place]}: weights must be finite and not negative"
            )
    return a, B


def check_norm(norm: float, name: str, formula: str) -> None:
    """Refuse weights that are not normalised."""
    if abs(norm - 1) > _NORM_TOLERANCE:
        raise EvenhandError(
            f"{name} weights must be normalised to {formula} = 1, but it is {norm:.6g}: "
            "FairMetric.from_weights normalises them for you"
        )


def checked_trade_off(value: float) -> float:
    """Return λ."""
    return number(value, "trade_off", "a number from 0 to 1", lambda value: 0 <= value <= 1)


def checked_width(value: float | None, family: Family) -> Floats | None:
    """Return the width, which a family with knots needs and another refuses."""
    if not family.knots:
        if value is not None:
            raise EvenhandError(f"the family {shown(family.name)} has no width, but received {shown(value)}")
        return None
    low, high = family.knots[0], family.knots[-1]
    return np.array(number(value, "width", f"a number from {low} to {high}", lambda value: low <= value <= high))


def check_profiles(profiles: Floats, setting: Setting) -> None:
    """Refuse profiles of another shape, or with an entry that is not a rate."""
    shape = setting.tau.shape
    if profiles.shape[-2:] != shape:
        raise EvenhandError(f"profiles must end in (groups, kinds of mistake) = {shape}, but received {profiles.shape}")
    # NaN compares false with everything, so it is caught here too.
    if not (profiles.min(initial=0) >= -ROUNDING and profiles.max(initial=0) <= 1 + ROUNDING):
        place = tuple(np.argwhere(~((profiles >= -ROUNDING) & (profiles <= 1 + ROUNDING)))[0].tolist())
        true, predicted = setting.mistakes[place[-1]]
        profile = f" of profile {', '.join(map(str, place[:-2]))}" if place[:-2] else ""
        raise EvenhandError(
            f"the rate of group {shown(setting.groups[place[-2]])}, true class {shown(true)}, predicted "
            f"{shown(predicted)}{profile} is {profiles[place]:.6g}: rates lie between 0 and 1"
        )
