"""Friendlies, views for seats and spectators, logs in their three forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import match as play
from referee.service import Caller, Service, ServiceProblem, advancing, copies, matches, replays, tournaments
from tests.service.playing_along import CLOCK, ORGANISER, Bot, drawn, matches_of, play_on, register, tournament

QUICK = {"overrides": {"target": 1}, "clock": CLOCK}


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea")]


def problem(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def friendly(service: Service, seated: list[Bot], **fields: Any) -> str:
    body = {"bots": [bot.id for bot in seated], **QUICK, **fields}
    return str(matches.create_friendly(service, body, caller=seated[0].caller)["id"])


def test_a_friendly_is_planned_opened_played_and_done(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated)
    shown = matches.get_match(service, match_id)
    assert (shown["state"], shown["tournament"], shown["version"], shown["score"]) == ("planned", None, None, None)
    assert shown["seats"] == {"a": {"bot": seated[0].id, "name": "Ada"}, "b": {"bot": seated[1].id, "name": "Bea"}}
    assert problem(matches.get_view, service, match_id, caller=Caller()).code == "match/planned"
    advancing.advance(service)
    live = matches.get_match(service, match_id)
    assert (live["state"], live["score"]) == ("live", {"a": 0, "b": 0})
    assert live["version"] > 1
    play_on(service, seated, drawn(4))
    done = matches.get_match(service, match_id)
    assert (done["state"], done["winner"] in ("a", "b"), done["seed"] is not None) == ("done", True, True)
    assert play.commitment(bytes.fromhex(done["seed"])) == shown["commitment"]
    assert matches.list_matches(service, bot=seated[0].id, state="done").items == (done,)


def test_a_friendly_that_waits_says_for_whom(service: Service, seated: list[Bot]) -> None:
    playing = friendly(service, seated)
    waiting = friendly(service, seated)
    assert matches.get_match(service, playing)["reason"] == "it is opened in a moment"
    advancing.advance(service)
    assert not matches.get_match(service, playing)["reason"]
    reason = matches.get_match(service, waiting)["reason"]
    assert reason.startswith("a bot is busy: ")
    for bot, name in zip(seated, ("Ada", "Bea"), strict=True):
        assert f"{name} ({bot.id}) plays 1 of at most 1" in reason


def test_a_planned_match_of_a_paused_tournament_says_so(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=2)
    tournaments.pause(service, cup, caller=ORGANISER)
    reasons = {matches.get_match(service, row["id"])["reason"] for row in matches_of(service, cup)}
    assert reasons == {"its tournament is paused"}


def test_who_may_seat_whom(service: Service, seated: list[Bot]) -> None:
    shy = register(service, "Shy", accepts_friendlies=False)
    eve = register(service, "Eve")
    ids = [bot.id for bot in seated]
    create = matches.create_friendly
    assert problem(create, service, {"bots": ids}, caller=eve.caller).code == "auth/not_yours"
    assert problem(create, service, {"bots": ids}, caller=Caller()).code == "auth/token_missing"
    with_shy = {"bots": [ids[0], shy.id]}
    assert problem(create, service, with_shy, caller=seated[0].caller).code == "bot/declines_friendlies"
    assert create(service, with_shy, caller=shy.caller)["state"] == "planned"
    assert create(service, {"bots": ids, "seed": "a" * 64}, caller=ORGANISER)["state"] == "planned"
    assert problem(create, service, {"bots": ids, "seed": "a" * 64}, caller=seated[0].caller).code == "match/unfit"
    assert problem(create, service, {"bots": ids[:1]}, caller=seated[0].caller).code == "match/unfit"
    assert problem(create, service, {"bots": [ids[0], "bot_none"]}, caller=seated[0].caller).code == "bot/unknown"


def test_a_bot_may_play_itself(service: Service, seated: list[Bot]) -> None:
    ada = seated[0]
    match_id = friendly(service, [ada, ada])
    play_on(service, [ada], drawn(5))
    assert matches.get_match(service, match_id)["state"] == "done"


def test_scenario_48_each_seat_sees_its_own_hand_and_a_spectator_none(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated)
    play_on(service, seated, acts_at_most=2)
    views = [matches.get_view(service, match_id, caller=bot.caller) for bot in seated]
    hands = [view["view"]["hand"] for view in views]
    assert not set(hands[0]) & set(hands[1])
    assert [view["seat"] for view in views] == ["a", "b"]
    assert [view["asked"] for view in views].count(True) == 1
    assert [("prompt" in view) for view in views] == [view["asked"] for view in views]
    for caller in (Caller(), ORGANISER, register(service, "Eve").caller):
        shown = matches.get_view(service, match_id, caller=caller)
        assert (shown["seat"], shown["asked"], "prompt" in shown) == (None, False, False)
        assert not shown["view"].get("hand")


def test_the_last_view_stays_when_the_match_is_over(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated)
    play_on(service, seated, drawn(6))
    shown = matches.get_view(service, match_id, caller=seated[1].caller)
    assert (shown["over"], shown["seat"], shown["asked"]) == (True, "b", False)
    assert shown["version"] == matches.get_match(service, match_id)["version"]


def test_a_match_that_is_over_is_played_again_once_however_often_it_is_looked_at(
    service: Service, seated: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = friendly(service, seated)
    advancing.advance(service)
    play_on(service, seated)
    plain, again = play.replay, []

    def counted(log: bytes) -> Any:
        again.append(log)
        return plain(log)

    monkeypatch.setattr(replays.play_layer, "replay", counted)
    monkeypatch.setattr(replays, "KEPT", 1)
    monkeypatch.setattr(replays, "_ends", {})
    shown = [matches.get_view(service, match_id, caller=caller) for caller in (Caller(), seated[0].caller, Caller())]
    assert shown[0] == shown[2] != shown[1]
    assert len(again) == 1
    other = friendly(service, seated)
    advancing.advance(service)
    play_on(service, seated)
    assert matches.get_view(service, other, caller=Caller())["over"]
    assert (len(again), len(replays._ends)) == (2, 1)


def test_the_log_of_a_match_goes_out_to_many_as_one_copy(service: Service, seated: list[Bot]) -> None:
    ids = []
    for _ in range(2):
        ids.append(friendly(service, seated))
        advancing.advance(service)
        play_on(service, seated)
    for read in (matches.get_log, matches.get_log_json):
        copied = [read(service, ids[0]) for _ in range(5)]
        assert all(each is copied[0] for each in copied)
        assert read(service, ids[0]) != read(service, ids[1])
    for number in range(2 * copies.KEPT):
        assert copies.one(b"%d" % number) == b"%d" % number
    assert len(copies._kept) == copies.KEPT


def test_a_view_can_be_waited_for(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated)
    advancing.advance(service)
    now = matches.get_view(service, match_id, caller=Caller())
    assert matches.get_view(service, match_id, caller=Caller(), wait=0.05, after=now["version"]) == now
    assert matches.get_view(service, match_id, caller=Caller(), wait=20, after=1)["version"] == now["version"]


def test_the_log_comes_in_three_forms(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated)
    advancing.advance(service)
    assert problem(matches.get_log, service, match_id).code == "match/not_over"
    assert matches.get_transcript(service, match_id)
    assert matches.get_rulings(service, match_id) == {"match": match_id, "rulings": []}
    play_on(service, seated, drawn(7))
    log = matches.get_log(service, match_id)
    assert play.verify(log).ok
    whole = json.loads(matches.get_log_json(service, match_id))
    assert [whole["match"], *whole["events"], whole["seal"]] == [match_id, *map(json.loads, log.splitlines())]
    assert "Ada" in matches.get_transcript(service, match_id)


def test_rulings_are_the_same_live_and_archived(service: Service, seated: list[Bot]) -> None:
    match_id = friendly(service, seated, overrides={"target": 3})
    advancing.advance(service)

    def declares_at_once(prompt: dict[str, Any]) -> dict[str, Any]:
        return {"act": "declare"} if {"act": "declare"} in prompt["own_risk"] else dict(prompt["lawful"][0])

    play_on(service, seated, declares_at_once, acts_at_most=3)
    live = matches.get_rulings(service, match_id)["rulings"]
    play_on(service, seated, declares_at_once)
    done = matches.get_rulings(service, match_id)["rulings"]
    assert live
    assert done[: len(live)] == live
    assert {"case", "laws", "offender", "facts", "options", "chosen_by", "award", "after"} <= set(done[0])
    assert "IR-61" in done[0]["laws"]


def test_what_there_is_not_is_404(service: Service) -> None:
    for call in (matches.get_match, matches.get_log, matches.get_events, matches.get_rulings, matches.get_transcript):
        assert problem(call, service, "mat_none").code == "match/unknown"
    assert problem(matches.get_view, service, "mat_none", caller=Caller()).code == "match/unknown"
