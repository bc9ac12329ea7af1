"""A person at the terminal: shown two models, asked which they would rather deploy."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum

import numpy as np

from evenhand.elicitation.question import SKIP, Skip
from evenhand.errors import EvenhandError
from evenhand.rates import GroupRates
from evenhand.wording.comparison import Comparison, who_is_in_the_groups

QUESTION = "Which of these two models would you rather deploy?"


class Choice(Enum):
    """What a person can do at a question: the keys for it (arrow keys too), and its words."""

    A = (("a", "1", "\x1b[D", "\x1bOD"), "prefer A")
    B = (("b", "2", "\x1b[C", "\x1bOC"), "prefer B")
    NEITHER = (("=", "n"), "can't tell")
    SKIP = (("s",), "skip")
    UNDO = (("u",), "undo")
    QUIT = (("q",), "quit and save")
    HELP = (("?", "h"), "help")

    def __init__(self, keys: tuple[str, ...], words: str) -> None:
        self.keys = keys
        self.words = words

    @property
    def key(self) -> str:
        """The key that is named on screen."""
        return self.keys[0]


def choices(*, undecided: bool) -> tuple[Choice, ...]:
    """Return all that a person can do, with or without the answers that decide nothing."""
    return tuple(choice for choice in Choice if undecided or choice not in {Choice.NEITHER, Choice.SKIP})


def choose(read: Callable[[], str], write: Callable[[str], object], allowed: Collection[Choice]) -> Choice:
    """Read until it is one of the allowed choices; the end of the input and Ctrl-C quit, where that is allowed."""
    keys = {key: choice for choice in allowed for key in choice.keys}
    while True:
        try:
            typed = read()
        except (EOFError, KeyboardInterrupt):
            if Choice.QUIT in allowed:
                return Choice.QUIT
            raise
        choice = keys.get(typed.strip().lower(), keys.get(typed))
        if choice is not None:
            return choice
        possible = ", ".join(f"{choice.key} ({choice.words})" for choice in allowed)
        what = f"{typed.strip()[:20]!r} is not an answer" if typed.strip() else "Nothing was typed"
        write(f"{what}. Possible here: {possible}.")


class TerminalOracle:
    """Asks whoever sits at the terminal; which of the two models is shown as A is drawn anew each time.

    An interview of many questions that can be undone, left and resumed is `evenhand interview`.

    Parameters
    ----------
    read
        Gets a prompt and returns what was typed, like `input`.
    write
        Shows text, like `print`.
    random_state
        Draws the sides.
    undecided
        Offer "can't tell" and skipping too, for `method="adaptive"`.

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
        random_state: int | np.random.Generator | None = None,
        undecided: bool = False,
    ) -> None:
        self.questions = 0
        answers = {Choice.A, Choice.B, Choice.NEITHER, Choice.SKIP}
        self._allowed = tuple(choice for choice in choices(undecided=undecided) if choice in answers)
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
            keys = " or ".join([", ".join(choice.key for choice in self._allowed[:-1]), self._allowed[-1].key])
            choice = choose(lambda: self._read(f"{keys}? "), self._write, self._allowed)
        except EOFError as error:
            raise EvenhandError(
                f"the input ended before question {self.questions} was answered: an interview that can be left and "
                "resumed is `evenhand interview`"
            ) from error
        if choice is Choice.NEITHER:
            return None
        return SKIP if choice is Choice.SKIP else (choice is Choice.A) == first_is_a
