"""Models as one meets them, made up: to try metrics on where there are no real ones."""

from __future__ import annotations

import numpy as np

from evenhand.rates.setting import Setting
from evenhand.typing import Floats

FEWEST, MOST = 0.05, 0.4
"""Of each group and class, between 5 and 40 of 100 people are got wrong."""


def made_up_models(setting: Setting, n: int, rng: np.random.Generator) -> Floats:
    """Draw profiles (n, m, q): a share of each group and class is got wrong, in whichever ways."""
    k = len(setting.classes)
    wrong = rng.uniform(FEWEST, MOST, size=(n, len(setting.groups), k, 1))
    kinds = rng.dirichlet(np.ones(k - 1), size=wrong.shape[:-1])
    return (wrong * kinds).reshape(n, len(setting.groups), -1)
