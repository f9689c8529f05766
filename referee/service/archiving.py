"""An ended match goes on record: result and sealed log in one transaction, then off the live store.

Any process may do it, several at once and again later: the state of the match on record lets one through.
"""

from __future__ import annotations

import logging
from typing import Any

import orjson

from referee import match as matches
from referee.match import causes
from referee.rules.cards import SEATS
from referee.service import absences, concluding, reporting, table
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import log_rows, match_rows
from referee.tournament import schedule

_log = logging.getLogger(__name__)

RULED = b'"type":"ruled"'
SCORED, BEGUN = b'"type":"scored"', b'"type":"deal_begun"'


def archive(service: Service, now: table.Table) -> bool:
    """Records the result of an ended match; tells whether this call did it."""
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, now.id)
    done = row is not None and row["state"] == "live" and _record(service, now, row)
    take_off(service, now)
    if done and now.match.outcome is not None:
        cause, winner = now.match.outcome.cause, now.match.outcome.winner
        told = {"cause": cause, "winner": None if winner is None else SEATS[winner]}
        _log.info("a match is over", extra={"match": now.id, "tournament": now.match.terms.tournament, **told})
        service.jobs.hint("advance")
    return done


def take_off(service: Service, now: table.Table) -> None:
    """Takes a match off the live store, for which there is nothing more to do there."""
    service.live.close(now.id, bots=set(now.standing.bots), seats=SEATS[: len(now.standing.bots)])
    service.memory.forget(now.id)


def _record(service: Service, now: table.Table, row: dict[str, Any]) -> bool:
    lines = service.live.lines(now.id)
    outcome = now.match.outcome
    if outcome is None or len(lines) != now.match.version:
        return False  # another process has archived and taken it off meanwhile
    log = matches.finished_log(now.match, lines, bytes.fromhex(row["seed"]))
    report = reporting.final(service, now, lines) if row["kind"] == "check" else None
    result = {
        "winner": outcome.winner,
        "lost_by": _lost_by(lines),
        "cause": outcome.cause,
        "evidence": causes.evidence(lines),
        "score": list(outcome.score),
        "events": len(lines),
        "deals": deals(lines) if row["tournament"] is not None else None,
        "log_sha256": log_rows.digest(log),
        "ended_at": wall_time(),
    }
    with service.record.writing() as connection:
        if not match_rows.move(connection, now.id, origin=("live",), to="done", **result):
            return False
        log_rows.add(connection, now.id, log=log, rulings=rulings(lines))
        if report is not None:
            reporting.close(connection, now.id, report=report)
        if row["tournament"] is not None:
            concluding.conclude(connection, row["tournament"])
    absences.follow(service, row, result)
    return True


def _lost_by(lines: tuple[bytes, ...]) -> int | None:
    """Is the seat that lost a match of three or four by itself, as its last event tells."""
    letter = orjson.loads(lines[-1]).get("lost_by")
    return None if letter is None else SEATS.index(letter)


def deals(lines: tuple[bytes, ...]) -> list[list[Any]]:
    """Are the scored deals among lines: number, attempt, dealer, and the game points won by seat, nothing carried over."""
    found: list[list[Any]] = []
    dealer = 0
    for event in (orjson.loads(line) for line in lines if SCORED in line or BEGUN in line):
        if event["type"] == "deal_begun" and event["deal"]:
            dealer = SEATS.index(event["dealer"])
        elif event["type"] == "scored":
            found.append([event["deal"], event["attempt"], dealer, _points(event)])
    return found


def _points(event: dict[str, Any]) -> list[int]:
    letters = list(event["score"])
    if "scores" in event:
        return [event["scores"][letter] for letter in letters]
    won: tuple[int, ...] = ()
    if event["winner"] is not None:
        winner = letters.index(event["winner"])
        won = next(side for side in schedule.sides(len(letters)) if winner in side)
    return [event["game_points"] if seat in won else 0 for seat in range(len(letters))]


def rulings(lines: tuple[bytes, ...]) -> list[dict[str, Any]]:
    """Are the rulings among lines."""
    found = (orjson.loads(line) for line in lines if RULED in line)
    return [event for event in found if event["type"] == "ruled"]
