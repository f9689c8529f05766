"""Bots that wait in long polls, and a few challengers who sit opposite them and wake them, one by one or all at once."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from tests.bench.bots import WAIT, Prompt, choice, key
from tests.bench.hub import Hub, Line
from tests.bench.many_acts import raw
from tests.bench.over_http import Bot
from tests.bench.wire import UnexpectedAnswer, bearer, request

MOST = 200  # prompts in one answer


@dataclass(slots=True)
class Wakes:
    """Who was woken when, by table (`time.perf_counter`, seconds).

    `posted` is when the act was posted on which the other is asked there, `took` how long after that the prompt was in
    that one's hands, `last` when the last one was. While `is_held` the woken do not answer.
    """

    posted: dict[str, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    woken: set[str] = field(default_factory=set)
    last: float = 0.0
    is_held: bool = False

    def anew(self) -> None:
        """Forget who was woken."""
        self.posted.clear()
        self.took.clear()
        self.woken.clear()


@dataclass(slots=True)
class Idler:
    """A bot that waits in a long poll; what it is asked it answers at once, and waits on."""

    hub: Hub
    bot: Bot
    wakes: Wakes
    dice: random.Random
    line: Line = field(init=False)
    poll: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.line = self.hub.line()
        self.poll = request("GET", f"/v1/turns?wait={WAIT}", None, headers=bearer(self.bot.token))

    def begin(self) -> None:
        """Wait."""
        self.hub.send(self.line, self.poll, self.heard)

    def heard(self, body: bytes, at: float) -> None:
        """Note the prompt that has come and answer it; when the time is over wait anew."""
        prompts = orjson.loads(body)["prompts"]
        if not prompts:
            self.begin()
            return
        (prompt,) = prompts
        posted = self.wakes.posted.pop(prompt["match"], None)
        if posted is not None:
            self.wakes.took.append(at - posted)
            self.wakes.woken.add(prompt["match"])
            self.wakes.last = at
        if not self.wakes.is_held:
            self.hub.send(self.line, single(self.bot, prompt, self.dice), self.acted)

    def acted(self, _body: bytes, _at: float) -> None:
        """Wait on, now that the act is taken."""
        self.begin()


@dataclass(slots=True)
class Challenger:
    """A bot opposite many that wait: it acts at one table after another, or at all of them as fast as it can."""

    hub: Hub
    bot: Bot
    wakes: Wakes
    dice: random.Random
    line: Line = field(init=False)
    prompts: deque[Prompt] = field(default_factory=deque)
    fetch: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.line = self.hub.line()
        self.fetch = request("GET", f"/v1/turns?wait=0&most={MOST}", None, headers=bearer(self.bot.token))

    def wake_one(self) -> bool:
        """Act at the next table; where no prompt is in hand fetch those that have waited longest. False while busy."""
        if self.line.then is not None:
            return False
        if not self.prompts:
            self.hub.send(self.line, self.fetch, self._fetched)
            return False
        prompt = self.prompts.popleft()
        message = single(self.bot, prompt, self.dice)
        self.wakes.posted[prompt["match"]] = time.perf_counter()
        self.hub.send(self.line, message, lambda _body, _at: None)
        return True

    def _fetched(self, body: bytes, _at: float) -> None:
        self.prompts.extend(orjson.loads(body)["prompts"])

    def wake_all(self) -> None:
        """Act at all tables, batch by batch, until nobody is left who was not woken."""
        self._exchange([])

    def _exchange(self, prompts: Sequence[Prompt]) -> None:
        acts = [{**choice(prompt, self.dice), "key": key(prompt)} for prompt in prompts]
        message = raw("/v1/acts", orjson.dumps({"acts": acts, "wait": 0, "most": MOST}), headers=bearer(self.bot.token))
        at = time.perf_counter()
        self.wakes.posted.update((str(act["match"]), at) for act in acts)
        self.hub.send(self.line, message, self._exchanged)

    def _exchanged(self, body: bytes, _at: float) -> None:
        answer = orjson.loads(body)
        refused = [verdict for verdict in answer["verdicts"] if verdict["status"] != 200]
        if refused:
            raise UnexpectedAnswer(f"an act came to {refused[0]}")
        if answer["prompts"]:  # at a table where it has won the trick it leads once more
            self._exchange(answer["prompts"])


def single(bot: Bot, prompt: Prompt, dice: random.Random) -> bytes:
    """Build the request of an act by itself that answers a prompt."""
    act = choice(prompt, dice)
    path = f"/v1/matches/{act.pop('match')}/acts"
    return raw(path, orjson.dumps(act), headers={**bearer(bot.token), "Idempotency-Key": key(prompt)})
