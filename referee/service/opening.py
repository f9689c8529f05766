"""Opening and closing the service of one process."""

from __future__ import annotations

import logging
import os
import secrets
from pathlib import Path

import redis
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from referee.service import archivist, sweeping
from referee.service.base import Service
from referee.service.clock import anchored
from referee.service.memory import DEAD, Memory
from referee.service.problems import ServiceProblem
from referee.service.wakes import Wakes
from referee.settings import Settings
from referee.store import connecting
from referee.store.away import AWAY
from referee.store.live import LiveStore
from referee.store.queue import JobQueue
from referee.store.record import Record, open_record
from referee.store.schema import TooNew

TOKEN_FILE = "organiser-token"

_log = logging.getLogger(__name__)


def open(settings: Settings, *, sweep: bool = True, serves: bool = False) -> Service:  # noqa: A001
    """Opens the record (migrated to the newest schema), the live store, the clock and, at need, the wake subscription.

    Unless `sweep` is false a thread of this process enforces deadlines and brings back what was lost, until `close`:
    every web process and every worker has one, so that no single death leaves a clock unwatched. Every worker has an
    archivist beside it, to whom web processes leave the matches that end. A process that `serves`
    sweeps once before this returns, so that no act that comes first after an outage is charged for it.

    Safe to call in several processes at once. Call it after a fork, never before: connections
    and threads do not survive one. Raises ServiceProblem 503 `service/store_unreachable` with the address and what to do.
    """
    if not settings.redis_url:
        raise _unreachable(
            "no address of a Redis or Valkey server", "set REFEREE_REDIS_URL, or start with `referee serve`"
        )
    client = connecting.pooled(settings.redis_url)
    try:
        clock = anchored(client)
    except redis.RedisError as problem:
        remedy = "is it running? REFEREE_REDIS_URL names another"
        raise _unreachable(f"{named(settings.redis_url)} does not answer: {problem}", remedy) from problem
    wakes, memory = Wakes(settings.redis_url), Memory()
    wakes.always(DEAD, memory.hear_death)
    opened = Service(
        settings=settings,
        record=_record(settings),
        live=LiveStore(client),
        clock=clock,
        wakes=wakes,
        memory=memory,
        jobs=JobQueue(client),
        serves=serves,
    )
    if sweep and serves:
        _caught_up(opened)
    if sweep:
        sweeping.in_background(opened)
    if sweep and not serves:
        archivist.in_background(opened)
    return opened


def _caught_up(service: Service) -> None:
    try:
        service.live.serve(service.clock.now_ms())
        sweeping.deadlines(service)
    except (redis.RedisError, *AWAY) as problem:
        _log.warning("the first sweep is left to the sweeper: %s", problem)


def _record(settings: Settings) -> Record:
    """Opens the record; every way in which that can fail comes out as a problem that says what to do."""
    where = named(settings.database)
    try:
        return open_record(settings.database, data_dir=settings.data)
    except TooNew as problem:
        raise _unreachable(str(problem), "see docs/RUNBOOK.md, Upgrade") from problem
    except (ModuleNotFoundError, ArgumentError) as problem:  # a driver or a dialect nobody has heard of
        remedy = "REFEREE_DATABASE_URL is sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME, which needs psycopg[binary]"
        raise _unreachable(f"{where} cannot be opened: {problem}", remedy) from problem
    except (SQLAlchemyError, OSError) as problem:
        remedy = "is it running, and may this user write there? REFEREE_DATABASE_URL names another"
        raise _unreachable(
            f"{where} cannot be opened: {getattr(problem, 'orig', None) or problem}", remedy
        ) from problem


def named(url: str) -> str:
    """Is the address of a store without its password, for people to read.

    >>> named("redis://:secret@127.0.0.1:6379/0")
    'redis://:***@127.0.0.1:6379/0'
    """
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "an address that cannot be read"


def close(service: Service) -> None:
    """Closes connections and ends the wake thread; idempotent."""
    service.wakes.close()
    service.live.disconnect()
    service.record.close()


def organiser_token(settings: Settings) -> tuple[str, bool]:
    """Is the organiser's token and whether it was made just now.

    `settings.organiser_token` if set; else the one kept in the file `organiser-token` (mode 0600)
    of the data directory, made at the first call. The launcher prints it when it is new.
    """
    if settings.organiser_token:
        return settings.organiser_token, False
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = settings.data / TOKEN_FILE
    if not kept.exists():
        _write_once(kept, secrets.token_urlsafe(32))
        return kept.read_text().strip(), True
    return kept.read_text().strip(), False


def _write_once(path: Path, text: str) -> None:
    """Writes a private file whole, unless another process was first: a link never overwrites."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text + "\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _unreachable(what: str, remedy: str) -> ServiceProblem:
    return ServiceProblem(
        503, "service/store_unreachable", title="A store cannot be reached", detail=f"{what}; {remedy}"
    )
