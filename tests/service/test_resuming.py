"""A match read from the live store at any moment is the match that was written there, irregular play included."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from referee import match as play
from referee import service as services
from referee.rules.cards import CARD_NAMES
from referee.service import Service, ServiceProblem, advancing, matches, table
from referee.settings import Settings
from referee.store.live import LiveStore
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


@pytest.mark.parametrize("seed", range(4))
def test_who_remembers_a_match_from_before_reads_what_has_come_and_has_the_same_match(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    other = services.open(settings, sweep=False)
    left_out: list[int] = []
    read_each = LiveStore.read_each

    def noted(live: LiveStore, *args: Any, **kwargs: Any) -> Any:
        found = read_each(live, *args, **kwargs)
        left_out.extend(each.known for each in found if each is not None)
        return found

    monkeypatch.setattr(LiveStore, "read_each", noted)
    seated = [register(service, name, chores=CHORES if seed % 2 else []) for name in ("Ada", "Bea")]
    body = {"bots": [bot.id for bot in seated], "clock": CLOCK}
    match_id = matches.create_friendly(service, body, caller=seated[0].caller)["id"]
    advancing.advance(service)
    dice, looks = random.Random(seed), 0
    while matches.get_match(service, match_id)["state"] == "live" and looks < 200:
        now = table.load(service, match_id)
        if dice.random() < 0.6:
            before = other.memory.standings.get(match_id)
            if before is not None and dice.random() < 0.3 and before.match.asked:
                other.memory.keep(match_id, _gone_another_way(before), {})
            same(now, table.load(other, match_id))
            looks += 1
        _request(service, seated, now, dice)
    services.close(other)
    assert looks > 10
    assert sum(known > 0 for known in left_out) > looks // 3


def _gone_another_way(standing: table.Standing) -> table.Standing:
    """Is a standing after an act that nobody has done, as a process may remember it from before a store went back."""
    seat = standing.match.asked[0]
    step = play.act(standing.match, seat, play.prompt(standing.match, seat)["lawful"][-1], ms=987_654)
    assert isinstance(step, play.Step)
    lines = standing.lines + step.lines if step.boundary is None else step.lines[step.boundary :]
    return table.Standing(step.match, lines, standing.bots, standing.transports)


def _request(service: Service, seated: list[Bot], now: table.Table, dice: random.Random) -> None:
    seat = now.match.asked[0]
    prompt = matches.get_view(service, now.id, caller=seated[seat].caller)["prompt"]
    sender = seated[seat] if dice.random() < 0.95 else seated[1 - seat]
    try:
        act(service, sender, prompt, any_act(dice, prompt))
    except ServiceProblem as refusal:
        assert refusal.status in (409, 422), refusal
