"""What went wrong, as a person or a program is told: a status, a code, a message, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evenhand.errors import EvenhandError
from evenhand.study.refusals import (
    AnswerConflictError,
    ByInvitationError,
    ChangedError,
    ClosedError,
    DamagedError,
    ExpiredError,
    FullError,
    NotSavedError,
    OutOfOrderError,
    Refusal,
    RevokedError,
    UnknownInterviewError,
    UnknownInvitationError,
    UnknownStudyError,
    UnreachableError,
    WithdrawnError,
)
from evenhand.web.drafts import UnknownDraftError
from evenhand.web.gate import NotSignedInError
from evenhand.web.tries import TooManyTriesError

SECONDS_TO_RETRY = "3"
"""After which something is worth another try, that was refused for a moment."""

STATUS: dict[type[EvenhandError], tuple[int, str]] = {
    UnknownStudyError: (404, "unknown_study"),
    UnknownInterviewError: (404, "unknown_interview"),
    UnknownInvitationError: (404, "unknown_invitation"),
    ByInvitationError: (403, "by_invitation"),
    ClosedError: (409, "closed"),
    FullError: (409, "full"),
    RevokedError: (410, "revoked"),
    ExpiredError: (410, "expired"),
    WithdrawnError: (410, "withdrawn"),
    AnswerConflictError: (409, "answer_conflict"),
    OutOfOrderError: (409, "out_of_order"),
    ChangedError: (409, "changed"),
    NotSavedError: (503, "not_saved"),
    UnreachableError: (503, "store_unreachable"),
    DamagedError: (500, "damaged"),
    UnknownDraftError: (404, "unknown_draft"),
    NotSignedInError: (401, "not_signed_in"),
    TooManyTriesError: (429, "too_many_tries"),
}


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem."""

    status: int
    code: str
    message: str
    hint: str

    @classmethod
    def of(cls, error: EvenhandError) -> Problem:
        """Return what to tell about an error of ours."""
        status, code = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), (422, "invalid"))
        hint = error.hint if isinstance(error, Refusal) else "Correct it and send it again."
        return cls(status=status, code=code, message=str(error), hint=hint)

    def to_document(self) -> dict[str, Any]:
        """Return the one shape of errors in JSON."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}
