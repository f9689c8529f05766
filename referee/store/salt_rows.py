"""Rows of salts: what a bot gave toward the packs of a match or of all its matches in a tournament."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from referee.store.tables import salts


def give(connection: Connection, subject: str, *, bot: str, salt: str, at: str) -> str:
    """Keeps the first salt of a bot for a subject, and answers the one that is kept."""
    kept = of(connection, subject).get(bot)
    if kept is None:
        connection.execute(insert(salts).values(subject=subject, bot=bot, salt=salt, given_at=at))
    return kept or salt


def of(connection: Connection, subject: str) -> dict[str, str]:
    """Are the salts for a subject by the ids of bots, in their order."""
    wanted = select(salts.c.bot, salts.c.salt).where(salts.c.subject == subject).order_by(salts.c.bot)
    return {row.bot: row.salt for row in connection.execute(wanted)}
