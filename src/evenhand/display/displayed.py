"""`Displayed`: what has a table has it in a terminal, in a notebook, and as a data frame of the user's library."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.display.frames import Library, as_frame
from evenhand.display.table import Table


class Displayed:
    """The base of values that people look at: a short `repr`, a table on `print`, the same in a notebook."""

    @abstractmethod
    def _table(self) -> Table:
        """Return what is shown."""

    @abstractmethod
    def _columns(self) -> Mapping[str, Sequence[Any]]:
        """Return every number, by column."""

    def to_frame(self, library: Library | None = None) -> Any:
        """Return every number as a data frame of pandas, Polars or PyArrow: by default of the one that is imported."""
        return as_frame(self._columns(), library)

    def __str__(self) -> str:
        return str(self._table())

    def _repr_html_(self) -> str:
        return self._table().html()
