"""The log and its head."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of an empty store."""
    op.create_table(
        "log",
        sa.Column("place", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("interview", sa.Text),
        sa.Column("n", sa.Integer),
        sa.Column("choice", sa.Text),
        sa.Column("why", sa.Text),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
    )
    op.create_index("log_interview", "log", ["interview", "place"])
    op.create_index("log_study", "log", ["study", "kind", "place"])
    head = op.create_table(
        "head",
        sa.Column(
            "id", sa.Integer, sa.CheckConstraint("id = 1", name="one_head"), primary_key=True, autoincrement=False
        ),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.bulk_insert(head, [{"id": 1, "place": 0, "hash": "0" * 64}])
