"""Named models, all in the order of one setting; and made-up ones, to try metrics on where there are no real ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from evenhand.checks.messages import shown
from evenhand.checks.text import check_writable
from evenhand.errors import EvenhandError
from evenhand.rates.group_rates import GroupRates
from evenhand.rates.setting import Setting
from evenhand.typing import Floats

FEWEST, MOST = 0.05, 0.4
"""Of each group and class, between 5 and 40 of 100 people are got wrong."""


def named_models(
    models: Mapping[str, GroupRates], setting: Setting, *, least: Literal[1, 2] = 1, owner: str = "the setting"
) -> dict[str, GroupRates]:
    """Check models to choose from, and put their classes and groups in the order of a setting.

    Messages name the setting by its `owner`.
    """
    at_least = "one name" if least == 1 else "two names"
    expected = f"candidates must map at least {at_least} to GroupRates, but received "
    if not isinstance(models, Mapping):
        raise EvenhandError(
            f'{expected}a {type(models).__name__}: give each model a name, as in {{"A": rates_a, "B": rates_b}}'
        )
    if len(models) < least:
        raise EvenhandError(f"{expected}{len(models) or shown(models)}: fewer leave nothing to choose")
    in_order = {}
    for name, rates in models.items():
        if not isinstance(rates, GroupRates):
            raise EvenhandError(f"candidate {shown(name)} must be GroupRates, but received {shown(rates)}")
        check_writable(str(name), "candidate")
        differ = setting.how_names_differ(rates.setting, owner, "the candidate's data")
        if differ:
            raise EvenhandError(
                f"candidate {shown(name)} was not measured in {owner}'s classes and groups ({differ}): measure it on "
                "data that has them all, and no others"
            )
        in_order[str(name)] = rates.arranged(setting)
    if len(in_order) < len(models):
        raise EvenhandError(f"two candidates have the same name, of {shown(list(models))}: name them differently")
    return in_order


def made_up_models(setting: Setting, n: int, rng: np.random.Generator) -> Floats:
    """Draw profiles (n, m, q): of each group and class a random share is got wrong, in random ways."""
    k = len(setting.classes)
    wrong = rng.uniform(FEWEST, MOST, size=(n, len(setting.groups), k, 1))
    kinds = rng.dirichlet(np.ones(k - 1), size=wrong.shape[:-1])
    return (wrong * kinds).reshape(n, len(setting.groups), -1)
