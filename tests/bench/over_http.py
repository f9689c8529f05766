"""Acts over HTTP, one by one on one connection, against `/v1/health` of the same server."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from referee import settings
from referee.launcher.stack import Shape, Stack
from tests.bench.wire import Connection, UnexpectedAnswer

PATIENCE = 60.0
HEALTH = b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered pull bot."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Tempo:
    """Seconds a request took, act by act: the act's own, and that of a health request beside it."""

    acts: tuple[float, ...]
    health: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A match played over HTTP: its log, its acts, and the seconds its requests took in all.

    Polls that found nobody asked are left out: a patient bot would have waited in one request.
    """

    log: bytes
    acts: int
    seconds: float


@dataclass(slots=True)
class Table:
    """Two bots at one connection, and what their requests have taken so far."""

    wire: Connection
    bots: tuple[Bot, Bot]
    dice: random.Random
    act_seconds: list[float] = field(default_factory=list)
    turn_seconds: list[float] = field(default_factory=list)

    def open_match(self) -> str:
        """Open a friendly between the two and give its id."""
        body = {"bots": [bot.id for bot in self.bots], "ruleset": "house"}
        opened = self.wire.ask("POST", "/v1/matches", body, token=self.bots[0].token, want=201)
        return str(opened["id"])

    def prompts(self) -> Iterator[tuple[Bot, dict[str, Any]]]:
        """Every prompt that waits for one of the two, until none has for long."""
        deadline = time.monotonic() + PATIENCE
        for bot in itertools.cycle(self.bots):
            waiting = self.wire.ask("GET", "/v1/turns?wait=0", token=bot.token)["prompts"]
            if waiting:
                self.turn_seconds.append(self.wire.seconds)
            for prompt in waiting:
                deadline = time.monotonic() + PATIENCE
                yield bot, prompt
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"neither bot was given a prompt for {PATIENCE:.0f} s")

    def play(self, match: str) -> Iterator[bool]:
        """Answer every prompt of `match` at random, telling after each act whether it was the last."""
        for bot, prompt in self.prompts():
            if prompt["match"] != match:
                continue
            body = {"version": prompt["version"], **self.dice.choice(prompt["lawful"])}
            answer = self.wire.ask("POST", f"/v1/matches/{match}/acts", body, token=bot.token)
            self.act_seconds.append(self.wire.seconds)
            yield bool(answer["over"])
            if answer["over"]:
                return


@contextmanager
def table(data: Path) -> Iterator[Table]:
    """Start a whole referee on `data`, seat two bots, and stop it all afterwards."""
    with Stack(replace(settings.read(), data=data, redis_url="", database_url=""), Shape()) as stack:
        wire = Connection(stack.port)
        bots = (register(wire, "left"), register(wire, "right"))
        try:
            yield Table(wire, bots, random.Random(66))
        finally:
            wire.close()


def register(wire: Connection, name: str) -> Bot:
    """Register a pull bot that does no chores."""
    made = wire.ask("POST", "/v1/bots", {"name": name, "transport": "pull"}, want=201)
    return Bot(made["bot"]["id"], made["token"])


def tempo(seats: Table, *, acts: int) -> Tempo:
    """Time `acts` acts and as many health requests in turn, after a tenth more to warm up."""
    health: list[float] = []
    seats.act_seconds.clear()
    wanted = acts + acts // 10
    while len(seats.act_seconds) < wanted:
        for _ in seats.play(seats.open_match()):
            status, _ = seats.wire.send(HEALTH)
            if status != 200:
                raise UnexpectedAnswer(f"GET /v1/health answered {status}")
            health.append(seats.wire.seconds)
    return Tempo(tuple(seats.act_seconds[acts // 10 : wanted]), tuple(health[acts // 10 : wanted]))


def finished(seats: Table) -> Finished:
    """Play one match to its end and fetch its log."""
    seats.act_seconds.clear()
    seats.turn_seconds.clear()
    match = seats.open_match()
    for _ in seats.play(match):
        pass
    acts = len(seats.act_seconds)
    seconds = sum(seats.act_seconds) + sum(seats.turn_seconds)
    return Finished(log(seats, match), acts, seconds)


def log(seats: Table, match: str) -> bytes:
    """Fetch a finished log, waiting until it is archived."""
    path = f"/v1/matches/{match}/log"
    deadline = time.monotonic() + PATIENCE
    while True:
        content = seats.wire.fetch(path, token=seats.bots[0].token, accept="application/x-ndjson")
        if b'"sealed"' in content.rsplit(b"\n", 2)[-2:][0]:
            return content
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"GET {path} gave no sealed log for {PATIENCE:.0f} s: it ends {content[-200:]!r}")
        time.sleep(0.05)
