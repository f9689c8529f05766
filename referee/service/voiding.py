"""Our fault: a match the referee itself failed on is void, never rated, and played again from a pack of its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from referee import match as matches
from referee.service import ids, showing
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import check_rows, match_rows, tournament_rows

MOST_REPLAYS = 3


def void_and_replay(service: Service, match_id: str, *, reason: str) -> bool:
    """Voids a live match and plans it anew; tells whether this call did. After the third replay it stays void."""
    with service.record.writing() as connection:
        row = match_rows.by_id(connection, match_id)
        if row is None or not match_rows.move(
            connection, match_id, origin=("live",), to="void", reason=reason[:500], ended_at=wall_time()
        ):
            return False
        _plan_anew(connection, row)
    service.live.close(match_id, bots=set(row["bots"]), seats=showing.letters(row), keep=False)
    service.memory.forget(match_id)
    service.live.publish("")
    service.jobs.hint("advance")
    return True


def _plan_anew(connection: Connection, row: dict[str, Any]) -> None:
    if row["kind"] == "check":
        check = check_rows.by_match(connection, row["id"])
        if check is not None:
            ours = {"number": check["number"], "origin": ("queued",), "to": "done"}
            check_rows.move(connection, check["bot"], **ours, ended_at=wall_time())
        return
    over = row["tournament"] is not None and not _goes_on(connection, row["tournament"])
    if over or row["replay"] >= MOST_REPLAYS:
        return
    seed = matches.match_seed(bytes.fromhex(row["seed"]), row["replay"] + 1)
    anew = {name: row[name] for name in ("kind", "tournament", "number", "cycle", "round", "play", "first_dealer")}
    anew |= {"id": ids.new_id("mat"), "replay": row["replay"] + 1, "state": "planned", "created_at": wall_time()}
    anew |= {"seed": seed.hex(), "commitment": matches.commitment(seed), "bots": row["bots"], "names": row["names"]}
    match_rows.add(connection, [anew])


def _goes_on(connection: Connection, tournament_id: str) -> bool:
    row = tournament_rows.by_id(connection, tournament_id)
    return row is not None and row["state"] in ("running", "paused")
