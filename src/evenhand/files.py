"""Writes every file that a user names: atomically, through symbolic links, and only to regular files.

An atomic write ends in a rename, which replaces anything of that name: a link, a FIFO, even the null device. So we
check first what is there.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from evenhand.errors import EvenhandError

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
}


def check_place(path: Path, *, inputs: Iterable[Path | None] = ()) -> None:
    """Raise an error if the file cannot be written, or is one of the inputs: call it before work that takes long."""
    _, existing = _place(path)
    for file in inputs:
        with suppress(OSError):  # an input that is not there: who reads it will say so
            if existing is not None and file is not None and os.path.samestat(existing, file.stat()):
                raise EvenhandError(
                    f"cannot write {path}: it is the input {file}, which would be lost. Name another file to write"
                )


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file atomically: after a crash, either the old or the new content is there.

    A symbolic link stays, and its target is written. A file that is replaced keeps its permissions.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:  # a lone surrogate, from a command line that was not in UTF-8
        raise EvenhandError(f"cannot write {path}: {error.object[error.start]!r} is not a character") from error
    place, existing = _place(path)
    draft = place.with_name(f".evenhand-{secrets.token_hex(8)}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if existing is not None:
            _keep_permissions(draft, existing)
        draft.replace(place)
    except OSError as error:
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # it was never made, since the name of the folder is too long for it
            draft.unlink()


def _place(path: Path) -> tuple[Path, os.stat_result | None]:
    """Follow all links, and return the path to write and the `stat` of what is there; refuse what cannot be written."""
    try:
        existing = _existing(path)
    except OSError as error:  # a loop of links, a name that is too long, a folder without permission
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    place = Path(os.path.realpath(path))
    if existing is not None:
        if not stat.S_ISREG(existing.st_mode):
            kind = _KINDS.get(stat.S_IFMT(existing.st_mode), "not a regular file")
            raise EvenhandError(
                f"cannot write {path}: it is {kind}. Name a regular file or a new one. Commands that accept - as a "
                "file write to standard output"
            )
        if _is_standard_output(existing):
            raise EvenhandError(
                f"cannot write {path}: standard output goes to it. Name another file. Commands that accept - as a "
                "file write to standard output"
            )
        if not os.access(place, os.W_OK):
            raise EvenhandError(f"cannot write {path}: you lack permission to write to it")
    if not place.parent.is_dir():
        raise EvenhandError(f"cannot write {path}: its folder does not exist ({place.parent})")
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise EvenhandError(f"cannot write {path}: you lack permission to write to the folder {place.parent}")
    return place, existing


def _existing(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _is_standard_output(existing: os.stat_result) -> bool:
    """Whether standard output or standard error goes to this file, which may hold the output of other programs."""
    for descriptor in (1, 2):
        with suppress(OSError):  # the descriptor is closed
            if os.path.samestat(existing, os.fstat(descriptor)):
                return True
    return False


def _keep_permissions(draft: Path, existing: os.stat_result) -> None:
    mine = draft.stat()
    if (mine.st_uid, mine.st_gid) != (existing.st_uid, existing.st_gid):
        with suppress(PermissionError):  # only the superuser may change the owner
            os.chown(draft, existing.st_uid, existing.st_gid)
    draft.chmod(stat.S_IMODE(existing.st_mode))
