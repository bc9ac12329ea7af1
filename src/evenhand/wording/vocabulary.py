"""What groups, classes and kinds of mistake are called: in plain names, in sentences, or in a study's own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evenhand.checks.messages import expect, shown
from evenhand.display.names import shown_names, told_apart
from evenhand.errors import EvenhandError
from evenhand.rates import Setting, group_pairs, off_diagonal_entries


@dataclass(frozen=True, kw_only=True)
class Words:
    """Names as a person reads them, in the order of a setting."""

    groups: tuple[str, ...]
    classes: tuple[str, ...]
    mistakes: tuple[str, ...]

    @classmethod
    def plain(cls, setting: Setting) -> Words:
        """For tables and charts: a setting's own names, printable and told apart, and “true → predicted”.

        >>> Words.plain(Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])).mistakes
        ('no → yes', 'yes → no')
        """
        classes = shown_names(setting.classes)
        mistakes = told_apart([f"{classes[i]} → {classes[j]}" for i, j in off_diagonal_entries(len(classes))])
        return cls(groups=shown_names(setting.groups), classes=classes, mistakes=mistakes)

    @classmethod
    def spoken(cls, setting: Setting, mistakes: Mapping[Any, str] | None = None) -> Words:
        """For sentences: each kind of mistake is a noun phrase, the domain's own where `mistakes` has one.

        >>> setting = Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
        >>> Words.spoken(setting, {("yes", "no"): "a false refusal"}).mistakes
        ('predicting “yes” for “no”', 'a false refusal')
        """
        own = mistakes or {}
        expect(own, "mistakes", Mapping)
        known = setting.mistakes
        for mistake, word in own.items():
            if mistake not in known or not isinstance(word, str):
                raise EvenhandError(
                    "mistakes must map (true class, predicted class) to words, such as "
                    f"{{{known[0]!r}: 'a false alarm'}}, but received {shown(mistake)}: {shown(word)}"
                )
        words = cls.plain(setting)
        phrases = [
            own.get(mistake, f"predicting “{words.classes[j]}” for “{words.classes[i]}”")
            for mistake, (i, j) in zip(known, off_diagonal_entries(len(words.classes)), strict=True)
        ]
        return replace(words, mistakes=tuple(phrases))

    def quoted(self) -> Words:
        """Put each kind of mistake in quotation marks, so that a whole sentence can stand where a noun does."""
        return replace(self, mistakes=tuple(f"“{mistake}”" for mistake in self.mistakes))

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of groups, in the order in which gaps are weighed."""
        return tuple((self.groups[u], self.groups[v]) for u, v in group_pairs(len(self.groups)))
