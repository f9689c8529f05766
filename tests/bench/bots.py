"""Bots for a crowd: they choose among what a prompt lists as lawful, and note what the referee took for every act.

There is no copy of the rules here. `Batcher` answers all its matches at once, in a batch that waits for the next
prompts, as the SDKs do; `Single` has one match, thinks, and sends an act a request, which waits for its next prompt.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from tests.bench.hub import Hub, Line
from tests.bench.many_acts import CLOSE, raw
from tests.bench.over_http import Bot
from tests.bench.wire import UnexpectedAnswer, bearer, request

WAIT = 30

Prompt = dict[str, Any]


@dataclass(slots=True)
class Ledger:
    """What a crowd has come to, as its own clock has it (`time.perf_counter`, seconds).

    `overheads` are, of each act, when the next prompt in that match was in hand - whoever's it is - and how long after
    the act was posted that was; `own` when an act was posted, and what its bot took from the prompt in hand till then.
    `over` are the matches that have ended, with when.
    """

    overheads: list[tuple[float, float]] = field(default_factory=list)
    own: list[tuple[float, float]] = field(default_factory=list)
    acts: int = 0
    over: dict[str, float] = field(default_factory=dict)
    posted: dict[str, float] = field(default_factory=dict)
    in_hand: dict[str, float] = field(default_factory=dict)

    def got(self, match: str, at: float) -> None:
        """Note a prompt that has come."""
        before = self.posted.pop(match, None)
        if before is not None:
            self.overheads.append((at, at - before))
        self.in_hand[match] = at

    def sends(self, match: str, at: float) -> None:
        """Note an act that is about to be posted."""
        self.posted[match] = at
        self.own.append((at, at - self.in_hand.pop(match)))
        self.acts += 1

    def ended(self, match: str, at: float) -> None:
        """Note that a match is over."""
        self.over[match] = at


def choice(prompt: Prompt, dice: random.Random) -> dict[str, Any]:
    """Pick one of the lawful acts; nobody closes who can do something else, so that deals are played out."""
    lawful: list[dict[str, Any]] = prompt["lawful"]
    picked = lawful[int(dice.random() * len(lawful))]
    while picked == CLOSE and len(lawful) > 1:
        picked = lawful[int(dice.random() * len(lawful))]
    return {"match": prompt["match"], "version": prompt["version"], "seat": prompt["seat"], **picked}


def key(prompt: Prompt) -> str:
    """Give the idempotency key of the answer to a prompt."""
    return f"{prompt['match']}-{prompt['seat']}-{prompt['version']}"


@dataclass(slots=True)
class Batcher:
    """A bot in any number of matches, on one connection: what is in hand is answered together, at once."""

    hub: Hub
    bot: Bot
    dice: random.Random
    ledger: Ledger
    line: Line = field(init=False)
    batches: int = 0

    def __post_init__(self) -> None:
        self.line = self.hub.line()

    def begin(self) -> None:
        """Ask for the first prompts."""
        self.answer([])

    def answer(self, prompts: Sequence[Prompt]) -> None:
        """Post an act on each prompt and wait for the next; with none in hand only wait."""
        acts = [{**choice(prompt, self.dice), "key": key(prompt)} for prompt in prompts]
        body = orjson.dumps({"acts": acts, "wait": WAIT})
        at = time.perf_counter()
        for act in acts:
            self.ledger.sends(act["match"], at)
        self.batches += bool(acts)
        self.hub.send(self.line, raw("/v1/acts", body, headers=bearer(self.bot.token)), self.heard)

    def heard(self, body: bytes, at: float) -> None:
        """Note what came, and answer it."""
        answer = orjson.loads(body)
        for verdict in answer["verdicts"]:
            if verdict["status"] != 200:
                raise UnexpectedAnswer(f"an act came to {verdict}")
            if verdict["body"]["over"]:
                self.ledger.ended(verdict["match"], at)
        for prompt in answer["prompts"]:
            self.ledger.got(prompt["match"], at)
        self.answer(answer["prompts"])


@dataclass(slots=True)
class Single:
    """A bot in one match at a time, on one connection; it thinks for what `thinks` says at the time, in seconds."""

    hub: Hub
    bot: Bot
    dice: random.Random
    ledger: Ledger
    thinks: Callable[[], float]
    line: Line = field(init=False)

    def __post_init__(self) -> None:
        self.line = self.hub.line()

    def begin(self) -> None:
        """Wait for the first prompt."""
        self.hub.send(
            self.line, request("GET", f"/v1/turns?wait={WAIT}", None, headers=bearer(self.bot.token)), self.first
        )

    def first(self, body: bytes, at: float) -> None:
        """Answer the first prompt, or wait on."""
        prompts = orjson.loads(body)["prompts"]
        if prompts:
            self.got(prompts[0], at)
        else:
            self.begin()

    def got(self, prompt: Prompt, at: float) -> None:
        """Answer a prompt after a thought."""
        self.ledger.got(prompt["match"], at)
        thought = self.thinks()
        if thought:
            self.hub.at(at + thought, lambda: self.act(prompt))
        else:
            self.act(prompt)

    def act(self, prompt: Prompt) -> None:
        """Post an act, and wait for the next prompt in the same request."""
        act = choice(prompt, self.dice)
        match = act.pop("match")
        headers = {**bearer(self.bot.token), "Idempotency-Key": key(prompt)}
        message = raw(f"/v1/matches/{match}/acts?wait={WAIT}", orjson.dumps(act), headers=headers)
        self.ledger.sends(match, time.perf_counter())
        self.hub.send(self.line, message, self.heard)

    def heard(self, body: bytes, at: float) -> None:
        """Note the next prompt and answer it; without one it is waited for, in this match or, if that is over, the next."""
        answer = orjson.loads(body)
        if answer["over"]:
            self.ledger.ended(answer["match"], at)
        if answer["prompt"] is None:
            self.begin()
        else:
            self.got(answer["prompt"], at)
