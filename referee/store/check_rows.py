"""Rows of checks, numbered from 1 within a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from referee.store.tables import checks

Row = dict[str, Any]


def add(connection: Connection, bot: str, *, match: str, report: Mapping[str, Any], at: str) -> int:
    """Adds a queued check and answers its number."""
    last = select(func.coalesce(func.max(checks.c.number), 0)).where(checks.c.bot == bot)
    number = connection.execute(last).scalar_one() + 1
    row = {"bot": bot, "number": number, "state": "queued", "match": match}
    row |= {"report": dict(report), "created_at": at}
    connection.execute(insert(checks).values(**row))
    return int(number)


def by_number(connection: Connection, bot: str, *, number: int) -> Row | None:
    """Is one check."""
    wanted = select(checks).where(checks.c.bot == bot, checks.c.number == number)
    row = connection.execute(wanted).mappings().first()
    return dict(row) if row else None


def by_match(connection: Connection, match_id: str) -> Row | None:
    """Is the check that a match belongs to."""
    row = connection.execute(select(checks).where(checks.c.match == match_id)).mappings().first()
    return dict(row) if row else None


def under_way(connection: Connection, bot: str | None = None) -> list[Row]:
    """Are the checks that are queued or running, in the order in which they were asked for."""
    wanted = select(checks).where(checks.c.state != "done").order_by(checks.c.created_at, checks.c.number)
    if bot is not None:
        wanted = wanted.where(checks.c.bot == bot)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def move(connection: Connection, bot: str, *, number: int, origin: tuple[str, ...], to: str, **columns: Any) -> bool:
    """Moves a check from one of the `origin` states to `to`, and tells whether this call did it."""
    ours = (checks.c.bot == bot, checks.c.number == number, checks.c.state.in_(origin))
    return connection.execute(update(checks).where(*ours).values(state=to, **columns)).rowcount == 1
