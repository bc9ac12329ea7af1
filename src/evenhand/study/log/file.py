"""One interview in one file: nothing acknowledged is lost, nothing is applied twice.

The first line says what the interview is about; then comes a line for each answer and each undo. What was asked next is
not kept, since the method works it out again. A line is only ever added at the end, and counts once it is on the disk.
A last line that lacks only its line break counts. One that a crash cut short was never acknowledged: it stays until the
next answer takes its place, so that to open a file changes nothing in it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Self

from evenhand.checks.documents import parsed
from evenhand.errors import EvenhandError
from evenhand.study.interview import EventError, InterviewState, fold
from evenhand.study.log.events import MOVES, Event
from evenhand.study.log.header import Header

try:
    import fcntl
except ImportError as error:
    raise EvenhandError("answers are kept in a file that is locked while in use, which needs Linux or macOS") from error


@dataclass(frozen=True, kw_only=True)
class InterviewFile:
    """What a file says, read without writing.

    Attributes
    ----------
    header
        What the interview is about.
    events
        What happened in it, a line each.
    notice
        In words, that the last line is not counted, or an empty text.
    size
        How many bytes the lines that count have.
    ends_line
        Whether the last of them has its line break.
    """

    header: Header
    events: list[Event]
    notice: str
    size: int
    ends_line: bool

    @property
    def state(self) -> InterviewState:
        """The interview with the answers that stand."""
        return fold(self.header.begun, self.events)

    @classmethod
    def read(cls, content: Iterable[bytes], path: Path) -> Self:
        """Read the lines of the file at that path, or say which one is wrong."""
        header: Header | None = None
        events: list[Event] = []
        notice, size, ends_line = "", 0, True
        for raw in content:
            ends_line = raw.endswith(b"\n")
            if not ends_line and not _is_object(raw):
                notice = f"The last line of {path} was cut short, by a crash perhaps, and does not count."
                ends_line = True  # the one before it does
                break
            try:
                document = _parsed(raw)
                if header is None:
                    header = Header.from_document(document)
                    events.append(header.event)
                else:
                    events.append(_move(document))
            except EvenhandError as error:
                raise EvenhandError(f"{path}, line {len(events) + 1}: {error}") from error
            size += len(raw)
        if header is None:
            raise EvenhandError(
                f"{path} holds no complete first line, so it is not an interview and no answer can be lost: "
                "delete it, or name another file"
            )
        kept = cls(header=header, events=events, notice=notice, size=size, ends_line=ends_line)
        try:
            kept.state  # noqa: B018  # says which line cannot follow those before it
        except EventError as error:
            raise EvenhandError(f"{path}, line {error.place}: {error.why}") from error
        return kept


class FileLog:
    """An open file with one interview, locked so that no other process can write to it; close it, or use `with`.

    Attributes
    ----------
    header
        What the interview is about.
    notice
        In words, that the last line is not counted, or an empty text.
    """

    def __init__(self, path: Path | str, *, begin: Callable[[], Header] | None = None) -> None:
        """Open the file; where there is none yet, `begin` makes the header of a new one."""
        self.path = Path(path)
        self.notice = ""
        self._events: list[Event] = []
        self._size = 0  # of the lines that count
        self._end = 0  # of the file, as it was found or left
        self._joint = b""  # what the last line lacks before another can follow
        self._one_writer = Lock()  # among the threads of this process
        new = self._is_new()
        if new and begin is None:
            raise EvenhandError(f"there is no interview at {self.path}")
        # The header is made before the file, so that options which make no interview leave no file behind.
        header = begin() if new and begin is not None else None
        self._file = self._open(os.O_CREAT if new else 0)
        try:
            self._check_regular(os.fstat(self._file))
            self._lock()
            if os.fstat(self._file).st_size > 0:
                self._load()
            else:
                self._begin(header, begin)
        except BaseException:
            self.close()
            raise

    def events(self, interview: str = "") -> list[Event]:  # noqa: ARG002  # a file holds one
        """Return the events of the interview."""
        return list(self._events)

    def append(self, interview: str, events: Sequence[Event], *, after: int) -> bool:  # noqa: ARG002
        """Add what was answered or undone, if there were so many moves before; what was asked and found is left out."""
        moves = [event for event in events if event.kind in MOVES]
        with self._one_writer:
            if len(self._events) - 1 != after:
                return False
            self._write([event.to_document() for event in moves])
            self._events += moves
            return True

    def _is_new(self) -> bool:
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return True
        except OSError as error:  # a name that is too long, a folder that may not be read
            raise EvenhandError(f"the interview {self.path} cannot be opened: {error.strerror}") from error
        self._check_regular(there)  # before it is opened: to open a device or a FIFO can have effects of its own
        return False

    def _check_regular(self, there: os.stat_result) -> None:
        if not stat.S_ISREG(there.st_mode):
            raise EvenhandError(f"{self.path} is not a file that can keep answers: name an ordinary file")

    def _begin(self, header: Header | None, begin: Callable[[], Header] | None) -> None:
        if begin is None:
            raise EvenhandError(f"{self.path} is empty: it holds no interview")
        self.header = header or begin()
        self._write([self.header.to_document()])
        self._events = [self.header.event]
        self._sync_folder()

    def _open(self, flags: int) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CLOEXEC | flags, 0o666)
        except OSError as error:
            raise EvenhandError(f"the interview {self.path} cannot be opened: {error.strerror}") from error

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EvenhandError(
                f"another interview has {self.path} open: finish or quit that one first, or name another file"
            ) from error
        except OSError as error:
            raise EvenhandError(
                f"{self.path} cannot be locked against a second writer ({error.strerror}): keep it on a local disk"
            ) from error

    def _sync_folder(self) -> None:
        folder = os.open(self.path.resolve().parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _load(self) -> None:
        with open(self._file, "rb", closefd=False) as content:
            kept = InterviewFile.read(content, self.path)
        self.header, self._events, self.notice = kept.header, kept.events, kept.notice
        self._size, self._end = kept.size, os.fstat(self._file).st_size
        self._joint = b"" if kept.ends_line else b"\n"

    def _write(self, documents: Sequence[dict[str, Any]]) -> None:
        """Add lines; once this returns, they are on the disk."""
        self._check_untouched()
        lines = b"".join(json.dumps(document, allow_nan=False).encode("ascii") + b"\n" for document in documents)
        lines = self._joint + lines
        try:
            if self._end > self._size:
                os.ftruncate(self._file, self._size)  # a line that was cut short
            _write_all(self._file, lines, self._size)
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
                self._end = self._size
            raise EvenhandError(
                f"the last answer could not be saved in {self.path} ({error.strerror}); all earlier ones are. "
                "Make room and resume"
            ) from error
        self._size += len(lines)
        self._end, self._joint = self._size, b""

    def _check_untouched(self) -> None:
        """Refuse to write where the answers would be lost, or would follow lines of another program."""
        if self._file < 0:
            raise EvenhandError(f"{self.path} was closed, so the answer was not saved: open it again and resume")
        mine = os.fstat(self._file)
        try:
            there = self.path.stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(mine, there) or mine.st_size != self._end:
            raise EvenhandError(
                f"{self.path} was moved, deleted or changed during the interview, so the last "
                "answer was not saved: put the file back and resume"
            )

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _move(document: Any) -> Event:
    event = Event.from_document(document, study="", interview=None)
    if event.kind not in MOVES:
        raise EvenhandError(f"an answer or an undo was expected, but this is an event “{event.kind}”")
    return event


def _is_object(raw: bytes) -> bool:
    """Whether this is a JSON object from brace to brace, which no beginning of a longer one is."""
    try:
        return isinstance(_parsed(raw), dict)
    except EvenhandError:
        return False


def _parsed(raw: bytes) -> Any:
    try:
        return parsed(raw)
    except ValueError as error:
        raise EvenhandError(f"this is not JSON ({error}); was the file edited?") from error


def _write_all(file: int, data: bytes, offset: int) -> None:
    written = 0
    while written < len(data):
        written += os.pwrite(file, data[written:], offset + written)
