"""What a live match takes in Redis at its end: every key that bears its name, and its entries in the sets of all.

Bots of this process play through the service as the web does (prompts delivered, acts under keys, replies kept), one match
after another; nobody closes, so that deals are long. A match is measured when it is over and not yet on record, which is
when it is largest.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from referee import match, service, settings
from referee.launcher import processes, valkey
from referee.service import Caller, acts, advancing, aftermath, bots, matches, turns
from referee.service.base import Service
from tests.bench.report import Measure

OWN = "mezx"
OF_ALL = ("due", "live", "pushed", "ended")
CLOSE = {"act": "close"}
MOST_KB = 20.0


def figures(*, count: int) -> Iterator[Measure]:
    """Measure so many matches of the house rule-set, played to its target."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data, opened(Path(data)) as here:
        sizes = [size / 1000 for size in sizes_at_the_end(here, count=count)]
    who = f"a live match at its end, of {count}"
    yield Measure("redis_match", f"{who}: Redis memory on average", sum(sizes) / count, "KB", "at most", MOST_KB)
    yield Measure("redis_match_most", f"{who}: the largest", max(sizes), "KB")


def sizes_at_the_end(here: Service, *, count: int) -> Iterator[int]:
    """Play so many matches; give the bytes each took when it was over, and verify its log."""
    seated = [bots.register(here, {"name": name}, caller=Caller())["bot"]["id"] for name in ("left", "right")]
    here.memory.has_archivist = True  # who would put a match on record at once, but for us
    for number in range(count):
        match_id = played(here, seated, random.Random(number))
        yield size(here, match_id, seated)
        aftermath.follow(here, match_id, at_once=True)
        verdict = match.verify(matches.get_log(here, match_id))
        if not verdict.ok:
            raise ValueError(f"{match_id} does not verify: {verdict.problem}")


def played(here: Service, seated: list[str], dice: random.Random) -> str:
    """Play a match of these bots with random acts until it is over, and give its id."""
    callers = {bot: Caller("bot", bot) for bot in seated}
    made = matches.create_friendly(here, {"bots": seated, "ruleset": "house"}, caller=callers[seated[0]])
    advancing.advance(here)
    acted = 0
    while True:
        for caller in callers.values():
            for prompt in turns.get_turns(here, caller=caller)["prompts"]:
                acted += 1
                if acts_on(here, prompt, caller, dice, key=f"bench-{acted}")["over"]:
                    return str(made["id"])


def acts_on(here: Service, prompt: dict[str, Any], caller: Caller, dice: random.Random, *, key: str) -> dict[str, Any]:
    """Answer a prompt at random, under a key of its own, and give the reply."""
    chosen = dice.choice([act for act in prompt["lawful"] if act != CLOSE] or prompt["lawful"])
    body = {"version": prompt["version"], **chosen}
    reply = acts.act(here, prompt["match"], caller=caller, body=body, raw=orjson.dumps(body), key=key)
    answered: dict[str, Any] = orjson.loads(reply.body)
    return answered


def size(here: Service, match_id: str, seated: list[str]) -> int:
    """The bytes of the keys of a match and, as it is the only one, of what is kept of all."""
    keys = [*(f"{letter}:{match_id}" for letter in OWN), *OF_ALL, *(f"t:{bot}" for bot in seated)]
    usage = [here.live.client.memory_usage(key, samples=0) for key in keys]
    return sum(each for each in usage if isinstance(each, int))


@contextmanager
def opened(data: Path) -> Iterator[Service]:
    """Open a service of this process alone, over a Valkey and a record of its own."""
    child, url = valkey.launch(data / "redis", fsync="everysec")
    try:
        here = service.open(replace(settings.read(), data=data, redis_url=url, database_url=""), sweep=False)
        try:
            yield here
        finally:
            service.close(here)
    finally:
        processes.kill(child)
