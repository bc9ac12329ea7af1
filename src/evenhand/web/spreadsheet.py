"""CSV for spreadsheets, which run what begins like a formula: names that people chose do not."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_BEGINS_A_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")  # the wide ones, too, where people write with these


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a table as CSV; no text in it is taken for a formula.

    >>> csv_text(["label"], [["=1+1"]])
    "label\r\n'=1+1\r\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(_cell, head))
    writer.writerows([map(_cell, row) for row in rows])
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and (value[:1] in {"\t", "\r"} or value.lstrip()[:1] in _BEGINS_A_FORMULA):
        return f"'{value}"
    return value
