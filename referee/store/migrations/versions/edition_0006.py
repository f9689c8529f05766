"""Indexes by which a large tournament costs no more a match than a small one, and pages of it are found where they begin."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

PLANNED = sa.text("state = 'planned'")


def upgrade() -> None:
    """Brings a database of edition 0005 to this one: no row changes."""
    op.drop_index("ix_matches_tournament", table_name="matches")
    op.drop_index("ix_matches_state", table_name="matches")
    op.create_index("ix_matches_state", "matches", ["state", "id"])
    op.create_index("ix_matches_tournament_state", "matches", ["tournament", "state", "number", "replay"])
    following = ["kind", "created_at", "number", "id", "tournament", "opens_after"]
    op.create_index("ix_matches_planned", "matches", following, sqlite_where=PLANNED, postgresql_where=PLANNED)
