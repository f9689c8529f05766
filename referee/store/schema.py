"""Bringing a database to the newest schema, by alembic, with several processes starting at once."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

NEWEST = "0006"
MIGRATIONS = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 6_600_066


class TooNew(Exception):
    """The record was brought to an edition of the schema that this release does not know."""


def bring_up_to_date(engine: Engine, *, data_dir: Path) -> None:
    """Runs the migrations that are missing; costs one query when there are none. Raises `TooNew` and changes nothing then."""
    with engine.connect() as connection:
        edition = edition_of(connection)
    if edition == NEWEST:
        return
    if edition is not None and edition > NEWEST:
        raise TooNew(
            f"the record is of edition {edition}, and this release knows editions up to {NEWEST}:"
            " run the release that made it, or restore the backup from before the upgrade"
        )
    with _alone(engine, data_dir):
        _upgrade(engine)


def edition_of(connection: Connection) -> str | None:
    """Is the edition of the schema there; None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(engine: Engine) -> None:
    # Imported here: alembic costs a fifth of a second, and most starts have nothing to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        _let_it_take_long(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _alone(engine: Engine, data_dir: Path) -> Iterator[None]:
    """Holds off other processes: a file lock for SQLite, an advisory lock for PostgreSQL."""
    if engine.dialect.name == "sqlite":
        with (data_dir / "record.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        return
    with engine.connect() as connection:
        _let_it_take_long(connection)
        connection.execute(text("SELECT pg_advisory_lock(:n)"), {"n": ADVISORY_LOCK})
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:n)"), {"n": ADVISORY_LOCK})


def _let_it_take_long(connection: Connection) -> None:
    """Lifts the bound on statements for this transaction: a migration of a large record, and who waits for it, need it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
