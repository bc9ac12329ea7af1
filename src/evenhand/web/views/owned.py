"""Studies as their owner sees them: how far each has come, and each invitation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from evenhand.study.invitations import InvitationState
from evenhand.study.overview import Invitation, StudyOverview
from evenhand.wording.numerals import plural

_WORDS = {
    InvitationState.UNOPENED: "not begun",
    InvitationState.BEGUN: "answering",
    InvitationState.FINISHED: "finished",
    InvitationState.REVOKED: "revoked",
    InvitationState.EXPIRED: "expired",
    InvitationState.WITHDRAWN: "withdrawn",
}


@dataclass(frozen=True)
class StudyState:
    """One study at a glance: whether it is open, and numbers of what happened."""

    slug: str
    title: str
    closed: bool
    open_to: str
    tiles: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, study: StudyOverview) -> StudyState:
        """Put an overview into words."""
        last = "" if study.last_answer is None else f", the last one {ago(study.last_answer)}"
        tiles = [
            (study.invited, "invited"),
            (study.begun, "begun"),
            (study.finished, "finished"),
            (study.answers, f"{'answer' if study.answers == 1 else 'answers'}{last}"),
        ]
        if study.withdrawn:
            tiles.append((study.withdrawn, "withdrawn"))
        open_to = "closed" if study.closed else "open to everybody" if study.anyone else "by invitation"
        return cls(study.slug, study.title, study.closed, open_to, tuple(tiles))


@dataclass(frozen=True)
class InvitationLine:
    """One invitation: what it is called, how far its person has come, and nothing of what they answered."""

    id: str
    label: str
    state: str
    kind: str
    progress: str
    done: int
    of: int
    expires: str
    can_be_revoked: bool

    @classmethod
    def of_invitation(cls, invitation: Invitation) -> InvitationLine:
        """Put an invitation into words."""
        done, left = invitation.answers, invitation.about_left
        progress = (
            "" if not invitation.begun else f"{plural(done, 'answer')}" + (f", about {left} more" if left else "")
        )
        if not invitation.personal:
            progress = (
                f"{invitation.begun} of {plural(invitation.places, 'place')} taken, {invitation.finished} finished"
            )
            done, left = invitation.begun, invitation.places - invitation.begun
        state = _WORDS[invitation.state]
        if not invitation.personal:
            state = {"not begun": "open link", "answering": "open link"}.get(state, f"open link, {state}")
        return cls(
            id=invitation.id,
            label=invitation.label,
            state=state,
            kind=invitation.state.value,
            progress=progress,
            done=done,
            of=max(1, done + left),
            expires="" if invitation.expires is None else invitation.expires[:10],
            can_be_revoked=invitation.state
            in {InvitationState.UNOPENED, InvitationState.BEGUN, InvitationState.FINISHED},
        )


def ago(time: str) -> str:
    """Say how long ago a time was, such as "3 minutes ago"."""
    seconds = (datetime.now(UTC) - datetime.fromisoformat(time)).total_seconds()
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{plural(int(seconds // size), unit)} ago"
    return "just now"
