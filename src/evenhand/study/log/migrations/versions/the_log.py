"""All tables of the store."""

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
        sa.Column("content", sa.Text, nullable=False),
    )
    op.create_index("log_interview", "log", ["interview", "place"])
    op.create_index("log_study", "log", ["study", "kind", "place"])
    op.create_table(
        "content",
        sa.Column("place", sa.BigInteger, sa.ForeignKey("log.place"), primary_key=True, autoincrement=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("choice", sa.Text),
        sa.Column("why", sa.Text),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
    )
    head = op.create_table(
        "head",
        sa.Column(
            "id", sa.Integer, sa.CheckConstraint("id = 1", name="one_head"), primary_key=True, autoincrement=False
        ),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.bulk_insert(head, [{"id": 1, "place": 0, "hash": "0" * 64}])
    _make_the_tables_of_invitations()


def _make_the_tables_of_invitations() -> None:
    op.create_table(
        "doors",
        sa.Column("study", sa.Text, primary_key=True),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("anyone", sa.Boolean, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False, unique=True),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("places", sa.Integer, nullable=False),
        sa.Column("personal", sa.Boolean, nullable=False),
        sa.Column("made", sa.Text, nullable=False),
        sa.Column("expires", sa.Text),
        sa.Column("revoked", sa.Boolean, nullable=False),
        sa.Column("withdrawn", sa.Integer, nullable=False),
    )
    op.create_index("ix_invitations_study", "invitations", ["study"])
    op.create_table(
        "admissions",
        sa.Column("interview", sa.Text, primary_key=True),
        sa.Column("invitation", sa.Text, sa.ForeignKey("invitations.id"), nullable=False),
    )
    op.create_index("ix_admissions_invitation", "admissions", ["invitation"])
