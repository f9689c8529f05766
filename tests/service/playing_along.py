"""Bots of the tests: they register, take their prompts and answer with lawful acts, all through the service."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from referee.service import Caller, Service, acts, advancing, bots, tournaments, turns
from referee.store import match_rows

ORGANISER = Caller("organiser")
CLOCK = {"act_ms": 60_000, "bank_ms": 60_000, "grace_ms": 250, "absence_ms": 60_000}


@dataclass(frozen=True)
class Bot:
    """A registered bot: its id, its caller, its token."""

    id: str
    caller: Caller
    token: str


def register(service: Service, name: str, **fields: Any) -> Bot:
    """Registers a bot."""
    answer = bots.register(service, {"name": name, **fields}, caller=Caller())
    return Bot(answer["bot"]["id"], Caller("bot", answer["bot"]["id"]), answer["token"])


def first(prompt: dict[str, Any]) -> dict[str, Any]:
    """Chooses the first lawful act."""
    return dict(prompt["lawful"][0])


def a_card(prompt: dict[str, Any]) -> dict[str, Any]:
    """Chooses the first card that may be played, or the first lawful act where it is not a card's turn."""
    return next((dict(act) for act in prompt["lawful"] if act["act"] == "play"), first(prompt))


def drawn(seed: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Makes a choice that draws among the lawful acts, the same on the same packs."""

    def choose(prompt: dict[str, Any]) -> dict[str, Any]:
        dice = random.Random(f"{seed}/{prompt['version']}/{prompt['view'].get('hand')}")
        return dict(dice.choice(prompt["lawful"]))

    return choose


def modest(seed: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Makes a choice as `drawn` does, but concedes nothing, and bids one tick or passes: drawn bids reach no target."""
    choose, one = drawn(seed), {"act": "bid", "ticks": 1}

    def choose_modestly(prompt: dict[str, Any]) -> dict[str, Any]:
        if prompt["view"]["phase"] == "bid":
            return one if one in prompt["lawful"] else {"act": "pass"}
        return choose({**prompt, "lawful": [act for act in prompt["lawful"] if act["act"] != "concede"]})

    return choose_modestly


def act(service: Service, bot: Bot, prompt: dict[str, Any], body: dict[str, Any], key: str | None = None) -> Any:
    """Sends an act for a prompt and answers the parsed reply."""
    whole = {"version": prompt["version"], **body}
    raw = json.dumps(whole).encode()
    reply = acts.act(service, prompt["match"], caller=bot.caller, body=whole, raw=raw, key=key)
    return json.loads(reply.body)


def play_on(
    service: Service,
    seated: Iterable[Bot],
    choose: Callable[[dict[str, Any]], dict[str, Any]] = first,
    *,
    acts_at_most: int = 100_000,
) -> int:
    """Lets the bots act in turn, opening matches as there is room, until nobody is asked; answers how many acts."""
    taken = 0
    seated = list(seated)
    while taken < acts_at_most:
        prompts = [(bot, prompt) for bot in seated for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]]
        if not prompts and not advancing.advance(service):
            return taken
        for bot, prompt in prompts[: acts_at_most - taken]:
            act(service, bot, prompt, choose(prompt))
            taken += 1
    return taken


def tournament(service: Service, entrants: Iterable[Bot], **fields: Any) -> str:
    """Creates and starts a tournament of one game point a match, quick to play."""
    usual = {"name": "cup", "cycles": 1, "overrides": {"target": 1}, "clock": CLOCK, "seed": "5" * 64}
    body = {**usual, "entrants": [bot.id for bot in entrants], **fields}
    made = tournaments.create(service, body, caller=ORGANISER)
    tournaments.start(service, made["id"], caller=ORGANISER)
    return str(made["id"])


def matches_of(service: Service, tournament_id: str) -> list[dict[str, Any]]:
    """Are the rows of all matches of a tournament."""
    with service.record.reading() as connection:
        return match_rows.of_tournament(connection, tournament_id)
