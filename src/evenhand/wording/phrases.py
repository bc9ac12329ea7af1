"""Phrases: what a study's people call its groups, classes and mistakes, for whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from evenhand.checks.messages import expect, listed, shown
from evenhand.checks.text import checked_text
from evenhand.display.names import shown_names
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.typing import Label
from evenhand.wording.vocabulary import Words

_LONGEST = 200

Mistake = tuple[Label, Label]


def checked_phrase(value: object, name: str) -> str:
    """Return words for a group, a class or a mistake."""
    return checked_text(value, name, longest=_LONGEST)


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """A study's own words, for sentences such as "of 100 people under 50 who will get much worse, 12 are missed".

    Parameters
    ----------
    groups
        Who the people of each group are: "people under 50".
    classes
        What is true of the people of each class: "who will get much worse".
    mistakes
        What happens to people of a true class that get another prediction: "are missed".

    Examples
    --------
    >>> phrases = Phrases(
    ...     groups={"f": "women", "m": "men"},
    ...     classes={1: "who would repay", 0: "who would not"},
    ...     mistakes={(1, 0): "are refused", (0, 1): "get a loan all the same"},
    ... )
    >>> phrases.in_order(Setting([0, 1], ["m", "f"], [[0.5, 0.4], [0.5, 0.6]])).groups
    ('men', 'women')
    """

    groups: Mapping[Label, str]
    classes: Mapping[Label, str]
    mistakes: Mapping[Mistake, str]

    def __post_init__(self) -> None:
        for name in ("groups", "classes", "mistakes"):
            expect(getattr(self, name), f"words.{name}", Mapping)
            phrases = {
                of: checked_phrase(phrase, f"words.{name}[{shown(of)}]") for of, phrase in getattr(self, name).items()
            }
            object.__setattr__(self, name, MappingProxyType(phrases))

    def __reduce__(self) -> tuple[Callable[[], Phrases], tuple[()]]:
        """Be pickled and copied as dictionaries: a view of one cannot be."""
        kept = {name: dict(getattr(self, name)) for name in ("groups", "classes", "mistakes")}
        return partial(Phrases, **kept), ()

    @classmethod
    def plain(cls, setting: Setting) -> Phrases:
        """Make phrases of the names of a setting.

        >>> setting = Setting(["no", "yes"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
        >>> Phrases.plain(setting).mistakes["yes", "no"]
        'are predicted “no”'
        """
        classes = dict(zip(setting.classes, shown_names(setting.classes), strict=True))
        return cls(
            groups=dict(zip(setting.groups, shown_names(setting.groups), strict=True)),
            classes={one: f"who are “{name}”" for one, name in classes.items()},
            mistakes={
                (true, predicted): f"are predicted “{classes[predicted]}”" for true, predicted in setting.mistakes
            },
        )

    def in_order(self, setting: Setting) -> Words:
        """Return them in the order of a setting; a kind of mistake is a sentence such as "those who … are missed"."""
        self.check_complete(setting)
        return Words(
            groups=tuple(self.groups[group] for group in setting.groups),
            classes=tuple(self.classes[name] for name in setting.classes),
            mistakes=tuple(
                f"those {self.classes[true]} {self.mistakes[true, predicted]}" for true, predicted in setting.mistakes
            ),
        )

    def check_complete(self, setting: Setting) -> None:
        """Refuse words that leave out a group, a class or a mistake, or speak of others."""
        for name in ("groups", "classes", "mistakes"):
            expected, received = getattr(setting, name), getattr(self, name)
            if set(received) != set(expected):
                raise EvenhandError(
                    f"words.{name} must have words for {listed(expected)}, but has them for {listed(list(received))}"
                )
