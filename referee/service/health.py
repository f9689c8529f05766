"""Facts about the running service."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any
from weakref import WeakKeyDictionary

import redis
from sqlalchemy import Engine

import referee
from referee.service.base import Service
from referee.service.problems import ServiceProblem
from referee.store import connecting, schema
from referee.store.record import Record

PROBE, PROBE_KEPT_SECONDS = "probe", 60

#: The question that was last put to each record: while it hangs, no other is put.
_asking: WeakKeyDictionary[Engine, Future[str | None]] = WeakKeyDictionary()


def health(service: Service) -> dict[str, Any]:
    """Is `{"status": "ok", "version": "..."}` without touching a store."""
    return {"status": "ok", "version": referee.__version__}


def ready(service: Service) -> dict[str, Any]:
    """Is `{"status": "ready", "checks": {"redis": "ok", "database": "ok", "queue": "ok", "workers": 2, "waiting_jobs": 0}}`.

    503 `service/not_ready` with the same `checks` naming what is wrong. Without a worker the service still plays
    pull bots; `workers` only says so. A store that hangs is told within some two seconds.

    Each store is asked for what the service lives on: Redis to write, which one that is full or a replica refuses; the
    record for its edition, which is read from its file and has to be the one this release works with.
    """
    found = checks(service)
    wrong = [name for name in ("redis", "database", "queue") if found[name] != "ok"]
    if wrong:
        detail = "; ".join(f"{name}: {found[name]}" for name in wrong)
        raise ServiceProblem(503, "service/not_ready", title="Not ready", detail=detail, checks=found)
    return {"status": "ready", "checks": found}


def checks(service: Service) -> dict[str, Any]:
    """Is what each store says for itself: `redis`, `database`, `queue` are "ok" or what is wrong with them."""
    found: dict[str, Any] = {"redis": _redis(service), "database": _database(service)}
    # The queue lies on the same server: asking one that does not answer would only take longer.
    return found | (_queue(service) if found["redis"] == "ok" else _no_queue(found["redis"]))


def _redis(service: Service) -> str:
    try:
        with connecting.probing(service.settings.redis_url) as client:
            client.set(PROBE, "1", ex=PROBE_KEPT_SECONDS)
    except redis.exceptions.ResponseError as problem:  # it answers, and says why it will not
        return f"takes nothing: {type(problem).__name__}: {str(problem)[:200]}"
    except Exception as problem:  # whatever it is, it is what is wrong
        return f"does not answer: {type(problem).__name__}"
    return "ok"


def _database(service: Service) -> str:
    """Asks in a thread that may be left behind: a database that hangs would hold whoever asks it."""
    if service.record.is_gone:
        return "its file is gone"
    engine = service.record.engine
    answered = _asking.get(engine)
    if answered is None or answered.done():
        answered = _asking[engine] = _asked(service.record)
    try:
        edition = answered.result(timeout=connecting.PROBE_SECONDS)
    except TimeoutError:
        return "does not answer: it is silent"
    except Exception as problem:
        return f"does not answer: {type(problem).__name__}"
    if edition != schema.NEWEST:
        return f"is of edition {edition}, and this release works with {schema.NEWEST}"
    return "ok"


def _asked(record: Record) -> Future[str | None]:
    """Is the edition of the record, to come."""
    coming: Future[str | None] = Future()

    def ask() -> None:
        try:
            with record.reading() as connection:
                edition = schema.edition_of(connection)
        except BaseException as problem:
            coming.set_exception(problem)
        else:
            coming.set_result(edition)

    threading.Thread(target=ask, name="asking the record", daemon=True).start()
    return coming


def _queue(service: Service) -> dict[str, Any]:
    try:
        return {"queue": "ok", "workers": service.jobs.workers(), "waiting_jobs": service.jobs.waiting()}
    except Exception as problem:
        return _no_queue(f"cannot be read: {type(problem).__name__}")


def _no_queue(why: str) -> dict[str, Any]:
    return {"queue": why, "workers": 0, "waiting_jobs": 0}
