"""The answers of one interview in one file: nothing acknowledged is lost, nothing is applied twice.

A line is only ever added at the end, and counts once it is on the disk. A line that a crash cut short was never
acknowledged: it stays until the next answer takes its place, so that to open a file changes nothing in it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evenhand.errors import EvenhandError
from evenhand.study.log.header import Header
from evenhand.study.log.kept_answers import KeptAnswers
from evenhand.study.log.stored_answer import Profile, StoredAnswer, now
from evenhand.wording.comparison import Rounding

try:
    import fcntl
except ImportError as error:
    raise EvenhandError("answers are kept in a file that is locked while in use, which needs Linux or macOS") from error


class AnswerFile:
    """An open file of answers, locked so that nobody else can write to it; close it, or use `with`.

    Attributes
    ----------
    header
        What the interview is about.
    answers
        The answers that stand: given, and not withdrawn.
    notice
        In words, that the last line is not counted, or an empty text.
    """

    def __init__(self, path: Path | str, *, begin: Callable[[], Header] | None = None) -> None:
        """Open the file; where there is none yet, `begin` makes the header of a new one."""
        self.path = Path(path)
        self.answers: list[StoredAnswer] = []
        self.notice = ""
        self._size = self._lines = 0  # of the lines that count
        self._end = 0  # of the file, as it was found or left
        self._joint = b""  # what the last line lacks before another can follow
        new = self._is_new()
        if new and begin is None:
            raise EvenhandError(f"there is no file of answers at {self.path}")
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

    def _is_new(self) -> bool:
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return True
        except OSError as error:  # a name that is too long, a folder that may not be read
            raise EvenhandError(f"the file of answers {self.path} cannot be opened: {error.strerror}") from error
        self._check_regular(there)  # before it is opened: to open a device or a FIFO can have effects of its own
        return False

    def _check_regular(self, there: os.stat_result) -> None:
        if not stat.S_ISREG(there.st_mode):
            raise EvenhandError(f"{self.path} is not a file that can keep answers: name an ordinary file")

    def _begin(self, header: Header | None, begin: Callable[[], Header] | None) -> None:
        if begin is None:
            raise EvenhandError(f"{self.path} is empty: it holds no interview")
        self.header = header or begin()
        self._append(self.header.to_document())
        self._sync_folder()

    def _open(self, flags: int) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CLOEXEC | flags, 0o666)
        except OSError as error:
            raise EvenhandError(f"the file of answers {self.path} cannot be opened: {error.strerror}") from error

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
            kept = KeptAnswers.read(content, self.path)
        self.header, self.answers, self.notice = kept.header, kept.answers, kept.notice
        self._lines, self._size, self._end = kept.lines, kept.size, os.fstat(self._file).st_size
        self._joint = b"" if kept.ends_line else b"\n"

    def add(self, *, first: Profile, second: Profile, shown_as_a: str, rounding: Rounding, answer: str) -> None:
        """Keep the next answer; once this returns, the answer is on the disk."""
        stored = StoredAnswer(
            n=len(self.answers) + 1,
            first=first,
            second=second,
            shown_as_a=shown_as_a,
            rounding=rounding,
            answer=answer,
            time=now(),
            line=self._lines + 1,
        )
        self._append(stored.to_document())
        self.answers.append(stored)

    def undo(self) -> None:
        """Withdraw the last answer that stands; its line stays in the file."""
        if not self.answers:
            raise EvenhandError("there is no answer to undo")
        self._append({"undo": len(self.answers), "time": now()})
        self.answers.pop()

    def _append(self, document: dict[str, Any]) -> None:
        self._check_untouched()
        line = self._joint + json.dumps(document, allow_nan=False).encode("ascii") + b"\n"
        try:
            if self._end > self._size:
                os.ftruncate(self._file, self._size)  # a line that was cut short
            _write_all(self._file, line, self._size)
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
                self._end = self._size
            raise EvenhandError(
                f"the last answer could not be saved in {self.path} ({error.strerror}); all earlier ones are. "
                "Make room and resume"
            ) from error
        self._size += len(line)
        self._end, self._joint = self._size, b""
        self._lines += 1

    def _check_untouched(self) -> None:
        """Refuse to write where the answers would be lost, or would follow somebody else's lines."""
        mine = os.fstat(self._file)
        try:
            there = self.path.stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(mine, there) or mine.st_size != self._end:
            raise EvenhandError(
                f"{self.path} was moved, deleted or changed by somebody else during the interview, so the last "
                "answer was not saved: put the file back and resume"
            )

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_all(file: int, data: bytes, offset: int) -> None:
    written = 0
    while written < len(data):
        written += os.pwrite(file, data[written:], offset + written)
