"""Rows of the rule-sets that were stored: added once, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, text

from referee.store.tables import rulesets

STORING_LOCK = 6_600_068

Row = dict[str, Any]


def one_storer_at_a_time(connection: Connection) -> None:
    """Waits until no other transaction stores a rule-set, so that what is counted and looked up stays so.

    On SQLite a write transaction is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": STORING_LOCK})


def add(connection: Connection, row: Mapping[str, Any]) -> None:
    """Adds a rule-set under a name that is free."""
    connection.execute(insert(rulesets).values(**row))


def by_name(connection: Connection, name: str) -> Row | None:
    """Is the rule-set of that name."""
    row = connection.execute(select(rulesets).where(rulesets.c.name == name)).mappings().first()
    return dict(row) if row else None


def page(connection: Connection, *, after: str, limit: int) -> list[Row]:
    """Are up to `limit` rule-sets with a name above `after`, by name."""
    wanted = select(rulesets).where(rulesets.c.name > after).order_by(rulesets.c.name).limit(limit)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def count(connection: Connection, *, stored_by: str) -> int:
    """Counts the rule-sets that somebody stored."""
    ours = select(func.count()).select_from(rulesets).where(rulesets.c.stored_by == stored_by)
    return connection.execute(ours).scalar_one()
