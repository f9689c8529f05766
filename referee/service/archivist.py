"""The archivist: a thread of every worker that puts ended matches on record, as many as wait in one transaction.

A transaction waits until the disk has it. A web process that waited would keep every bot waiting whose act comes next, so
while an archivist has lately been heard of, matches that end are left to it. Each takes what waits from one list; what it
has taken and not recorded when it dies, the sweeper finds, for the match is still live. Who reads a match meanwhile has it
recorded at once (`archiving.catch_up`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import redis

from referee.service import advancing, archiving, table
from referee.service.base import Service
from referee.store.away import AWAY

MOST = 100
HEARD_MS = 3_000
LOOK_UP_SECONDS = 1.0
PAUSE_SECONDS = 0.25

_log = logging.getLogger(__name__)


def in_background(service: Service) -> threading.Thread:
    """Archives in a daemon thread until the service is closed."""
    thread = threading.Thread(target=run, args=(service,), name="archivist", daemon=True)
    thread.start()
    return thread


def run(service: Service, *, until: Callable[[], bool] = lambda: False) -> None:
    """Archives again and again until the service is closed or `until` says so; outlives any outage of the stores."""
    while not (service.wakes.closed or until()):
        try:
            service.live.note_archivist(HEARD_MS)
            service.memory.has_archivist = True
            archive_next(service)
            continue
        except (redis.RedisError, *AWAY, OSError) as problem:
            _log.warning("the archivist waits for a store: %s", problem)
        except Exception:
            _log.exception("the archivist stumbled and goes on")
        service.memory.has_archivist = False
        time.sleep(PAUSE_SECONDS)


def archive_next(service: Service) -> int:
    """Archives what waits, after a while if nothing does; answers how many matches it recorded. While a store is away, they
    wait on."""
    ended = service.live.ended(seconds=LOOK_UP_SECONDS, most=MOST)
    try:
        return archive(service, ended)
    except (redis.RedisError, *AWAY):
        with suppress(redis.RedisError):  # then the sweeper finds them
            service.live.put_back(ended)
        raise


def archive(service: Service, match_ids: Sequence[str]) -> int:
    """Archives those of the matches that are over, and opens what there is room for then; answers how many it recorded."""
    over = list(_over(service, match_ids))
    try:
        done = archiving.archive_all(service, over) if over else 0
    except (redis.RedisError, *AWAY):
        raise
    except Exception:
        advancing.advance(service)  # the others of them are on record
        raise
    if done:
        advancing.advance(service)  # here, as every worker may be busy playing
    return done


def _over(service: Service, match_ids: Sequence[str]) -> Iterator[table.Table]:
    for match_id in dict.fromkeys(match_ids):
        try:
            now = table.load(service, match_id)
        except table.NotLive:
            continue  # somebody wanted to read it, and it is on record
        if now.match.is_over:
            yield now
