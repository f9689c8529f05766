"""The first schema: bots, tournaments, entries, matches, logs, checks, keys, notices, settings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:  # long: a schema is a list, one statement a table
    """Brings an empty database to this edition."""
    op.create_table(
        "bots",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("transport", sa.String(length=10), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("webhook_secret", sa.String(length=100), nullable=True),
        sa.Column("chores", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(length=40), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("accepts_friendlies", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_bots_token_hash")),
    )
    op.create_index(
        "uq_bots_active_name",
        "bots",
        ["name_key"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_table(
        "keys",
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", sa.JSON(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("actor", "key_hash", name=op.f("pk_keys")),
    )
    op.create_index(op.f("ix_keys_created_at"), "keys", ["created_at"], unique=False)
    op.create_table(
        "notices",
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=40), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("at", sa.String(length=24), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name=op.f("pk_notices")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("play", sa.JSON(), nullable=False),
        sa.Column("ruleset_digest", sa.String(length=64), nullable=False),
        sa.Column("format", sa.String(length=20), nullable=False),
        sa.Column("cycles", sa.Integer(), nullable=False),
        sa.Column("open_entry", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.String(length=24), nullable=False),
        sa.Column("started_at", sa.String(length=24), nullable=True),
        sa.Column("ended_at", sa.String(length=24), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_state"), "tournaments", ["state"], unique=False)
    op.create_table(
        "checks",
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("match", sa.String(length=40), nullable=True),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(length=24), nullable=False),
        sa.Column("ended_at", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name=op.f("fk_checks_bot")),
        sa.PrimaryKeyConstraint("bot", "number", name=op.f("pk_checks")),
    )
    op.create_index(op.f("ix_checks_state"), "checks", ["state"], unique=False)
    op.create_table(
        "entries",
        sa.Column("tournament", sa.String(length=40), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("entered_at", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bots.id"], name=op.f("fk_entries_bot")),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], name=op.f("fk_entries_tournament")),
        sa.PrimaryKeyConstraint("tournament", "bot", name=op.f("pk_entries")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("tournament", sa.String(length=40), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("replay", sa.Integer(), nullable=False),
        sa.Column("cycle", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("play", sa.JSON(), nullable=False),
        sa.Column("first_dealer", sa.Integer(), nullable=True),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("cause", sa.String(length=40), nullable=True),
        sa.Column("score", sa.JSON(), nullable=True),
        sa.Column("events", sa.Integer(), nullable=True),
        sa.Column("log_sha256", sa.String(length=64), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.String(length=24), nullable=False),
        sa.Column("opened_at", sa.String(length=24), nullable=True),
        sa.Column("ended_at", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], name=op.f("fk_matches_tournament")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("tournament", "number", "replay", name=op.f("uq_matches_tournament_number_replay")),
    )
    op.create_index(op.f("ix_matches_state"), "matches", ["state"], unique=False)
    op.create_index(op.f("ix_matches_tournament"), "matches", ["tournament"], unique=False)
    op.create_table(
        "logs",
        sa.Column("match", sa.String(length=40), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("rulings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_logs_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_logs")),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(length=40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_seats_match")),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_bot"), "seats", ["bot"], unique=False)
