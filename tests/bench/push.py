"""Push: one playing job with many matches in hand against a bare client loop, in turn, against the same bot server.

The job is that of a worker, in a whole stack. The bare loop has no referee: as many tasks as there are matches post a prompt
of the same tournament again and again with aiohttp, and do nothing else. Both wait for their answers of the same process.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from referee import match, settings
from referee.launcher.stack import Shape, Stack
from tests.bench.over_http import PATIENCE
from tests.bench.pairs import Pairs, Sample
from tests.bench.report import Figure
from tests.bench.wire import Connection, UnexpectedAnswer

CLOCK = {"act_ms": 120_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}
LONGEST = 300.0


@dataclass(frozen=True, slots=True)
class Size:
    """How many bots, each in how many matches at once, each two how often against each other."""

    bots: int = 20
    concurrency: int = 20
    cycles: int = 2

    @property
    def at_once(self) -> int:
        """How many matches are live at once, until there are not so many left."""
        return min(self.bots * self.concurrency // 2, self.cycles * self.bots * (self.bots - 1) // 2)


def figures(*, requests: int, rounds: int, size: Size | None = None) -> Iterator[Figure]:
    """So many prompts answered in each round, by a job and by a bare client in turn; then every match is played and verified."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data, field(Path(data), size) as ours:
        turns = [(ours.pushed(requests), ours.bare(requests)) for _ in range(rounds)]
        pairs = Pairs(*(tuple(sample.per_unit for sample in side) for side in zip(*turns, strict=True)))
        what = f"a push, {ours.size.at_once} matches in one job (against a bare client)"
        yield Figure("push", what, median(pairs.ours), median(pairs.theirs), pairs.times_as_fast, "at least", 0.5)
        verified(ours.finish())


@dataclass(slots=True)
class Field:
    """A running tournament of push bots, all of one server."""

    stack: Stack
    wire: Connection
    bots: Connection
    size: Size
    tournament: str

    def pushed(self, requests: int) -> Sample:
        """Has so many prompts answered, beginning with every match waiting for an answer."""
        self._until("every match waits for an answer", lambda told: told["held"] >= self.size.at_once)
        self.bots.ask("POST", f"/open/{requests}")
        told = self._until(f"{requests} answers", lambda told: told["left"] == 0 and told["seconds"])
        return Sample(requests, told["seconds"])

    def bare(self, requests: int) -> Sample:
        """Posts a prompt so many times without a referee."""
        body = self.bots.ask("GET", "/told")["prompt"].encode()
        return asyncio.run(_bare(self.bots.port, body, requests, at_once=self.size.at_once))

    def finish(self) -> Iterator[bytes]:
        """Plays the tournament to its end and gives the logs."""
        self.bots.ask("POST", "/open/0")
        self.wire.close()  # the server has closed what was idle for so long
        deadline = time.monotonic() + LONGEST
        while self.wire.ask("GET", f"/v1/tournaments/{self.tournament}")["state"] != "finished":
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"{self.tournament} was not over within {LONGEST:.0f} s")
            time.sleep(0.1)
        token = self.stack.organiser_token
        for each in self.wire.ask("GET", f"/v1/tournaments/{self.tournament}/export", token=token)["matches"]:
            yield self.wire.fetch(f"/v1/matches/{each['id']}/log", token=token, accept="application/x-ndjson")

    def _until(self, what: str, is_so: Any) -> Any:
        deadline = time.monotonic() + PATIENCE
        while True:
            told = self.bots.ask("GET", "/told")
            if is_so(told):
                return told
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"not within {PATIENCE:.0f} s: {what}; the bots' server tells {told}")
            time.sleep(0.02)


async def _bare(port: int, body: bytes, requests: int, *, at_once: int) -> Sample:
    url, left = f"http://127.0.0.1:{port}/bare", iter(range(requests))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=at_once)) as http:

        async def ask() -> None:
            async with http.post(url, data=body, allow_redirects=False) as response:
                await response.read()

        async def go_on() -> None:
            for _ in left:
                await ask()

        await asyncio.gather(*(ask() for _ in range(at_once)))  # the connections are made
        started = time.perf_counter()
        await asyncio.gather(*(go_on() for _ in range(at_once)))
        return Sample(requests, time.perf_counter() - started)


@contextmanager
def field(data: Path, size: Size | None = None) -> Iterator[Field]:
    """Starts bots and a referee with one worker, begins a tournament, and stops it all afterwards."""
    size = size or Size()
    here = replace(settings.read(), data=data, redis_url="", database_url="", allow_private_push=True)
    with (
        serving() as port,
        closing(Connection(port)) as bots,
        Stack(here, Shape(web=1, workers=1)) as stack,
        closing(Connection(stack.port)) as wire,
    ):
        yield Field(stack, wire, bots, size, begun(wire, port, size, token=stack.organiser_token))


@contextmanager
def serving() -> Iterator[int]:
    """Starts a server of bots, gives its port, and ends it afterwards."""
    command = [sys.executable, "-m", "tests.bench.push_bots"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def begun(wire: Connection, port: int, size: Size, *, token: str) -> str:
    """Registers the bots, starts a tournament among them and gives its id."""
    made = [
        {"name": f"push {number}", "transport": "push", "url": f"http://127.0.0.1:{port}/bot/{number}"}
        for number in range(size.bots)
    ]
    entrants = [
        wire.ask("POST", "/v1/bots", {**each, "concurrency": size.concurrency}, token=token, want=201)["bot"]["id"]
        for each in made
    ]
    body = {"name": "push", "ruleset": "house", "format": "round_robin", "cycles": size.cycles, "entrants": entrants}
    cup = wire.ask("POST", "/v1/tournaments", {**body, "clock": CLOCK}, token=token, want=201)["id"]
    wire.ask("POST", f"/v1/tournaments/{cup}/start", token=token)
    return str(cup)


def verified(logs: Iterator[bytes]) -> int:
    """Verifies logs and answers how many; raises ValueError for one that does not verify."""
    count = 0
    for log in logs:
        verdict = match.verify(log)
        if not verdict.ok:
            raise ValueError(f"a log does not verify: {verdict.problem}")
        count += 1
    return count
