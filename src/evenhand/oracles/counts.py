"""Reads and checks what an experiment yields: users and good outcomes of both arms, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evenhand.checks.arrays import whole_number
from evenhand.checks.messages import listed, shown
from evenhand.errors import EvenhandError, MissingExtraError
from evenhand.oracles.sequential_test import Arms
from evenhand.rates.counting.engine import whole

NAMES = Arms._fields
_SHAPE = f"four whole numbers, {', '.join(NAMES)}, each counted since the experiment began"
_MOST_IN_A_BATCH = 1_000_000


def counts_of(yielded: Any, kept: Arms) -> Iterator[Arms]:
    """Yield the counts of each batch of a stream or table that is newer than `kept`."""
    known = True  # a resumed experiment may repeat earlier batches first
    for place, record in enumerate(_records(yielded), 1):
        where = f"batch {place} of the experiment"
        counts = arms(record, where)
        known = known and all(now <= then for now, then in zip(counts, kept, strict=True))
        if not known:
            _check_growth(counts, kept, where)
            kept = counts
            yield counts


def arms(record: Any, where: str) -> Arms:
    """Return four counts, given in the order of `NAMES` or by name; refuse impossible ones."""
    if isinstance(record, Mapping):
        missing = [name for name in NAMES if name not in record]
        if missing:
            raise EvenhandError(f"{where} lacks {listed(missing)}: it must be {_SHAPE}, but has {listed(list(record))}")
        record = [record[name] for name in NAMES]
    if isinstance(record, str | bytes) or not isinstance(record, Sequence | np.ndarray) or len(record) != len(NAMES):
        raise EvenhandError(f"{where} must be {_SHAPE}, but is {shown(record)}")
    counts = Arms(*(whole_number(value, f"{where}: {name}", 0) for name, value in zip(NAMES, record, strict=True)))
    for arm, users, good in (("first", *counts[:2]), ("second", *counts[2:])):
        if good > users:
            raise EvenhandError(f"{where} has more good outcomes than users in the {arm} arm: {good:,} of {users:,}")
    return counts


def _check_growth(counts: Arms, before: Arms, where: str) -> None:
    for name, now, then in zip(NAMES, counts, before, strict=True):
        if now < then:
            raise EvenhandError(
                f"{where}: {name} went down from {then:,} to {now:,}: count all users since the experiment began"
            )
    new = counts.since(before)
    for arm, users, good in (("first", *new[:2]), ("second", *new[2:])):
        if good > users:
            raise EvenhandError(
                f"{where} has {good:,} more good outcomes in the {arm} arm than the batch before, but only {users:,} "
                "more users: count a user once the outcome is known"
            )
        if users > _MOST_IN_A_BATCH:
            raise EvenhandError(
                f"{where} has {users:,} new users in the {arm} arm, but at most {_MOST_IN_A_BATCH:,} are allowed: "
                "split the batch"
            )


def _records(yielded: Any) -> Iterable[Any]:
    """Return the records of an iterable, or the rows of a table."""
    if not isinstance(yielded, Iterator | list | tuple):  # a table may be iterable too, by columns
        rows = _rows(yielded)
        if rows is not None:
            return rows
    single = isinstance(yielded, str | bytes | Mapping) or (isinstance(yielded, np.ndarray) and yielded.ndim == 0)
    if single or not isinstance(yielded, Iterable):
        raise EvenhandError(
            f"an experiment must yield or return batches, each of {_SHAPE}, or a table with these columns, but "
            f"returned {shown(yielded)}"
        )
    return yielded


def _rows(yielded: Any) -> list[dict[str, Any]] | None:
    """Return the rows of a table of any engine, or None for anything else."""
    import narwhals as nw  # noqa: PLC0415  # only needed for tables

    try:
        table = nw.from_native(yielded, pass_through=True)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except ModuleNotFoundError as error:  # DuckDB and PySpark return results through PyArrow
        raise MissingExtraError(error.name or "pyarrow", "tables") from error
    except nw.exceptions.NarwhalsError as error:  # columns of the same name
        raise EvenhandError(f"the experiment's table cannot be read: {' '.join(str(error).split())}") from error
    if not isinstance(table, nw.DataFrame):
        return None
    # In DuckDB, sums are decimals.
    return [{name: whole(value) for name, value in row.items()} for row in table.rows(named=True)]
