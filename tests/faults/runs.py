"""One tournament over a whole referee: left alone, or with everything killed in it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import redis

from referee import settings as environment
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import RefusedError, UnreachableError
from referee.settings import Settings
from tests.faults.kills import Kill, Killer, plan
from tests.faults.players import LINE_UP, Card, Crew, playing
from tests.faults.records import Final, differences, final
from tests.postgresql import PostgresServer

LIMIT_SECONDS = 300.0
CYCLES = 2
#: Long enough that no outage here costs a bot anything: what clocks do in an outage is another test's affair.
CLOCK = {"act_ms": 300_000, "bank_ms": 300_000, "grace_ms": 250, "absence_ms": 300_000}
LIVE = ("live", "pushed", "archive", "due")


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is played in a run: which bots, to how many game points, each pairing twice.

    With `duplicate` "paired" both times on the same packs, seats exchanged.
    """

    cards: Sequence[Card] = LINE_UP
    target: int = 2
    duplicate: str = "none"

    @property
    def matches(self) -> int:
        """How many matches are planned."""
        return CYCLES * len(self.cards) * (len(self.cards) - 1) // 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: its seed, how many acts it took, what was killed, how it differs from the one left alone."""

    seed: str
    final: Final
    acts: int
    kills: tuple[Kill, ...] = ()
    differing: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    repeated: int = 0

    @property
    def is_right(self) -> bool:
        """Tell whether nothing was lost, doubled, different or amiss."""
        final = self.final
        return not (final.lost or final.doubled or final.amiss or self.differing or self.faults)


@contextmanager
def database_of(server: PostgresServer | None) -> Iterator[str]:
    """The address of a database of its own; empty for SQLite."""
    if server is None:
        yield ""
        return
    url = server.fresh()
    yield url
    server.drop(url)


def settings_for(data: Path, database: str) -> Settings:
    """Settings of a referee of its own."""
    own = replace(environment.read(), data=data, redis_url="", database_url=database, organiser_token="")
    return replace(own, allow_private_push=True, registration="open")


def left_alone(seed: str, what: Tournament, *, data: Path, server: PostgresServer | None) -> Outcome:
    """Plays the tournament of a seed with nothing killed."""
    with database_of(server) as database, referee(data, database) as stack, bots(seed, what, stack) as crew:
        tournament = started(seed, what, stack, crew)
        ended(stack, tournament, crew, None)
        return outcome(seed, what, stack, crew=crew, tournament=tournament)


def with_kills(seed: str, what: Tournament, *, alone: Outcome, data: Path, server: PostgresServer | None) -> Outcome:
    """Plays the tournament of a seed while everything is killed, as the seed says, and compares."""
    kills = plan(seed, acts=alone.acts, database=server is not None)
    with database_of(server) as database, referee(data, database) as stack, bots(seed, what, stack) as crew:
        tournament = started(seed, what, stack, crew)
        killer = Killer(kills, stack, seed=seed, acted=lambda: crew.acted, database=server)
        killer.start()
        try:
            ended(stack, tournament, crew, killer)
        finally:
            killer.over = True
            killer.join()
        stack.wait_ready()
        found = outcome(seed, what, stack, crew=crew, tournament=tournament)
    missed = [f"not carried out: {kill}" for kill in kills if kill not in killer.done]
    return replace(
        found,
        kills=tuple(killer.done),
        differing=tuple(differences(alone.final, found.final)),
        faults=(*found.faults, *killer.faults, *missed),
    )


def referee(data: Path, database: str) -> Stack:
    """A referee of two web processes and two workers."""
    return Stack(settings_for(data, database), Shape(web=2, workers=2))


@contextmanager
def bots(seed: str, what: Tournament, stack: Stack) -> Iterator[Crew]:
    """The bots of a run, at play; all their matches at once."""
    with playing(what.cards, seed, replace(stack.organiser, token=""), concurrency=what.matches) as crew:
        yield crew


def started(seed: str, what: Tournament, stack: Stack, crew: Crew) -> str:
    """Creates and starts the tournament of a seed."""
    cycles = CYCLES if what.duplicate == "none" else 1
    body = {"name": f"seed {seed}", "ruleset": "house", "format": "round_robin", "cycles": cycles, "clock": CLOCK}
    body |= {"duplicate": what.duplicate}
    body |= {"entrants": [crew.ids[card.name] for card in what.cards], "overrides": {"target": what.target}}
    body |= {"seed": hashlib.sha256(seed.encode()).hexdigest()}
    made = stack.organiser.post("/v1/tournaments", body)
    stack.organiser.post(f"/v1/tournaments/{made['id']}/start")
    return str(made["id"])


def ended(stack: Stack, tournament: str, crew: Crew, killer: Killer | None) -> None:
    """Waits until the tournament is over, every kill done and nothing left in the live store."""
    end, seen = time.monotonic() + LIMIT_SECONDS, "nothing"
    while time.monotonic() < end:
        seen = state(stack, tournament)
        if seen == "finished and nothing left" and (killer is None or not killer.is_alive()):
            return
        faults = [fault for player in crew.players for fault in player.faults]
        assert not faults, faults  # without that bot it would never end
        time.sleep(0.05)
    done = [*map(str, killer.done)] if killer is not None else []
    players = [player.doing for player in crew.players]
    raise AssertionError(f"not over in {LIMIT_SECONDS:.0f} s: {seen}; {crew.acted} acts; killed {done}; {players}")


def state(stack: Stack, tournament: str) -> str:
    """How far it is, as well as can be told."""
    try:
        shown = stack.organiser.get(f"/v1/tournaments/{tournament}")
        with redis.Redis.from_url(stack.settings.redis_url, socket_timeout=5) as client:
            left = [name for name in LIVE if client.exists(name)]
    except (UnreachableError, RefusedError, redis.RedisError) as problem:
        return f"cannot be told: {problem}"
    if shown["state"] != "finished":
        return f"{shown['state']}, {shown['played']} of {shown['planned']}"
    return f"finished and {', '.join(left) if left else 'nothing'} left"


def unsaid(output: Path, secrets: Sequence[str]) -> list[str]:
    """What web processes and workers have said that is no line of the journal or holds a secret."""
    amiss = []
    for file in sorted([*output.glob("web-*.log"), *output.glob("worker-*.log")]):
        for line in file.read_text(errors="replace").splitlines():
            if not is_journal(line):
                amiss.append(f"{file.name} is no journal: {line[:300]}")
            amiss += [f"{file.name} holds a secret: {line[:300]}" for secret in secrets if secret in line]
    return amiss


def is_journal(line: str) -> bool:
    """Whether a line is an object with what every line of the journal has."""
    try:
        return {"at", "level", "process", "pid", "from", "said"} <= json.loads(line).keys()
    except (ValueError, AttributeError):
        return False


def outcome(seed: str, what: Tournament, stack: Stack, *, crew: Crew, tournament: str) -> Outcome:
    """What the run left behind."""
    settings = stack.settings
    found = final(
        settings.database,
        settings.data,
        stack.organiser,
        tournament=tournament,
        planned=what.matches,
        taken=list(crew.taken),
    )
    faults = [fault for player in crew.players for fault in player.faults]
    faults += unsaid(settings.data / "output", [*crew.secrets, settings.redis_url, stack.organiser_token])
    faults += [f"{push.forged} calls were not signed" for push in crew.pushed if push.forged]
    repeated = sum(player.repeated for player in crew.players)
    return Outcome(seed, found, crew.acted, faults=tuple(faults), repeated=repeated)
