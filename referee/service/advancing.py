"""Opening planned matches as far as every bot has room. Run by anybody, at any time, as often as one likes.

Which matches are open is decided in one transaction of the record; the live store follows, and whoever
finds a match that is live on record and absent there opens it again from the same terms.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from referee import match as matches
from referee.service import concluding, plays, table
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import bot_rows, match_rows, room_rows, salt_rows, tournament_rows

_log = logging.getLogger(__name__)

MOST_AT_ONCE = 500
BATCH = 100
HOUSE_BOT = "bot_house"
HOUSE_NAME = "random (of the house)"


def advance(service: Service) -> list[str]:
    """Opens every planned match for which there is room and ends tournaments that have none left; answers what it opened."""
    at = wall_time()
    with service.record.reading() as connection:  # mostly there is nothing to do, which is seen without the lock
        openable = any(room_rows.candidates(connection, kind, limit=1, at=at) for kind in room_rows.KINDS)
        if not openable and not tournament_rows.played_out(connection):
            return []
    with service.record.writing() as connection:
        room_rows.one_opener_at_a_time(connection)
        opened = _choose(connection)
        concluding.conclude_finished(connection)
    for row in opened:
        seat(service, row)
    return [row["id"] for row in opened]


def seat(service: Service, row: Mapping[str, Any]) -> None:
    """Opens the table of a match that is live on record. Harmless where it is open already."""
    from referee.service import aftermath  # it opens matches in its turn

    terms = matches.terms_from(row["terms"]["terms"])
    transports = tuple(row["terms"]["transports"])
    seed, shared = bytes.fromhex(row["seed"]), row["terms"].get("shared", False)
    if table.create(service, row["id"], terms=terms, seed=seed, transports=transports, shared=shared):
        _log.info("a match is open", extra={"match": row["id"], "tournament": row["tournament"]})
        aftermath.follow(service, row["id"])


def _choose(connection: Connection) -> list[dict[str, Any]]:
    """Opens on record what there is room for: matches of tournaments first, then checks, then friendlies."""
    opened: list[dict[str, Any]] = []
    for kind in room_rows.KINDS:
        while len(opened) < MOST_AT_ONCE and (chosen := _fitting(connection, kind)):
            rows = match_rows.by_ids(connection, chosen)
            bots = bot_rows.by_ids(connection, sorted({bot for row in rows for bot in row["bots"]}))
            opened += [_opened(connection, row, bots) for row in rows]
    return opened


def _fitting(connection: Connection, kind: str) -> list[str]:
    """Are the next matches of a kind that can be opened together; none only when there is room for none."""
    planned = room_rows.candidates(connection, kind, limit=BATCH, at=wall_time())
    rooms = room_rows.rooms(connection, sorted(frozenset().union(*planned.values())))
    packs, dealt = room_rows.packs_of(connection, list(planned))
    chosen = []
    for match_id, bots in planned.items():  # in the order of the schedule: whoever waits longest comes first
        seated = [bot for bot in bots if bot in rooms]  # the house has room always
        met = {(packs[match_id], bot) for bot in bots} if match_id in packs else set()
        # Nobody plays the same packs at two tables at once: one hand would tell him the other's.
        if not met & dealt and all(rooms[bot].takes(kind) for bot in seated):
            dealt |= met
            for bot in seated:
                room = rooms[bot]
                rooms[bot] = replace(room, live=room.live + 1, friendlies=room.friendlies + (kind == "friendly"))
            chosen.append(match_id)
    return chosen


def _opened(connection: Connection, row: dict[str, Any], bots: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    at = wall_time()
    terms = matches.Terms(
        match_id=row["id"],
        ruleset=plays.ruleset_of(row["play"]),
        seats=tuple(_seating(bots.get(bot), name) for bot, name in zip(row["bots"], row["names"], strict=True)),
        conduct=row["play"]["conduct"],
        calls=row["play"]["calls"],
        clock=plays.clock_of(row["play"]),
        first_dealer=row["first_dealer"],
        opened_at=at,
        tournament=row["tournament"],
        salts=_salts(connection, row),
    )
    transports = [bots[bot]["transport"] if bot in bots else table.HOUSE for bot in row["bots"]]
    shared = match_rows.shares_packs(connection, row)
    kept = {"terms": matches.terms_json(terms), "transports": transports, "shared": shared}
    match_rows.move(connection, row["id"], origin=("planned",), to="live", terms=kept, opened_at=at)
    return {**row, "state": "live", "terms": kept, "opened_at": at}


def _salts(connection: Connection, row: Mapping[str, Any]) -> tuple[str, ...]:
    """Are the salts of a match: those of its own bots, or, where a whole round has the packs, one made of everybody's."""
    given = salt_rows.of(connection, row["tournament"] or row["id"])
    tournament = tournament_rows.by_id(connection, row["tournament"]) if given and row["tournament"] else None
    if tournament is not None and tournament["duplicate"] == "field":
        return (matches.together(given.values()),)
    return tuple(salt for bot, salt in given.items() if bot in row["bots"])


def _seating(bot: Mapping[str, Any] | None, name: str) -> matches.Seating:
    if bot is None:
        return matches.Seating(bot=HOUSE_BOT, name=name, chores=frozenset())
    return matches.Seating(bot=bot["id"], name=name, chores=frozenset(bot["chores"]))
