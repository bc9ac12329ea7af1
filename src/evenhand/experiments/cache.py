"""Where downloads and predictions are kept between runs, and how nothing half-written ever gets there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from evenhand.errors import EvenhandError, MissingExtraError

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


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whoever else writes it at the same time."""
    unfinished: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part", delete=False) as file:
            unfinished = Path(file.name)
            file.write(content)
        unfinished.replace(path)
    except OSError as error:
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if unfinished is not None:
            unfinished.unlink(missing_ok=True)
