"""How far an interview is, in words: of a total that is known before, or of one that moves with the answers."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from evenhand.elicitation import Method, Question
from evenhand.report.terminal.bars import bar
from evenhand.report.terminal.screen import BAR, FAINT

PARTS = {
    "misclassification": "mistakes",
    "violation": "gaps between groups",
    "trade_off": "the trade-off",
}


@dataclass(frozen=True)
class Progress:
    """How many questions are answered, and how many are left, the present one included."""

    answered: int
    left: int
    part: str
    about: bool

    @classmethod
    def of(cls, method: Method, answered: int, question: Question | None) -> Progress:
        """Count what is left, as the question says it."""
        left, part = (0, "") if question is None else (question.left or 1, question.part)
        return cls(answered, left, part, about=not method.exact_length)

    @property
    def total(self) -> int:
        """How many questions there are in all."""
        return self.answered + self.left

    def line(self) -> Text:
        """Say it above a question, such as "question 12 of 70 · part 1 of 3: mistakes"."""
        text = Text(bar(self.answered / self.total, 20).rstrip(), style=BAR)
        text.append("·" * (20 - len(text)), FAINT)
        return text.append(f" question {self.answered + 1} {self._where()}", "default")

    def _where(self) -> str:
        if self.about:
            return "· perhaps the last" if self.left == 1 else f"· about {self.left} left"
        part = list(PARTS).index(self.part) + 1 if self.part in PARTS else None
        return f"of {self.total}" + (f" · part {part} of {len(PARTS)}: {PARTS[self.part]}" if part else "")

    def answers(self) -> str:
        """Say it where answers were saved: "2 of 70 answers are"."""
        of = "" if self.about else f" of {self.total}"
        return f"{self.answered}{of} answer{' is' if self.about and self.answered == 1 else 's are'}"

    def welcome(self) -> str:
        """Say it to a person who comes back."""
        if not self.about:
            return f"Welcome back: {self.answered} of {self.total} questions are answered."
        left = "Perhaps one question is" if self.left == 1 else f"About {self.left} questions are"
        return f"Welcome back: {self.answers()} kept. {left} left."
