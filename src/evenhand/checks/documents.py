"""JSON documents: a format has a name, a version and fields, and reads back what any version of it wrote.

Nothing is dropped in silence: a field that is missing, unknown or given twice is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from evenhand.checks.messages import listed, shown
from evenhand.checks.nesting import loads
from evenhand.errors import EvenhandError

Fields = dict[str, Any]
Upgrade = Callable[[Fields], Fields]


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of JSON document.

    Parameters
    ----------
    name
        What a document says that it is: "evenhand.metric".
    what
        What messages call it: "metric".
    fields
        The fields of the newest version.
    version
        The newest version, which is written.
    upgrades
        For each earlier version, how its fields become those of the next one.

    Examples
    --------
    >>> point = Format(name="example.point", what="point", fields=("x", "y"))
    >>> point.write(x=1, y=2)
    {'format': 'example.point', 'version': 1, 'x': 1, 'y': 2}
    >>> point.from_json(point.to_json(x=1, y=2))
    {'x': 1, 'y': 2}
    """

    name: str
    what: str
    fields: tuple[str, ...]
    version: int = 1
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if list(self.upgrades) != list(range(1, self.version)):
            raise TypeError(f"{self.name} must say how each version before {self.version} becomes the next")

    def write(self, **fields: Any) -> Fields:
        """Return a document of the newest version; it must be given every field, and no other."""
        if set(fields) != set(self.fields):
            raise TypeError(f"{self.name} has the fields {listed(self.fields)}, but received {listed(list(fields))}")
        return {"format": self.name, "version": self.version} | {name: fields[name] for name in self.fields}

    def read(self, document: object) -> Fields:
        """Return the fields of a document as the newest version has them, or say why it is not one of these."""
        if not self.is_format_of(document):
            raise EvenhandError(f'this JSON document is not {self._a}: its "format" is not "{self.name}"')
        fields = {name: value for name, value in document.items() if name != "format"}  # type: ignore[attr-defined]
        version = fields.pop("version", None)
        if type(version) is not int or not 1 <= version <= self.version:
            known = "version 1" if self.version == 1 else f"versions 1 to {self.version}"
            raise EvenhandError(
                f"this {self.what} has version {shown(version)}, but this evenhand reads {known}: use a newer evenhand"
            )
        for earlier in range(version, self.version):
            try:
                fields = self.upgrades[earlier](fields)
            except (KeyError, TypeError, ValueError) as error:
                raise EvenhandError(f"this {self.what} of version {version} is not complete: {error!r:.200}") from error
        return checked_fields(fields, f"this {self.what}", self.fields)

    def to_json(self, **fields: Any) -> str:
        """Return a document as text."""
        return json.dumps(self.write(**fields), ensure_ascii=False, allow_nan=False)

    def from_json(self, text: str | bytes) -> Fields:
        """Return the fields of a document from its text."""
        try:
            document = parsed(text)
        except (TypeError, ValueError) as error:
            raise EvenhandError(f"this is not {self._a}, nor any JSON document: {error}") from error
        return self.read(document)

    def is_format_of(self, document: object) -> bool:
        """Whether a document says that it has this format."""
        return isinstance(document, dict) and document.get("format") == self.name

    @property
    def _a(self) -> str:
        return f"{'an' if self.what[0] in 'aeiou' else 'a'} {self.what}"


def parsed(text: str | bytes) -> Any:
    """Parse a JSON document, and refuse a field that is given twice and the numbers that JSON does not know."""
    return loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)


def checked_fields(value: object, what: str, names: Collection[str]) -> Fields:
    """Return a JSON object that has exactly these fields, or say which ones it lacks or has besides."""
    if not isinstance(value, dict):
        raise EvenhandError(f"{what} must be a JSON object, but is {shown(value)}")
    missing = [name for name in names if name not in value]
    if missing:
        raise EvenhandError(f"{what} lacks {listed(missing)}")
    unknown = sorted(set(value) - set(names))
    if unknown:
        raise EvenhandError(f"{what} has fields that it should not have: {listed(unknown)}")
    return value


def checked_time(value: object) -> str:
    """Return a time in ISO 8601."""
    try:
        datetime.fromisoformat(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise EvenhandError(
            f"a time must be in ISO 8601, such as 2025-01-01T09:30:00.000+00:00, but received {shown(value)}"
        ) from error
    return str(value)


def _without_repeats(fields: list[tuple[str, Any]]) -> Fields:
    document = dict(fields)
    if len(document) < len(fields):
        raise ValueError(f"a field is given twice, of {listed([name for name, _ in fields])}")
    return document


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not a number that JSON knows")
