"""Rows of tournaments, their entries, and the notices that something happened once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def counts(connection: Connection) -> dict[str, int]:
    """Counts tournaments by state."""
    wanted = select(tournaments.c.state, func.count()).group_by(tournaments.c.state)
    return {row[0]: row[1] for row in connection.execute(wanted)}


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


def enter(
    connection: Connection,
    tournament_id: str,
    *,
    bot: str,
    partner: str | None = None,
    name: str | None = None,
    state: str = "entered",
    at: str,
) -> None:
    """Adds an entry, of a team its captain's, after those there are. Raises EnteredTwice."""
    last = select(func.coalesce(func.max(entries.c.place), 0)).where(entries.c.tournament == tournament_id)
    place = connection.execute(last).scalar_one() + 1
    row = {"tournament": tournament_id, "bot": bot, "partner": partner, "name": name}
    row |= {"place": place, "state": state, "entered_at": at}
    try:
        connection.execute(insert(entries).values(**row))
    except IntegrityError as clash:
        raise EnteredTwice(bot) from clash


def entries_of(connection: Connection, tournament_id: str) -> list[Row]:
    """Are the entries in order, each with its `members`, pairs of id and name, and its `name`.

    A team has two members, twice the captain where it sits in both seats, and bears their names unless it has one
    of its own.
    """
    captain, partner = bots.alias("captain"), bots.alias("partner")
    names = (captain.c.name.label("captain_name"), partner.c.name.label("partner_name"))
    wanted = (
        select(entries, *names)
        .join(captain, captain.c.id == entries.c.bot)
        .outerjoin(partner, partner.c.id == entries.c.partner)
        .where(entries.c.tournament == tournament_id)
        .order_by(entries.c.place)
    )
    return [_with_members(dict(row)) for row in connection.execute(wanted).mappings()]


def _with_members(row: Row) -> Row:
    members = [(row["bot"], row.pop("captain_name")), (row["partner"], row.pop("partner_name"))]
    row["members"] = tuple(member for member in members if member[0] is not None)
    row["name"] = row["name"] or team_name(name for _, name in row["members"])
    return row


def team_name(names: Iterable[str]) -> str:
    """Is what a team of bots of those names is called that has no name of its own.

    >>> team_name(["Ada", "Bea"]), team_name(["Ada", "Ada"])
    ('Ada & Bea', 'Ada')
    """
    return " & ".join(dict.fromkeys(names))


def entered_by(connection: Connection, bot: str) -> list[Row]:
    """Are the tournaments (`id`, `state`) in which the bot, or a team of its, has entered or means to and that are not
    over, each with the `captain` of the entry."""
    ours = (entries.c.bot == bot) | (entries.c.partner == bot)
    wanted = (
        select(tournaments.c.id, tournaments.c.state, entries.c.bot.label("captain"))
        .join(entries, entries.c.tournament == tournaments.c.id)
        .where(ours, entries.c.state != "withdrawn")
        .where(tournaments.c.state.in_(("created", "running", "paused")))
    )
    return [dict(row) for row in connection.execute(wanted).mappings()]


def drop_entry(connection: Connection, tournament_id: str, *, bot: str) -> None:
    """Takes an entry away, as if it had never been."""
    connection.execute(delete(entries).where(entries.c.tournament == tournament_id, entries.c.bot == bot))


def drop_offers(connection: Connection, tournament_id: str) -> None:
    """Takes away every team that a bot has offered and whose partner has not agreed."""
    ours = (entries.c.tournament == tournament_id, entries.c.state == "offered")
    connection.execute(delete(entries).where(*ours))


def settle(connection: Connection, tournament_id: str, *, bot: str, state: str) -> None:
    """Moves an entry to `entered` or `withdrawn`."""
    ours = (entries.c.tournament == tournament_id, entries.c.bot == bot)
    connection.execute(update(entries).where(*ours).values(state=state))


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
