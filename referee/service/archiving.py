"""An ended match goes on record: result and sealed log in one transaction, then off the live store.

Any process may do it, several at once and again later: the state of the match on record lets one through. Who plays
leaves it to an archivist where there is one (`archivist`): a transaction waits for a disk, and acts should not.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import orjson
import redis

from referee import match as matches
from referee.match import causes
from referee.rules.cards import SEATS
from referee.service import absences, concluding, reporting, table
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.store import log_rows, match_rows
from referee.store.away import AWAY
from referee.tournament import schedule

_log = logging.getLogger(__name__)

RULED = b'"type":"ruled"'
SCORED, BEGUN = b'"type":"scored"', b'"type":"deal_begun"'


def archive(service: Service, now: table.Table) -> bool:
    """Records the result of an ended match; tells whether this call did it, and has workers open what there is room for then."""
    is_done = archive_all(service, [now]) == 1
    if is_done:
        service.jobs.hint("advance")
    return is_done


def archive_all(service: Service, tables: Sequence[table.Table]) -> int:
    """Records the results of ended matches, all in one transaction, and takes them off; answers how many this call recorded.

    Where that fails it is done for each by itself, and the first failure is raised at the end: one match that cannot be
    recorded holds up no other.
    """
    try:
        return _archive(service, tables)
    except (redis.RedisError, *AWAY):
        raise
    except Exception:
        if len(tables) == 1:
            raise
    done, failures = 0, []
    for now in tables:
        try:
            done += _archive(service, [now])
        except (redis.RedisError, *AWAY):
            raise
        except Exception as failure:
            failures.append(failure)
    if failures:
        raise failures[0]
    return done


def _archive(service: Service, tables: Sequence[table.Table]) -> int:
    with service.record.reading() as connection:
        rows = {row["id"]: row for row in match_rows.by_ids(connection, [now.id for now in tables])}
    live = [(now, rows[now.id]) for now in tables if now.id in rows and rows[now.id]["state"] == "live"]
    done = _record(service, [drawn for each in live if (drawn := _drawn_up(service, *each)) is not None])
    for now in tables:
        take_off(service, now)
    for ended in done:
        _tell(ended)
        absences.follow(service, ended.row, ended.result)
    return len(done)


def catch_up(service: Service, match_id: str) -> bool:
    """Records a match that is over and still waits for it, because somebody wants to read it; tells whether it was over."""
    if "over" not in service.live.some(match_id, ("over",)):
        return False
    with suppress(table.NotLive):
        archive(service, table.load(service, match_id))
    return True


def take_off(service: Service, now: table.Table) -> None:
    """Takes a match off the live store, for which there is nothing more to do there."""
    service.live.close(now.id, bots=set(now.standing.bots), seats=SEATS[: len(now.standing.bots)])
    service.memory.forget(now.id)


class Ended(NamedTuple):
    """What goes on record of an ended match: its row until now, the columns that change, its log, rulings and report."""

    row: dict[str, Any]
    result: dict[str, Any]
    log: bytes
    rulings: list[dict[str, Any]]
    report: dict[str, Any] | None


def _drawn_up(service: Service, now: table.Table, row: dict[str, Any]) -> Ended | None:
    lines = service.live.lines(now.id)
    outcome = now.match.outcome
    if outcome is None or len(lines) != now.match.version:
        return None  # another process has archived and taken it off meanwhile
    log = matches.finished_log(now.match, lines, bytes.fromhex(row["seed"]))
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
    report = reporting.final(service, now, lines) if row["kind"] == "check" else None
    return Ended(row, result, log, rulings(lines), report)


def _record(service: Service, ended: Sequence[Ended]) -> list[Ended]:
    """Puts matches on record and ends the tournaments whose last they were; answers those that no other process had recorded."""
    if not ended:
        return []
    with service.record.writing() as connection:
        done = [
            each
            for each in ended
            if match_rows.move(connection, each.row["id"], origin=("live",), to="done", **each.result)
        ]
        for each in done:
            log_rows.add(connection, each.row["id"], log=each.log, rulings=each.rulings)
            if each.report is not None:
                reporting.close(connection, each.row["id"], report=each.report)
        for tournament in dict.fromkeys(each.row["tournament"] for each in done):
            if tournament is not None:
                concluding.conclude(connection, tournament)
    return done


def _tell(ended: Ended) -> None:
    winner = ended.result["winner"]
    told = {"cause": ended.result["cause"], "winner": None if winner is None else SEATS[winner]}
    _log.info("a match is over", extra={"match": ended.row["id"], "tournament": ended.row["tournament"], **told})


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
