"""Columns of many models, and what must hold of them: each gets the rates of a single call."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenhand import group_rates_from_table


def people(rows: int, k: int = 3, m: int = 4, models: int = 3, seed: int = 0) -> dict[str, Any]:
    """Draw columns in which every group has people of each class."""
    rng, row = np.random.default_rng(seed), np.arange(rows)
    columns = {"y": row % k, "g": row // k % m, "h": rng.permutation(row % 2)}
    return columns | {f"p{place}": rng.integers(0, k, rows) for place in range(models)}


def assert_as_alone(frame: Any, models: list[str], **roles: Any) -> None:
    together = group_rates_from_table(frame, prediction=models, **roles)
    assert list(together) == models
    for model in models:
        alone = group_rates_from_table(frame, prediction=model, **roles)
        assert together[model] == alone
        assert list(map(type, together[model].setting.classes)) == list(map(type, alone.setting.classes))
        for name in ("counts", "sizes"):
            np.testing.assert_array_equal(getattr(together[model], name), getattr(alone, name))
