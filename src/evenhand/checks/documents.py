"""JSON documents that evenhand wrote, read back with care: nothing missing, nothing extra, nothing said twice."""

from __future__ import annotations

import json
from typing import Any

from evenhand.checks.messages import listed, shown
from evenhand.checks.nesting import loads
from evenhand.errors import EvenhandError


def write_document(form: str, version: int, fields: dict[str, Any]) -> str:
    """Return a JSON document that says what it is."""
    return json.dumps({"format": form, "version": version, **fields}, ensure_ascii=False, allow_nan=False)


def read_document(text: str, what: str, form: str, version: int, names: tuple[str, ...]) -> list[Any]:
    """Return the fields of a document in the order of their names, or say why this is not `what` it should be."""
    try:
        document = loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except (TypeError, ValueError) as error:
        raise EvenhandError(f"this is not a {what}, nor any JSON document: {error}") from error
    if not isinstance(document, dict) or document.get("format") != form:
        raise EvenhandError(f'this JSON document is not a {what}: its "format" is not "{form}"')
    written = document.get("version")
    if written != version or type(written) is not int:
        raise EvenhandError(
            f"this {what} has version {shown(written)}, but this evenhand reads version {version}: "
            "use the evenhand that wrote it, or a newer one"
        )
    missing = [name for name in names if name not in document]
    if missing:
        raise EvenhandError(f"this {what} lacks {', '.join(missing)}")
    unknown = sorted(set(document) - {"format", "version", *names})
    if unknown:
        raise EvenhandError(f"this {what} has fields that version {version} has not: {listed(unknown)}")
    return [document[name] for name in names]


def _without_repeats(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(fields)
    if len(document) < len(fields):
        raise ValueError(f"a field is given twice, of {listed([name for name, _ in fields])}")
    return document


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not a number that JSON knows")
