"""The first line of an interview's file: what the interview is about, so that it can be resumed without options."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from evenhand.checks.arrays import whole_number
from evenhand.checks.documents import Format, checked_time
from evenhand.checks.messages import expect
from evenhand.elicitation.methods import Method
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.study.interview import LARGEST_SEED, InterviewState, new_seed
from evenhand.study.log.events import BEGUN, Event, now
from evenhand.study.methods import check_kept, method_document, read_method
from evenhand.study.study import Study

INTERVIEW_FORMAT = Format(
    name="evenhand.interview",
    what="interview",
    fields=("evenhand", "setting", "method", "study", "seed", "time"),
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Header:
    """The method of an interview, the seed of what is left to chance, and the version of evenhand that began it.

    Where the interview is about models of one's own, `study` has them and the words for them, and the method is its
    method.
    """

    method: Method
    study: Study | None = None
    seed: int = field(default_factory=new_seed)
    evenhand: str = field(default_factory=lambda: version("evenhand"))
    time: str = field(default_factory=now)

    def __post_init__(self) -> None:
        if self.study is None:
            check_kept(self.method)
        elif self.method is not self.study.method:
            raise EvenhandError("an interview about a study asks by the study's own method: give that one")
        for name in (*self.method.setting.classes, *self.method.setting.groups):
            if not _is_unicode(str(name)):
                raise EvenhandError(f"the name {name!r} is not valid text (UTF-8), so it cannot be kept: give another")

    @classmethod
    def about(cls, study: Study) -> Header:
        """Return the header of a new interview about a study's models."""
        return cls(method=study.method, study=study)

    @property
    def begun(self) -> InterviewState:
        """The interview before its first question."""
        return InterviewState(method=self.method, seed=self.seed)

    @property
    def event(self) -> Event:
        """The event that began the interview."""
        return Event(study="", kind=BEGUN, detail=json.dumps(self.to_document()), time=self.time)

    def to_document(self) -> dict[str, Any]:
        """Return the header as JSON holds it."""
        return INTERVIEW_FORMAT.write(
            evenhand=self.evenhand,
            setting=None if self.study else self.method.setting.to_document(),
            method=None if self.study else method_document(self.method),
            study=None if self.study is None else self.study.to_document(),
            seed=self.seed,
            time=self.time,
        )

    @classmethod
    def from_document(cls, document: object) -> Header:
        """Read a header back, or say what is wrong with it."""
        fields = INTERVIEW_FORMAT.read(document)
        seed = whole_number(fields["seed"], "seed", 0)
        if seed >= LARGEST_SEED:
            raise EvenhandError(f"seed must be less than {LARGEST_SEED}, but received {seed}")
        expect(fields["evenhand"], "evenhand", str)
        study = None if fields["study"] is None else Study.from_document(fields["study"])
        if study is None:
            method = read_method(fields["method"], Setting.from_document(fields["setting"]))
        else:
            for name in ("setting", "method"):
                expect(fields[name], f"{name}, which is the study's,", type(None))
            method = study.method
        return cls(
            method=method,
            study=study,
            seed=seed,
            evenhand=fields["evenhand"],
            time=checked_time(fields["time"]),
        )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
