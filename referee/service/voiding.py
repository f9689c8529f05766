"""Our fault: a match the referee itself failed on is void, never rated, and played again from a pack of its own."""

from __future__ import annotations

import logging
from typing import Any

import orjson
from sqlalchemy import Connection

from referee import match as matches
from referee.service import archiving, ids, showing
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import check_rows, log_rows, match_rows, tournament_rows

MOST_REPLAYS = 3

_log = logging.getLogger(__name__)


def void_and_replay(service: Service, match_id: str, *, reason: str) -> bool:
    """Voids a live match and plans it anew; tells whether this call did. After the third replay it stays void."""
    with service.record.writing() as connection:
        row = match_rows.by_id(connection, match_id)
        if row is None or not match_rows.move(
            connection, match_id, origin=("live",), to="void", reason=reason[:500], ended_at=wall_time()
        ):
            return False
        _plan_anew(connection, row)
    keep_events(service, match_id)
    service.live.close(match_id, bots=set(row["bots"]), seats=showing.letters(row), keep=False)
    service.memory.forget(match_id)
    service.live.publish("")
    service.jobs.hint("advance")
    return True


def keep_events(service: Service, match_id: str) -> None:
    """Puts what was played of a match that has become void on record, unsealed, before it goes off the live store.

    What cannot be read, or is kept already, is left out: nothing hangs on it.
    """
    try:
        lines = _sound(service.live.lines(match_id))
        if not lines:
            return
        with service.record.writing() as connection:
            log_rows.add(connection, match_id, log=b"\n".join(lines) + b"\n", rulings=archiving.rulings(lines))
            match_rows.move(connection, match_id, origin=("void",), to="void", events=len(lines))
    except Exception:
        _log.exception("the events of the void match %s are not kept", match_id)


def _sound(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Are the lines up to the first that is damaged."""
    for number, line in enumerate(lines, 1):
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            event = None
        if not isinstance(event, dict) or event.get("n") != number or "type" not in event:
            return lines[: number - 1]
    return lines


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
    kept = ("kind", "tournament", "number", "cycle", "round", "play", "first_dealer", "asked_by")
    anew = {name: row[name] for name in kept}
    anew |= {"id": ids.new_id("mat"), "replay": row["replay"] + 1, "state": "planned", "created_at": wall_time()}
    anew |= {"seed": seed.hex(), "commitment": matches.commitment(seed), "bots": row["bots"], "names": row["names"]}
    match_rows.add(connection, [anew])


def _goes_on(connection: Connection, tournament_id: str) -> bool:
    row = tournament_rows.by_id(connection, tournament_id)
    return row is not None and row["state"] in ("running", "paused")
