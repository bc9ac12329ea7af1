"""The cache of downloads, predictions and interviews; its files are written atomically."""

from __future__ import annotations

import os
from pathlib import Path

from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.files import write_file

VARIABLE = "EVENHAND_CACHE"


def cache_folder() -> Path:
    """Return the folder that `EVENHAND_CACHE` names, or else the operating system's folder for caches."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    try:
        from pooch import os_cache  # noqa: PLC0415  # an extra that may be missing
    except ModuleNotFoundError as error:
        raise MissingExtraError("pooch", "experiments") from error
    return Path(os_cache("evenhand"))


def keep(path: Path, content: bytes) -> None:
    """Write a file of the cache, and create its folders if necessary."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    write_file(path, content)
