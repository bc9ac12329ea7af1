"""Reads raw files of data sets and verifies their checksums. The files are never part of the repository."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import zlib
from pathlib import Path

import numpy as np

from evenhand.errors import EvenhandError
from evenhand.experiments.datasets.dataset import Texts

SHA256 = {
    "adult": "383df733254ada9a576a11c0cd49b3d3aa6238818e2b7e1ceaad6c468d9cc64c",
    "default": "c1f0ef10321f9b21b71339e51443f7ac8630674fb300d019786ffaba17114110",
    "wine_red": "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e",
    "wine_white": "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
    "communities": "748b3de18ff7f09f0e357a3f2510b043a414f5c30916962eda7e3f78bbe21c07",
}
"""The checksum of each file's unpacked content."""


def file_name(name: str) -> str:
    """Return the file name of a table."""
    return f"{name}.csv.gz"


def read(path: Path) -> bytes:
    """Return the unpacked content of a file, after verifying its checksum."""
    name = path.name.removesuffix(".csv.gz")
    try:
        content = gzip.decompress(path.read_bytes())
    except FileNotFoundError as error:
        raise EvenhandError(
            f"there is no {path.name} in {path.parent}: put the file there, name another folder, or set neither "
            "--data nor EVENHAND_DATA to download the data from UCI"
        ) from error
    except EOFError as error:
        raise EvenhandError(f"{path} is truncated: download it again") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise EvenhandError(f"{path} is damaged, or not a gzip file ({error}): download it again") from error
    except OSError as error:
        raise EvenhandError(f"cannot read {path}: {error.strerror or error}") from error
    check(content, name, str(path))
    return content


def check(content: bytes, name: str, source: str) -> None:
    """Refuse content with another checksum than the known one."""
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256[name]:
        raise EvenhandError(
            f"{source} is not the known copy of the data: its content has the SHA-256 checksum {found}, not "
            f"{SHA256[name]}. It was altered, or is another version, so results would not be comparable: use the "
            "original file"
        )


def columns(content: bytes) -> dict[str, Texts]:
    """Return the columns of a CSV file, separated by commas or (as UCI's wine data) by semicolons."""
    text = content.decode("utf-8")
    header = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in header else ",")
    names = next(rows)
    return {name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
