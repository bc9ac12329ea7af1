"""The first line of a file of answers: what the interview is about, so that it can be resumed without options."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.study.kinds import AnyPlan, Kind, check_kept, kind_of, make_plan, option_names

FORMAT = "evenhand.interview"
VERSION = 1

_LARGEST_SEED = 2**32


@dataclass(frozen=True, eq=False, kw_only=True)
class Header:
    """The plan of an interview, the seed that draws what is left to chance in it, and the evenhand that began it."""

    plan: AnyPlan
    seed: int = field(default_factory=lambda: secrets.randbelow(_LARGEST_SEED))
    evenhand: str = field(default_factory=lambda: version("evenhand"))

    def __post_init__(self) -> None:
        check_kept(self.plan)
        object.__setattr__(self, "plan", self.kind.seeded(self.seed))
        for name in (*self.plan.setting.classes, *self.plan.setting.groups):
            if not _is_unicode(str(name)):
                raise EvenhandError(f"the name {name!r} is not valid text (UTF-8), so it cannot be kept: give another")

    @property
    def kind(self) -> Kind:
        """What is done with such a plan."""
        return kind_of(self.plan)

    def to_document(self) -> dict[str, Any]:
        """Return the header as JSON would hold it."""
        setting = self.plan.setting
        return {
            "format": FORMAT,
            "version": VERSION,
            "evenhand": self.evenhand,
            "setting": {
                "classes": list(setting.classes),
                "groups": list(setting.groups),
                "prevalence": setting.prevalence.tolist(),
            },
            "options": self.kind.options(),
            "seed": self.seed,
        }

    @classmethod
    def from_document(cls, document: Any) -> Header:
        """Read a header back, or say why this is none."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise EvenhandError(f'this is not a file of answers: its first line has no "format": "{FORMAT}"')
        if document.get("version") != VERSION:
            raise EvenhandError(
                f"this file of answers has version {document.get('version')!r}, but this evenhand reads version "
                f"{VERSION}: use the evenhand that wrote it, or a newer one"
            )
        setting = _fields(document, "setting", ("classes", "groups", "prevalence"))
        given = document.get("options")
        method = given.get("method") if isinstance(given, dict) else None
        options = _fields(document, "options", option_names(method), since_later=("cuts",))
        seed = document.get("seed")
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < _LARGEST_SEED:
            raise EvenhandError(f'its "seed" must be a whole number from 0 to {_LARGEST_SEED - 1}, but is {seed!r}')
        if not isinstance(options["equal_pairs"], bool):
            raise EvenhandError(f'its "equal_pairs" must be true or false, but is {options["equal_pairs"]!r}')
        try:
            plan = make_plan(Setting(*setting.values()), options)
        except (TypeError, OverflowError) as error:
            raise EvenhandError(f"its setting and options make no interview: {error}") from error
        return cls(plan=plan, seed=seed, evenhand=str(document.get("evenhand")))


def _fields(
    document: dict[str, Any], name: str, expected: tuple[str, ...], *, since_later: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return exactly the expected fields, in their order; those that older files lack are None there."""
    found = document.get(name)
    if isinstance(found, dict):
        found = {field: None for field in since_later if field in expected} | found
    if not isinstance(found, dict) or set(found) != set(expected):
        listed = ", ".join(map(repr, found)) if isinstance(found, dict) else repr(found)
        raise EvenhandError(f'its "{name}" must hold {", ".join(map(repr, expected))}, but holds {listed}')
    return {key: found[key] for key in expected}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
