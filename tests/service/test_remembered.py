"""What a process remembers of a match is never the truth: another may have changed what an act depends on meanwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from referee import match as play
from referee import service as services
from referee.service import Reply, Service, ServiceProblem, acts, advancing, matches, prompts, table, turns, voiding
from referee.settings import Settings
from tests.service.playing_along import CLOCK, Bot, a_card, matches_of, play_on, register, tournament

QUICK = {**CLOCK, "act_ms": 100, "bank_ms": 0, "grace_ms": 0}


@pytest.fixture
def other(settings: Settings) -> Iterator[Service]:
    """Another process's service over the same stores."""
    opened = services.open(settings, sweep=False)
    yield opened
    services.close(opened)


def seated(service: Service, **fields: Any) -> tuple[list[Bot], str, dict[str, Any]]:
    """Two bots in a match, and its first prompt, fetched from `service`, which remembers the match from now on."""
    bots = [register(service, name) for name in ("Ada", "Bea")]
    (row,) = matches_of(service, tournament(service, bots, **fields))
    advancing.advance(service)
    found = [(bot, turns.get_turns(service, caller=bot.caller)["prompts"]) for bot in bots]
    bot, (prompt,) = next(each for each in found if each[1])
    return sorted(bots, key=lambda each: each.id != bot.id), row["id"], prompt


def act(service: Service, bot: Bot, prompt: dict[str, Any], body: dict[str, Any], **others: Any) -> Reply:
    whole = {"version": prompt["version"], **body}
    raw = json.dumps(whole).encode()
    return acts.act(service, prompt["match"], caller=bot.caller, body=whole, raw=raw, **others)


def test_two_processes_in_turn_take_the_acts_of_a_whole_match(service: Service, other: Service) -> None:
    bots, match_id, _ = seated(service)
    count = 0
    while True:
        here = (service, other)[count % 2]
        if not play_on(here, bots, a_card, acts_at_most=1):
            break
        count += 1
    assert count > 20
    assert play.verify(matches.get_log(service, match_id)).ok


def test_what_another_process_kept_under_a_key_is_answered_again(service: Service, other: Service) -> None:
    (bot, _), _, prompt = seated(service)
    with pytest.raises(ServiceProblem) as refused:
        act(other, bot, prompt, {"act": "dance"}, key="k-1")
    with pytest.raises(ServiceProblem) as again:
        act(service, bot, prompt, {"act": "dance"}, key="k-1")
    assert again.value.body() == refused.value.body()
    with pytest.raises(ServiceProblem, match="key/reused"):
        act(service, bot, prompt, a_card(prompt), key="k-1")
    assert act(service, bot, prompt, a_card(prompt), key="k-2").status == 200


def test_an_act_that_another_process_took_is_answered_the_same(service: Service, other: Service) -> None:
    (bot, _), _, prompt = seated(service)
    first = act(other, bot, prompt, a_card(prompt), key="k-1")
    assert act(service, bot, prompt, a_card(prompt), key="k-1") == first
    with pytest.raises(ServiceProblem, match="act/stale_version"):
        act(service, bot, prompt, a_card(prompt), key="k-2")


def test_time_that_another_process_moved_on_counts(service: Service, other: Service) -> None:
    """The reply with the prompt went out later than this process knows: what it took till then is not the bot's."""
    (bot, _), match_id, prompt = seated(service, clock=QUICK)
    now = table.load(other, match_id)
    seat = now.match.asked[0]
    delivered = now.number("delivered", seat)
    assert delivered is not None
    until = delivered + 2 * QUICK["act_ms"]
    while service.clock.now_ms() < until:  # here it seems that the time is over
        time.sleep(0.01)
    prompts.handed_over(other, [(now, seat, delivered)], at=service.clock.now_ms() + 60_000)
    assert act(service, bot, prompt, a_card(prompt)).status == 200


def test_nothing_is_added_to_a_match_that_another_process_has_taken_off(service: Service, other: Service) -> None:
    (bot, _), match_id, prompt = seated(service)
    now = table.load(other, match_id)
    other.live.close(match_id, bots=set(now.standing.bots), seats="ab")
    before = service.live.some(match_id, ("version", "head"))
    with pytest.raises(ServiceProblem):
        act(service, bot, prompt, a_card(prompt))
    assert service.live.some(match_id, ("version", "head")) == before


def test_a_match_that_another_process_made_void_takes_no_act(service: Service, other: Service) -> None:
    (bot, _), match_id, prompt = seated(service)
    assert voiding.void_and_replay(other, match_id, reason="a test")
    with pytest.raises(ServiceProblem, match="act/match_over"):
        act(service, bot, prompt, a_card(prompt))
