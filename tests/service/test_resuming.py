"""A match read from the live store at any moment is the match that was written there, irregular play included."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from referee import match as play
from referee.rules.cards import CARD_NAMES
from referee.service import Service, ServiceProblem, advancing, matches, table
from tests.service.playing_along import CLOCK, Bot, act, register

CHORES = ["shuffle", "cut", "deal", "draw"]


def any_act(dice: random.Random, prompt: dict[str, Any]) -> dict[str, Any]:
    """Draws an act, mostly lawful, now and then whatever comes to mind."""
    if dice.random() < 0.7:
        return dict(dice.choice(prompt["lawful"]))
    hand = prompt["view"].get("hand") or list(CARD_NAMES)
    card = dice.choice(hand)
    wild: list[dict[str, Any]] = [
        {"act": "play", "card": card},
        {"act": "marry", "card": card},
        {"act": "draw"},
        {"act": "draw", "cards": 2},
        {"act": "close"},
        {"act": "exchange"},
        {"act": "declare"},
        {"act": "look", "trick": 1},
        {"act": "expose", "card": card},
        {"act": "deal", "to": prompt["seat"], "cards": 3},
        {"act": "take_back", "number": prompt["version"]},
    ]
    return dice.choice(wild)


def same(one: table.Table, two: table.Table) -> None:
    """The two readings of a match agree in all that a seat or a log could show."""
    for seat in (0, 1, None):
        assert orjson.dumps(play.view(one.match, seat)) == orjson.dumps(play.view(two.match, seat))
    for name in ("version", "head", "firm", "asked", "score", "bank", "slips", "conduct", "overruns", "cases"):
        assert getattr(one.match, name) == getattr(two.match, name), name
    for seat in one.match.asked:
        assert orjson.dumps(play.prompt(one.match, seat)) == orjson.dumps(play.prompt(two.match, seat))
    assert one.match.header() == two.match.header()
    assert one.standing.lines == two.standing.lines


@pytest.mark.parametrize("seed", range(6))
def test_a_match_resumed_after_every_request_is_the_same_match(service: Service, seed: int) -> None:
    chores = CHORES if seed % 2 else []
    seated = [register(service, name, chores=chores) for name in ("Ada", "Bea")]
    body = {"bots": [bot.id for bot in seated], "clock": CLOCK, "overrides": {"target": 3}}
    match_id = matches.create_friendly(service, body, caller=seated[0].caller)["id"]
    advancing.advance(service)
    dice, requests = random.Random(seed), 0
    while matches.get_match(service, match_id)["state"] == "live" and requests < 400:
        kept = table.load(service, match_id)
        service.memory.forget(match_id)
        now = table.load(service, match_id)
        assert now.standing is not kept.standing
        same(kept, now)
        requests += 1
        _request(service, seated, now, dice)
    if matches.get_match(service, match_id)["state"] == "done":
        verdict = play.verify(matches.get_log(service, match_id))
        assert verdict.ok, verdict.problem
    assert requests > 20


def _request(service: Service, seated: list[Bot], now: table.Table, dice: random.Random) -> None:
    seat = now.match.asked[0]
    prompt = matches.get_view(service, now.id, caller=seated[seat].caller)["prompt"]
    sender = seated[seat] if dice.random() < 0.95 else seated[1 - seat]
    try:
        act(service, sender, prompt, any_act(dice, prompt))
    except ServiceProblem as refusal:
        assert refusal.status in (409, 422), refusal
