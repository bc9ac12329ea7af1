"""What groups, classes and kinds of mistake are called: a study's own words, or plain names."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.rates import Setting, group_pairs, off_diagonal_entries
from evenhand.wording.names import shown_names


@dataclass(frozen=True, kw_only=True)
class Words:
    """Names as a person reads them, in the order of a setting; `mistakes` are noun phrases."""

    groups: tuple[str, ...]
    classes: tuple[str, ...]
    mistakes: tuple[str, ...]

    @classmethod
    def plain(cls, setting: Setting) -> Words:
        """Use the setting's own names: printable, told apart, and a mistake as “true → predicted”.

        >>> Words.plain(Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])).mistakes
        ('no → yes', 'yes → no')
        """
        classes = shown_names(setting.classes)
        mistakes = tuple(f"{classes[i]} → {classes[j]}" for i, j in off_diagonal_entries(len(classes)))
        return cls(groups=shown_names(setting.groups), classes=classes, mistakes=mistakes)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of groups, in the order in which gaps are weighed."""
        return tuple((self.groups[u], self.groups[v]) for u, v in group_pairs(len(self.groups)))
