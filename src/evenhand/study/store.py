"""The store of studies and interviews: every answer that was acknowledged is on the disk, once."""

from __future__ import annotations

from collections.abc import Mapping

from evenhand.study.interview import Interview
from evenhand.study.study import Study


class Store:
    """Studies and interviews in an SQLite file or a PostgreSQL database; close it, or use `with`."""

    def __init__(self, url: str) -> None:
        """Open the store at an URL such as `sqlite:///evenhand.db`, bringing its tables up to date."""
        raise NotImplementedError

    def put_study(self, study: Study) -> None:
        """Keep a study; interviews that began with an earlier one of this name go on with that."""
        raise NotImplementedError

    def study(self, slug: str) -> Study:
        """Return the study of that name."""
        raise NotImplementedError

    def studies(self) -> Mapping[str, Study]:
        """Return all studies by name, in the order in which they came."""
        raise NotImplementedError

    def begin(self, slug: str) -> str:
        """Begin an interview and return its token."""
        raise NotImplementedError

    def interview(self, token: str) -> Interview:
        """Return an interview as it stands."""
        raise NotImplementedError

    def answer(
        self, token: str, n: int, choice: str, why: str | None = None, *, revision: int | None = None
    ) -> Interview:
        """Keep the answer to question n, and return the interview as it stands after it.

        The same answer sent again changes nothing and gets the same reply. `revision` is that of the interview as the
        person saw it: an answer on a page that is out of date is then refused.
        """
        raise NotImplementedError

    def undo(self, token: str, n: int) -> Interview:
        """Withdraw answer n, the last one that stands; sent again, it changes nothing."""
        raise NotImplementedError
