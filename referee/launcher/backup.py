"""A backup of a running service: a copy of its data directory that a service can be started from.

The live store is copied first and the record after it. So a match that ended in between is done on record and is
taken off the copied live store; the other way round it would be live on record with its events gone.
"""

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from referee.launcher.processes import LauncherError
from referee.launcher.valkey import Place
from referee.service.opening import TOKEN_FILE
from referee.settings import Settings

APPENDED = "appendonlydir"
GROWTH = "auto-aof-rewrite-percentage"  # by how much the file grows before it is written anew; 0 is never
REWRITE_ENDS_WITHIN = 300.0


@dataclass(frozen=True, slots=True)
class Backup:
    """What was saved, by the names it has in the directory, and what lies elsewhere and was not, in words."""

    directory: Path
    saved: tuple[str, ...]
    elsewhere: tuple[str, ...]


def save(settings: Settings, directory: Path) -> Backup:
    """Copy what lies in the data directory into `directory`, whether the service runs or not.

    `directory` must not be there; it is whole when it is, and only its owner may read it. Raises `LauncherError`.
    """
    if directory.exists():
        raise LauncherError(f"{directory} is there already: name a directory that is not, each backup its own")
    if not settings.data.is_dir():
        raise LauncherError(f"{settings.data} is no data directory; name it with --data or REFEREE_DATA")
    draft = directory.with_name(f"{directory.name}.{os.getpid()}.unfinished")
    try:
        draft.mkdir(mode=0o700, parents=True)
        saved = [*_live_store(settings, draft), *_record(settings, draft), *_token(settings, draft)]
        draft.rename(directory)
    except (OSError, sqlite3.Error, redis.RedisError) as problem:
        raise LauncherError(f"no backup was made of {settings.data}: {problem}") from problem
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Backup(directory, tuple(saved), tuple(_elsewhere(settings)))


def _elsewhere(settings: Settings) -> Iterator[str]:
    if settings.database_url and not _file_of(settings):
        yield "the record: REFEREE_DATABASE_URL names a server, which pg_dump saves (see docs/RUNBOOK.md)"
    if settings.redis_url:
        yield "the live store: REFEREE_REDIS_URL names a server; without it matches in play begin again on the same packs"


def _live_store(settings: Settings, draft: Path) -> Iterator[str]:
    """Copy what the embedded server has appended. While its files are copied it must not begin new ones."""
    place = Place(settings.data.resolve() / "redis")
    if settings.redis_url or not (place.directory / APPENDED).is_dir():
        return
    with _no_rewrite(place):
        shutil.copytree(place.directory / APPENDED, draft / "redis" / APPENDED)
    (draft / "redis").chmod(0o700)
    yield f"redis/{APPENDED}"


@contextlib.contextmanager
def _no_rewrite(place: Place) -> Iterator[None]:
    if not (place.pid.exists() and place.url.exists()):
        yield  # it does not run, so it does not write
        return
    with contextlib.closing(redis.Redis.from_url(place.url.read_text("utf-8"), socket_timeout=30)) as client:
        usual = client.config_get(GROWTH)[GROWTH] or "100"
        client.config_set(GROWTH, "0")
        try:
            _await_rewrite(client)
            yield
        finally:
            client.config_set(GROWTH, usual)


def _await_rewrite(client: redis.Redis) -> None:
    limit = time.monotonic() + REWRITE_ENDS_WITHIN
    while client.info("persistence")["aof_rewrite_in_progress"]:
        if time.monotonic() > limit:
            raise LauncherError("the live store has been rewriting its file for minutes; try again later")
        time.sleep(0.1)


def _record(settings: Settings, draft: Path) -> Iterator[str]:
    """Copy the SQLite record as it stands at one moment; writers go on meanwhile."""
    file = _file_of(settings)
    if file is None:
        return
    if not file.is_file():
        raise LauncherError(f"{file} is not there: no service has ever run on {settings.data}")
    with (
        contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source,
        contextlib.closing(sqlite3.connect(draft / "record.sqlite")) as copy,
    ):
        source.backup(copy)
        found = copy.execute("PRAGMA quick_check").fetchone()[0]
    if found != "ok":
        raise LauncherError(f"the copy of {file} is damaged, and so may be the record itself: {found}")
    yield "record.sqlite"


def _file_of(settings: Settings) -> Path | None:
    """Return the file of the record, None for a database server."""
    kind, _, path = settings.database.partition(":///")
    return Path(path) if kind == "sqlite" else None


def _token(settings: Settings, draft: Path) -> Iterator[str]:
    kept = settings.data / TOKEN_FILE
    if kept.is_file():
        shutil.copy2(kept, draft / TOKEN_FILE)
        yield TOKEN_FILE
