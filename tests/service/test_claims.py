"""`calls: players` through the service: claims, windows, stops to confirm, and the clocks of both."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from referee import match as play
from referee.service import Service, ServiceProblem, acts, advancing, matches, playing, sweeping, table, turns
from referee.service.clock import HostClock
from tests.service.playing_along import CLOCK, Bot, act, first, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import play_out, registered

ALL = ["shuffle", "cut", "deal", "draw", "watch"]
SHORT = {"act_ms": 1000, "bank_ms": 500, "grace_ms": 100, "absence_ms": 2000}


def opened(service: Service, seated: list[Bot], **fields: Any) -> str:
    usual = {"calls": "players", "overrides": {"target": 7}}
    cup = tournament(service, seated, **{**usual, **fields})
    advancing.advance(service)
    return str(matches_of(service, cup)[0]["id"])


def prompts(service: Service, seated: list[Bot]) -> list[tuple[Bot, dict[str, Any]]]:
    return [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]


def asked(service: Service, seated: list[Bot]) -> tuple[Bot, dict[str, Any]]:
    [found] = prompts(service, seated)
    return found


def other(seated: list[Bot], bot: Bot) -> Bot:
    return next(each for each in seated if each != bot)


def sent(service: Service, bot: Bot, match_id: str, **body: Any) -> dict[str, Any]:
    raw = json.dumps(body).encode()
    return dict(json.loads(acts.act(service, match_id, caller=bot.caller, body=body, raw=raw).body))


def refused(service: Service, bot: Bot, match_id: str, **body: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        sent(service, bot, match_id, **body)
    return caught.value


def hand(service: Service, bot: Bot, match_id: str) -> list[str]:
    return list(matches.get_view(service, match_id, caller=bot.caller)["view"]["hand"])


def led_out_of_turn(service: Service, seated: list[Bot], match_id: str) -> tuple[Bot, Bot, dict[str, Any]]:
    """The seat that is not to lead does so; answers the offender, the other, and the reply."""
    innocent, prompt = asked(service, seated)
    offender = other(seated, innocent)
    card = hand(service, offender, match_id)[0]
    return offender, innocent, sent(service, offender, match_id, version=prompt["version"], act="play", card=card)


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name, chores=["draw"]) for name in ("Ada", "Bea")]


def test_an_irregular_act_bears_no_mark_until_it_is_claimed(service: Service, seated: list[Bot]) -> None:
    match = opened(service, seated)
    _, innocent, reply = led_out_of_turn(service, seated, match)
    assert reply["rulings"] == []
    assert matches.get_rulings(service, match)["rulings"] == []
    bot, prompt = asked(service, seated)
    assert (bot, set(prompt)) == (innocent, {"match", "version", "seat", "view", "lawful", "own_risk", "clock"})
    assert sent(service, innocent, match, version=1, act="claim", number=reply["taken"])["rulings"] == []
    bot, election = asked(service, seated)
    assert (bot, election["laws"], [each["option"] for each in election["options"]]) == (
        innocent,
        ["IR-31"],
        ["undo", "accept"],
    )
    [ruled] = act(service, bot, election, election["lawful"][0])["rulings"]
    assert (ruled["laws"], ruled["option"], ruled["number"]) == (["IR-31"], "undo", reply["taken"])
    assert matches.get_view(service, match, caller=innocent.caller)["view"]["table"] == []


def test_what_one_has_played_to_is_waived(service: Service, seated: list[Bot]) -> None:
    match = opened(service, seated)
    _, innocent, reply = led_out_of_turn(service, seated, match)
    bot, prompt = asked(service, seated)
    act(service, bot, prompt, prompt["lawful"][0])
    [ruled] = sent(service, innocent, match, version=prompt["version"], act="claim", number=reply["taken"])["rulings"]
    assert (ruled["kind"], ruled["option"], ruled["award"]) == ("NONE", "forfeited", None)


def test_an_unfounded_claim_is_ruled_on_itself_and_the_clock_of_who_is_asked_runs_on(
    service: Service, seated: list[Bot]
) -> None:
    match = opened(service, seated)
    bot, prompt = asked(service, seated)
    taken = act(service, bot, prompt, prompt["lawful"][0])["taken"]
    follower, prompt = asked(service, seated)
    delivered = table.load(service, match).number("delivered", "ab".index(prompt["seat"]))
    [ruled] = sent(service, follower, match, version=prompt["version"], act="claim", number=taken)["rulings"]
    assert (ruled["laws"], ruled["offender"]) == (["IR-37"], prompt["seat"])
    now = table.load(service, match)
    assert now.number("delivered", "ab".index(prompt["seat"])) == delivered
    assert now.match.conduct["ab".index(prompt["seat"])] == 1
    act(service, follower, prompt, prompt["lawful"][0])  # by-play made nothing stale


def test_a_claim_must_name_an_act_of_the_others(service: Service, seated: list[Bot]) -> None:
    match = opened(service, seated)
    bot, prompt = asked(service, seated)
    taken = act(service, bot, prompt, prompt["lawful"][0])["taken"]
    version = prompt["version"]
    for claimant, number, code in ((bot, taken, "own_act"), (bot, 1, "no_such_act"), (bot, taken + 1, "no_such_act")):
        problem = refused(service, claimant, match, version=version, act="claim", number=number)
        assert (problem.status, problem.code) == (409, f"claim/{code}")
    assert refused(service, bot, match, version=10**6, act="claim", number=taken).code == "act/stale_version"


def test_an_election_over_a_claim_has_a_fresh_clock(service: Service, seated: list[Bot]) -> None:
    match = opened(service, seated)
    while True:  # until somebody may draw out of turn
        bot, prompt = asked(service, seated)
        if prompt["view"]["phase"] == "draw":
            break
        act(service, bot, prompt, first(prompt))
    offender = other(seated, bot)
    reply = sent(service, offender, match, version=prompt["version"], act="draw")
    assert reply["rulings"] == []
    claimed = sent(service, bot, match, version=prompt["version"], act="claim", number=reply["taken"])
    assert claimed["rulings"] == []
    elector, election = asked(service, seated)
    assert (elector, election["laws"], election["clock"]["left_ms"]) == (bot, ["IR-20"], CLOCK["act_ms"])
    assert refused(service, offender, match, version=election["version"], act="close").code == "act/election_pending"
    done = act(service, elector, election, {"act": "elect", "case": election["case"], "option": "end_deal"})
    assert done["rulings"][0]["award"] == {"seat": election["seat"], "game_points": 1}


@pytest.fixture
def watchers(service: Service) -> list[Bot]:
    return [register(service, name, chores=ALL) for name in ("Cleo", "Dido")]


def to_the_result(service: Service, seated: list[Bot]) -> list[tuple[Bot, dict[str, Any]]]:
    """Plays on, confirming whatever one seat alone is asked to confirm, until both are."""
    for _ in range(2000):
        found = prompts(service, seated)
        if len(found) == 2:
            return found
        [(bot, prompt)] = found
        act(service, bot, prompt, first(prompt))
    raise AssertionError("no deal has ended")


def test_both_who_watch_are_asked_to_confirm_a_result_and_neither_makes_the_other_stale(
    service: Service, watchers: list[Bot]
) -> None:
    match = opened(service, watchers)
    (one, prompt), (two, second) = to_the_result(service, watchers)
    for each in (prompt, second):
        assert each["lawful"] == [{"act": "confirm"}]
        assert (each["view"]["phase"], each["view"]["confirming"]) == ("confirm", ["a", "b"])
        assert each["clock"]["left_ms"] == CLOCK["act_ms"]  # no bank at a stop
    due = {member for member, _ in service.live.client.zscan_iter("due")}
    assert due == {f"{match}/a".encode(), f"{match}/b".encode()}
    act(service, one, prompt, {"act": "confirm"})
    assert asked(service, watchers)[0] == two
    assert {member for member, _ in service.live.client.zscan_iter("due")} == {f"{match}/{second['seat']}".encode()}
    assert refused(service, one, match, version=second["version"], act="confirm").code == "act/impossible"
    act(service, two, second, {"act": "confirm"})
    assert asked(service, watchers)[1]["view"]["deal"] == 2


def test_who_watches_has_not_looked_at_its_hand_before_it_confirms(service: Service, watchers: list[Bot]) -> None:
    opened(service, watchers)
    stops = []
    for _ in range(100):
        bot, prompt = asked(service, watchers)
        if prompt["lawful"] == [{"act": "confirm"}]:
            stops.append((prompt["view"]["sizes"], prompt["view"]["trump"] is not None, prompt["view"]["hand"]))
            act(service, bot, prompt, {"act": "confirm"})
            after = asked(service, watchers)
            if after[1]["view"]["phase"] == "lead":
                assert after[0] == bot
                assert len(after[1]["view"]["hand"]) == 6
                assert after[1]["clock"]["left_ms"] == CLOCK["act_ms"] + CLOCK["bank_ms"]
                break
        else:
            act(service, bot, prompt, first(prompt))
    none, six = {"a": 0, "b": 0}, {"a": 6, "b": 6}
    assert stops == [(none, False, []), (six, False, []), (six, True, [])]


def test_a_stop_that_runs_out_of_time_counts_as_confirmed_and_costs_nothing(
    service: Service, watchers: list[Bot]
) -> None:
    hands = [0]
    timed = dataclasses.replace(service, clock=HostClock(anchor=1_000_000, monotonic=lambda: hands[0] * 1_000_000))
    match = opened(timed, watchers, clock=SHORT)
    to_the_result(timed, watchers)
    while table.load(timed, match).match.deal == 1:
        assert hands[0] < 10_000
        hands[0] += 100
        sweeping.deadlines(timed)
    events = [json.loads(line) for line in matches.get_events(timed, match)[0]]
    assert {event["seat"] for event in events if event["type"] == "timed_out"} == {"a", "b"}
    assert not [event for event in events if event["type"] == "ruled"]
    now = table.load(timed, match).match
    assert (now.deal, now.bank, now.overruns) == (2, (500, 500), (0, 0))


def test_push_bots_that_watch_play_a_match_with_claims_to_its_end(service: Service) -> None:
    claimed: list[dict[str, Any]] = []

    def quarrels(prompt: dict[str, Any]) -> tuple[int, bytes]:
        """At every third stop, claims the first thing that comes to mind."""
        if prompt["lawful"] == [{"act": "confirm"}] and "problem" not in prompt and len(claimed) < 5:
            claimed.append(prompt)
            return 200, json.dumps({"act": "claim", "number": prompt["version"] - 1}).encode()
        return lawful(prompt)

    pushed = [PushBot(quarrels), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push, chores=ALL) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, calls="players", overrides={"target": 3})
        play_out(service, cup)
    [row] = matches_of(service, cup)
    assert row["cause"] not in ("time", "no_show", "conduct")
    assert claimed
    both = [{p["version"] for p in push.prompts if p["lawful"] == [{"act": "confirm"}]} for push in pushed]
    assert both[0] & both[1]  # asked at once
    log = matches.get_log(service, row["id"])
    assert play.verify(log).ok
    assert b'"act":"confirm"' in log


def test_a_match_with_claims_is_played_to_its_end_by_bots_that_only_choose(
    service: Service, seated: list[Bot], watchers: list[Bot]
) -> None:
    cup = tournament(service, [seated[0], watchers[0]], calls="players")
    play_on(service, [seated[0], watchers[0]])
    [row] = matches_of(service, cup)
    assert row["state"] == "done"
    assert play.verify(matches.get_log(service, row["id"])).ok


def test_a_worker_pushes_to_one_seat_while_the_other_pulls(service: Service) -> None:
    push = PushBot(lawful)
    with serving(push):
        seated = [registered(service, "push", push, chores=ALL), register(service, "pull", chores=ALL)]
        cup = tournament(service, seated, calls="players")
        for _ in range(400):
            play_on(service, seated[1:])
            playing.play(service, budget=0.2)
            if matches_of(service, cup)[0]["state"] == "done":
                break
    [row] = matches_of(service, cup)
    assert row["cause"] not in ("time", "no_show")
