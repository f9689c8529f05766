"""Rows of the table of bots. A row is a plain dictionary by column name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.store.tables import bots

Row = dict[str, Any]

#: Built once: it is asked far oftener than all else here, and to build it anew costs more than to ask.
_BY_TOKEN = select(bots.c.id).where(bots.c.token_hash == bindparam("hashed"), bots.c.state == "active")


class NameTaken(Exception):
    """Another active bot bears the name."""


def name_key(name: str) -> str:
    """Is what two names have in common that look alike but for capitals and width; at most 64 characters.

    >>> name_key("\uff30erl") == name_key("perl"), name_key("Perl 2") == name_key("Perl 3"), len(name_key("\u00df" * 64))
    (True, False, 64)
    """
    return unicodedata.normalize("NFKC", name).casefold()[:64]


def add(connection: Connection, row: Mapping[str, Any]) -> None:
    """Adds a bot. Raises NameTaken."""
    try:
        connection.execute(insert(bots).values(**row, name_key=name_key(row["name"])))
    except IntegrityError as clash:
        raise NameTaken(row["name"]) from clash


def by_id(connection: Connection, bot_id: str) -> Row | None:
    """Is the bot of that id, deleted or not."""
    row = connection.execute(select(bots).where(bots.c.id == bot_id)).mappings().first()
    return dict(row) if row else None


def by_ids(connection: Connection, bot_ids: list[str]) -> dict[str, Row]:
    """Are the bots of those ids that exist, by id."""
    rows = connection.execute(select(bots).where(bots.c.id.in_(bot_ids))).mappings()
    return {row["id"]: dict(row) for row in rows}


def by_token(connection: Connection, token_hash: str) -> str | None:
    """Is the id of the active bot whose token has this hash."""
    return connection.execute(_BY_TOKEN, {"hashed": token_hash}).scalar()


def page(connection: Connection, *, after: str, limit: int) -> list[Row]:
    """Are up to `limit` active bots with an id above `after`, oldest first."""
    wanted = select(bots).where(bots.c.state == "active", bots.c.id > after).order_by(bots.c.id).limit(limit)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def change(connection: Connection, bot_id: str, *, changes: Mapping[str, Any], held: str | None = None) -> bool:
    """Writes the changed columns of an active bot, with `held` only if its token has that hash; tells whether it did.

    Raises NameTaken.
    """
    values = dict(changes) or {"state": "active"}  # no change, but of one that may be changed
    if "name" in values:
        values["name_key"] = name_key(values["name"])
    wanted = update(bots).where(bots.c.id == bot_id, bots.c.state == "active").values(**values)
    if held is not None:
        wanted = wanted.where(bots.c.token_hash == held)
    try:
        return bool(connection.execute(wanted).rowcount)
    except IntegrityError as clash:
        raise NameTaken(values.get("name", "")) from clash


def count_active(connection: Connection) -> int:
    """Counts the active bots."""
    return connection.execute(select(func.count()).select_from(bots).where(bots.c.state == "active")).scalar_one()
