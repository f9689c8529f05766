"""Six bots that always do the same at the same table, over HTTP, through any outage.

What a bot does depends on the seed of the run, its name and what it is shown, on nothing else: not on ids, the
clock, or how often it was asked. Now and then it does something that the rules forbid, so that there is something
to rule on; if that is refused it does something lawful.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from referee.launcher.wire import Wire
from tests.service.push_server import Answer, PushBot, serving

CHORES = ["shuffle", "cut", "deal", "draw"]
PAUSE = 0.05
WAIT_SECONDS = 5
WILD = 8  # one in so many acts


@dataclass(frozen=True, slots=True)
class Card:
    """A bot of the line-up: its name, whether it is pushed to, whether it does its chores."""

    name: str
    push: bool = False
    chores: bool = False


LINE_UP = (
    Card("Ada"),
    Card("Bea", chores=True),
    Card("Cyd", push=True),
    Card("Dan"),
    Card("Eva", push=True, chores=True),
    Card("Fay"),
)


def choice(seed: str, name: str, prompt: dict[str, Any], *, tame: bool) -> dict[str, Any]:
    """What the bot of that name does with a prompt."""
    told = json.dumps([seed, name, prompt["version"], prompt["view"], prompt["lawful"]], sort_keys=True)
    dice = hashlib.sha256(told.encode()).digest()
    lawful = prompt["lawful"]
    if tame or dice[0] % WILD or "options" in prompt:
        return dict(lawful[int.from_bytes(dice[1:3]) % len(lawful)])
    wild = forbidden(prompt, dice[3])
    return wild[dice[4] % len(wild)]


def forbidden(prompt: dict[str, Any], die: int) -> list[dict[str, Any]]:
    """Acts that are mostly against the rules, and mostly possible."""
    hand = prompt["view"].get("hand") or ["AS"]
    card = hand[die % len(hand)]
    acts: list[dict[str, Any]] = [{"act": "play", "card": card}, {"act": "marry", "card": card}, {"act": "draw"}]
    acts += [{"act": "draw", "cards": 2}, {"act": "close"}, {"act": "exchange"}, {"act": "declare"}]
    acts += [{"act": "look", "trick": 1}, {"act": "deal", "to": prompt["seat"], "cards": 3}]
    return acts + list(prompt["own_risk"])


@dataclass
class Taken:
    """An act whose bot was told that it is taken: the match, the number of its event, the act."""

    match: str
    number: int
    act: dict[str, Any]


@dataclass
class Player(threading.Thread):
    """A bot that pulls: it asks again, with the same key, whatever becomes of a request.

    Another thread may give it another `url`, to which its next request goes.
    """

    card: Card
    seed: str
    url: str
    token: str
    acts: list[Taken] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    over: bool = False
    faults: list[str] = field(default_factory=list)
    may_act: Callable[[], bool] = lambda: True

    def __post_init__(self) -> None:
        threading.Thread.__init__(self, name=f"player {self.card.name}", daemon=True)
        self.line: http.client.HTTPConnection | None = None  # this thread's alone
        self.at = ""

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            while not self.over:
                _, answer = self.call("GET", f"/v1/turns?wait={WAIT_SECONDS}")
                for prompt in answer.get("prompts", ()):
                    self.answer(prompt)
        except Exception as fault:  # told at the end; a thread's death must not pass unseen
            self.faults.append(f"{self.card.name}: {fault!r}")

    @property
    def doing(self) -> str:
        """What it has come to, for who wonders why a run does not end."""
        return f"{self.card.name}: {len(self.acts)} taken, refused {dict(self.refused)}, faults {self.faults}"

    def answer(self, prompt: dict[str, Any]) -> None:
        """Acts on a prompt as soon as it may, if need be a second time and lawfully."""
        while not (self.may_act() or self.over):
            time.sleep(PAUSE)
        for tame in (False, True):
            act = choice(self.seed, self.card.name, prompt, tame=tame)
            key = f"{prompt['match']}-{prompt['version']}-{int(tame)}"
            body = {"version": prompt["version"], **act}
            status, answer = self.call("POST", f"/v1/matches/{prompt['match']}/acts", body, key)
            if status == 200:
                self.acts.append(Taken(prompt["match"], answer["taken"], act))
                return
            self.refused[answer.get("code", str(status))] += 1
            if answer.get("code") not in ("act/impossible", "act/irregular", "act/unreadable"):
                return  # asked anew where it still matters

    def call(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:
        """Makes a request until somebody answers it; (0, {}) once the run is over."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None if body is None else json.dumps(body).encode()
        while not self.over:
            try:
                status, answer = self.once(method, path, data, headers)
                if status < 500:
                    return status, json.loads(answer)
            except (OSError, ValueError, http.client.HTTPException):  # nobody there, or gone in the middle of an answer
                self.hang_up()
            self.repeated += 1
            time.sleep(PAUSE)
        return 0, {}

    def once(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        """Makes a request over the line that stands, or a new one."""
        if self.line is not None and self.at != self.url:  # it was told to go elsewhere
            self.hang_up()
        if self.line is None:
            self.at = self.url
            self.line = http.client.HTTPConnection(self.at.removeprefix("http://"), timeout=30)
        self.line.request(method, path, data, headers)
        answer = self.line.getresponse()
        return answer.status, answer.read()

    def hang_up(self) -> None:
        """Drops the line."""
        if self.line is not None:
            self.line.close()
            self.line = None


@dataclass
class Crew:
    """The bots of a run, by name: their ids, and the threads of those that pull."""

    ids: dict[str, str]
    players: list[Player]
    pushed: list[PushBot]

    @property
    def secrets(self) -> list[str]:
        """What nobody but the bots and the service may know."""
        return [player.token for player in self.players] + [push.secret for push in self.pushed]

    @property
    def acted(self) -> int:
        """How many acts have been taken or answered so far."""
        return sum(len(player.acts) for player in self.players) + sum(len(push.prompts) for push in self.pushed)

    @property
    def taken(self) -> Iterator[Taken]:
        """Every act whose bot was told that it is taken."""
        for player in self.players:
            yield from player.acts


@contextmanager
def playing(cards: Sequence[Card], seed: str, service: Wire, *, concurrency: int) -> Iterator[Crew]:
    """Registers the bots and lets them play until the block ends."""
    pushed = {card.name: PushBot(answering(seed, card.name)) for card in cards if card.push}
    with serving(*pushed.values()):
        ids, players = {}, []
        for card in cards:
            body: dict[str, Any] = {
                "name": card.name,
                "concurrency": concurrency,
                "chores": CHORES if card.chores else [],
            }
            if card.push:
                body |= {"transport": "push", "url": pushed[card.name].url}
            made = service.post("/v1/bots", {"transport": "pull", **body})
            ids[card.name] = made["bot"]["id"]
            if card.push:
                pushed[card.name].secret = made["webhook_secret"]
            else:
                players.append(Player(card, seed, service.url, made["token"]))
        for player in players:
            player.start()
        try:
            yield Crew(ids, players, list(pushed.values()))
        finally:
            for player in players:
                player.over = True
            for player in players:
                player.join()
                player.hang_up()


def answering(seed: str, name: str) -> Any:
    """How a bot that is pushed to answers."""

    def answer(prompt: dict[str, Any]) -> Answer:
        return 200, json.dumps(choice(seed, name, prompt, tame="problem" in prompt)).encode()

    return answer
