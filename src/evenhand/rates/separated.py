"""Files of separated values, such as CSV: what separates them, and where such a file is wrong.

Readers of tables say that a file is wrong, and leave it to people to find the line. Here is the line.
"""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from evenhand.checks.messages import shown
from evenhand.errors import EvenhandError

LONGEST_LINE = 1_000_000
_CHUNK = 1 << 20
_SEPARATORS = (",", ";", "\t", "|")
_OTHER_KINDS = {
    b"PK\x03\x04": "a spreadsheet or an archive: open it, and save it as CSV in UTF-8",
    b"\xd0\xcf\x11\xe0": "a spreadsheet: open it, and save it as CSV in UTF-8",
    b"\xff\xfe\x00\x00": "in UTF-32: save it in UTF-8",
    b"\xff\xfe": "in UTF-16: save it in UTF-8",
    b"\xfe\xff": "in UTF-16: save it in UTF-8",
    b"PAR1": "a Parquet file: let its name end in .parquet",
    b"\x1f\x8b": "compressed: let its name end in .gz",
    b"%PDF": "a PDF: save the table as CSV",
}


def check_text(file: Path) -> None:
    """Refuse a file that is not text in UTF-8, and name the line and the column where it is not."""
    with file.open("rb") as stream:
        start = stream.read(4)
        for signature, what in _OTHER_KINDS.items():
            if start.startswith(signature):
                raise EvenhandError(f"{file} is {what}")
        stream.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        line, begun = 1, b""  # what was read of the line, which begins in this chunk or before
        while chunk := stream.read(_CHUNK):
            if line == 1 and not begun and b"\r" in chunk and b"\n" not in chunk:
                raise EvenhandError(
                    f"{file} has lines that end with CR alone, after line 1 already: save it with lines that end with "
                    "LF or CRLF"
                )
            _check_chunk(file, decoder, begun, chunk, line)
            lines = (begun + chunk).split(b"\n")
            longest = max(map(len, lines))
            if longest > LONGEST_LINE:
                number = line + list(map(len, lines)).index(longest)
                raise EvenhandError(
                    f"{file} has a line of more than {LONGEST_LINE:,} characters, line {number}: is it a table with a "
                    "line for each person?"
                )
            line, begun = line + len(lines) - 1, lines[-1]
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise EvenhandError(f"{file} ends in the middle of a character: was it copied in full?") from error


def separator_of(file: Path) -> str:
    """Return what separates the values: comma, semicolon, tab or bar, whichever is most often in the first line."""
    with file.open("rb") as stream:
        first = stream.readline(LONGEST_LINE).decode("utf-8", "replace")
    outside = "".join(first.split('"')[::2])
    return max(_SEPARATORS, key=outside.count)


def misfit(file: Path, separator: str) -> str | None:
    """Say which line has more values than the first, or opens a quotation mark that is not closed."""
    open_quote: int | None = None
    with file.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        csv.field_size_limit(LONGEST_LINE)
        reader = csv.reader(stream, delimiter=separator)
        before = columns = 0
        try:
            for row in reader:
                columns = columns or len(row)
                if len(row) > columns:
                    return f"line {before + 1} has {len(row)} values, but the first line names {columns} columns"
                if reader.line_num > before + 1:
                    open_quote = open_quote or before + 1
                before = reader.line_num
        except csv.Error:
            open_quote = open_quote or before + 1
    return None if open_quote is None else f"a quotation mark in line {open_quote} is not closed there"


def _check_chunk(file: Path, decoder: codecs.IncrementalDecoder, begun: bytes, chunk: bytes, line: int) -> None:
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError as error:
        pending = error.object[: len(error.object) - len(chunk)]  # the start of a character, from the chunk before
        at = max(0, error.start - len(pending))
        raise EvenhandError(
            f"{file} is not in UTF-8: {_place(file, begun, chunk, line, at)} has the byte {chunk[at]:#04x}; save it as "
            "CSV in UTF-8"
        ) from error
    if b"\0" in chunk:
        at = chunk.index(b"\0")
        raise EvenhandError(f"{file} is not text: {_place(file, begun, chunk, line, at)} has a byte that is zero")


def _place(file: Path, begun: bytes, chunk: bytes, line: int, at: int) -> str:
    """Return the line of a byte, and its column if the first line names it."""
    number = line + chunk.count(b"\n", 0, at)
    before = (begun + chunk[:at]).rpartition(b"\n")[2].decode("utf-8", "replace")
    if number == 1:
        return "line 1"
    separator = separator_of(file)
    with file.open("rb") as stream:
        names = _values(stream.readline(LONGEST_LINE).decode("utf-8", "replace"), separator)
    column = len(_values(before, separator)) - 1 if before else 0
    return f"line {number}, column {shown(names[column])}," if column < len(names) else f"line {number}"


def _values(line: str, separator: str) -> list[str]:
    return next(csv.reader(io.StringIO(line), delimiter=separator), [""])
