"""The answers of one interview in one file: nothing acknowledged is lost, nothing is applied twice.

A line is only ever added at the end, and counts once it is on the disk: a header, then an answer or a withdrawal
per line. A line that a crash cut short was never acknowledged, and is dropped when the file is opened again.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evenhand.errors import EvenhandError
from evenhand.oracles.people import Rounding
from evenhand.study.header import Header
from evenhand.study.stored_answer import Profile, StoredAnswer, check_fields, checked_time, now, whole_number

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
        What was dropped when the file was opened, in words, or an empty text.
    """

    def __init__(self, path: Path | str, *, begin: Callable[[], Header] | None = None) -> None:
        """Open the file; where there is none yet, `begin` makes the header of a new one."""
        self.path = Path(path)
        self.answers: list[StoredAnswer] = []
        self.notice = ""
        self._size = self._lines = 0
        new = self._is_new()
        if new and begin is None:
            raise EvenhandError(f"there is no file of answers at {self.path}")
        # The header is made before the file, so that options which make no interview leave no file behind.
        header = begin() if new and begin is not None else None
        self._file = self._open(os.O_CREAT if new else 0)
        try:
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
            return not self.path.exists()
        except OSError as error:  # a name that is too long, a folder that may not be read
            raise EvenhandError(f"the file of answers {self.path} cannot be opened: {error.strerror}") from error

    def _begin(self, header: Header | None, begin: Callable[[], Header] | None) -> None:
        if begin is None:
            raise EvenhandError(f"{self.path} is empty: it holds no interview")
        self.header = header or begin()
        self._append(self.header.to_document())
        self._sync_folder()

    def _open(self, flags: int) -> int:
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CLOEXEC | flags, 0o666)
        except OSError as error:
            raise EvenhandError(f"the file of answers {self.path} cannot be opened: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise EvenhandError(f"{self.path} is not a file that can keep answers: name an ordinary file")
        return file

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
        for raw in self._complete_lines():
            try:
                document = _parsed(raw)
                if self._lines == 0:
                    self.header = Header.from_document(document)
                else:
                    self._apply(document, self._lines + 1)
            except EvenhandError as error:
                raise EvenhandError(f"{self.path}, line {self._lines + 1}: {error}") from error
            self._lines += 1
            self._size += len(raw)
        if self._lines == 0:
            raise EvenhandError(
                f"{self.path} holds no complete first line, so it is not a file of answers and none can be lost: "
                "delete it, or name another file"
            )

    def _complete_lines(self) -> Iterator[bytes]:
        """Yield the lines; drop a last one that was cut short before it was acknowledged."""
        with open(self._file, "rb", closefd=False) as file:
            for raw in file:
                if not raw.endswith(b"\n"):
                    break
                yield raw
            else:
                return
        if self._lines == 0:
            return
        self.notice = f"The last line of {self.path} was cut short, by a crash perhaps, and was dropped."
        os.ftruncate(self._file, self._size)
        os.fsync(self._file)

    def _apply(self, document: Any, line: int) -> None:
        """Take one event into account."""
        if not isinstance(document, dict):
            raise EvenhandError(f"an answer or a withdrawal was expected, but this is {document!r:.60}")
        if "undo" in document:
            check_fields(document, {"undo", "time"})
            checked_time(document["time"])
            withdrawn = whole_number(document["undo"], "undo")
            if not self.answers or withdrawn != len(self.answers):
                raise EvenhandError(
                    f"answer {withdrawn} is withdrawn, but the last one standing is {len(self.answers)}"
                )
            self.answers.pop()
            return
        answer = StoredAnswer.from_document(document, line, self.header.kind.answers)
        if answer.n != len(self.answers) + 1:
            raise EvenhandError(f"this is answer {answer.n}, but answer {len(self.answers) + 1} comes next")
        self.answers.append(answer)

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

    def withdraw(self) -> None:
        """Withdraw the last answer that stands; its line stays in the file."""
        if not self.answers:
            raise EvenhandError("there is no answer to undo")
        self._append({"undo": len(self.answers), "time": now()})
        self.answers.pop()

    def _append(self, document: dict[str, Any]) -> None:
        self._check_untouched()
        line = json.dumps(document, allow_nan=False).encode("ascii") + b"\n"
        try:
            _write_all(self._file, line, self._size)
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise EvenhandError(
                f"the last answer could not be saved in {self.path} ({error.strerror}); all earlier ones are. "
                "Make room and resume"
            ) from error
        self._size += len(line)
        self._lines += 1

    def _check_untouched(self) -> None:
        """Refuse to write where the answers would be lost, or would follow somebody else's lines."""
        mine = os.fstat(self._file)
        try:
            there = self.path.stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(mine, there) or mine.st_size != self._size:
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


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise EvenhandError(f"this is not JSON ({error}); was the file edited?") from error
