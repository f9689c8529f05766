"""Our fault: a match the referee itself failed on is void, never rated, and played again.

It is played again with the same packs where no seat had acted: each has seen at most the hand that it will see again,
and knows nothing of the others'. Once a seat has acted, cards of the other hand or of the stock have been seen, or may be
inferred, and who comes to the same packs a second time would play them with open eyes: then it has packs of its own
(and in a duplicate tournament is compared with nobody). So it has where the match had ended, for its seed is open then.

A result stays, though it be not on record yet (`archivist`): whoever voids a live match halts its table first, from when on
no act is taken there, and what is over by then is recorded instead. If he dies before the record says that it is void,
the match goes on (`go_on`) after a time in which he would have given it up by himself.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import redis
from sqlalchemy import Connection
from sqlalchemy.exc import TimeoutError as TooLate

from referee import match as matches
from referee.match import causes
from referee.rules.cards import SEATS
from referee.service import archiving, ids, scheduling, showing
from referee.service.base import Service
from referee.service.clock import wall_time, written
from referee.store import check_rows, log_rows, match_rows, room_rows, salt_rows, tournament_rows
from referee.store.away import AWAY

MOST_REPLAYS = 3
CANCELLED = "the tournament was cancelled"
GIVES_WAY_SECONDS = 600  # so long a friendly may keep a bot from a tournament
HALTED_MS = 20_000  # so long a table may have been halted when the record is told, which waits 15 s for a lock
GIVEN_UP_MS = 60_000  # nobody voids what was halted so long ago, also where the clocks of hosts differ
LOST_BY_SILENCE = ("no_show", "time")

_log = logging.getLogger(__name__)


class Halted(NamedTuple):
    """Matches that were halted: when, in ms of the host clock, and which were over by then."""

    at: int
    over: frozenset[str]


def halt(service: Service, match_ids: Sequence[str]) -> Halted:
    """Closes the tables of live matches to every act, but for those that are over. Not inside a transaction."""
    at = service.clock.now_ms()
    over = service.live.halt_each(match_ids, now=at)
    return Halted(at, frozenset(each for each, is_over in zip(match_ids, over, strict=True) if is_over))


def move(service: Service, connection: Connection, match_id: str, *, halted: Halted, **columns: Any) -> bool:
    """Voids a live match that was halted; tells whether this call did it. Raises where that has come too late."""
    moved = match_rows.move(connection, match_id, origin=("live",), to="void", **columns)
    if service.clock.now_ms() - halted.at > HALTED_MS:  # the row is ours, and nobody has let the match go on before
        raise TooLate("the record took too long, and nothing was done")
    return moved


def go_on(service: Service, match_id: str) -> None:
    """Lets a match go on whose table was halted long ago by one who has not voided it since."""
    at = int(service.live.some(match_id, ("halted",)).get("halted", b"0"))
    if not at or service.clock.now_ms() - at <= GIVEN_UP_MS:
        return
    with service.record.writing() as connection:
        is_live = match_rows.hold(connection, match_id)
    if is_live:
        service.live.go_on(match_id, halted=at, now=service.clock.now_ms(), seats=SEATS)


def clear(service: Service, tournament_id: str) -> None:
    """Voids what is live of a cancelled tournament, which opens nothing any more, and records what is over."""
    with service.record.reading() as connection:
        live = match_rows.live_of_tournament(connection, tournament_id)
    void_all(service, live, reason=CANCELLED)


def give_way(service: Service) -> None:
    """Voids the friendlies that have long kept a bot, all of whose places are taken, from a tournament that awaits it.

    Else who seats a bot in a friendly of long rules could stall a tournament, be it his own entrant or another's. One
    more match beyond `concurrency` would do as well, but that is a promise to the bot; a friendly counts for nothing.
    """
    with service.record.reading() as connection:
        since = written(time.time() - GIVES_WAY_SECONDS)
        in_the_way = match_rows.by_ids(connection, room_rows.friendlies_in_the_way(connection, since)[:100])
    if in_the_way:
        void_all(service, in_the_way, reason="a tournament awaits one of its bots, and friendlies give way in the end")
        service.jobs.hint("advance")


def void_all(service: Service, live: Sequence[dict[str, Any]], *, reason: str) -> None:
    """Voids live matches for good, and records those that are over."""
    halted = halt(service, [row["id"] for row in live])
    told = {"reason": reason, "ended_at": wall_time()}
    with service.record.writing() as connection:
        voided = [
            row
            for row in live
            if row["id"] not in halted.over and move(service, connection, row["id"], halted=halted, **told)
        ]
    for row in voided:
        keep_events(service, row["id"])
        service.live.close(row["id"], bots=set(row["bots"]), seats=showing.letters(row))
    service.live.publish("")
    for match_id in halted.over:
        _is_recordable(service, match_id)


def void_and_replay(
    service: Service,
    match_id: str,
    *,
    reason: str,
    evidence: Mapping[str, Any] | None = None,
    origin: tuple[str, ...] = ("live",),
) -> bool:
    """Voids a live match and plans it anew; tells whether this call did. After the third replay it stays void.

    With `origin` also one that is done, if it was lost by no-show or time in a tournament that goes on. What is over is
    recorded first, and void only if that fails.
    """
    recordable = _is_recordable(service, match_id)
    halted = halt(service, [match_id])
    if halted.over and recordable:  # it has ended since it was looked at
        return void_and_replay(service, match_id, reason=reason, evidence=evidence, origin=origin)
    untouched = _is_untouched(service, match_id)
    with service.record.writing() as connection:
        row = match_rows.by_id(connection, match_id)
        if row is None or row["state"] not in origin or (row["state"] == "done" and not _is_undone(connection, row)):
            return False
        facts = {"fault": "referee_failed", **(evidence or {}), "replay": row["replay"]}
        nothing = {"winner": None, "lost_by": None, "deals": None}
        told = {"cause": causes.VOID, "evidence": facts, "reason": reason[:500], "ended_at": wall_time(), **nothing}
        if row["state"] == "done" and not match_rows.move(connection, match_id, origin=("done",), to="void", **told):
            return False
        if row["state"] == "live" and not move(service, connection, match_id, halted=halted, **told):
            return False
        _plan_anew(connection, row, same_packs=untouched and row["state"] == "live")
    _log.warning("a match is void: %s", reason, extra={"match": match_id, "tournament": row["tournament"]})
    if row["state"] == "live":
        keep_events(service, match_id)
    service.live.close(match_id, bots=set(row["bots"]), seats=showing.letters(row), keep=False)
    service.memory.forget(match_id)
    service.live.publish("")
    service.jobs.hint("advance")
    return True


def _is_recordable(service: Service, match_id: str) -> bool:
    """Records a match that is over; False if it is, and the referee fails on that."""
    try:
        archiving.catch_up(service, match_id)
    except (redis.RedisError, *AWAY):
        raise
    except Exception:
        _log.exception("a match that is over cannot be recorded", extra={"match": match_id})
        return False
    return True


def _is_untouched(service: Service, match_id: str) -> bool:
    """Tells whether no seat of a live match has acted yet; not where that cannot be read."""
    try:
        events = [orjson.loads(line) for line in service.live.lines(match_id)]
        return bool(events) and not any(event["type"] == "acted" and "ms" in event for event in events)
    except Exception:
        return False


def _is_undone(connection: Connection, row: dict[str, Any]) -> bool:
    """Tells whether a match that is done may still become void by our fault."""
    goes_on = row["tournament"] is None or _goes_on(connection, row["tournament"])
    return goes_on and row["cause"] in LOST_BY_SILENCE


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
        _log.exception("the events of a void match are not kept", extra={"match": match_id})


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


def _plan_anew(connection: Connection, row: dict[str, Any], *, same_packs: bool) -> None:
    if row["kind"] == "check":
        check = check_rows.by_match(connection, row["id"])
        if check is not None:
            ours = {"number": check["number"], "origin": ("queued",), "to": "done"}
            check_rows.move(connection, check["bot"], **ours, ended_at=wall_time())
        return
    over = row["tournament"] is not None and not _goes_on(connection, row["tournament"])
    if over or row["replay"] >= MOST_REPLAYS:
        return
    seed = bytes.fromhex(row["seed"])
    seed = seed if same_packs else matches.match_seed(seed, row["replay"] + 1)
    kept = ("kind", "tournament", "number", "cycle", "round", "play", "first_dealer", "asked_by")
    anew = {name: row[name] for name in kept}
    anew |= {"id": ids.new_id("mat"), "replay": row["replay"] + 1, "state": "planned", "created_at": wall_time()}
    anew |= {**scheduling.seed_columns(seed), "bots": row["bots"], "names": row["names"]}
    match_rows.add(connection, [anew])
    for bot, salt in salt_rows.of(connection, row["id"]).items():
        salt_rows.give(connection, anew["id"], bot=bot, salt=salt, at=wall_time())


def _goes_on(connection: Connection, tournament_id: str) -> bool:
    row = tournament_rows.by_id(connection, tournament_id)
    return row is not None and row["state"] in ("running", "paused")
