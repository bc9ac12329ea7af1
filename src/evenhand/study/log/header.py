"""The first line of a file of answers: what the interview is about, so that it can be resumed without options."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from evenhand.elicitation.methods import Method
from evenhand.errors import EvenhandError
from evenhand.rates import Setting
from evenhand.study.methods import check_kept, method_document, read_method

FORMAT = "evenhand.interview"
VERSION = 1

_LARGEST_SEED = 2**32


@dataclass(frozen=True, eq=False, kw_only=True)
class Header:
    """The method of an interview, the seed of what is left to chance, and the version of evenhand that began it."""

    method: Method
    seed: int = field(default_factory=lambda: secrets.randbelow(_LARGEST_SEED))
    evenhand: str = field(default_factory=lambda: version("evenhand"))

    def __post_init__(self) -> None:
        check_kept(self.method)
        for name in (*self.method.setting.classes, *self.method.setting.groups):
            if not _is_unicode(str(name)):
                raise EvenhandError(f"the name {name!r} is not valid text (UTF-8), so it cannot be kept: give another")

    def to_document(self) -> dict[str, Any]:
        """Return the header as JSON would hold it."""
        setting = self.method.setting
        return {
            "format": FORMAT,
            "version": VERSION,
            "evenhand": self.evenhand,
            "setting": {
                "classes": list(setting.classes),
                "groups": list(setting.groups),
                "prevalence": setting.prevalence.tolist(),
            },
            "method": method_document(self.method),
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
        seed = document.get("seed")
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < _LARGEST_SEED:
            raise EvenhandError(f'its "seed" must be a whole number from 0 to {_LARGEST_SEED - 1}, but is {seed!r}')
        try:
            of = Setting(*setting.values())
        except TypeError as error:
            raise EvenhandError(f"its setting is none: {error}") from error
        return cls(method=read_method(document.get("method"), of), seed=seed, evenhand=str(document.get("evenhand")))


def _fields(document: dict[str, Any], name: str, expected: tuple[str, ...]) -> dict[str, Any]:
    """Return exactly the expected fields, in their order."""
    found = document.get(name)
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
