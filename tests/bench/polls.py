"""Thousands of bots that wait, each in a long poll, beside a hundred matches at play: what they cost, who is woken when.

A few challengers sit opposite every waiting bot. An act of theirs at one table wakes one bot, at the pace of the game;
at the end they act at all tables, and everybody is woken at once.
"""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.bench.bots import Ledger, Single
from tests.bench.hub import Hub, Line, hub
from tests.bench.over_http import HEALTH, Bot
from tests.bench.pairs import percentile
from tests.bench.report import Measure
from tests.bench.seating import Ground, ground
from tests.bench.waiting import Challenger, Idler, Wakes

DAY_MS = 86_400_000
PATIENT = {"act_ms": 3_600_000, "bank_ms": DAY_MS, "grace_ms": 60_000, "absence_ms": DAY_MS}
TABLES = 1000  # of each challenger: as many matches as a bot may be in
BEHIND = 6  # matches of each pair at play, one after another
NEVER = 1e9
SPARE_FILES = 500
HEALTH_EVERY, HEALTH_LINES = 0.02, 8
COMING = 200  # in a second


@dataclass(frozen=True, slots=True)
class Size:
    """How many wait and how many play, how long is measured (s), how many are woken one by one, and in a second."""

    waiting: int = 5000
    matches: int = 100
    thought: float = 0.094
    seconds: float = 30.0
    saturated: float = 10.0
    settling: float = 3.0
    wakes: float = 50.0


@dataclass(slots=True)
class Probe:
    """Asks `/v1/health` now and again, over several connections, so that both web processes answer."""

    hub: Hub
    lines: list[Line]
    took: list[float] = field(default_factory=list)

    def ask(self) -> None:
        """Ask once, and again after a while."""
        line = next((each for each in self.lines if each.then is None), None)
        if line is not None:
            self.lines.remove(line)
            self.lines.append(line)
            sent = time.perf_counter()
            self.hub.send(line, HEALTH, lambda _body, at: self.took.append((at - sent) * 1e3))
        self.hub.at(time.perf_counter() + HEALTH_EVERY, self.ask)

    def during(self, seconds: float) -> float:
        """Serve everything for so many seconds, and give the median of what was asked meanwhile, in ms."""
        self.took.clear()
        self.hub.run_for(seconds)
        return median(self.took)


@dataclass(slots=True)
class Scene:
    """Everybody at one referee: who waits, who plays, who wakes."""

    on: Ground
    hub: Hub
    size: Size
    probe: Probe
    wakes: Wakes
    waiting: list[Bot]
    challenging: list[Bot]
    playing: list[Bot]
    ledger: Ledger = field(default_factory=Ledger)
    thought: float = NEVER
    challengers: list[Challenger] = field(default_factory=list)
    is_waking: bool = True

    def wait(self) -> None:
        """Have everybody wait in a long poll who is to, one after another, so that they do not all renew it at once."""
        idlers: list[Idler] = []

        def one_more() -> None:
            number = len(idlers)
            idlers.append(Idler(self.hub, self.waiting[number], self.wakes, random.Random(number)))
            idlers[-1].begin()

        now = time.perf_counter()
        for number in range(len(self.waiting)):
            self.hub.at(now + number / COMING, one_more)
        self.hub.run(lambda: len(idlers) == len(self.waiting))

    def play(self) -> None:
        """Have the matches begin."""
        for number, bot in enumerate(self.playing):
            Single(self.hub, bot, random.Random(number), self.ledger, lambda: self.thought).begin()

    def wake(self) -> None:
        """Have the challengers wake somebody now and again."""
        self.challengers += [
            Challenger(self.hub, bot, self.wakes, random.Random(number)) for number, bot in enumerate(self.challenging)
        ]
        self._wake_one()

    def _wake_one(self) -> None:
        if not self.is_waking:
            return
        for _ in self.challengers:
            challenger = self.challengers.pop(0)
            self.challengers.append(challenger)
            if challenger.wake_one():
                break
        self.hub.at(time.perf_counter() + 1 / self.size.wakes, self._wake_one)


def figures(size: Size | None = None) -> Iterator[Measure]:
    """Measure waiting bots: what each takes of memory, when it is woken, and what it leaves of `/v1/health`."""
    size = size or Size()
    _enough_files(size.waiting + SPARE_FILES)
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as data,
        ground(Path(data)) as on,
    ):
        challenging = on.bots(-(-size.waiting // TABLES), name="challenger", concurrency=TABLES)
        waiting = on.bots(size.waiting, name="waiting", concurrency=1)
        playing = on.bots(2 * size.matches, name="playing", concurrency=1)
        tables = on.plan([(challenging[n // TABLES], bot) for n, bot in enumerate(waiting)], clock=PATIENT)
        on.until_open(tables, patience=300)
        pairs = list(zip(playing[::2], playing[1::2], strict=True))
        on.until_open(on.plan(pairs * BEHIND), count=size.matches)
        with hub(on.stack.port) as opened:
            probe = Probe(opened, [opened.line() for _ in range(HEALTH_LINES)])
            scene = Scene(on, opened, size, probe, Wakes(), waiting, challenging, playing)
            yield from _measured(scene)
            on.verified(list(scene.ledger.over))


def _measured(scene: Scene) -> Iterator[Measure]:
    size, probe = scene.size, scene.probe
    who = f"{size.waiting} waiting bots"
    probe.ask()
    scene.hub.run_for(1.0)
    idle, before = probe.during(size.settling), memory_kib(scene.on)
    scene.wait()
    scene.hub.run_for(size.settling)
    held, after = probe.during(size.settling), memory_kib(scene.on)
    yield Measure("poll_memory", f"{who}: memory of each", (after - before) / size.waiting, "KiB", "at most", 30)
    yield Measure("poll_health_idle", f"{who}, nobody plays: median of /health", held / idle, "times idle")

    scene.thought = size.thought
    scene.play()
    scene.wake()
    scene.hub.run_for(1.0)
    yield from _while_playing(scene, "", size.seconds, idle=idle, bound=25)
    scene.thought = 0.0
    scene.hub.run_for(0.5)
    yield from _while_playing(scene, "_saturated", size.saturated, idle=idle, bound=None)

    scene.thought, scene.is_waking = NEVER, False
    scene.hub.run_for(1.0)
    yield from _all_at_once(scene)


def _while_playing(scene: Scene, key: str, seconds: float, *, idle: float, bound: float | None) -> Iterator[Measure]:
    who = f"{scene.size.waiting} wait, {scene.size.matches} matches{' as fast as they can' if key else ''}"
    before, taken, began = len(scene.wakes.took), scene.ledger.acts, time.perf_counter()
    health = scene.probe.during(seconds)
    rate = (scene.ledger.acts - taken) / (time.perf_counter() - began)
    took = [each * 1e3 for each in scene.wakes.took[before:]]
    yield Measure(f"poll_rate{key}", f"{who}: acts", rate, "a second")
    yield Measure(f"poll_wake_p50{key}", f"{who}: wake, median", percentile(took, 50), "ms")
    yield Measure(f"poll_wake_p99{key}", f"{who}: wake, 99th percentile", percentile(took, 99), "ms", bound=bound)
    limit = None if bound is None else 2
    yield Measure(f"poll_health{key}", f"{who}: median of /health", health / idle, "times idle", bound=limit)


def _all_at_once(scene: Scene) -> Iterator[Measure]:
    """Have everybody woken by an act at every table, posted in batches as fast as they are taken."""
    wakes, began = scene.wakes, time.perf_counter()
    wakes.anew()
    wakes.is_held = True
    for each in scene.challengers:
        each.wake_all()
    scene.hub.run(lambda: len(wakes.woken) == len(scene.waiting))
    yield Measure("poll_all", f"all {len(scene.waiting)} woken at once: until the last", wakes.last - began, "s")


def memory_kib(on: Ground) -> int:
    """What the web processes have resident, KiB."""
    return sum(_resident(pid) for name, pid in on.stack.pids().items() if name.startswith("web-"))


def _resident(pid: int) -> int:
    """What a process and its children have resident."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return own + sum(_resident(int(child)) for child in children)


def _enough_files(count: int) -> None:
    """Let this process, and those it starts, have so many files open. Raises OSError where the system forbids it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise OSError(f"{count} open files are needed and the system allows {hard}")
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
