"""Rows of tournaments, their entries, and the notices that something happened once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.store.tables import bots, entries, matches, notices, tournaments

Row = dict[str, Any]


class EnteredTwice(Exception):
    """The bot is entered already."""


def add(connection: Connection, row: Mapping[str, Any]) -> None:
    """Adds a tournament."""
    connection.execute(insert(tournaments).values(**row))


def by_id(connection: Connection, tournament_id: str) -> Row | None:
    """Is the tournament of that id; in a write transaction no other writer changes it until the end."""
    wanted = select(tournaments).where(tournaments.c.id == tournament_id)
    if connection.get_execution_options().get("writing"):
        wanted = wanted.with_for_update()
    row = connection.execute(wanted).mappings().first()
    return dict(row) if row else None


def page(connection: Connection, *, before: str | None, limit: int) -> list[Row]:
    """Are up to `limit` tournaments with an id below `before`, newest first."""
    wanted = select(tournaments).order_by(tournaments.c.id.desc()).limit(limit)
    if before is not None:
        wanted = wanted.where(tournaments.c.id < before)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def in_state(connection: Connection, state: str) -> list[str]:
    """Are the ids of all tournaments in a state, oldest first."""
    wanted = select(tournaments.c.id).where(tournaments.c.state == state).order_by(tournaments.c.id)
    return list(connection.execute(wanted).scalars())


def played_out(connection: Connection) -> list[str]:
    """Are the ids of running tournaments that have no match planned or live any more."""
    open_ones = select(matches.c.id).where(
        matches.c.tournament == tournaments.c.id, matches.c.state.in_(("planned", "live"))
    )
    wanted = select(tournaments.c.id).where(tournaments.c.state == "running", ~open_ones.exists())
    return list(connection.execute(wanted).scalars())


def move(connection: Connection, tournament_id: str, *, origin: tuple[str, ...], to: str, **columns: Any) -> bool:
    """Moves it from one of the `origin` states to `to`, and tells whether this call did it."""
    done = connection.execute(
        update(tournaments)
        .where(tournaments.c.id == tournament_id, tournaments.c.state.in_(origin))
        .values(state=to, **columns)
    )
    return done.rowcount == 1


def enter(connection: Connection, tournament_id: str, *, bot: str, at: str) -> None:
    """Adds an entry after those there are. Raises EnteredTwice."""
    last = select(func.coalesce(func.max(entries.c.place), 0)).where(entries.c.tournament == tournament_id)
    place = connection.execute(last).scalar_one() + 1
    row = {"tournament": tournament_id, "bot": bot, "place": place, "state": "entered", "entered_at": at}
    try:
        connection.execute(insert(entries).values(**row))
    except IntegrityError as clash:
        raise EnteredTwice(bot) from clash


def entries_of(connection: Connection, tournament_id: str) -> list[Row]:
    """Are the entries in order, each with the bot's `name`."""
    wanted = (
        select(entries, bots.c.name)
        .join(bots, bots.c.id == entries.c.bot)
        .where(entries.c.tournament == tournament_id)
        .order_by(entries.c.place)
    )
    return [dict(row) for row in connection.execute(wanted).mappings()]


def entered_by(connection: Connection, bot: str) -> list[Row]:
    """Are the tournaments (`id`, `state`) in which the bot is entered and not withdrawn, and that are not over."""
    wanted = (
        select(tournaments.c.id, tournaments.c.state)
        .join(entries, entries.c.tournament == tournaments.c.id)
        .where(entries.c.bot == bot, entries.c.state == "entered")
        .where(tournaments.c.state.in_(("created", "running", "paused")))
    )
    return [dict(row) for row in connection.execute(wanted).mappings()]


def drop_entry(connection: Connection, tournament_id: str, *, bot: str) -> None:
    """Takes an entry away, as if it had never been."""
    connection.execute(delete(entries).where(entries.c.tournament == tournament_id, entries.c.bot == bot))


def withdraw(connection: Connection, tournament_id: str, *, bot: str) -> None:
    """Marks an entry as withdrawn."""
    ours = (entries.c.tournament == tournament_id, entries.c.bot == bot)
    connection.execute(update(entries).where(*ours).values(state="withdrawn"))


def note_once(connection: Connection, kind: str, *, subject: str, facts: Mapping[str, Any], at: str) -> bool:
    """Records that something happened to a subject, and tells whether it was not yet on record."""
    known = select(notices.c.kind).where(notices.c.kind == kind, notices.c.subject == subject)
    if connection.execute(known).first() is not None:
        return False
    connection.execute(insert(notices).values(kind=kind, subject=subject, facts=dict(facts), at=at))
    return True


def notice(connection: Connection, kind: str, *, subject: str) -> Row | None:
    """Is what was recorded, or None."""
    wanted = select(notices).where(notices.c.kind == kind, notices.c.subject == subject)
    row = connection.execute(wanted).mappings().first()
    return dict(row) if row else None
