"""A file that cannot be read gets a message that names the line and the column."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import EvenhandError
from evenhand.rates.files import Columns, open_file
from evenhand.rates.separated import LONGEST_LINE, check_text, separator_of

COLUMNS = Columns("repaid", ["model_*"], ["sex"], None)
ROWS = [["id", "sex", "repaid", "model_a", "model_b"]] + [
    [str(n), "fm"[n % 2], str(n // 2 % 2), str(n // 2 % 2), str(n // 3 % 2)] for n in range(60)
]


def written(folder: Path, change: Callable[[list[list[str]]], object] = lambda _: None, *, by: str = ",") -> Path:
    rows = [list(row) for row in ROWS]
    change(rows)
    file = folder / "predictions.csv"
    file.write_text("\n".join(by.join(row) for row in rows) + "\n")
    return file


def cell(row: int, column: int, value: str) -> Callable[[list[list[str]]], object]:
    return lambda rows: rows[row].__setitem__(column, value)


@pytest.mark.parametrize("by", [",", ";", "\t", "|"])
def test_whatever_separates_the_values_the_counts_are_the_same(tmp_path: Path, by: str) -> None:
    file = written(tmp_path, by=by)
    assert separator_of(file) == by
    (tmp_path / "of").mkdir()
    assert COLUMNS.rates([file]) == COLUMNS.rates([written(tmp_path / "of")])


def test_a_separator_in_a_quoted_name_is_part_of_the_name(tmp_path: Path) -> None:
    file = written(tmp_path, cell(0, 0, '"a;b;c;d;e;f;g"'))
    assert separator_of(file) == ","
    assert open_file(file, lambda _: False).collect_schema().names()[0] == "a;b;c;d;e;f;g"


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    file = written(tmp_path)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert open_file(file, lambda _: False).collect_schema().names()[0] == "id"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            cell(17, 3, ""),
            "'model_a' is missing (None) in 1 row: fill or drop them; first in line 18, where 'model_a' is",
        ),
        (cell(33, 4, "maybe"), "first in line 34, where 'model_b' is 'maybe'"),
        (cell(33, 2, "n/a"), "first in line 34, where 'repaid' is 'n/a'"),
        (cell(5, 4, "7"), "'model_b' has 7 in 1 row, but the classes are 0, 1; first in line 6, where 'model_b' is 7"),
        (lambda rows: rows[21].append("9"), "line 22 has 6 values, but the first line names 5 columns"),
        (lambda rows: rows[21].pop(), "first in line 22, where 'model_b' is missing"),
        (cell(12, 1, '"f'), "a quotation mark in line 13 is not closed"),
        (cell(12, 1, "f\0"), "line 13, column 'sex', has a byte that is zero"),
        (cell(0, 4, "model_a"), "more than one column called 'model_a'"),
        (cell(3, 1, "x" * (LONGEST_LINE + 1)), "a line of more than 1,000,000 characters, line 4:"),
        (cell(0, 1, "x" * (LONGEST_LINE + 1)), "a line of more than 1,000,000 characters, line 1:"),
        (lambda rows: rows.__delitem__(slice(1, None)), "there are no rows to count"),
        (lambda rows: rows.__delitem__(slice(4, None)), "has no people of true class"),
        (lambda rows: [row.__setitem__(1, "f") for row in rows[1:]], "at least two groups are needed"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_column(
    tmp_path: Path, change: Callable[[list[list[str]]], object], told: str
) -> None:
    with pytest.raises(EvenhandError) as error:
        COLUMNS.rates([written(tmp_path, change)])
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("columns", "change"),
    [
        (COLUMNS, lambda rows: [row.__setitem__(1, "f") for row in rows[1:]]),
        (COLUMNS, lambda rows: [row.__setitem__(2, "1") for row in rows[1:]]),
        (Columns("id", ["sex", "model_*"], ["repaid"], None), lambda _: None),
    ],
    ids=["one group", "one class", "columns that were taken for others"],
)
def test_an_error_that_is_not_one_of_a_row_names_none(
    tmp_path: Path, columns: Columns, change: Callable[[list[list[str]]], object]
) -> None:
    with pytest.raises(EvenhandError) as error:
        columns.rates([written(tmp_path, change)])
    assert "first in line" not in str(error.value)


@pytest.mark.parametrize("before", [0, 1 << 20, (1 << 20) - 1, (1 << 20) - 2, 3 << 20])
def test_a_byte_that_is_not_utf_8_is_found_wherever_it_is(tmp_path: Path, before: int) -> None:
    file = tmp_path / "predictions.csv"
    start = b"sex,repaid\n"
    lines = (before - len(start)) // 4 if before else 0
    file.write_bytes(start + b"f,1\n" * lines + "ä,1\n".encode() + b"f,\xe9\n" + b"f,1\n" * 9)
    with pytest.raises(EvenhandError, match=rf"not in UTF-8: line {lines + 3}, column 'repaid', has the byte 0xe9"):
        check_text(file)


def test_a_file_that_ends_in_the_middle_of_a_character_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    file.write_bytes("sex,repaid\nä".encode()[:-1])
    with pytest.raises(EvenhandError, match="ends in the middle of a character"):
        check_text(file)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\x03\x04" + bytes(range(256)), "is a spreadsheet or an archive: open it, and save it as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is a spreadsheet"),
        ("sex,repaid\n".encode("utf-16"), "is in UTF-16: save it in UTF-8"),
        ("sex,repaid\n".encode("utf-32"), "is in UTF-32: save it in UTF-8"),
        (b"PAR1....", "let its name end in .parquet"),
        (b"%PDF-1.7", "is a PDF"),
        (b"", "cannot be read"),
        (b"sex,repaid\rf,1\rm,0\r", "has lines that end with CR alone, after line 1 already: save it"),
    ],
)
def test_a_file_of_another_kind_says_of_which(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "predictions.csv"
    file.write_bytes(content)
    with pytest.raises(EvenhandError, match=told):
        COLUMNS.rates([file])


def test_in_parquet_the_row_is_named(tmp_path: Path) -> None:
    file = tmp_path / "predictions.parquet"
    table = pl.DataFrame({"sex": ["f", "m"] * 4, "repaid": [0, 0, 1, 1] * 2, "model_a": [1, None] * 4})
    table.write_parquet(file)
    with pytest.raises(EvenhandError, match=r"missing .* in 4 rows.*; first in row 2, where 'model_a' is missing"):
        COLUMNS.rates([file])
    table.with_columns(model_a=pl.lit([1])).write_parquet(file)
    with pytest.raises(EvenhandError, match=r"'model_a' is of type List\("):
        COLUMNS.rates([file])


@pytest.mark.parametrize("ending", ["arrow", "feather", "parquet"])
@pytest.mark.parametrize(("content", "told"), [(b"", "it is empty"), (bytes(range(256)) * 9, "is it damaged")])
def test_bytes_that_are_no_table_are_said_to_be_none(tmp_path: Path, ending: str, content: bytes, told: str) -> None:
    file = tmp_path / f"predictions.{ending}"
    file.write_bytes(content)
    with pytest.raises(EvenhandError, match=f"{ending} cannot be read: {told}"):
        COLUMNS.rates([file])


def test_a_folder_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "predictions.csv").mkdir()
    with pytest.raises(EvenhandError, match=r"predictions\.csv is a folder: name a file in it"):
        COLUMNS.rates([tmp_path / "predictions.csv"])
