"""How evenhand writes every file that a user names: whole or not at all, through links, and only to regular files.

A rename replaces whatever has the name: a link, a FIFO, even the null device. So the place is checked first.
"""

from __future__ import annotations

import os
import secrets
import stat
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


def check_place(path: Path) -> None:
    """Find out before the work is done that a file cannot be written."""
    _place(path)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file in one step: after a crash there is the old file or the new one.

    A link stays a link, and the file that it points to is written. A file that is replaced keeps its permissions.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError as error:  # half a character, from a command line that was not in UTF-8
        raise EvenhandError(f"cannot write {path}: {error.object[error.start]!r} is no character") from error
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
        draft.unlink(missing_ok=True)


def _place(path: Path) -> tuple[Path, os.stat_result | None]:
    """Return the file at the end of all links and what is there, or say why it cannot be written."""
    try:
        existing = _existing(path)
    except OSError as error:  # links in a circle, a name that is too long, a folder that lets nobody in
        raise EvenhandError(f"cannot write {path}: {error.strerror or error}") from error
    place = Path(os.path.realpath(path))
    if existing is not None:
        if not stat.S_ISREG(existing.st_mode):
            kind = _KINDS.get(stat.S_IFMT(existing.st_mode), "not a regular file")
            raise EvenhandError(
                f"cannot write {path}: it is {kind}. Name a regular file or a new one; where a command takes -, "
                "that is the standard output"
            )
        if _is_standard_output(existing):
            raise EvenhandError(
                f"cannot write {path}: it is where the standard output goes. Name another file; where a command "
                "takes -, that is the standard output"
            )
        if not os.access(place, os.W_OK):
            raise EvenhandError(f"cannot write {path}: its permissions do not let you")
    if not place.parent.is_dir():
        raise EvenhandError(f"cannot write {path}: its folder does not exist ({place.parent})")
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise EvenhandError(f"cannot write {path}: the folder {place.parent} does not let you")
    return place, existing


def _existing(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _is_standard_output(existing: os.stat_result) -> bool:
    """Whether this is the file behind /dev/stdout or /dev/stderr, to which others may have written before."""
    for descriptor in (1, 2):
        with suppress(OSError):  # it is closed
            if os.path.samestat(existing, os.fstat(descriptor)):
                return True
    return False


def _keep_permissions(draft: Path, existing: os.stat_result) -> None:
    mine = draft.stat()
    if (mine.st_uid, mine.st_gid) != (existing.st_uid, existing.st_gid):
        with suppress(PermissionError):  # only the superuser gives files away
            os.chown(draft, existing.st_uid, existing.st_gid)
    draft.chmod(stat.S_IMODE(existing.st_mode))
