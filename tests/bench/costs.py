"""What an act, a push and a match cost the processes of a stack: processor time, and memory of a live match.

Read from /proc, so on Linux only. Nothing here has an aim: the page on capacity is computed from it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import redis

from referee.launcher.processes import members
from referee.launcher.stack import Stack
from tests.bench import many_acts, push
from tests.bench.report import Measure

STAT = Path("/proc/self/stat")
KINDS = ("web", "worker", "valkey")
LOG_BYTES = 6_000  # of a match, packed
COMMITS = 60


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of processor time that each kind of process has used so far."""

    web: float
    worker: float
    valkey: float

    def since(self, before: Spent, *, units: int) -> Spent:
        """Microseconds a unit since then."""
        pairs = [(getattr(self, kind), getattr(before, kind)) for kind in KINDS]
        return Spent(*((now - then) / units * 1e6 for now, then in pairs))


def figures(
    *, acts: int, requests: int, matches: int = many_acts.MATCHES, size: push.Size | None = None
) -> Iterator[Measure]:
    """Acts in batches and one by one, whole matches, and pushes, each on a stack of its own; all matches verify."""
    if not STAT.exists():
        raise OSError("no /proc here, from which the processor time of other processes could be read")
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as data,
        many_acts.hall(Path(data), matches=matches) as hall,
    ):
        yield from _of_acts(hall, acts=acts)
        yield from _of_matches(hall)
        yield Measure("cost_commit", "a log of one match written and on the disk (SQLite)", committed(Path(data)), "ms")
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as data,
        push.field(Path(data), size or push.Size(cycles=1)) as field,
    ):
        before = spent(field.stack)
        field.pushed(requests)
        cost = spent(field.stack).since(before, units=requests)
        yield Measure("cost_push_worker", "a push: worker", cost.worker, "µs")
        yield Measure("cost_push_redis", "a push: Redis", cost.valkey, "µs")
        push.verified(field.finish())


def _of_acts(hall: many_acts.Hall, *, acts: int) -> Iterator[Measure]:
    before = spent(hall.stack)
    done = hall.one_by_one(acts, connections=min(many_acts.CONNECTIONS, len(hall.scripts)))
    cost = spent(hall.stack).since(before, units=done.units)
    yield Measure("cost_act_web", "an act one by one: web process", cost.web, "µs")
    yield Measure("cost_act_redis", "an act one by one: Redis", cost.valkey, "µs")
    before = spent(hall.stack)
    done = hall.in_batches(max(2, 2 * acts // many_acts.BATCH), connections=2)
    cost = spent(hall.stack).since(before, units=done.units)
    yield Measure("cost_batch_web", "an act in batches of 100: web process", cost.web, "µs")
    yield Measure("cost_batch_redis", "an act in batches of 100: Redis", cost.valkey, "µs")


def _of_matches(hall: many_acts.Hall) -> Iterator[Measure]:
    """What a match costs the workers, who open it and put it on record, and takes in Redis while it is played."""
    count = len(hall.scripts)
    with redis.Redis.from_url(hall.stack.settings.redis_url) as client:
        live = sum(_memory(client, each.match) for each in hall.scripts if each.done < len(each.acts))
    unfinished = sum(each.done < len(each.acts) for each in hall.scripts)
    if unfinished:
        yield Measure("cost_match_redis", "a live match: memory of Redis", live / unfinished / 1024, "KiB")
    yield Measure(
        "cost_match_acts",
        "acts of bots in a match of the bench",
        sum(len(s.acts) for s in hall.scripts) / count,
        "acts",
    )
    before = spent(hall.stack)
    many_acts.verified(hall)
    cost = spent(hall.stack).since(before, units=count)
    yield Measure("cost_match_worker", "a match that ends: workers, with its record", cost.worker, "µs")


def _memory(client: redis.Redis, match_id: str) -> int:
    return sum(int(client.memory_usage(f"{letter}:{match_id}") or 0) for letter in "mez")  # type: ignore[arg-type]


def spent(stack: Stack) -> Spent:
    """Processor time of a stack by kind, with whatever its processes have started."""
    found = dict.fromkeys(KINDS, 0.0)
    for name, pid in stack.pids().items():
        kind = name.partition("-")[0]
        found[kind] += sum(processor_seconds(each) for each in members(pid))
    return Spent(**found)


def processor_seconds(pid: int) -> float:
    """Seconds of processor time of a process and of its children that have ended; 0 for one that is gone."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(after_name[place]) for place in range(11, 15)) / os.sysconf("SC_CLK_TCK")


def committed(folder: Path) -> float:
    """Milliseconds that a transaction of one log takes on SQLite set as the record is, the disk included."""
    with closing(sqlite3.connect(folder / "commits.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE log (id INTEGER PRIMARY KEY, content BLOB)")
        began = time.perf_counter()
        for _ in range(COMMITS):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO log (content) VALUES (?)", (os.urandom(LOG_BYTES),))
            connection.execute("COMMIT")
        return (time.perf_counter() - began) / COMMITS * 1e3
