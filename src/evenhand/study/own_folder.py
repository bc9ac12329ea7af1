"""Folders of a store's server, which nobody else on the machine may read or have made."""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

_HAS_USERS = hasattr(os, "geteuid")  # Windows has others


def name_for(url: str) -> str:
    """Return what the folders of a store are called, for all processes of this user on this machine."""
    user = os.geteuid() if _HAS_USERS else os.environ.get("USERNAME", "")
    return hashlib.sha256(f"{user} {url}".encode("utf-8", "surrogatepass")).hexdigest()[:24]


def make(folder: Path) -> None:
    """Make the folder, or refuse one that belongs to somebody else or that others can look into."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    found = folder.lstat()
    ours = not _HAS_USERS or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)
    if not (stat.S_ISDIR(found.st_mode) and ours):
        raise PermissionError("it is not a folder of our own")
