"""Tables for spreadsheets: no text in them is run."""

from __future__ import annotations

import csv
import io

import pytest

from evenhand.web.spreadsheet import csv_text


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1+1", "＋1", "－1", "＠SUM(A1)"]
)
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    rows = list(csv.reader(io.StringIO(csv_text([text], [[text, -1.5]]), newline="")))
    assert rows == [[f"'{text}"], [f"'{text}", "-1.5"]]


def test_other_text_stays_as_it_is() -> None:
    assert csv_text(["a"], [["board 1"], ["x=1"], ['"quoted", too']]) == 'a\r\nboard 1\r\nx=1\r\n"""quoted"", too"\r\n'
