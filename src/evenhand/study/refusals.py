"""Why the store refuses a request: a sentence for each reason, and what the person can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    from evenhand.study.interview import GivenAnswer


class Refusal(EvenhandError):  # noqa: N818  # "refused" is what happened; nothing is wrong with the program
    """A request that the store refuses; `hint` says what to do instead."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class UnknownStudyError(Refusal):
    """There is no such study."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no study {slug!r:.60} here.", "Check the address.")


class UnknownInterviewError(Refusal):
    """There is no such interview."""

    def __init__(self) -> None:
        super().__init__("There is no interview at this address.", "Check that the whole address was copied.")


class UnknownInvitationError(Refusal):
    """There is no such invitation."""

    def __init__(self, study: str) -> None:
        super().__init__(f"The study {study!r:.60} has no such invitation.", "List its invitations.")


class ChangedError(Refusal):
    """A new version of a study was made from one that is not the newest any more."""

    def __init__(self, study: str) -> None:
        super().__init__(f"The study {study!r:.60} was changed meanwhile.", "Look at it, and publish once more.")


KEPT = "What was answered is kept."


class NotAdmittedError(Refusal):
    """A study or a link that does not let this person begin, or go on, now."""


class ClosedError(NotAdmittedError):
    """The study is closed."""

    def __init__(self) -> None:
        super().__init__("This study is closed.", f"{KEPT} The people who invited you can open it again.")


class ByInvitationError(NotAdmittedError):
    """The study is for invited people."""

    def __init__(self) -> None:
        super().__init__("This study is by invitation.", "Open the link in your invitation.")


class FullError(NotAdmittedError):
    """All places of an open link are taken."""

    def __init__(self) -> None:
        super().__init__(
            "As many people as this link admits have begun already.", "Ask the people who gave you the link."
        )


class RevokedError(NotAdmittedError):
    """The invitation was revoked."""

    def __init__(self) -> None:
        super().__init__("This invitation was taken back.", f"{KEPT} Ask the people who invited you.")


class ExpiredError(NotAdmittedError):
    """The invitation has expired."""

    def __init__(self) -> None:
        super().__init__("This invitation has expired.", f"{KEPT} Ask the people who invited you for a new one.")


class NotToldError(Refusal):
    """The study keeps names, and the person was not told so."""

    def __init__(self) -> None:
        super().__init__("This study keeps names, which people are told before they begin.", "Tell the person first.")


class WithdrawnError(Refusal):
    """The person has withdrawn, and nothing that they said is there any more."""

    def __init__(self) -> None:
        super().__init__(
            "This interview was withdrawn: its answers are erased.", "You need not do anything. Thank you for coming."
        )


class AnswerConflictError(Refusal):
    """Another answer to this question is stored."""

    def __init__(self, stored: GivenAnswer, choice: str) -> None:
        why = ", with another reason" if stored.choice == choice and stored.why is not None else ""
        super().__init__(
            f"Question {stored.n} is already answered: “{stored.choice}”{why}. Your new answer was not stored.",
            "To change the answer, undo it first.",
        )
        self.stored = stored


class OutOfOrderError(Refusal):
    """Another question is the one to be answered, or to be undone, now."""


class NotSavedError(Refusal):
    """The store could not be written, or it is not known whether it was."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"This could not be saved: {reason}.",
            "Send it again in a moment. Nothing is counted twice.",
        )
        self.reason = reason


class UnreachableError(Refusal):
    """The store could not be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The answers cannot be reached just now: {reason}.", "Try again in a moment.")
        self.reason = reason


class BusyError(NotSavedError):
    """More people answer just now than there is time for."""

    def __init__(self) -> None:
        super().__init__("many people are answering just now")


class DamagedError(Refusal):
    """What is stored cannot be read: it was changed after it was written."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "Tell the person who runs this study: `evenhand doctor` says more.")
