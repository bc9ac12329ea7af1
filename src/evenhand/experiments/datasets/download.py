"""Downloads the raw files from the UCI Machine Learning Repository, and converts them to the known form."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.experiments.cache import cache_folder, keep
from evenhand.experiments.datasets import files

try:
    import pooch
    import requests
except ModuleNotFoundError as error:
    raise MissingExtraError("pooch", "experiments") from error

_UCI = "https://archive.ics.uci.edu/static/public/"
_SECONDS = 60

_ADULT_HEADER = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,income,split"
)
_DEFAULT_HEADER = (
    "ID,LIMIT_BAL,SEX,EDUCATION,MARRIAGE,AGE,PAY_0,PAY_2,PAY_3,PAY_4,PAY_5,PAY_6,"
    "BILL_AMT1,BILL_AMT2,BILL_AMT3,BILL_AMT4,BILL_AMT5,BILL_AMT6,"
    "PAY_AMT1,PAY_AMT2,PAY_AMT3,PAY_AMT4,PAY_AMT5,PAY_AMT6,default payment next month"
)


def downloaded(name: str) -> bytes:
    """Return the verified content of a raw file, from the cache or, the first time, from UCI."""
    path = cache_folder() / "data" / files.file_name(name)
    if path.exists():
        return files.read(path)
    address, unpack = _SOURCES[name]
    url = _UCI + address
    try:
        with TemporaryDirectory() as folder:
            fetched = pooch.retrieve(
                url, known_hash=None, path=folder, downloader=pooch.HTTPDownloader(timeout=_SECONDS)
            )
            content = unpack(Path(fetched))
    except (OSError, requests.RequestException) as error:
        raise EvenhandError(
            f"cannot download {url}: {error}. Without a network, get {files.file_name(name)} in another way, and set "
            "its folder with --data or EVENHAND_DATA"
        ) from error
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise EvenhandError(f"what {url} sent is not the expected archive: {error}") from error
    files.check(content, name, url)
    keep(path, gzip.compress(content, mtime=0))
    return content


def _adult(archive: Path) -> bytes:
    """Join the two halves, with a column that says which half a row is from."""
    train, test = (_member(archive, f"adult.{half}").replace(", ", ",").splitlines() for half in ("data", "test"))
    return _lines(
        [
            _ADULT_HEADER,
            *(f"{row},train" for row in train if row),
            *(f"{row},test" for row in test[1:] if row),  # its first line is a comment
        ]
    )


def _default(table: Path) -> bytes:
    """Name the columns, which are only numbered here, as in UCI's spreadsheet."""
    rows = table.read_text(encoding="utf-8").splitlines()[1:]
    return _lines([_DEFAULT_HEADER, *(",".join(map(_shortest, row.split(","))) for row in rows)])


@cache
def _shortest(cell: str) -> str:
    """Write a whole number in the shorter of two notations, as in the known copy: 20000, but 5e+05."""
    plain = str(int(float(cell)))
    digits = len(plain.strip("-").rstrip("0")) or 1
    return min(plain, f"{int(plain):.{digits - 1}e}", key=len)


def _communities(archive: Path) -> bytes:
    """Put the attributes' names, which are in a separate file, above the data."""
    described = _member(archive, "communities.names").splitlines()
    names = [line.split()[1] for line in described if line.startswith("@attribute")]
    return _lines([",".join(names), *_member(archive, "communities.data").splitlines()])


def _wine(colour: str) -> Callable[[Path], bytes]:
    return lambda archive: _member(archive, f"winequality-{colour}.csv").encode()


_SOURCES: dict[str, tuple[str, Callable[[Path], bytes]]] = {
    "adult": ("2/adult.zip", _adult),
    "default": ("350/data.csv", _default),
    "wine_red": ("186/wine+quality.zip", _wine("red")),
    "wine_white": ("186/wine+quality.zip", _wine("white")),
    "communities": ("183/communities+and+crime.zip", _communities),
}
"""The address of each file, and the function that unpacks it."""


def _member(archive: Path, name: str) -> str:
    with zipfile.ZipFile(archive) as opened:
        return opened.read(name).decode("latin-1")  # accepts every byte; the checksum verifies the content


def _lines(rows: list[str]) -> bytes:
    return ("\n".join(rows) + "\n").encode()
