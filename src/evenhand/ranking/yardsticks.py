"""What takes no model: one class for everybody, and a coin. A candidate has to beat them to be worth having."""

from __future__ import annotations

from evenhand.display.names import shown_names
from evenhand.rates import GroupRates, Setting

_COIN = 2
"""A coin has so many sides."""


def yardsticks(setting: Setting) -> dict[str, GroupRates]:
    """Return the classifiers that look at nobody, by name."""
    names = shown_names(setting.classes)
    constant = {
        f"“{name}” for everybody": GroupRates.trivial(setting, one)
        for name, one in zip(names, setting.classes, strict=True)
    }
    by_chance = "a coin" if len(names) == _COIN else "a class at random"
    return {**constant, by_chance: GroupRates.uniform(setting)}
