"""Friendlies, checks, pushes and repeated requests at tables of three and four, and bots that hold several seats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import match
from referee.service import (
    Caller,
    Service,
    ServiceProblem,
    acts,
    advancing,
    checks,
    matches,
    playing,
    tournaments,
    turns,
)
from tests.service.playing_along import (
    CLOCK,
    ORGANISER,
    Bot,
    a_card,
    act,
    first,
    matches_of,
    modest,
    play_on,
    register,
    tournament,
)
from tests.service.push_server import Answer, PushBot, serving
from tests.service.test_push import registered

QUICK = {"overrides": {"target": 1}, "clock": CLOCK}
SEATS = {"three_handed": 3, "four_handed": 4, "cruce": 4}


def friendly(service: Service, seated: list[Bot], **fields: Any) -> str:
    body = {"bots": [bot.id for bot in seated], **QUICK, **fields}
    return str(matches.create_friendly(service, body, caller=seated[0].caller)["id"])


def refused(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


@pytest.mark.parametrize("name", SEATS)
def test_a_friendly_of_three_or_four_is_played_and_its_log_verifies(service: Service, name: str) -> None:
    seated = [register(service, bot) for bot in ("Ada", "Bea", "Cyd", "Dee")[: SEATS[name]]]
    match_id = friendly(service, seated, ruleset=name)
    advancing.advance(service)
    play_on(service, seated, modest(2))
    shown = matches.get_match(service, match_id)
    assert shown["state"] == "done", shown
    assert [shown["seats"][letter]["name"] for letter in shown["seats"]] == ["Ada", "Bea", "Cyd", "Dee"][: SEATS[name]]
    assert shown["score"].keys() == shown["seats"].keys()
    winning = next(side for side in shown["sides"] if shown["winner"] in side)
    assert shown["winner"] == winning[0]
    scores = {shown["score"][seat] for seat in winning}
    assert len(scores) == 1
    # In Cruce bidders win who reach the target together with the others, whatever the score of these (D-01).
    if name == "cruce":
        assert min(scores) >= QUICK["overrides"]["target"]
    else:
        assert scores == {max(shown["score"].values())}
    assert match.verify(matches.get_log(service, match_id)).ok


@pytest.mark.parametrize(("name", "count"), [("house", 3), ("three_handed", 2), ("four_handed", 3), ("cruce", 2)])
def test_a_friendly_of_another_number_is_told_what_is_right(service: Service, name: str, count: int) -> None:
    seated = [register(service, bot) for bot in ("Ada", "Bea", "Cyd")[:count]]
    found = refused(friendly, service, seated, ruleset=name)
    assert (found.status, found.code) == (422, "match/unfit")
    [error] = found.extras["errors"]
    assert error["pointer"] == "/bots"
    assert f"names {count}; {name} is played by {SEATS.get(name, 2)}" in error["detail"]


@pytest.mark.parametrize("name", SEATS)
def test_a_check_has_the_house_at_every_other_seat(service: Service, name: str) -> None:
    ada = register(service, "Ada")
    fields = {"ruleset": name, "clock": CLOCK, "seed": "7" * 64}
    started = checks.start_check(service, ada.id, caller=ada.caller, fields=fields)
    advancing.advance(service)
    play_on(service, [ada], modest(8))
    done = checks.get_check(service, ada.id, number=1, caller=ada.caller)
    assert (done["state"], done["passed"], done["refused"]) == ("done", True, [])
    shown = matches.get_match(service, started["match"])
    assert [held["bot"] for held in shown["seats"].values()] == [ada.id] + ["bot_house"] * (SEATS[name] - 1)
    assert match.verify(matches.get_log(service, started["match"])).ok


@pytest.mark.parametrize("bids", [{"act": "pass"}, {"act": "bid", "ticks": 5}])
def test_a_check_with_bidding_ends_however_the_bot_bids(service: Service, bids: dict[str, Any]) -> None:
    ada = register(service, "Ada")

    def choose(prompt: dict[str, Any]) -> dict[str, Any]:
        return bids if bids in prompt["lawful"] else a_card(prompt)

    for number in range(1, 6):
        fields = {"ruleset": "cruce", "clock": CLOCK, "seed": f"{number}" * 64}
        checks.start_check(service, ada.id, caller=ada.caller, fields=fields)
        advancing.advance(service)
        assert play_on(service, [ada], choose, acts_at_most=200) < 200
        assert checks.get_check(service, ada.id, number=number, caller=ada.caller)["passed"]


def test_a_check_at_four_lists_what_its_bot_did_amiss_and_nothing_of_the_house(service: Service) -> None:
    ada = register(service, "Ada")
    fields = {"ruleset": "four_handed", "clock": CLOCK, "seed": "7" * 64}
    checks.start_check(service, ada.id, caller=ada.caller, fields=fields)
    advancing.advance(service)
    [prompt] = turns.get_turns(service, caller=ada.caller)["prompts"]
    assert refused(act, service, ada, prompt, {"act": "dance"}).code == "act/unreadable"
    play_on(service, [ada], a_card)
    done = checks.get_check(service, ada.id, number=1, caller=ada.caller)
    assert (done["passed"], len(done["refused"]), done["irregular"]) == (False, 1, [])
    assert done["refused"][0]["seat"] == "a"


def a_seat_of(prompt: dict[str, Any]) -> Answer:
    """Answers with a card, or a lawful act where none is to be played."""
    return 200, json.dumps(a_card(prompt)).encode()


@pytest.mark.parametrize("name", ["three_handed", "four_handed"])
def test_push_and_pull_bots_sit_at_one_table(service: Service, name: str) -> None:
    pushed = [PushBot(a_seat_of) for _ in range(2)]
    with serving(*pushed):
        bots = [registered(service, f"push {n}", push, concurrency=4) for n, push in enumerate(pushed)]
        pulled = [register(service, name, concurrency=4) for name in ("Ada", "Bea")]
        mixed = [{"bots": [bots[0].id, pulled[0].id]}, {"bots": [bots[1].id]}, {"bots": [pulled[1].id]}]
        partners = name == "four_handed"
        field = {"teams": mixed} if partners else {}
        cup = tournament(service, () if partners else (*bots, *pulled), ruleset=name, **field)
        for _ in range(300):
            play_on(service, pulled, a_card)
            playing.play(service, budget=0.5)
            if tournaments.get_tournament(service, cup)["state"] == "finished":
                break
    rows = matches_of(service, cup)
    assert [row["state"] for row in rows] == ["done"] * len(rows)
    assert {row["cause"] for row in rows} <= {"played_out", "declared", "last_trick"}
    for row in rows:
        assert match.verify(matches.get_log(service, row["id"])).ok
    assert all(push.prompts and not push.forged for push in pushed)
    if partners:
        assert {prompt["seat"] for prompt in pushed[1].prompts} in ({"a", "c"}, {"b", "d"}, set("abcd"))


@pytest.fixture
def alone(service: Service) -> tuple[Bot, Bot, str]:
    """Ada at a and c against Bea at b and d."""
    ada, bea = register(service, "Ada"), register(service, "Bea")
    match_id = friendly(service, [ada, bea, ada, bea], ruleset="four_handed")
    advancing.advance(service)
    return ada, bea, match_id


def test_a_bot_in_both_partner_seats_is_asked_seat_by_seat(service: Service, alone: tuple[Bot, Bot, str]) -> None:
    ada, bea, match_id = alone
    asked = []
    for _ in range(8):
        for bot in (ada, bea):
            for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]:
                seen = matches.get_view(service, match_id, caller=bot.caller)
                assert (seen["seat"], seen["view"]["hand"]) == (prompt["seat"], prompt["view"]["hand"])
                asked.append(prompt["seat"])
                act(service, bot, prompt, a_card(prompt))
    assert set(asked) == set("abcd")
    assert matches.get_match(service, match_id)["state"] == "live"


def test_a_repeated_request_of_a_bot_in_several_seats_is_answered_alike(
    service: Service, alone: tuple[Bot, Bot, str]
) -> None:
    ada, bea, match_id = alone
    bots = {"a": ada, "b": bea, "c": ada, "d": bea}
    for number in range(9):
        version = matches.get_view(service, match_id, caller=Caller())["version"]
        seat = matches.get_view(service, match_id, caller=Caller())["view"]["turn"]
        prompt = turns.get_turns(service, caller=bots[seat].caller)["prompts"][0]
        body = a_card(prompt)
        replies = [act(service, bots[seat], prompt, body, key=f"key number {number}") for _ in range(2)]
        assert replies[0] == replies[1]
        assert replies[0]["taken"] > version
    other = {**body, "card": "AS"} if body["card"] != "AS" else {**body, "card": "KS"}
    assert refused(act, service, bots[seat], prompt, other, "key number 8").code == "key/reused"


def test_a_seat_may_be_named_where_one_bot_holds_several_and_only_its_own(
    service: Service, alone: tuple[Bot, Bot, str]
) -> None:
    ada, _, match_id = alone
    seen = matches.get_view(service, match_id, caller=ada.caller)
    for seat, code in (("c", "act/unreadable"), ("b", "act/unreadable")):
        body = {"version": seen["version"], "act": "dance", "seat": seat}
        raw = json.dumps(body).encode()
        assert refused(acts.act, service, match_id, caller=ada.caller, body=body, raw=raw).code == code
    counted = service.live.some(match_id, [f"refused:{letter}" for letter in "abcd"])
    turn = seen["view"]["turn"]
    named_other = turn if turn in "ac" else "a"
    assert int(counted["refused:c"]) == 1 + (named_other == "c")
    assert "refused:b" not in counted


def test_the_organiser_decides_for_a_side_and_partners_stay_level(service: Service) -> None:
    from referee.service import appeals

    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dee")]
    match_id = friendly(service, seated, ruleset="cruce", overrides={"target": 3})
    advancing.advance(service)

    [prompt] = [each for bot in seated for each in turns.get_turns(service, caller=bot.caller)["prompts"]]
    other = next(
        bot for bot in seated if bot.id != matches.get_match(service, match_id)["seats"][prompt["seat"]]["bot"]
    )
    act(service, other, prompt, {"act": "bid", "ticks": 1})
    play_on(service, seated, modest(4))
    [ruling, *_] = matches.get_rulings(service, match_id)["rulings"]

    def decide(**fields: Any) -> dict[str, Any]:
        body = {"winner": "d", "reason": "A fault of ours.", **fields}
        return appeals.overrule(service, match_id, case=ruling["case"], fields=body, caller=ORGANISER)

    assert "partners" in refused(decide, score={"a": 1, "c": 2}).detail
    answer = decide(score={"a": -4, "d": 3})
    assert (answer["winner"], answer["score"]) == ("b", {"a": -4, "b": 3, "c": -4, "d": 3})
    assert matches.get_match(service, match_id)["winner"] == "b"
    assert match.verify(matches.get_log(service, match_id)).ok


def test_each_prompt_of_several_seats_of_one_bot_waits_in_its_turns(service: Service) -> None:
    """Where a result is to be confirmed a bot in both partner seats is asked twice, and may answer both alike."""
    watching = [register(service, name, chores=["watch"]) for name in ("Ada", "Bea")]
    ada, bea = watching
    fields = {"ruleset": "four_handed", "calls": "players", "overrides": {"target": 9}}
    match_id = friendly(service, [ada, bea, ada, bea], **fields)
    advancing.advance(service)
    for _ in range(200):
        waiting = {bot.id: turns.get_turns(service, caller=bot.caller)["prompts"] for bot in watching}
        if any(len(prompts) > 1 for prompts in waiting.values()):
            break
        for bot in watching:
            for prompt in waiting[bot.id]:
                act(service, bot, prompt, a_card(prompt))
    assert [prompt["seat"] for prompt in waiting[ada.id]] == ["a", "c"]
    for bot in watching:
        for prompt in waiting[bot.id]:
            assert act(service, bot, prompt, first(prompt))["taken"]
    assert matches.get_view(service, match_id, caller=Caller())["view"]["deal"] == 2
