"""What is counted while the service runs, in the words of Prometheus, and what the stores say when they are asked.

Counters are kept by the package prometheus_client, each process in files of its own in the directory that
PROMETHEUS_MULTIPROC_DIR names (the launcher sets it), so that whichever process of a host is asked answers for all of
them, those that have died among them. Without that variable a process answers for itself alone. What is true of the
service as a whole (matches by state, the queue) is read from the stores, and is the same from every host.

No label holds an id, a name, a token or anything else a client chose: labels are outcomes, laws, causes and routes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

import orjson
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from referee.service import health
from referee.service.base import Service
from referee.store import bot_rows, match_rows, tournament_rows
from referee.store.away import AWAY

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
BRIEF: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
LONG: Final = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0)

_ours = CollectorRegistry()

ACTS = Counter(
    "referee_acts",
    "Acts that arrived, by outcome: taken, repeated under a key, or the code of the refusal",
    ["outcome"],
    registry=_ours,
)
RULINGS = Counter(
    "referee_rulings", "Rulings, by law; one that cites several laws counts for each", ["law"], registry=_ours
)
TIME_OUTS = Counter(
    "referee_time_outs", "Seats whose time ran out, by kind: timed_out, no_show", ["kind"], registry=_ours
)
DEALS = Counter("referee_deals", "Deals that ended, by cause", ["cause"], registry=_ours)
ENDED = Counter("referee_matches_ended", "Matches that ended, by cause", ["cause"], registry=_ours)
PUSHES = Histogram("referee_push_seconds", "Calls of push bots, by outcome", ["outcome"], buckets=LONG, registry=_ours)
REQUESTS = Counter(
    "referee_requests", "Requests answered, by route and status", ["method", "route", "status"], registry=_ours
)
TOOK = Histogram(
    "referee_request_seconds",
    "How long requests took, by route; a long poll that was held counts with the time it was held",
    ["method", "route"],
    buckets=BRIEF,
    registry=_ours,
)
HELD = Gauge("referee_waits", "Long polls and streams that are held now", multiprocess_mode="livesum", registry=_ours)
WAITS = Histogram(
    "referee_wait_seconds",
    "How long long polls and streams were held until something came or time was over",
    buckets=LONG,
    registry=_ours,
)
OUTAGES = Counter("referee_outage_seconds", "Time in which nobody could act, charged to no seat", registry=_ours)

_USUAL: Final = b'"type":"acted"'
_TOLD: Final = (
    b'"type":"ruled"',
    b'"type":"timed_out"',
    b'"type":"no_show"',
    b'"type":"scored"',
    b'"type":"match_ended"',
)


def act_came_to(outcome: str, count: int = 1) -> None:
    """Counts acts that arrived: `taken`, `repeated` under a key, or the code of the problem they were refused with."""
    _acts(outcome).inc(count)


def recorded(lines: Sequence[bytes]) -> None:
    """Counts what new events of a match tell: rulings, time-outs, deals and matches that ended."""
    for line in lines:
        if _USUAL not in line and any(kind in line for kind in _TOLD):
            _count(orjson.loads(line))


def _count(event: dict[str, object]) -> None:
    kind = str(event["type"])
    if kind == "ruled":
        laws = event["laws"]
        for law in laws if isinstance(laws, list) else ():
            RULINGS.labels(law).inc()
    elif kind == "scored":
        DEALS.labels(event["cause"]).inc()
    elif kind == "match_ended":
        ENDED.labels(event["cause"]).inc()
    else:
        TIME_OUTS.labels(kind).inc()


def request_answered(method: str, route: str, *, status: int, seconds: float) -> None:
    """Counts a request; `route` is the pattern of its address, never the address."""
    answered, took = _requests(method, route, status)
    answered.inc()
    took.observe(seconds)


@lru_cache(maxsize=200)
def _acts(outcome: str) -> Counter:
    return ACTS.labels(outcome)


@lru_cache(maxsize=1000)
def _requests(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), TOOK.labels(method, route)


def outage(seconds: float) -> None:
    """Counts time in which nobody could act."""
    OUTAGES.inc(seconds)


@contextmanager
def held() -> Iterator[None]:
    """Counts somebody as waiting until the block ends."""
    began = time.monotonic()
    HELD.inc()
    try:
        yield
    finally:
        HELD.dec()
        WAITS.observe(time.monotonic() - began)


def pushed(outcome: str, seconds: float) -> None:
    """Counts a call of a push bot: `answered` with 200, answered `amiss`, or `unanswered`."""
    _pushes(outcome).observe(seconds)


@lru_cache(maxsize=3)
def _pushes(outcome: str) -> Histogram:
    return PUSHES.labels(outcome)


def exposition(service: Service) -> bytes:
    """Is everything in Prometheus's text format. A store that is away makes its figures absent and `referee_store_up` 0."""
    counted = generate_latest(_everybody())
    asked = CollectorRegistry()
    asked.register(Stores(service))
    return counted + generate_latest(asked)


class Stores(Collector):
    """What the stores say at the moment they are asked."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def describe(self) -> Iterable[Metric]:
        """Names nothing beforehand: registering must not ask the stores."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Asks them, each only if it answers at all."""
        found = health.checks(self.service)
        up = GaugeMetricFamily(
            "referee_store_up", "Whether a store answers and takes what it is given", labels=["store"]
        )
        for store in ("redis", "database"):
            up.add_metric([store], float(found[store] == "ok"))
        yield up
        try:
            if found["redis"] == "ok":
                yield from self._queue(found)
            if found["database"] == "ok":
                yield from self._record()
        except AWAY:  # gone this very moment
            return

    def _queue(self, found: dict[str, object]) -> Iterator[Metric]:
        for name, about in (
            ("waiting_jobs", "Hints that wait for a worker"),
            ("workers", "Workers that are registered"),
        ):
            yield GaugeMetricFamily(f"referee_{name}", about, value=float(str(found[name])))
        live = self.service.live
        for name, about, count in (
            ("live", "live", len(live.members("live"))),
            ("pushed", "live with a seat to push to", len(live.members("pushed"))),
            ("ended", "over and wait for the record", live.waiting_for_the_archive()),
        ):
            told = f"Matches in the live store that are {about}"
            yield GaugeMetricFamily(f"referee_table_{name}", told, value=float(count))

    def _record(self) -> Iterator[Metric]:
        with self.service.record.reading() as connection:
            matches, bots = match_rows.counts(connection), bot_rows.count_active(connection)
            tournaments = tournament_rows.counts(connection)
        yield _by_state("referee_matches", "Matches on record, by state", matches, ("planned", "live", "done", "void"))
        known = ("created", "running", "paused", "finished", "cancelled")
        yield _by_state("referee_tournaments", "Tournaments, by state", tournaments, known)
        yield GaugeMetricFamily("referee_bots", "Bots that are registered", value=float(bots))


def _by_state(name: str, about: str, counts: dict[str, int], known: Sequence[str]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=["state"])
    for state in dict.fromkeys((*known, *sorted(counts))):
        family.add_metric([state], float(counts.get(state, 0)))
    return family


def _everybody() -> CollectorRegistry:
    """Is what all processes of this host have counted, or this one where they are not told to share."""
    shared = os.environ.get(DIRECTORY)
    if not shared:
        return _ours
    _forget_the_dead(Path(shared))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, shared)  # type: ignore[no-untyped-call]
    return registry


def _forget_the_dead(directory: Path) -> None:
    """Drops what killed processes said of the moment; what they counted stays."""
    for file in directory.glob("gauge_live*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, str(directory))  # type: ignore[no-untyped-call]
        except PermissionError:
            continue  # it lives, as somebody else
