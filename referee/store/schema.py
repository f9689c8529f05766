"""Bringing a database to the newest schema, by alembic, with several processes starting at once."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

NEWEST = "0004"
MIGRATIONS = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 6_600_066


def bring_up_to_date(engine: Engine, *, data_dir: Path) -> None:
    """Runs the migrations that are missing; costs one query when there are none."""
    with engine.connect() as connection:
        if _edition(connection) == NEWEST:
            return
    with _alone(engine, data_dir):
        _upgrade(engine)


def _edition(connection: Connection) -> str | None:
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
        connection.execute(text("SELECT pg_advisory_lock(:n)"), {"n": ADVISORY_LOCK})
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:n)"), {"n": ADVISORY_LOCK})
