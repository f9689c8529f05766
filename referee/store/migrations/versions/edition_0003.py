"""Rule-sets of one's own, each stored once and never changed."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Brings a database of edition 0002 to this one."""
    op.create_table(
        "rulesets",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("base", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("stored_by", sa.String(length=40), nullable=False),
        sa.Column("stored_at", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_rulesets")),
    )
    op.create_index(op.f("ix_rulesets_stored_by"), "rulesets", ["stored_by"], unique=False)
