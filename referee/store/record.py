"""The durable record: opening the database, its schema, and reading and writing transactions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url

from referee.store import schema

LOCK_WAIT_SECONDS = 15.0
CONNECT_SECONDS = 5
SILENCE_MS = 10_000  # what a host that is gone is waited for

#: One connection of PostgreSQL. What takes longer than a statement may is one that waits for a lock nobody gives back.
POSTGRESQL = {
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": SILENCE_MS,
    "keepalives_idle": SILENCE_MS // 1000,
    "application_name": "sixty-six-referee",
    "options": f"-c statement_timeout={int(LOCK_WAIT_SECONDS * 1000)}",
}


@dataclass(frozen=True, slots=True)
class Record:
    """An open database. `reading()` and `writing()` give a connection inside a transaction."""

    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Gives a connection that sees one state of the record and must not write."""
        with self.engine.connect().execution_options(**self._of_reading) as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Gives a connection in a write transaction: all or nothing, and on SQLite the only writer from its begin on.

        Do nothing slow inside, and never talk to Redis there.
        """
        with self.engine.connect().execution_options(writing=True) as connection, connection.begin():
            yield connection

    @property
    def is_gone(self) -> bool:
        """Tells whether the file of an SQLite record has been taken away: who has it open would not notice."""
        url = self.engine.url
        return url.get_backend_name() == "sqlite" and bool(url.database) and not Path(str(url.database)).exists()

    def touch(self) -> None:
        """Asks the database for nothing; raises what SQLAlchemy does where it does not answer."""
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))

    @property
    def _of_reading(self) -> dict[str, Any]:
        # SQLite shows one state to a transaction anyway; PostgreSQL would show a new one to each statement.
        if self.engine.dialect.name != "postgresql":
            return {}
        return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    def close(self) -> None:
        """Closes the pooled connections."""
        self.engine.dispose()


def open_record(url: str, *, data_dir: Path) -> Record:
    """Opens the record at the SQLAlchemy URL `url` and brings its schema up to date.

    Several processes may do this at the same moment; `data_dir` holds the lock file they share.
    Raises what SQLAlchemy does where the URL is none or nobody answers there, `schema.TooNew` for a later release's record.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = _engine(url)
    try:
        schema.bring_up_to_date(engine, data_dir=data_dir)
    except BaseException:
        engine.dispose()
        raise
    return Record(engine)


def _engine(url: str) -> Engine:
    # Parameters stay out of error messages, for they may be tokens' hashes and seeds, and messages are logged.
    if make_url(url).get_backend_name() != "sqlite":
        kept = {"pool_size": 10, "max_overflow": 90, "pool_pre_ping": True, "hide_parameters": True}
        return create_engine(url, connect_args=POSTGRESQL, **kept)
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=5,
        max_overflow=500,  # greenlets that wait for a lock hold theirs
        connect_args={"timeout": LOCK_WAIT_SECONDS, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun below, so that writers lock at once
    _set(connection, "journal_mode = WAL")
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _set(connection: Any, pragma: str) -> None:
    """Sets the journal's mode, which SQLite refuses without waiting while another sets it on a new record."""
    until = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}").close()
        except sqlite3.OperationalError as problem:
            if "locked" not in str(problem) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    # A read that turns into a write would fail at once when another has written since: writers lock first.
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
