"""Whose request a friendly is, so that nobody has more than a few of them open, and an index to count them by."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Brings a database of edition 0001 to this one; nobody is known to have asked for the friendlies there are."""
    op.add_column("matches", sa.Column("asked_by", sa.String(length=40), nullable=True))
    op.create_index("ix_matches_kind", "matches", ["kind", "state", "asked_by"], unique=False)
