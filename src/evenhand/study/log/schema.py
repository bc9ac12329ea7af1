"""The tables of the store; `migrations/` brings an older store to this shape."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, MetaData, Table, Text

metadata = MetaData()

log = Table(
    "log",
    metadata,
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False),
    Column("study", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("interview", Text),
    Column("n", Integer),
    Column("choice", Text),
    Column("why", Text),
    Column("detail", Text, nullable=False),
    Column("time", Text, nullable=False),
    Index("log_interview", "interview", "place"),
    Index("log_study", "study", "kind", "place"),
)
"""Everything, row by row: see `Event`."""

head = Table(
    "head",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_head"), primary_key=True, autoincrement=False),
    Column("place", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)
"""One row: where the log ends. It is also what a writer locks, so that there is one at a time."""
