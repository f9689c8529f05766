"""Acts in batches against acts one by one and against `/v1/health`, as fast as the server answers.

The bot holds both seats of every match, and what it plays is known beforehand: the same match is played in this process
first. So the clients do next to nothing, and what is measured is the server.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from referee import match, settings
from referee.launcher.stack import Shape, Stack
from referee.rules import rulesets
from tests.bench import load
from tests.bench.over_http import HEALTH, PATIENCE, register
from tests.bench.pairs import Sample
from tests.bench.wire import Connection, UnexpectedAnswer, bearer, request

MATCHES = 200
BATCH = 100
CLOSE = {"act": "close"}
CONNECTIONS = 32
CLOCK = {"act_ms": 60_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}


@dataclass(slots=True)
class Script:
    """A match on the server, and every act of it in order, as they are posted; `done` of them were."""

    match: str
    acts: list[bytes]
    done: int = 0

    def next(self) -> bytes | None:
        """The next act, counted as done; None once the match is over."""
        if self.done == len(self.acts):
            return None
        self.done += 1
        return self.acts[self.done - 1]


@dataclass(slots=True)
class Hall:
    """A running referee with many matches of one bot against itself."""

    port: int
    token: str
    scripts: list[Script]
    stack: Stack

    def one_by_one(self, acts: int, *, connections: int, ports: Sequence[int] = ()) -> Sample:
        """Post so many acts, each in a request of its own, over so many connections, to several ports in turn if given."""
        shares = [self.scripts[first::connections] for first in range(connections)]
        sources = [itertools.islice(self._singles(share), acts // connections) for share in shares]
        return load.run(ports or self.port, sources, lambda answer: answer.count(b'"taken"'))

    def in_batches(self, batches: int, *, connections: int) -> Sample:
        """Post so many batches of an act in each of BATCH matches, over so many connections."""
        size = len(self.scripts) // connections
        shares = [self.scripts[first : first + size] for first in range(0, size * connections, size)]
        sources = [itertools.islice(self._batches(share), batches // connections) for share in shares]
        return load.run(self.port, sources, lambda answer: answer.count(b'"taken"'))

    def health(self, requests: int, *, connections: int) -> Sample:
        """Ask `/v1/health` so many times over so many connections."""
        sources = [iter([HEALTH] * (requests // connections)) for _ in range(connections)]
        return load.run(self.port, sources, lambda _: 1)

    def _singles(self, scripts: Sequence[Script]) -> Iterator[bytes]:
        for script in itertools.cycle(scripts):
            act = script.next()
            if act is None:
                if all(each.done == len(each.acts) for each in scripts):
                    raise UnexpectedAnswer(f"{script.match} and the others are over: too few acts were prepared")
                continue
            key = {"Idempotency-Key": f"{script.match}-{script.done}"}
            yield raw(f"/v1/matches/{script.match}/acts", act, headers={**bearer(self.token), **key})

    def _batches(self, scripts: Sequence[Script]) -> Iterator[bytes]:
        for start in itertools.cycle(range(0, len(scripts), BATCH)):
            if all(script.done == len(script.acts) for script in scripts):
                return
            listed = [(script, script.next()) for script in scripts[start : start + BATCH]]
            acts = [
                b'{"match":"%s","key":"%s-%d",%s' % (script.match.encode(), script.match.encode(), script.done, act[1:])
                for script, act in listed
                if act is not None
            ]
            if acts:  # else the others have some left
                yield raw("/v1/acts", b'{"acts":[' + b",".join(acts) + b"]}", headers=bearer(self.token))

    def finished_logs(self) -> Iterator[bytes]:
        """Play every match to its end, in batches, and give the logs."""
        load.run(self.port, [self._batches(self.scripts)], lambda _: 1)
        with closing(Connection(self.port)) as wire:
            for script in self.scripts:
                yield log(wire, script.match, token=self.token)


@dataclass(frozen=True, slots=True)
class Rates:
    """What was measured in turn on the same server."""

    batches: Sample
    one_by_one: Sample
    health: Sample


def rates(ours: Hall, *, acts: int) -> Rates:
    """Post so many acts one by one over CONNECTIONS, twice as many in batches over two, and ask for health as often."""
    return Rates(
        one_by_one=ours.one_by_one(acts, connections=CONNECTIONS),
        batches=ours.in_batches(max(2, 2 * acts // BATCH), connections=2),
        health=ours.health(acts, connections=CONNECTIONS),
    )


def verified(ours: Hall) -> None:
    """Play every match to its end and verify its log. Raises ValueError for one that does not verify."""
    for content in ours.finished_logs():
        verdict = match.verify(content)
        if not verdict.ok:
            raise ValueError(f"a log does not verify: {verdict.problem}")


@contextmanager
def hall(data: Path, *, matches: int = MATCHES) -> Iterator[Hall]:
    """Start a whole referee on `data`, open the matches, and stop it all afterwards."""
    with Stack(replace(settings.read(), data=data, redis_url="", database_url=""), Shape()) as stack:
        yield seated(stack, matches=matches)


def seated(stack: Stack, *, matches: int) -> Hall:
    """Open so many matches of one bot against itself on a running referee."""
    with closing(Connection(stack.port)) as wire:
        bot = register(wire, "both")
        wire.ask("PATCH", f"/v1/bots/{bot.id}", {"concurrency": 1000}, token=bot.token)
        seeds = [hashlib.sha256(b"many acts %d" % number).digest() for number in range(matches)]
        scripts = [
            Script(opened(wire, bot.id, seed, token=stack.organiser_token), script(seed, number))
            for number, seed in enumerate(seeds)
        ]
        until_live(wire, scripts)
    return Hall(stack.port, bot.token, scripts, stack)


def opened(wire: Connection, bot: str, seed: bytes, *, token: str) -> str:
    """Open a friendly of a bot against itself on that seed and give its id."""
    body = {"bots": [bot, bot], "ruleset": "house", "seed": seed.hex(), "clock": CLOCK}
    return str(wire.ask("POST", "/v1/matches", body, token=token, want=201)["id"])


def until_live(wire: Connection, scripts: Sequence[Script]) -> None:
    """Wait until every match is open."""
    deadline = time.monotonic() + PATIENCE
    for each in scripts:
        while wire.ask("GET", f"/v1/matches/{each.match}")["state"] != "live":
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"{each.match} was not opened within {PATIENCE:.0f} s")
            time.sleep(0.05)


def script(seed: bytes, number: int) -> list[bytes]:
    """Play a match at random in this process and give its acts as they are to be posted."""
    seats = tuple(match.Seating("bot_both", "both", frozenset()) for _ in range(2))
    terms = match.Terms(f"mat_{number}", rulesets.named("house"), seats, clock=match.Clock(**CLOCK), opened_at="")
    dice = random.Random(number)
    now = match.open_match(terms, seed).match
    posted: list[bytes] = []
    while not now.is_over:
        (seat,) = now.asked
        lawful = match.prompt(now, seat)["lawful"]
        body = dice.choice([each for each in lawful if each != CLOSE] or lawful)
        posted.append(json.dumps({"version": now.version, **body}, separators=(",", ":")).encode())
        step = match.act(now, seat, body, ms=0)
        now = step.match
    return posted


def raw(path: str, content: bytes, *, headers: dict[str, str]) -> bytes:
    """Build a POST of JSON that is written already."""
    head = request("POST", path, None, headers={**headers, "Content-Type": "application/json"})
    return head.replace(b"Content-Length: 0", b"Content-Length: %d" % len(content)) + content


def log(wire: Connection, match_id: str, *, token: str) -> bytes:
    """Fetch a finished log, waiting until it is archived."""
    deadline = time.monotonic() + PATIENCE
    while wire.ask("GET", f"/v1/matches/{match_id}")["state"] != "done":
        if time.monotonic() > deadline:
            raise UnexpectedAnswer(f"{match_id} was not archived within {PATIENCE:.0f} s")
        time.sleep(0.05)
    return wire.fetch(f"/v1/matches/{match_id}/log", token=token, accept="application/x-ndjson")
