"""`make clocks`: many matches at once on a clock of 100 ms an act, and how many losses of time were not the bots' own.

A whole referee of two web processes and two workers on this machine, bots that pull by the Python SDK and think up to
20 ms, each noting how long an act took it from the prompt in hand to the act sent. A time loss is false if the bot had
answered within its allowance by its own clock. At most one may be.
"""

from __future__ import annotations

import argparse
import json
import math
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import redis

from referee import match as play
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from referee.store import log_rows, match_rows
from referee.store.record import open_record
from tests.faults.clock_bots import Bot, order
from tests.faults.runs import settings_for

CLOCK = {"act_ms": 100, "bank_ms": 0, "increment_ms": 0}
GRACE_MS = 250  # the service's own default, which the run does not name
FALSE_AT_MOST = 1
BOTS, PROCESSES = 20, 4
FEWEST_DEALS = 3  # to a match of the house's seven points
CYCLES_AT_MOST = 100
PAUSE, TELL_EVERY = 1.0, 10.0
LIMIT_SECONDS = 6 * 3600.0
ENDED_BY = "the tournament was cancelled"

Named = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Run:
    """What is played: deals at least, matches at once, the seed of the bots, how much one of them oversleeps an act."""

    deals: int = 20_000
    matches: int = 200
    seed: str = "clocks"
    oversleeps_ms: int = 0

    @property
    def bots(self) -> int:
        """How many bots: twenty, or as many as few matches need."""
        return min(BOTS, max(4, self.matches // 5))

    @property
    def concurrency(self) -> int:
        """In how many matches each bot is at once."""
        return math.ceil(2 * self.matches / self.bots)

    @property
    def cycles(self) -> int:
        """How often everybody meets everybody, so that there are deals enough even in short matches."""
        pairs = self.bots * (self.bots - 1) // 2
        return min(CYCLES_AT_MOST, math.ceil((self.deals / FEWEST_DEALS + 2 * self.matches) / pairs))


@dataclass(frozen=True, slots=True)
class Act:
    """An act by its bot's notes: what it took the bot (ms; None: not sent), and in all, by what the referee told."""

    own: float | None
    trip: int | None


@dataclass(frozen=True, slots=True)
class Loss:
    """A seat's time was over, by the log: in which match, on the prompt of which version, and what was measured (ms)."""

    match: str
    seat: str
    version: int
    elapsed_ms: int
    act: Act | None
    is_void: bool = False

    @property
    def is_false(self) -> bool:
        """Tells whether the bot had answered in time by its own clock, or never had the prompt."""
        return self.act is None or (self.act.own is not None and self.act.own <= CLOCK["act_ms"])

    @property
    def is_of_both(self) -> bool:
        """Tells whether it is the bot's own, but the grace would have covered it with nothing of ours on top."""
        own = self.act.own if self.act is not None else None
        return not self.is_false and own is not None and own <= CLOCK["act_ms"] + GRACE_MS

    def __str__(self) -> str:
        own = "no prompt" if self.act is None else "not sent" if self.act.own is None else f"{self.act.own:.1f} ms"
        return f"{self.match} seat {self.seat} at version {self.version}: {self.elapsed_ms} ms by the log, own {own}"


@dataclass(slots=True)
class Found:
    """What a run has come to."""

    matches: int = 0
    deals: int = 0
    acts: int = 0
    void: int = 0
    unverified: list[str] = field(default_factory=list)
    charged: list[int] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    around: list[float] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    no_shows: int = 0
    faults: list[str] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    seconds: float = 0.0
    slept: bool = False

    @property
    def false(self) -> list[Loss]:
        """The losses that were not the bot's own, and counted."""
        return [loss for loss in self.losses if loss.is_false and not loss.is_void]

    @property
    def is_right(self) -> bool:
        """Tells whether no more were false than may be, and everything was as it must be."""
        return len(self.false) <= FALSE_AT_MOST and not self.unverified and not self.faults


@contextmanager
def bots_at_play(run: Run, service: Wire) -> Iterator[tuple[list[str], list[subprocess.Popen[str]]]]:
    """Registers the bots and starts their processes; gives the ids, and the processes, which are ended at last."""
    made = [
        service.post("/v1/bots", {"name": f"thinker {n}", "transport": "pull", "concurrency": run.concurrency})
        for n in range(run.bots)
    ]
    late = [run.oversleeps_ms] + [0] * (run.bots - 1)
    bots = [Bot(each["token"], f"{run.seed}/{n}", late[n]) for n, each in enumerate(made)]
    processes = []
    try:
        for first in range(min(PROCESSES, run.bots)):
            command = [sys.executable, "-m", "tests.faults.clock_bots"]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            processes.append(process)
            assert process.stdin is not None
            process.stdin.write(order(service.url, bots[first::PROCESSES]) + "\n")
            process.stdin.flush()
        yield [each["bot"]["id"] for each in made], processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def notes_of(processes: Iterable[subprocess.Popen[str]]) -> tuple[dict[Named, Act], list[str]]:
    """Ends the bots and reads what they noted."""
    acts: dict[Named, Act] = {}
    faults: list[str] = []
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        told = json.loads(process.communicate()[0])
        acts |= {(match, seat, version): Act(own, trip) for match, seat, version, own, trip in told["acts"]}
        faults += told["faults"]
    return acts, faults


def played(run: Run, data: Path) -> Found:
    """Plays until there are deals enough, and reads what came of it."""
    began = time.monotonic()
    shape = Shape(web=2, workers=2)
    with (
        Stack(settings_for(data, ""), shape) as stack,
        bots_at_play(run, Wire(stack.url)) as (ids, processes),
    ):
        found = Found()
        done: set[str] = set()
        while not is_enough(run, found):
            one_more(run, stack, ids, processes=processes, found=found, done=done)
        found.seconds = time.monotonic() - began
        acts, found.faults = notes_of(processes)
    read_all(data, acts, found)
    return found


def one_more(
    run: Run,
    stack: Stack,
    ids: Sequence[str],
    *,
    processes: Sequence[subprocess.Popen[str]],
    found: Found,
    done: set[str],
) -> None:
    """Plays one tournament, to its end or until there are deals enough."""
    body = {"name": f"clocks {run.seed}", "ruleset": "house", "format": "round_robin", "cycles": run.cycles}
    made = stack.organiser.post("/v1/tournaments", {**body, "clock": CLOCK, "entrants": list(ids)})
    tournament = str(made["id"])
    stack.organiser.post(f"/v1/tournaments/{tournament}/start")
    end, speaks, before, state = time.monotonic() + LIMIT_SECONDS, 0.0, found.deals, "running"
    while not is_enough(run, found) and state == "running":
        time.sleep(PAUSE)
        ended = [each.args for each in processes if each.poll() is not None]
        assert not ended, f"bots have ended: {ended}"
        assert time.monotonic() < end, f"{found.deals} deals in {LIMIT_SECONDS:.0f} s"
        with redis.Redis.from_url(stack.settings.redis_url) as client:
            found.live.append(int(client.scard("live")))  # type: ignore[arg-type]
        for log in news(stack, tournament, done):
            found.deals += log.count(b'"type":"scored"')
            found.slept = found.slept or (run.oversleeps_ms > 0 and time_ran_out(log, ids[0]))
        state = stack.organiser.get(f"/v1/tournaments/{tournament}")["state"]
        if time.monotonic() > speaks:
            speaks = time.monotonic() + TELL_EVERY
            print(f"{found.deals} of {run.deals} deals, {found.live[-1]} matches live", flush=True)
    assert state != "finished" or found.deals > before, "a tournament without a deal"
    if state == "running":
        stack.organiser.post(f"/v1/tournaments/{tournament}/cancel")


def is_enough(run: Run, found: Found) -> bool:
    """Tells whether there are deals enough; where a bot oversleeps, the match in which it did is among them too."""
    return found.deals >= run.deals and (found.slept or not run.oversleeps_ms)


def news(stack: Stack, tournament: str, done: set[str]) -> list[bytes]:
    """The logs of the matches that were finished since the last time."""
    record = open_record(stack.settings.database, data_dir=stack.settings.data)
    try:
        with record.reading() as connection:
            rows = match_rows.of_tournament(connection, tournament, state="done")
            logs = [log_rows.read(connection, row["id"]) or b"" for row in rows if row["id"] not in done]
    finally:
        record.close()
    done.update(row["id"] for row in rows)
    return logs


def time_ran_out(log: bytes, bot: str) -> bool:
    """Tells whether a bot has lost by time in a match."""
    events = [json.loads(line) for line in log.splitlines()]
    seats = [held["seat"] for held in events[0]["seats"] if held["bot"] == bot]
    return any(event["type"] == "timed_out" and event["seat"] in seats for event in events)


def read_all(data: Path, acts: Mapping[Named, Act], found: Found) -> None:
    """Reads every log there is, verifies those of finished matches and counts."""
    record = open_record(settings_for(data, "").database, data_dir=data)
    found.deals = 0
    try:
        with record.reading() as connection:
            rows = [row for state in ("done", "void") for row in match_rows.in_state(connection, state)]
            for place, row in enumerate(rows):
                log = log_rows.read(connection, row["id"])
                if row["reason"] != ENDED_BY:
                    read(row, log or b"", acts, found)
                if place % 500 == 499:
                    print(f"{place + 1} of {len(rows)} logs read", flush=True)
    finally:
        record.close()
    found.own = [act.own for act in acts.values() if act.own is not None]
    found.around = [act.trip - act.own for act in acts.values() if act.own is not None and act.trip is not None]


def read(row: Mapping[str, Any], log: bytes, acts: Mapping[Named, Act], found: Found) -> None:
    """Adds what is in one log; one that is void has no seal to verify."""
    is_void = row["state"] == "void"
    found.void += is_void
    if not is_void:
        found.matches += 1
        verdict = play.verify(log)
        if not verdict.ok:
            found.unverified.append(f"{row['id']}: {verdict.problem}")
    for line in log.splitlines():
        event: dict[str, Any] = {}
        with suppress(ValueError):
            event = orjson.loads(line)
        count(row["id"], event, acts, found, is_void=is_void)


def count(match: str, event: Mapping[str, Any], acts: Mapping[Named, Act], found: Found, *, is_void: bool) -> None:
    """Adds what one event tells."""
    kind = event.get("type")
    if kind == "timed_out":
        seat, version = event["seat"], event["n"] - 1
        act = acts.get((match, seat, version))
        found.losses.append(Loss(match, seat, version, event["elapsed_ms"], act, is_void))
    if is_void:
        return
    found.deals += kind == "scored"
    found.no_shows += kind == "no_show"
    if kind == "acted" and "ms" in event:
        found.acts += 1
        found.charged.append(event["ms"])


def shares(values: Sequence[float]) -> str:
    """The distribution of a figure in a line."""
    if not values:
        return "none"
    listed = sorted(values)
    names = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
    told = [f"{name} {listed[min(len(listed) - 1, int(part * len(listed)))]:.1f}" for name, part in names.items()]
    return ", ".join([*told, f"max {listed[-1]:.1f}", f"of {len(listed)}"])


def told(found: Found) -> str:
    """All of it in a few lines, the number that counts last."""
    counted = [loss for loss in found.losses if not loss.is_void]
    void = [loss for loss in found.losses if loss.is_void]
    live = sorted(found.live) or [0]
    return "\n".join(
        [
            (
                f"{found.deals} deals, {found.acts} acts, {found.matches} matches, all verified but {len(found.unverified)};"
                f" {found.seconds:.0f} s; matches live at once: median {live[len(live) // 2]}, most {live[-1]}"
            ),
            f"ms charged an act:              {shares(found.charged)}",
            f"ms it took the bot itself:      {shares(found.own)}",
            f"ms round the bot, grace within: {shares(found.around)}",
            *[f"    {problem}" for problem in (*found.unverified, *found.faults)],
            *[f"    false: {loss}" for loss in found.false[:20]],
            f"void by our fault: {found.void} matches, {len(void)} time losses in them; no-shows: {found.no_shows}",
            (
                f"time losses: {len(counted)}, the bots' own: {len(counted) - len(found.false)}"
                f" (of these within allowance and grace: {sum(loss.is_of_both for loss in counted)})"
            ),
            f"false time losses: {len(found.false)} (at most {FALSE_AT_MOST})",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays, prints what came of it; 1 if more losses were false than may be, or a log does not verify."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.clocks", description=__doc__)
    parser.add_argument("--deals", type=int, default=Run.deals)
    parser.add_argument("--matches", type=int, default=Run.matches, help="at once")
    parser.add_argument("--seed", default="", help="of the bots: any text; drawn and printed if left out")
    given = parser.parse_args(arguments)
    run = Run(given.deals, given.matches, given.seed or secrets.token_hex(4))
    print(f"{run.bots} bots, each in {run.concurrency} matches at once; --seed {run.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="referee-clocks-", ignore_cleanup_errors=True) as folder:
        found = played(run, Path(folder))
    print(told(found))
    return 0 if found.is_right else 1


if __name__ == "__main__":
    sys.exit(main())
