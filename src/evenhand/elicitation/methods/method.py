"""What a method is, and the register of all methods by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from evenhand.checks.messages import expect, listed, shown
from evenhand.elicitation.finding import Finding
from evenhand.elicitation.procedure import step
from evenhand.elicitation.question import DECIDED, STORED, History, Procedure, Question
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.region import FeasibleRegion

NOT_KEPT: Mapping[str, Any] = {"kept": False}
"""The metadata of an option that a log does not keep with the others: `field(default=None, metadata=NOT_KEPT)`."""


class Reached(NamedTuple):
    """What an interview has come to, and what was learned so far as bytes, for a method that can go on from there."""

    outcome: Question | Finding
    snapshot: bytes | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Method(ABC):
    """A way to ask, with its options checked. It holds no seed: one object serves everybody who takes a study.

    A method is a frozen dataclass whose fields are its options; `register` makes it known by its `name`.

    Examples
    --------
    >>> from evenhand import Paper, Setting
    >>> method = Paper(setting=Setting.random(2, 2, 0), tolerance=0.1)
    >>> isinstance(method, Method), method.name, method.most_questions
    (True, 'paper', 214)
    """

    setting: Setting

    name: ClassVar[str]
    undecided: ClassVar[bool] = False
    """Whether "can't tell" (None) and `SKIP` are answers too."""
    draws_sides: ClassVar[bool] = False
    """Whether the procedure itself draws which of a pair comes first."""
    exact_length: ClassVar[bool] = True
    """Whether `left` of its questions is exact, and not an estimate."""

    def __post_init__(self) -> None:
        """Check the options; a subclass that has some of its own extends this."""
        expect(self.setting, "setting", Setting)
        if isinstance(region := getattr(self, "region", None), Mapping):  # as JSON holds it
            self.keep(region=FeasibleRegion.from_document(region))

    @abstractmethod
    def procedure(self, history: History = (), *, seed: int | None = None) -> Procedure[Finding]:
        """Return a procedure that goes on where a history ends; each of its questions says how many are `left`.

        `HistoryError` names an entry that cannot be part of the history. With the same seed, the same answers lead to
        the same questions.
        """

    def reached(self, history: History, *, seed: int | None = None, snapshot: bytes | None = None) -> Reached:  # noqa: ARG002
        """Return what comes after a history: the next question, or the finding.

        `snapshot` is what this returned for all but the last entry, with the same seed; with it or without, the outcome
        is the same. A method whose replay is costly overrides this.
        """
        return Reached(step(self.procedure(history, seed=seed)))

    def finding_after(self, history: History, *, seed: int | None = None) -> Finding | None:  # noqa: ARG002
        """Return what the answers say if they are the last, or None where this cannot be said."""
        return None

    def check_asked(self, history: History) -> None:  # noqa: B027  # a search refuses it itself
        """Refuse a history with a question that this method never asks, where `procedure` would learn from it."""

    def questions_by_part(self) -> dict[str, int]:
        """Return how many questions will be asked about each part of the metric, where this is known beforehand."""
        return {}

    @property
    def most_questions(self) -> int | None:
        """How many questions will be asked at most, where this is known beforehand."""
        return sum(self.questions_by_part().values()) or None

    def explanation(self) -> tuple[str, ...]:
        """Return sentences for a person at a screen: what an answer does, and then which options change the length."""
        return ()

    def options(self) -> dict[str, Any]:
        """Return the options that are kept with the answers, as JSON holds them."""
        return {name: _plain(getattr(self, name)) for name in self.kept_options()}

    def not_kept(self) -> tuple[str, ...]:
        """Return which options were given that are not kept with the answers."""
        others = (name for name in self.option_names() if name not in self.kept_options())
        return tuple(name for name in others if getattr(self, name))  # not None, and not an empty mapping

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """Return the names of all options."""
        return tuple(one.name for one in fields(cls) if one.name != "setting")

    @classmethod
    def kept_options(cls) -> tuple[str, ...]:
        """Return the names of the options that are kept with the answers."""
        return tuple(one.name for one in fields(cls) if one.name != "setting" and one.metadata.get("kept", True))

    @classmethod
    def for_people(cls, setting: Setting) -> dict[str, Any]:  # noqa: ARG003
        """Return the options that suit a person at a screen."""
        return {}

    def with_options(self, **options: Any) -> Self:
        """Return the same method with other options."""
        _check_options(options, type(self))
        return replace(self, **options)

    def keep(self, **options: Any) -> None:
        """Keep options as they were checked, for use in `__post_init__`: what was given may be changed later."""
        for name, value in options.items():
            object.__setattr__(self, name, value)

    @property
    def answers(self) -> tuple[str, ...]:
        """The words of all answers that it takes, as they are stored."""
        return tuple(STORED) if self.undecided else DECIDED


def keep_as_arrays(method: Method, *options: str) -> None:
    """Keep options that were checked to be numbers as arrays of their own."""
    for name in options:
        if (value := getattr(method, name)) is not None:
            array = np.array(value, dtype=np.float64)
            array.flags.writeable = False
            method.keep(**{name: array})


_METHODS: dict[str, type[Method]] = {}
M = TypeVar("M", bound=type[Method])


def register(method: M) -> M:
    """Make a method known by its name; for use as a class decorator.

    A class that is defined again, as when a cell of a notebook is run again, takes the place of the earlier one.
    """
    name = getattr(method, "name", None)
    if not isinstance(name, str):
        raise EvenhandError(f'a method needs a name: write name = "…" in the class {method.__qualname__}')
    known = _METHODS.get(name)
    if known is not None and (known.__module__, known.__qualname__) != (method.__module__, method.__qualname__):
        raise EvenhandError(f"there is a method {shown(name)} already: give this one another name")
    _METHODS[name] = method
    return method


def names() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def method_named(name: object) -> type[Method]:
    """Return the method of that name."""
    if not (isinstance(name, str) and name in _METHODS):
        raise EvenhandError(
            f"method must be one of {listed(names())}, but received {shown(name)}: "
            "take one of these, or first import the package that adds it"
        )
    return _METHODS[name]


def make(name: object, setting: Setting, options: Mapping[str, Any]) -> Method:
    """Return the method of that name with these options; an option that it does not have is refused."""
    method = method_named(name)
    _check_options(options, method)
    return method(setting=setting, **options)


def _check_options(options: Mapping[str, Any], method: type[Method]) -> None:
    for option in options:
        if option not in method.option_names():
            raise EvenhandError(_unknown(option, method))


def _unknown(option: str, method: type[Method]) -> str:
    """Say that a method does not have an option, and which method has it."""
    having = [f"method={name!r}" for name, other in _METHODS.items() if option in other.option_names()]
    close = get_close_matches(option, method.option_names(), n=1)
    if having:
        advice = f"leave it out, or take {' or '.join(having)}"
    elif close:
        advice = f"did you mean {shown(close[0])}?"
    else:
        advice = f"it has {listed(method.option_names()) or 'none'}"
    return f"method={method.name!r} has no option {shown(option)}: {advice}"


def _plain(value: Any) -> Any:
    """Return an option as JSON holds it."""
    if isinstance(value, FeasibleRegion) and value.in_cells:  # one with rows is not kept, and stays as it is
        return value.to_document()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, list | tuple | set | frozenset) else value
