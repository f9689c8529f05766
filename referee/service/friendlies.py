"""Who may be seated in a friendly, and how much of anybody's time friendlies may take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from referee.service import access, archiving
from referee.service.base import Caller, Service
from referee.service.problems import ServiceProblem, unknown
from referee.store import bot_rows, room_rows

MOST_ASKED_FOR = 4
MOST_SEATED = 20
#: What the members of a friendly's clock may be at most, in ms: a stranger's bot is held up no longer.
LONGEST = {"act_ms": 60_000, "bank_ms": 600_000, "increment_ms": 10_000, "grace_ms": 5_000, "absence_ms": 120_000}


def admit(connection: Connection, bots: Sequence[str], caller: Caller) -> tuple[str, ...]:
    """Lets a friendly of those bots pass and answers their names, in seat order.

    The organiser's friendlies are not counted before they are made, but count for others.
    403 `bot/declines_friendlies`; 404 `bot/unknown`; 409 `match/too_many_friendlies` with `bot` and `most`.
    """
    rows = bot_rows.by_ids(connection, sorted(set(bots)))
    for bot in bots:
        _require_willing(rows.get(bot), bot, caller)
    if caller.kind != "organiser":
        _require_few(connection, rows, caller)
    return tuple(rows[bot]["name"] for bot in bots)


def record_ended(service: Service, bots: Sequence[str], caller: Caller) -> None:
    """Records the friendlies that are over and wait for it, where they would have one more refused: they count no more."""
    if caller.kind == "organiser":
        return
    with service.record.reading() as connection:
        waiting = room_rows.friendlies_live(connection, asker(caller), bots=bots)
    if len(waiting) < MOST_ASKED_FOR:
        return
    over = service.live.some_of_each(waiting, ("over",))
    for match_id, facts in zip(waiting, over, strict=True):
        if facts:
            archiving.catch_up(service, match_id)


def asker(caller: Caller) -> str:
    """Is what is kept of who asked for a friendly: the id of a bot, or `organiser`."""
    return caller.bot or caller.kind


def _require_willing(row: Mapping[str, Any] | None, bot: str, caller: Caller) -> None:
    if row is None or row["state"] != "active":
        raise unknown("bot", bot)
    if not row["accepts_friendlies"] and not access.owns(caller, bot):
        detail = f"{row['name']} ({bot}) takes no friendlies."
        raise ServiceProblem(403, "bot/declines_friendlies", title="No friendlies, thank you", detail=detail)


def _require_few(connection: Connection, rows: Mapping[str, Mapping[str, Any]], caller: Caller) -> None:
    asked = room_rows.friendlies_asked(connection, asker(caller))
    if asked >= MOST_ASKED_FOR:
        raise _too_many(asker(caller), f"{asked} friendlies that your bot {caller.bot} asked for", MOST_ASKED_FOR)
    for bot, row in rows.items():
        seated = 0 if access.owns(caller, bot) else room_rows.friendlies_seated(connection, bot)
        if seated >= MOST_SEATED:
            raise _too_many(bot, f"{seated} friendlies in which {row['name']} ({bot}) is seated", MOST_SEATED)


def _too_many(bot: str, what: str, most: int) -> ServiceProblem:
    detail = f"There are {what}, planned or live, and at most {most} may be at a time; ask again when one is over."
    title = "Too many friendlies are open"
    return ServiceProblem(409, "match/too_many_friendlies", title=title, detail=detail, bot=bot, most=most)
