"""What each model does to each group, mistake by mistake; quiet rows say the same of what takes no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.display.names import shown_names
from evenhand.ranking.yardsticks import yardsticks
from evenhand.rates import GroupRates, Setting, off_diagonal_entries
from evenhand.rates.rounding import OUT_OF, whole_people
from evenhand.typing import Floats
from evenhand.wording.numerals import whole_people_shown

MOST_MODELS = 30
_MOST_MISTAKES = 12


@dataclass(frozen=True)
class RatesOfModels:
    """One kind of mistake: of 100 people of each group, how many each model gets wrong, and the widest gap."""

    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], bool], ...]
    """A name, its numbers, and whether it is a yardstick."""


def rates_of_models(setting: Setting, models: Mapping[str, GroupRates], order: Sequence[str]) -> list[RatesOfModels]:
    """Return a table for each kind of mistake, with the models in this order."""
    if not models:
        return []
    shown = list(order)[:MOST_MODELS]
    named = dict(zip(shown_names(shown), (models[name] for name in shown), strict=True))
    quiet = yardsticks(setting)
    rates = [(name, one.arranged(setting).vector, False) for name, one in named.items()]
    rates += [(name, one.vector, True) for name, one in quiet.items()]
    whole = [np.rint(OUT_OF * whole_people(profile, OUT_OF)).astype(np.intp) for _, profile, _ in rates]
    classes, groups = shown_names(setting.classes), shown_names(setting.groups)
    heads = (*groups, "gap" if len(groups) == 2 else "widest gap")
    return [
        RatesOfModels(
            f"Of {OUT_OF} who are “{classes[i]}”, wrongly predicted “{classes[j]}”",
            heads,
            tuple(
                (name, _numbers(people[:, place], profile[:, place]), is_quiet)
                for (name, profile, is_quiet), people in zip(rates, whole, strict=True)
            ),
        )
        for place, (i, j) in list(enumerate(off_diagonal_entries(len(classes))))[:_MOST_MISTAKES]
    ]


def _numbers(people: NDArray[np.intp], rates: Floats) -> tuple[str, ...]:
    """Return how many people it is in each group, and the gap between these numbers."""
    counted = [*people.tolist(), int(np.ptp(people))]
    exactly = [OUT_OF * rate for rate in (*rates.tolist(), float(np.ptp(rates)))]
    return tuple(whole_people_shown(*both) for both in zip(counted, exactly, strict=True))
