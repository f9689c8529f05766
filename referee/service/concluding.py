"""Ends of tournaments: one, and only one, finished event each, whoever sees it first."""

from __future__ import annotations

import logging

from sqlalchemy import Connection

from referee.service.clock import wall_time
from referee.store import match_rows, tournament_rows

FINISHED = "tournament_finished"

_log = logging.getLogger(__name__)


def conclude(connection: Connection, tournament_id: str) -> bool:
    """Ends a running tournament that has nothing planned or live left; tells whether this call did it.

    Runs inside the transaction that saw the last result, or any later one.
    """
    row = tournament_rows.by_id(connection, tournament_id)  # first, so that of two last results one sees the other
    if row is None or row["state"] not in ("running", "paused") or match_rows.has_open(connection, tournament_id):
        return False
    at, counts = wall_time(), match_rows.counts(connection, tournament_id)
    if not tournament_rows.move(connection, tournament_id, origin=("running", "paused"), to="finished", ended_at=at):
        return False
    _log.info("a tournament is over", extra={"tournament": tournament_id})
    return tournament_rows.note_once(connection, FINISHED, subject=tournament_id, facts=counts, at=at)


def conclude_finished(connection: Connection) -> None:
    """Ends every running tournament that is at its end."""
    for tournament_id in tournament_rows.played_out(connection):
        conclude(connection, tournament_id)
