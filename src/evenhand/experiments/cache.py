"""Where downloads and predictions are kept between runs, and how nothing half-written ever gets there."""

from __future__ import annotations

import os
from pathlib import Path

from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.files import write_file

VARIABLE = "EVENHAND_CACHE"


def cache_folder() -> Path:
    """Return the folder that `EVENHAND_CACHE` names, or else the operating system's place for caches."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    try:
        from pooch import os_cache  # noqa: PLC0415  # an extra that may be missing
    except ModuleNotFoundError as error:
        raise MissingExtraError("pooch", "experiments") from error
    return Path(os_cache("evenhand"))


def keep(path: Path, content: bytes) -> None:
    """Write a file of the cache, in folders that need not be there yet."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    write_file(path, content)
