"""A person at the terminal: shown two models, asked which they would rather deploy."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum

import numpy as np

from evenhand.elicitation.question import SKIP, Skip
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates
from evenhand.typing import RandomState
from evenhand.wording.comparison import Comparison, who_is_in_the_groups

QUESTION = "Which of these two models would you rather deploy?"


class Key(Enum):
    """What a person can press at a question: what may be typed for it (arrow keys too), and its meaning."""

    A = (("a", "1", "\x1b[D", "\x1bOD"), "prefer A")
    B = (("b", "2", "\x1b[C", "\x1bOC"), "prefer B")
    NEITHER = (("=", "n"), "can't tell")
    SKIP = (("s",), "skip")
    UNDO = (("u",), "undo")
    QUIT = (("q",), "quit and save")
    HELP = (("?", "h"), "help")

    def __init__(self, typed: tuple[str, ...], meaning: str) -> None:
        self.typed = typed
        self.meaning = meaning

    @property
    def shown(self) -> str:
        """What is shown on screen for it."""
        return self.typed[0]


def possible_keys(*, undecided: bool) -> tuple[Key, ...]:
    """Return all keys, with or without the answers that decide nothing."""
    return tuple(key for key in Key if undecided or key not in {Key.NEITHER, Key.SKIP})


def read_key(read: Callable[[], str], write: Callable[[str], object], allowed: Collection[Key]) -> Key:
    """Read until one of the allowed keys was typed; the end of the input and Ctrl-C quit, where that is allowed."""
    keys = {typed: key for key in allowed for typed in key.typed}
    while True:
        try:
            typed = read()
        except (EOFError, KeyboardInterrupt):
            if Key.QUIT in allowed:
                return Key.QUIT
            raise
        key = keys.get(typed.strip().lower(), keys.get(typed))
        if key is not None:
            return key
        possible = ", ".join(f"{key.shown} ({key.meaning})" for key in allowed)
        what = f"{typed.strip()[:20]!r} is not an answer" if typed.strip() else "Nothing was typed"
        write(f"{what}. Possible here: {possible}.")


class TerminalOracle:
    """Asks the person at the terminal, and draws for each question which of the two models is shown as A.

    For many questions, with undo and resume, use `evenhand interview`.

    Parameters
    ----------
    read
        Gets a prompt and returns what was typed, like `input`.
    write
        Shows text, like `print`.
    random_state
        Draws the sides.
    undecided
        Also offer "can't tell" and skipping, for `method="adaptive"`.

    Attributes
    ----------
    questions
        How many questions were asked so far.

    Examples
    --------
    >>> from evenhand import Setting
    >>> setting = Setting(["repays", "defaults"], ["women", "men"], [[0.5, 0.5], [0.5, 0.5]])
    >>> oracle = TerminalOracle(read=lambda prompt: "a", write=lambda text: None, random_state=0)
    >>> oracle(GroupRates.uniform(setting), GroupRates.trivial(setting, "repays")), oracle.questions
    (False, 1)
    """

    def __init__(
        self,
        *,
        read: Callable[[str], str] = input,
        write: Callable[[str], object] = print,
        random_state: RandomState = None,
        undecided: bool = False,
    ) -> None:
        self.questions = 0
        answers = {Key.A, Key.B, Key.NEITHER, Key.SKIP}
        self._allowed = tuple(key for key in possible_keys(undecided=undecided) if key in answers)
        self._read = read
        self._write = write
        self._rng = np.random.default_rng(random_state)

    def __call__(self, first: GroupRates, second: GroupRates) -> bool | Skip | None:
        """Say whether the person prefers the first; None is "can't tell"."""
        self.questions += 1
        first_is_a = bool(self._rng.random() < 0.5)
        a, b = (first, second) if first_is_a else (second, first)
        if self.questions == 1:
            self._write("\n".join(who_is_in_the_groups(first.setting)))
        self._write(f"\nQuestion {self.questions}. {QUESTION}\n{Comparison.of(a, b)}")
        try:
            keys = " or ".join([", ".join(key.shown for key in self._allowed[:-1]), self._allowed[-1].shown])
            key = read_key(lambda: self._read(f"{keys}? "), self._write, self._allowed)
        except EOFError as error:
            raise EvenhandError(
                f"the input ended before question {self.questions} was answered: use `evenhand interview` for an "
                "interview that can be resumed"
            ) from error
        if key is Key.NEITHER:
            return None
        return SKIP if key is Key.SKIP else (key is Key.A) == first_is_a
