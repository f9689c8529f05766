"""The tables of the durable record, as SQLAlchemy Core knows them; the migrations make the same ones."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

TIME = String(24)  # RFC 3339 in UTC with milliseconds, which sorts as text
IDENTITY = String(40)

bots = Table(
    "bots",
    metadata,
    Column("id", IDENTITY, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", String(64), nullable=False),
    Column("state", String(10), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("transport", String(10), nullable=False),
    Column("url", Text),
    Column("webhook_secret", String(100)),
    Column("chores", JSON, nullable=False),
    Column("language", String(40), nullable=False),
    Column("version", String(40), nullable=False),
    Column("concurrency", Integer, nullable=False),
    Column("accepts_friendlies", Boolean, nullable=False),
    Column("created_at", TIME, nullable=False),
)
Index(
    "uq_bots_active_name",
    bots.c.name_key,
    unique=True,
    sqlite_where=text("state = 'active'"),
    postgresql_where=text("state = 'active'"),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", IDENTITY, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("play", JSON, nullable=False),  # ruleset, overrides, conduct, calls, clock
    Column("ruleset_digest", String(64), nullable=False),
    Column("format", String(20), nullable=False),
    Column("cycles", Integer, nullable=False),
    Column("standings", String(20), nullable=False),  # what comes first in the table: wins, game_points
    Column("duplicate", String(10), nullable=False, server_default="none"),  # none, paired, field
    Column("relabel", Boolean, nullable=False, server_default=true()),  # of duplicates: suits go by other names
    Column("withdraw_after", Integer, nullable=False, server_default="0"),  # matches lost in a row by absence or time
    Column("balance", JSON),  # how even the schedule is, once it is laid down
    Column("open_entry", Boolean, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("started_at", TIME),
    Column("ended_at", TIME),
)

entries = Table(
    "entries",
    metadata,
    Column("tournament", IDENTITY, ForeignKey("tournaments.id"), primary_key=True),
    Column("bot", IDENTITY, ForeignKey("bots.id"), primary_key=True),  # of a team the captain, by whom it is known
    Column("partner", IDENTITY),  # of a team; the captain again where it sits in both seats
    Column("name", String(64)),  # of a team that has one of its own
    Column("place", Integer, nullable=False),
    Column("state", String(10), nullable=False),  # entered, withdrawn, or offered to a partner who has not agreed yet
    Column("entered_at", TIME, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("id", IDENTITY, primary_key=True),
    Column("kind", String(10), nullable=False),  # tournament, friendly, check
    Column("tournament", IDENTITY, ForeignKey("tournaments.id")),
    Column("number", Integer, nullable=False),
    Column("replay", Integer, nullable=False),  # 0, and one more for each time our fault voided it
    Column("cycle", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("play", JSON, nullable=False),
    Column("first_dealer", Integer),
    Column("seed", String(64), nullable=False),
    Column("packs_seed", String(64)),  # the first half of a seed that has two: that of the packs, which others have too
    Column("packs", String(64), index=True),  # the same in all matches on the same packs
    Column("commitment", String(64), nullable=False),
    Column("opens_after", TIME),  # of a friendly that waits for salts: the longest it does
    Column("terms", JSON),  # fixed when the match is opened
    Column("winner", Integer),
    Column("lost_by", Integer),  # at tables of three and four: the seat that lost the match by itself
    Column("cause", String(40)),
    Column("evidence", JSON),  # what the cause rests on
    Column("score", JSON),
    Column("deals", JSON),  # of tournaments, for comparing: deal, attempt, dealer and game points by seat
    Column("events", Integer),
    Column("log_sha256", String(64)),
    Column("reason", Text),
    Column("created_at", TIME, nullable=False),
    Column("opened_at", TIME),
    Column("ended_at", TIME),
    Column("asked_by", IDENTITY),  # of a friendly: the bot that asked for it, or organiser
    UniqueConstraint("tournament", "number", "replay"),
)
Index("ix_matches_kind", matches.c.kind, matches.c.state, matches.c.asked_by)
Index("ix_matches_state", matches.c.state, matches.c.id)
Index("ix_matches_tournament_state", matches.c.tournament, matches.c.state, matches.c.number, matches.c.replay)
# Whatever is asked to find what to open next, so that no row is read that is not opened: rows are long.
_NEXT = (
    matches.c.kind,
    matches.c.created_at,
    matches.c.number,
    matches.c.id,
    matches.c.tournament,
    matches.c.opens_after,
)
Index(
    "ix_matches_planned",
    *_NEXT,
    sqlite_where=text("state = 'planned'"),
    postgresql_where=text("state = 'planned'"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", IDENTITY, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("bot", IDENTITY, nullable=False, index=True),
    Column("name", String(64), nullable=False),
)

salts = Table(
    "salts",
    metadata,
    Column("subject", IDENTITY, primary_key=True),  # the match or the tournament it is for
    Column("bot", IDENTITY, primary_key=True),
    Column("salt", String(64), nullable=False),
    Column("given_at", TIME, nullable=False),
)

logs = Table(
    "logs",
    metadata,
    Column("match", IDENTITY, ForeignKey("matches.id"), primary_key=True),
    Column("packed", LargeBinary, nullable=False),  # zstd of the canonical bytes
    Column("sha256", String(64), nullable=False),
    Column("rulings", JSON, nullable=False),
)

checks = Table(
    "checks",
    metadata,
    Column("bot", IDENTITY, ForeignKey("bots.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("state", String(10), nullable=False, index=True),
    Column("match", IDENTITY),
    Column("report", JSON, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("ended_at", TIME),
)

keys = Table(
    "keys",
    metadata,
    Column("actor", IDENTITY, primary_key=True),
    Column("key_hash", String(64), primary_key=True),
    Column("request_hash", String(64), nullable=False),
    Column("status", Integer),  # null while the first request runs
    Column("headers", JSON),
    Column("sealed", LargeBinary),  # the reply, readable only with the key
    Column("created_at", TIME, nullable=False, index=True),
)

notices = Table(
    "notices",
    metadata,
    Column("kind", String(40), primary_key=True),
    Column("subject", IDENTITY, primary_key=True),
    Column("facts", JSON, nullable=False),
    Column("at", TIME, nullable=False),
)

rulesets = Table(
    "rulesets",
    metadata,
    Column("name", IDENTITY, primary_key=True),
    Column("base", IDENTITY, nullable=False),  # one of those that come with the game
    Column("title", String(100), nullable=False),
    Column("about", Text, nullable=False),
    Column("options", JSON, nullable=False),  # every option with its value, as it was when this was stored
    Column("digest", String(64), nullable=False),
    Column("stored_by", IDENTITY, nullable=False, index=True),  # the bot, or organiser
    Column("stored_at", TIME, nullable=False),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("value", Text, nullable=False),
)
