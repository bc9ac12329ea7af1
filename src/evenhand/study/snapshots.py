"""Where snapshots of interviews are kept: for a while, within so many bytes, the least used dropped first.

What an interview has learned can be dropped at any time, since its answers give it again. Processes that serve one
store share a folder, in memory where the system has one, which only their user can read.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import tempfile
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Protocol

from evenhand.study import own_folder

MOST_BYTES = 512 * 2**20
"""Some 2,000 interviews that go on, about two classes and groups, at 230 kB each."""

_IN_MEMORY = Path("/dev/shm")  # noqa: S108  # only a folder of our own in it is used
_SWEEPS = 16
"""How often a folder is swept while it is filled once."""

_logger = logging.getLogger(__name__)


class Snapshots(Protocol):
    """What was learned at each point of an interview, as bytes, as long as there is room."""

    def get(self, interview: str, point: str) -> bytes | None:
        """Return what was learned there, if it is still kept."""

    def put(self, interview: str, point: str, snapshot: bytes) -> None:
        """Keep it for a while."""

    def drop(self, interview: str, point: str) -> None:
        """Drop it, since the interview is there no longer."""

    def forget(self, interview: str) -> None:
        """Drop all of an interview."""


class InProcess:
    """The snapshots of one process."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, interview: str, point: str) -> bytes | None:
        """Return what was learned there, if it is still kept."""
        with self._lock:
            found = self._kept.get((interview, point))
            if found is not None:
                self._kept.move_to_end((interview, point))
            return found

    def put(self, interview: str, point: str, snapshot: bytes) -> None:
        """Keep it, and drop what was used least recently where there is no room."""
        with self._lock:
            self._drop((interview, point))
            self._kept[interview, point] = snapshot
            self._bytes += len(snapshot)
            while self._bytes > self.most_bytes:
                self._drop(next(iter(self._kept)))

    def drop(self, interview: str, point: str) -> None:
        """Drop it, since the interview is there no longer."""
        with self._lock:
            self._drop((interview, point))

    def forget(self, interview: str) -> None:
        """Drop all of an interview."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == interview]:
                self._drop(key)

    def _drop(self, key: tuple[str, str]) -> None:
        self._bytes -= len(self._kept.pop(key, b""))


class InFolder:
    """The snapshots of all processes that name the same folder: a file for each, written whole or not at all."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder, self.most_bytes = folder, most_bytes
        self._since_swept = 0
        self._warned = False

    @classmethod
    def of_store(cls, url: str) -> InFolder:
        """Return the folder that belongs to a store, for all processes of this user on this machine."""
        base = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())
        # Containers often have 64 MB in memory.
        return cls(
            base / f"evenhand-{own_folder.name_for(url)}", min(MOST_BYTES, shutil.disk_usage(base).total * 3 // 4)
        )

    def get(self, interview: str, point: str) -> bytes | None:
        """Return what was learned there, if it is still kept."""
        path = self._path(interview, point)
        try:
            found = path.read_bytes()
            os.utime(path)  # it was used just now
        except OSError:
            return None  # it was never kept, or was dropped
        return found

    def put(self, interview: str, point: str, snapshot: bytes) -> None:
        """Keep it; a folder that takes nothing is said once, and costs only time."""
        path = self._path(interview, point)
        draft = path.with_name(f".{secrets.token_hex(8)}")
        try:
            own_folder.make(self.folder)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(snapshot)
            draft.replace(path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            self._sweep()
            if not self._warned:
                self._warned = True
                _logger.warning("snapshots cannot be kept in %s, so answers take longer: %s", self.folder, error)
            return
        self._since_swept += len(snapshot)
        if self._since_swept > self.most_bytes // _SWEEPS:
            self._since_swept = 0
            self._sweep()

    def drop(self, interview: str, point: str) -> None:
        """Drop it, since the interview is there no longer."""
        with suppress(OSError):  # it was never kept, or was dropped
            self._path(interview, point).unlink()

    def forget(self, interview: str) -> None:
        """Drop all of an interview."""
        for path in self.folder.glob(f"{_short(interview)}-*"):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _logger.warning("a snapshot cannot be erased: %s", error)

    def remove(self) -> None:
        """Drop everything; another process that uses the folder makes it anew."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _sweep(self) -> None:
        """Drop the least recently used until one sweep's worth of room is free; the limit holds for all processes."""
        kept = []
        with suppress(OSError), os.scandir(self.folder) as found:
            for entry in found:
                with suppress(OSError):  # dropped by another process meanwhile
                    status = entry.stat(follow_symlinks=False)
                    kept.append((status.st_mtime, status.st_size, Path(entry.path)))
        room = sum(size for _, size, _ in kept) - self.most_bytes * (_SWEEPS - 2) // _SWEEPS
        for _, size, path in sorted(kept):
            if room <= 0:
                break
            with suppress(OSError):
                path.unlink()
            room -= size

    def _path(self, interview: str, point: str) -> Path:
        return self.folder / f"{_short(interview)}-{point}"


def _short(interview: str) -> str:
    return hashlib.sha256(interview.encode()).hexdigest()[:24]
