"""Gaps between groups: the metrics of the paper."""

from __future__ import annotations

from evenhand.display.names import told_apart
from evenhand.metric.families.family import Family, register
from evenhand.metric.weights import Dimensions
from evenhand.rates import Setting
from evenhand.rates.profile import gaps
from evenhand.typing import Floats
from evenhand.wording.vocabulary import Words


@register
class Gaps(Family):
    """Definition 1 of the paper: |rᵘ − rᵛ| for each pair of groups and kind of mistake."""

    name = "gaps"
    title = "gaps between groups"

    def violation(self, profiles: Floats, setting: Setting, width: float) -> Floats:
        """Return the gaps (…, pairs, q)."""
        return gaps(profiles)

    def dimensions(self, setting: Setting) -> Dimensions:
        """Count pairs of groups and kinds of mistake."""
        q = len(setting.mistakes)
        return Dimensions(q, len(setting.pairs), q)

    def rows(self, words: Words) -> tuple[str, ...]:
        """Name each pair of groups."""
        return told_apart([f"gap {u} | {v}" for u, v in words.pairs])

    def phrase(self, row: int, column: int, words: Words) -> str:
        """Name the two groups and the mistake."""
        u, v = words.pairs[row]
        return f"a gap of one point between {u} and {v} in {words.mistakes[column]}"
