"""Studies that the owner has begun to make, in a folder of their own on the disk until they are published.

Rows of a file are kept until then, so that its columns can be chosen again; then everything is removed. What is left
alone expires, and all of it goes when the server stops. The folder is readable by this user alone, and shared by all
processes that serve a store on one machine. A draft is found by its name only, which has 128 random bits, and no name
that a person gives becomes one of a file.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO

from fastapi import Request

from evenhand.checks.messages import shown
from evenhand.checks.nesting import loads
from evenhand.display.names import printable
from evenhand.errors import EvenhandError
from evenhand.files import write_file
from evenhand.rates import GroupRates
from evenhand.rates.files import Columns
from evenhand.rates.looking import Look
from evenhand.study import own_folder
from evenhand.study.limits import MOST_COLUMNS, MOST_DRAFTS, MOST_ROWS, SECONDS_OF_DRAFT
from evenhand.study.refusals import Refusal

_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_ENDINGS = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".jsonl", ".ndjson")
_LONGEST_NAME = 100
SECONDS_BETWEEN_SWEEPS = 60.0


class UnknownDraftError(Refusal):
    """There is no such draft, any more."""

    def __init__(self) -> None:
        super().__init__("This draft is not here any more.", "Drafts are kept for two hours: begin the study again.")


@dataclass(frozen=True, kw_only=True)
class Draft:
    """How far a study has come.

    Attributes
    ----------
    id
        Its name in the address.
    file
        What its file is called; None where a study is edited.
    rows, columns
        How many rows the file has; and of each column its name, and what it holds in the first rows.
    roles
        What each column is for: guessed at first, then chosen.
    label, groups
        The columns of the true class and of the groups.
    study
        The study with all models and guessed words, as JSON, once the models were measured.
    left_out
        The models to leave out.
    texts
        What was written in each field of the words.
    edits
        The name of the study that is edited.
    """

    id: str
    file: str | None = None
    rows: int = 0
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    roles: tuple[str, ...] = ()
    label: str = ""
    groups: tuple[str, ...] = ()
    study: str | None = None
    left_out: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    edits: str | None = None


class Drafts:
    """The drafts of a server."""

    def __init__(self, folder: Path, *, most: int = MOST_DRAFTS, seconds: int = SECONDS_OF_DRAFT) -> None:
        self.folder, self._most, self._seconds = folder, most, seconds

    @classmethod
    def of_store(cls, url: str) -> Drafts:
        """Return the drafts of a store's owner, for all processes of this user on this machine."""
        return cls(Path(tempfile.gettempdir()) / f"evenhand-drafts-{own_folder.name_for(url)}")

    def begin(self, **fields: str | None) -> Draft:
        """Begin a draft without a file."""
        self.sweep(making_room=True)
        draft = Draft(id=secrets.token_urlsafe(16), **fields)  # type: ignore[arg-type]
        self._place(draft.id).mkdir(mode=0o700)
        return self.keep(draft)

    def begin_with_file(self, name: str, content: IO[bytes]) -> Draft:
        """Begin a draft with a file, or refuse it; what is refused leaves nothing behind."""
        called = _shortened(name)
        ending = Path(called).suffix.lower()
        if ending not in _ENDINGS:
            raise EvenhandError(
                f"{shown(called)} is not a file that can be read: its name must end in {', '.join(_ENDINGS)}"
            )
        draft = self.begin(file=called)
        try:
            with (self._place(draft.id) / f"rows{ending}").open("xb") as file:
                shutil.copyfileobj(content, file, 1 << 20)
            with self._called(draft) as path:
                look = Look.at(path, most_rows=MOST_ROWS, most_columns=MOST_COLUMNS)
            columns = tuple((column.name, column.first) for column in look.columns)
            return self.keep(draft, rows=look.rows, columns=columns, roles=tuple(look.guess()))
        except BaseException:
            self.leave(draft.id)
            raise

    def rates(self, draft: Draft, columns: Columns) -> dict[str, GroupRates]:
        """Measure the models in a draft's file."""
        with self._called(draft) as file:
            return columns.rates([file])

    def draft(self, name: str) -> Draft:
        """Return the draft of that name."""
        try:
            if _ID.fullmatch(name) is None:
                raise UnknownDraftError
            place = self._place(name) / "draft.json"
            if time.time() - place.stat().st_mtime > self._seconds:
                raise UnknownDraftError
            fields = loads(place.read_text())
        except OSError as error:
            raise UnknownDraftError from error
        lists = {key: tuple(fields[key]) for key in ("roles", "groups", "left_out")}
        columns = tuple((column, tuple(first)) for column, first in fields["columns"])
        return Draft(**fields | lists | {"columns": columns})

    def keep(self, draft: Draft, **changes: object) -> Draft:
        """Write down how far a draft has come; from now on it is kept for as long as a new one."""
        changed = replace(draft, **changes)  # type: ignore[arg-type]
        if not self._place(draft.id).is_dir():
            raise UnknownDraftError
        write_file(self._place(draft.id) / "draft.json", json.dumps(asdict(changed), ensure_ascii=False))
        return changed

    def leave(self, name: str) -> None:
        """Remove a draft, and its file."""
        if _ID.fullmatch(name) is not None:
            shutil.rmtree(self._place(name), ignore_errors=True)

    def sweep(self, *, making_room: bool = False) -> None:
        """Remove what has expired; to make room, also those that were left alone longest."""
        ages = {}
        for place in self._root().iterdir():
            with suppress(OSError):  # another process was quicker
                draft = place / "draft.json"
                ages[place] = time.time() - (draft if draft.exists() else place).stat().st_mtime
        kept = sorted((place for place, age in ages.items() if age <= self._seconds), key=ages.__getitem__)
        if making_room:
            kept = kept[: self._most - 1]
        for place in ages.keys() - set(kept):
            shutil.rmtree(place, ignore_errors=True)

    def keep_tidy(self, every: float = SECONDS_BETWEEN_SWEEPS) -> None:
        """Remove what has expired, now and for ever: rows of people must not stay where nobody comes back to them."""
        while True:
            with suppress(OSError, EvenhandError):
                self.sweep()
            time.sleep(every)

    def remove(self) -> None:
        """Remove all drafts."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _place(self, name: str) -> Path:
        return self._root() / name

    def _root(self) -> Path:
        """Return the folder, which nobody else may read or have made."""
        try:
            own_folder.make(self.folder)
        except OSError as error:
            reason = error.strerror or error
            raise EvenhandError(f"the folder of drafts, {self.folder}, cannot be used: {reason}") from error
        return self.folder

    def _file(self, draft: Draft) -> Path:
        found = None if draft.file is None else next(self._place(draft.id).glob("rows.*"), None)
        if found is None:
            raise UnknownDraftError
        return found

    @contextmanager
    def _called(self, draft: Draft) -> Iterator[Path]:
        """Yield a draft's file; errors call it as its owner does, and do not tell where it is kept."""
        file = self._file(draft)
        try:
            yield file
        except EvenhandError as error:
            raise EvenhandError(str(error).replace(str(file), draft.file or "the file")) from error


def drafts_of(request: Request) -> Drafts:
    """Return the drafts of the app."""
    drafts: Drafts = request.app.state.drafts
    return drafts


def _shortened(name: str) -> str:
    """Return a file's name as it can be shown: its end tells what it is."""
    plain = printable(re.split(r"[/\\]", name)[-1]).strip() or "file"
    return plain if len(plain) <= _LONGEST_NAME else f"…{plain[1 - _LONGEST_NAME :]}"
