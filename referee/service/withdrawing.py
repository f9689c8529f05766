"""Bots that leave: live matches are lost by withdrawal, planned ones void, finished ones stand."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from referee import match as matches
from referee.service import aftermath, concluding, table
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import check_rows, match_rows, tournament_rows

ATTEMPTS = 50
WITHDRAWN = "an entrant has withdrawn"


def from_everything(service: Service, bot_id: str) -> None:
    """Takes a deleted bot out of every tournament that is not over and of every match not finished."""
    with service.record.writing() as connection:
        for entry in tournament_rows.entered_by(connection, bot_id):
            _leave(connection, entry, entry["captain"])
            match_rows.void_planned(connection, entry["id"], reason=WITHDRAWN, at=wall_time(), bot=bot_id)
        _void_planned(connection, match_rows.in_state(connection, "planned", bot=bot_id), bot_id)
        live = match_rows.in_state(connection, "live", bot=bot_id)
    _lose(service, live, bot_id)


def from_tournament(service: Service, tournament_id: str, *, captain: str, bot_id: str) -> None:
    """Takes an entry, of a team its captain's, out of one tournament because one of its bots leaves."""
    with service.record.writing() as connection:
        row = tournament_rows.by_id(connection, tournament_id)
        if row is None:
            return
        _leave(connection, row, captain)
        match_rows.void_planned(connection, tournament_id, reason=WITHDRAWN, at=wall_time(), bot=captain)
        live = match_rows.live_of_tournament(connection, tournament_id, bot=captain)
        concluding.conclude(connection, tournament_id)
    _lose(service, live, bot_id)


def _leave(connection: Connection, tournament: dict[str, Any], captain: str) -> None:
    if tournament["state"] == "created":
        tournament_rows.drop_entry(connection, tournament["id"], bot=captain)
    else:
        tournament_rows.settle(connection, tournament["id"], bot=captain, state="withdrawn")


def from_friendlies(connection: Connection, bot_id: str) -> None:
    """Voids the planned friendlies that others asked of a bot that takes none any more."""
    for row in match_rows.in_state(connection, "planned", bot=bot_id):
        if row["kind"] == "friendly" and row["asked_by"] != bot_id:
            reason = f"{_called(row, bot_id)} takes no friendlies any more"
            match_rows.move(connection, row["id"], origin=("planned",), to="void", reason=reason, ended_at=wall_time())


def _called(row: dict[str, Any], bot_id: str) -> str:
    return f"{row['names'][row['bots'].index(bot_id)]} ({bot_id})"


def _void_planned(connection: Connection, rows: list[dict[str, Any]], bot_id: str) -> None:
    for row in rows:
        reason = WITHDRAWN if row["kind"] == "tournament" else f"{_called(row, bot_id)} was deleted"
        at = wall_time()
        match_rows.move(connection, row["id"], origin=("planned",), to="void", reason=reason, ended_at=at)
        check = check_rows.by_match(connection, row["id"]) if row["kind"] == "check" else None
        if check is not None:
            ours = {"number": check["number"], "origin": ("queued",), "to": "done"}
            check_rows.move(connection, check["bot"], **ours, ended_at=at)


def _lose(service: Service, rows: list[dict[str, Any]], bot_id: str) -> None:
    for row in rows:
        for _ in range(ATTEMPTS):
            if _withdraw(service, row["id"], bot_id):
                break
    service.jobs.hint("advance")


def _withdraw(service: Service, match_id: str, bot_id: str) -> bool:
    """Loses one live match for a bot; False if the match moved on meanwhile."""
    try:
        now = table.load(service, match_id)
    except table.NotLive:
        return True
    seat = now.seat_of(bot_id)
    if seat is None or now.match.is_over:
        return True
    outcome, after = table.write(service, now, matches.withdraw(now.match, seat))
    if outcome == "taken":
        aftermath.follow(service, match_id, seen=after)
    return outcome in ("taken", "gone")
