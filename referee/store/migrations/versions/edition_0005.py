"""Duplicate tournaments, salts of bots, what the cause of a match rests on, and withdrawal by absence."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Brings a database of edition 0004 to this one: no tournament is a duplicate, and nobody has given a salt."""
    op.add_column("tournaments", sa.Column("duplicate", sa.String(length=10), nullable=False, server_default="none"))
    op.add_column("tournaments", sa.Column("relabel", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("tournaments", sa.Column("withdraw_after", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("packs_seed", sa.String(length=64), nullable=True))
    op.add_column("matches", sa.Column("packs", sa.String(length=64), nullable=True))
    op.add_column("matches", sa.Column("opens_after", sa.String(length=24), nullable=True))
    op.add_column("matches", sa.Column("evidence", sa.JSON(), nullable=True))
    op.add_column("matches", sa.Column("deals", sa.JSON(), nullable=True))
    op.create_index("ix_matches_packs", "matches", ["packs"])
    op.create_table(
        "salts",
        sa.Column("subject", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("given_at", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("subject", "bot", name="pk_salts"),
    )
