"""Growth: what a match costs in a large tournament against one in small ones, and what memory both take.

Two referees play at the same time, each of web process, Redis and one worker with instant bots in it (`instant`): one the
large tournament, the other small ones of the same bots, one after another, begun anew on an empty record every few. So what
others do to the machine is done to both. The cost of a match is the processor time that all processes of its referee took,
from the start of the tournament to its end, the laying down of its schedule among it.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, astuple, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import redis

from referee import match, settings
from referee.launcher import processes
from referee.launcher.processes import Child, Program
from referee.launcher.stack import Shape, Stack, variables
from referee.store import log_rows, match_rows, tournament_rows
from referee.store.record import Record, open_record
from tests.bench.pairs import Sample, Spread
from tests.bench.report import Figure, Measure
from tests.bench.wire import Connection, UnexpectedAnswer

BOTS = 15
CONCURRENCY = 4
SMALL_ROUNDS = 8
MOST_CYCLES = 100
SHORTEST = {"target": 1}
CLOCK = {"act_ms": 60_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}
TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_SECONDS = 1800.0
PAUSE_SECONDS = 0.1
KINDS = ("worker", "web", "redis")
MOST_COST = 1.2
NAMES = {"worker": "worker", "web": "web process", "redis": "Redis process", "stored": "in use in Redis"}
PAGES = ("standings", "crosstable", "matches?limit=200", "export")


@dataclass(frozen=True, slots=True)
class Growth:
    """What came of it: processor time a match in the large tournament and in the small ones, the ratio in each stretch of
    time in which small ones were played, the seconds the large one took by its own record, and the memory of both."""

    large: Sample
    small: Sample
    small_size: int
    ratios: tuple[float, ...]
    seconds: Sample
    large_peak: Peak
    small_peak: Peak
    verified: int


@dataclass(frozen=True, slots=True)
class Peak:
    """The most memory that a process of each kind has had, in MiB; `stored` is what Redis had in use by its own account."""

    worker: float
    web: float
    redis: float
    stored: float


@dataclass(slots=True)
class Hall:
    """A referee with its worker and its bots."""

    stack: Stack
    worker: Child
    record: Record
    bots: list[str] = field(default_factory=list)
    stored: int = 0

    def created(self, cycles: int) -> str:
        """Create a tournament in which all meet so often, and give its id."""
        body = {"name": "growth", "ruleset": "house", "overrides": SHORTEST, "cycles": cycles, "entrants": self.bots}
        return str(self.ask("POST", "/v1/tournaments", {**body, "clock": CLOCK}, want=201)["id"])

    def play(self, tournament: str) -> Sample:
        """Start a tournament, wait for its end and say what it took of processor time."""
        before = self.processor_seconds()
        self.ask("POST", f"/v1/tournaments/{tournament}/start")
        end = time.monotonic() + LONGEST_SECONDS
        while self.state(tournament) != "finished":
            if time.monotonic() > end:
                raise UnexpectedAnswer(f"a tournament took more than {LONGEST_SECONDS:.0f} s")
            with redis.Redis.from_url(self.stack.settings.redis_url) as client:
                self.stored = max(self.stored, int(client.info("memory")["used_memory"]))  # type: ignore[index]
            time.sleep(PAUSE_SECONDS)
        spent = self.processor_seconds() - before
        return Sample(self.done(tournament), spent)

    def ask(self, method: str, path: str, body: Any = None, *, want: int = 200) -> Any:
        """Ask the web process as the organiser, over a new connection: one that nobody uses is closed after a while."""
        with closing(Connection(self.stack.port)) as wire:
            return wire.ask(method, path, body, token=self.stack.organiser_token, want=want)

    def state(self, tournament: str) -> str:
        """The state of a tournament, read off the record so that the referee has no work of it."""
        with self.record.reading() as connection:
            row = tournament_rows.by_id(connection, tournament)
        return "" if row is None else str(row["state"])

    def done(self, tournament: str) -> int:
        """How many matches of a tournament are over."""
        with self.record.reading() as connection:
            return match_rows.counts(connection, tournament).get("done", 0)

    def seconds(self, tournament: str) -> float:
        """How long a tournament took by its own record."""
        with self.record.reading() as connection:
            row = tournament_rows.by_id(connection, tournament)
        assert row is not None
        return (datetime.fromisoformat(row["ended_at"]) - datetime.fromisoformat(row["started_at"])).total_seconds()

    def processor_seconds(self) -> float:
        """Seconds of processor time that all processes of this referee have taken."""
        return sum(_processor_seconds(pid) for kind in KINDS for pid in self.pids(kind))

    def pids(self, kind: str) -> list[int]:
        """The processes of a kind: web, worker or redis."""
        if kind == "worker":
            return processes.members(self.worker.process.pid)
        wanted = "valkey" if kind == "redis" else "web-"
        sessions = [pid for name, pid in self.stack.pids().items() if name.startswith(wanted)]
        return [pid for session in sessions for pid in processes.members(session)]

    def peak(self) -> Peak:
        """The most memory each kind of process has had, the largest of a kind."""
        most = {kind: max(_peak_kib(pid) for pid in self.pids(kind)) / 1024 for kind in KINDS}
        return Peak(**most, stored=self.stored / 2**20)

    def asked(self, tournament: str) -> None:
        """Have the web process answer what may be read of a tournament, the whole of it among that."""
        for page in PAGES:
            self.ask("GET", f"/v1/tournaments/{tournament}/{page}")

    def verified(self, tournament: str) -> int:
        """Verify the log of every match of a tournament, and tell how many."""
        with self.record.reading() as connection:
            ids = match_rows.ids_of_tournament(connection, tournament)
        for match_id in ids:
            with self.record.reading() as connection:
                log = log_rows.read(connection, match_id)
            verdict = match.verify(log or b"")
            if not verdict.ok:
                raise ValueError(f"the log of {match_id} does not verify: {verdict.problem}")
        return len(ids)


def figures(*, matches: int) -> Iterator[Figure | Measure]:
    """Play a tournament of at least so many matches and give what a match cost in it, and what memory was taken."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data:
        found = measured(Path(data), matches=matches)
    large, small = found.large, found.small
    ratio = Spread(large.per_unit / small.per_unit, min(found.ratios), max(found.ratios))
    what = f"a match of a tournament of {large.units} (against of {found.small_size})"
    yield Figure("growth", what, large.per_unit, small.per_unit, ratio, "at most", MOST_COST)
    yield Measure("growth_rate", f"{large.units} matches of one act", 1e6 / found.seconds.per_unit, "matches a second")
    for name, peak in (("large", found.large_peak), ("small", found.small_peak)):
        size = large.units if name == "large" else found.small_size
        for kind, value in asdict(peak).items():
            yield Measure(f"growth_{kind}_{name}", f"tournament of {size}: peak memory, {NAMES[kind]}", value, "MiB")


def measured(data: Path, *, matches: int, bots: int = BOTS) -> Growth:
    """Play a tournament of at least so many matches, small ones beside it, and verify every match of the large one."""
    pairs = bots * (bots - 1) // 2
    cycles = min(MOST_CYCLES, max(1, -(-matches // pairs)))
    small, ratios, small_peaks = [], [], []
    with hall(data / "large", bots=bots) as large, ThreadPoolExecutor(1) as beside:
        large.play(large.created(1))  # to warm it up
        tournament = large.created(cycles)
        playing: Future[Sample] | None = None
        for number in itertools.count():
            with hall(data / f"small-{number}", bots=bots) as other:
                other.play(other.created(1))
                playing = playing or beside.submit(large.play, tournament)
                for ours, theirs in stretches(large, tournament, other, playing):
                    small.append(theirs)
                    ratios.append(ours.per_unit / theirs.per_unit)
                small_peaks.append(other.peak())
            if playing.done():
                break
        took = playing.result()
        if not ratios:
            raise UnexpectedAnswer(f"{matches} matches were over before {pairs} were: ask for more")
        large.asked(tournament)
        peak = large.peak()
        seconds = Sample(took.units, large.seconds(tournament))
        verified = large.verified(tournament)
    return Growth(took, added(small), pairs, tuple(ratios), seconds, peak, most(small_peaks), verified)


def stretches(large: Hall, tournament: str, other: Hall, playing: Future[Sample]) -> Iterator[tuple[Sample, Sample]]:
    """Play small tournaments while the large one lasts, a few at most; give what both referees did in the time of each."""
    for _ in range(SMALL_ROUNDS):
        before = large.done(tournament), large.processor_seconds()
        created = other.created(1)
        small = other.play(created)
        after = large.done(tournament), large.processor_seconds()
        other.asked(created)
        if playing.done() or after[0] == before[0]:
            return
        yield Sample(after[0] - before[0], after[1] - before[1]), small


def added(samples: Sequence[Sample]) -> Sample:
    """Several samples as one."""
    return Sample(sum(each.units for each in samples), sum(each.seconds for each in samples))


def most(peaks: Sequence[Peak]) -> Peak:
    """The most of each kind."""
    return Peak(*(max(values) for values in zip(*map(astuple, peaks), strict=True)))


@contextmanager
def hall(data: Path, *, bots: int = BOTS) -> Iterator[Hall]:
    """Start a referee on `data` with bots in it, and stop it all afterwards."""
    own = replace(settings.read(), data=data, redis_url="", database_url="", allow_private_push=True)
    with Stack(own, Shape(web=1, workers=0)) as stack:
        command = (sys.executable, "-m", "tests.bench.instant")
        output = stack.data / "output" / "instant.log"
        worker = processes.start(Program("instant", command, variables(stack.settings), output))
        record = open_record(stack.settings.database, data_dir=stack.data)
        try:
            made = Hall(stack, worker, record)
            made.bots += [registered(made, number) for number in range(bots)]
            yield made
        finally:
            record.close()
            processes.stop([worker])


def registered(here: Hall, number: int) -> str:
    """Register a push bot, at an address where nobody is ever called, and give its id."""
    body = {"name": f"instant {number}", "transport": "push", "url": f"http://127.0.0.1:9/{number}"}
    return str(here.ask("POST", "/v1/bots", {**body, "concurrency": CONCURRENCY}, want=201)["bot"]["id"])


def _processor_seconds(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def _peak_kib(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0
