"""The sweeper: enforces deadlines, and brings back what a death somewhere left undone.

Every worker and every web process runs one. All it does is idempotent and re-reads the truth first,
so that a lock is only there to spare work, never for correctness.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_right
from collections.abc import Callable

import redis
from sqlalchemy.exc import SQLAlchemyError

from referee.rules.cards import SEATS
from referee.service import advancing, aftermath, clocks, keys, metrics, showing, table, voiding
from referee.service.base import Service
from referee.service.problems import ServiceProblem
from referee.store import match_rows
from referee.store.away import AWAY

PAUSE_SECONDS = 0.25
EVERY_MS = {"deadlines": 200, "recovery": 3_000, "tidying": 3_600_000}
OUTAGE_MS = 1_500  # a longer pause between two sweeps is ours, whatever made it
LEEWAY_MS = 1_000  # an act is judged by when it arrived, and a busy web process may read it this much later
LOOKED_AFTER = 300  # matches, at each recovery
LOOKED = "sweep:looked"
SERVING_MS = 750  # a web process says at least this often that it takes acts

_log = logging.getLogger(__name__)


def in_background(service: Service) -> threading.Thread:
    """Sweeps in a daemon thread until the service is closed."""
    thread = threading.Thread(target=run, args=(service,), name="sweeper", daemon=True)
    thread.start()
    return thread


def run(service: Service, *, until: Callable[[], bool] = lambda: False) -> None:
    """Sweeps again and again until the service is closed or `until` says so; outlives any outage of the stores."""
    while not (service.wakes.closed or until()):
        try:
            sweep(service)
        except (redis.RedisError, *AWAY, OSError) as problem:
            _log.warning("the sweeper waits for a store: %s", problem)
        except Exception:
            _log.exception("the sweeper stumbled and goes on")
        time.sleep(PAUSE_SECONDS)


def sweep(service: Service, *, at_once: bool = False) -> None:
    """Does whatever is due; with `at_once` everything, without asking whether another process has just done it."""
    if service.serves:
        service.live.serve(service.clock.now_ms())
        service.memory.has_archivist = service.live.has_archivist()
    for kind, work in (("deadlines", _unhurried), ("recovery", recover), ("tidying", tidy)):
        if at_once or service.live.client.set(f"sweep:{kind}", "1", nx=True, px=EVERY_MS[kind]):
            work(service)


def deadlines(service: Service, *, leeway: int = 0) -> int:
    """Rules on every seat whose time is over, and has been for `leeway` ms; answers on how many.

    After an outage everybody is given its length.

    While the record does not answer, or every web process is gone, nobody is ruled on: who cannot act does not lose by
    it, and the time until both are back counts as an outage.
    """
    service.record.touch()
    now = service.clock.now_ms()
    served = service.live.served()
    if served is not None and now - served > SERVING_MS:
        return 0
    outage = service.live.beat(now, pause=OUTAGE_MS, seats=SEATS)
    if outage:
        _log.warning("nobody could act for a while, and no seat is charged for it", extra={"ms": outage})
        metrics.outage(outage / 1000)
    return sum(_enforced(service, match_id, letter) for match_id, letter in service.live.overdue(now - leeway))


def _unhurried(service: Service) -> None:
    """Rules on nobody whose act may have arrived in time and lie in a queue of ours: who was late loses as surely then."""
    deadlines(service, leeway=LEEWAY_MS)


def recover(service: Service) -> None:
    """Brings live store and record together, and moves on every match nobody moves on.

    Of thousands some are looked after each time, all in turn: whoever sweeps has bots of its own that wait meanwhile.
    """
    with service.record.reading() as connection:
        on_record = match_rows.ids_in_state(connection, "live")
        cancelled = match_rows.live_of_cancelled(connection)
    for tournament_id in cancelled:
        voiding.clear(service, tournament_id)
    voiding.give_way(service)
    there = service.live.members("live")
    for match_id in sorted(on_record.difference(there)):
        _again(service, match_id)
    for match_id in _next(service, there):
        _look_after(service, match_id, on_record=match_id in on_record)
    advancing.advance(service)


def _next(service: Service, live: list[str]) -> list[str]:
    """Are the matches to be looked after now, those after the last one that any process looked after."""
    if len(live) <= LOOKED_AFTER:
        return live
    start = bisect_right(live, (service.live.client.get(LOOKED) or b"").decode())  # type: ignore[union-attr]
    chosen = (live[start:] + live[:start])[:LOOKED_AFTER]
    service.live.client.set(LOOKED, chosen[-1])
    return chosen


def tidy(service: Service) -> None:
    """Drops what has been kept long enough."""
    keys.tidy(service)


def _enforced(service: Service, match_id: str, letter: str) -> bool:
    try:
        return clocks.enforce(service, match_id, seat=SEATS.index(letter), at=service.clock.now_ms())
    except (redis.RedisError, *AWAY, OSError):
        raise
    except SQLAlchemyError:  # a defect, but of the record and not of this match
        _log.exception("a match is passed over", extra={"match": match_id})
        return False
    except Exception as problem:
        _failed(service, match_id, problem)
        return False


def _failed(service: Service, match_id: str, problem: Exception) -> None:
    """Voids a match the referee cannot carry on. The world is told the kind of the defect, the journal where it was."""
    _log.exception("a match cannot be carried on", extra={"match": match_id})
    voiding.void_and_replay(service, match_id, reason=f"the referee failed on it: {type(problem).__name__}")


def _again(service: Service, match_id: str) -> None:
    """Opens a match that is live on record and lost in the live store (or is just being opened by another)."""
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is not None and row["state"] == "live":
        advancing.seat(service, row)


def _look_after(service: Service, match_id: str, *, on_record: bool) -> None:
    if not on_record and not _is_live_on_record(service, match_id):
        _take_off(service, match_id)
        return
    try:
        now = table.load(service, match_id)
        for seat in now.match.asked:
            service.live.set_due(match_id, seat=SEATS[seat], at=now.deadline(seat))
        aftermath.follow(service, match_id, seen=now, at_once=True)
    except table.NotLive:
        voiding.go_on(service, match_id)
    except (redis.RedisError, *AWAY, ServiceProblem, OSError):
        raise
    except SQLAlchemyError:
        _log.exception("a match is passed over", extra={"match": match_id})
    except Exception as problem:
        _failed(service, match_id, problem)


def _is_live_on_record(service: Service, match_id: str) -> bool:
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    return row is not None and row["state"] == "live"


def _take_off(service: Service, match_id: str) -> None:
    """Takes a match off that is not live on record; whoever voided it may have died before that."""
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is not None and row["state"] == "void":
        voiding.keep_events(service, match_id)
    bots, seats = ((), SEATS) if row is None else (set(row["bots"]), showing.letters(row))
    service.live.close(match_id, bots=bots, seats=seats)
    service.memory.forget(match_id)
