"""Teams of two among the entries, who lost a match of more than two, the order of the table and the balance of a schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Brings a database of edition 0003 to this one: nobody has a partner yet, and all tables go by match wins."""
    op.add_column("entries", sa.Column("partner", sa.String(length=40), nullable=True))
    op.add_column("entries", sa.Column("name", sa.String(length=64), nullable=True))
    op.add_column("matches", sa.Column("lost_by", sa.Integer(), nullable=True))
    op.add_column("tournaments", sa.Column("balance", sa.JSON(), nullable=True))
    op.add_column("tournaments", sa.Column("standings", sa.String(length=20), nullable=False, server_default="wins"))
