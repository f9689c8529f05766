"""Entrants that are gone: who loses so many matches of a tournament in a row by no-show or time is withdrawn from it.

How many is the tournament's `withdraw_after`, 0 for never. It is a withdrawal like any other: planned matches become void,
live ones are lost, and standings go by T3 and T4. A match that the bot finishes in any other way, won or lost, breaks the row;
so does none that was void.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rules.cards import SEATS
from referee.service import scheduling
from referee.service.base import Service
from referee.service.entries import entered
from referee.store import match_rows, tournament_rows

SILENT = ("no_show", "time")


def follow(service: Service, row: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """Withdraws whoever has lost a match of a tournament so, if that is often enough by now; tells whether it did."""
    from referee.service import withdrawing  # it archives in its turn

    if row["tournament"] is None or result["cause"] not in SILENT:
        return False
    bot = _who_was_silent({**row, **result})
    with service.record.reading() as connection:
        tournament = tournament_rows.by_id(connection, row["tournament"])
        if tournament is None or not tournament["withdraw_after"] or tournament["state"] not in ("running", "paused"):
            return False
        often: int = tournament["withdraw_after"]
        latest = match_rows.latest_of_bot(connection, row["tournament"], bot=bot, limit=often)
        found = entered(connection, row["tournament"])
    captain = scheduling.entrants_of(found)[bot]
    if _in_a_row(latest, bot) < often:
        return False
    withdrawing.from_tournament(service, row["tournament"], captain=captain, bot_id=bot)
    return True


def _who_was_silent(row: Mapping[str, Any]) -> str:
    bot: str = row["bots"][SEATS.index(row["evidence"]["seat"])]
    return bot


def _in_a_row(done: list[dict[str, Any]], bot: str) -> int:
    """Is how many of the matches that a bot finished last it lost by no-show or time, up to the first it did not."""
    count = 0
    for row in sorted(done, key=lambda row: (row["ended_at"], row["number"]), reverse=True):
        if bot not in row["bots"]:
            continue
        if row["cause"] not in SILENT or row["evidence"] is None or _who_was_silent(row) != bot:
            break
        count += 1
    return count
