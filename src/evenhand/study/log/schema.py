"""The tables of the store; `migrations/` brings an older store to this shape.

What identifies a person or says anything stands apart from what the chain hashes: in `content` and `invitations`.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, ForeignKey, Index, Integer, MetaData, Table, Text

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
    Column("content", Text, nullable=False),
    Index("log_interview", "interview", "place"),
    Index("log_study", "study", "kind", "place"),
)
"""What the chain hashes, row by row: see `Row`. `content` is the salted digest of what the next table holds."""

content = Table(
    "content",
    metadata,
    Column("place", BigInteger, ForeignKey("log.place"), primary_key=True, autoincrement=False),
    Column("salt", Text, nullable=False),
    Column("choice", Text),
    Column("why", Text),
    Column("detail", Text, nullable=False),
    Column("time", Text, nullable=False),
)
"""What each event says. When a person withdraws, their rows are deleted here."""

head = Table(
    "head",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_head"), primary_key=True, autoincrement=False),
    Column("place", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)
"""One row: where the log ends. It is also what a writer locks, so that there is one at a time."""

doors = Table(
    "doors",
    metadata,
    Column("study", Text, primary_key=True),
    Column("closed", Boolean, nullable=False),
    Column("anyone", Boolean, nullable=False),
)
"""Who may begin an interview of a study; a study without a row is open to anyone who knows its address."""

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("study", Text, nullable=False, index=True),
    Column("secret", Text, nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("places", Integer, nullable=False),
    Column("personal", Boolean, nullable=False),
    Column("made", Text, nullable=False),
    Column("expires", Text),
    Column("revoked", Boolean, nullable=False),
    Column("withdrawn", Integer, nullable=False),
)
"""Links to a study. `secret` is a hash; `withdrawn` is how many of its interviews were."""

admissions = Table(
    "admissions",
    metadata,
    Column("interview", Text, primary_key=True),
    Column("invitation", Text, ForeignKey("invitations.id"), nullable=False, index=True),
)
"""Which interview began by which invitation; the row goes when the person withdraws."""
