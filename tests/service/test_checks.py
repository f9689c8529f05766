"""Checks tell an author what his bot got wrong, and that it got nothing wrong."""

from __future__ import annotations

import dataclasses
import json
import threading
from typing import Any

import pytest

from referee.service import Caller, Service, ServiceProblem, acts, advancing, bots, checks, playing, sweeping, turns
from referee.service.clock import HostClock
from tests.service.playing_along import CLOCK, Bot, drawn, play_on, register
from tests.service.push_server import PushBot, lawful, serving

FIELDS = {"clock": CLOCK, "seed": "7" * 64}


@pytest.fixture
def ada(service: Service) -> Bot:
    return register(service, "Ada")


def report(service: Service, bot: Bot, number: int = 1) -> dict[str, Any]:
    return checks.get_check(service, bot.id, number=number, caller=bot.caller)


def problem(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def test_a_faultless_bot_passes(service: Service, ada: Bot) -> None:
    queued = checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)
    assert (queued["id"], queued["state"], queued["position"], queued["passed"]) == (1, "queued", 0, None)
    assert queued["reason"]
    advancing.advance(service)
    assert report(service, ada)["state"] == "running"
    taken = play_on(service, [ada], drawn(8))
    done = report(service, ada)
    assert (done["state"], done["passed"], done["acts"], done["prompts"]) == ("done", True, taken, taken)
    assert (done["refused"], done["late"], done["unread"], done["irregular"]) == ([], [], 0, [])
    assert done["advice"]
    assert done["ended_at"]


def test_refused_acts_are_listed_with_their_problems(service: Service, ada: Bot) -> None:
    checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)
    advancing.advance(service)
    [prompt] = turns.get_turns(service, caller=ada.caller)["prompts"]
    for body in ({"act": "dance"}, {"act": "play", "card": "1Z"}):
        whole = {"version": prompt["version"], **body}
        raw = json.dumps(whole).encode()
        assert problem(acts.act, service, prompt["match"], caller=ada.caller, body=whole, raw=raw).status == 422
    assert len(report(service, ada)["refused"]) == 2
    play_on(service, [ada], drawn(8))
    done = report(service, ada)
    assert done["passed"] is False
    assert [note["problem"]["code"] for note in done["refused"]] == ["act/unreadable"] * 2
    assert done["refused"][0]["body"] == {"version": prompt["version"], "act": "dance"}
    assert "act/unreadable" in done["advice"][0]


def test_irregular_play_is_listed_with_its_rulings(service: Service, ada: Bot) -> None:
    checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)

    def declares(prompt: dict[str, Any]) -> dict[str, Any]:
        return {"act": "declare"} if {"act": "declare"} in prompt["own_risk"] else dict(prompt["lawful"][0])

    play_on(service, [ada], declares)
    done = report(service, ada)
    assert (done["state"], done["passed"]) == ("done", False)
    assert "IR-61" in done["irregular"][0]["laws"]


@pytest.mark.parametrize(("fetches", "late", "unread", "cause"), [(True, 1, 0, "time"), (False, 0, 1, "no_show")])
def test_answers_too_late_and_prompts_never_fetched_are_counted(
    service: Service, ada: Bot, fetches: bool, late: int, unread: int, cause: str
) -> None:
    hands = [0]
    timed = dataclasses.replace(service, clock=HostClock(1_000_000, lambda: hands[0] * 1_000_000))
    short = {"act_ms": 1000, "bank_ms": 0, "grace_ms": 0, "absence_ms": 2000}
    checks.start_check(timed, ada.id, caller=ada.caller, fields={**FIELDS, "clock": short})
    advancing.advance(timed)
    if fetches:
        turns.get_turns(timed, caller=ada.caller)
    while report(timed, ada)["state"] != "done":
        hands[0] += 500
        sweeping.deadlines(timed)
    done = report(timed, ada)
    assert (done["passed"], done["cause"], len(done["late"]), done["unread"]) == (False, cause, late, unread)
    assert all(each["elapsed_ms"] > 1000 for each in done["late"])
    assert done["advice"]


def checked_by_push(service: Service, answer: Any, url: str = "", **clock: int) -> dict[str, Any]:
    """Checks a push bot that answers like that, at an address of its own or at `url`, and waits for the report."""
    push = PushBot(answer)
    with serving(push):
        made = bots.register(service, {"name": "push", "transport": "push", "url": url or push.url}, caller=Caller())
        bot = Bot(made["bot"]["id"], Caller("bot", made["bot"]["id"]), made["token"])
        checks.start_check(service, bot.id, caller=bot.caller, fields={**FIELDS, "clock": {**CLOCK, **clock}})
        for _ in range(20):
            advancing.advance(service)
            playing.play(service, budget=20)
            if report(service, bot)["state"] == "done":
                break
    return {**report(service, bot), "posted": len(push.prompts)}


def test_a_faultless_push_bot_passes_and_its_prompts_are_counted(service: Service) -> None:
    done = checked_by_push(service, lawful)
    assert (done["state"], done["passed"], done["unanswered"]) == ("done", True, [])
    assert done["prompts"] == done["acts"] == done["posted"] > 0


def test_a_push_bot_that_cannot_be_reached_is_told_the_address(service: Service) -> None:
    done = checked_by_push(service, lawful, url="http://127.0.0.1:1/bot", act_ms=200, bank_ms=0, absence_ms=600)
    assert (done["passed"], done["cause"], done["prompts"], done["unread"]) == (False, "no_show", 0, 1)
    advice = " ".join(done["advice"])
    assert "http://127.0.0.1:1/bot" in advice
    assert "/v1/turns" not in advice
    assert done["unanswered"]


def test_a_push_bot_at_a_private_address_is_told_that_it_is_not_called(service: Service) -> None:
    push = PushBot(lawful)
    with serving(push):
        made = bots.register(service, {"name": "push", "transport": "push", "url": push.url}, caller=Caller())
        caller = Caller("bot", made["bot"]["id"])
        short = {**CLOCK, "act_ms": 200, "bank_ms": 0, "absence_ms": 600}
        guarded = dataclasses.replace(service, settings=dataclasses.replace(service.settings, allow_private_push=False))
        checks.start_check(guarded, made["bot"]["id"], caller=caller, fields={**FIELDS, "clock": short})
        advancing.advance(guarded)
        playing.play(guarded, budget=20)
    done = checks.get_check(guarded, made["bot"]["id"], number=1, caller=caller)
    assert push.prompts == []
    assert "127.0.0.1" in done["unanswered"][0]
    assert "is not called" in done["unanswered"][0]


def test_a_push_bot_that_answers_amiss_is_not_told_to_fetch(service: Service) -> None:
    done = checked_by_push(service, lambda prompt: (204, b""))
    assert (done["passed"], done["cause"], done["prompts"]) == (False, "conduct", 1)
    assert len(done["refused"]) == 20
    assert done["refused"][-1]["problem"]["over"] is True
    advice = " ".join(done["advice"])
    assert "answer 200 with" in advice
    assert "/v1/turns" not in advice


def test_a_push_bot_that_is_reached_and_silent_is_late(service: Service) -> None:
    silence = threading.Event()

    def never(_prompt: dict[str, Any]) -> tuple[int, bytes]:
        silence.wait(30)
        return 200, b""

    push = PushBot(never)
    with serving(push):
        made = bots.register(service, {"name": "push", "transport": "push", "url": push.url}, caller=Caller())
        caller = Caller("bot", made["bot"]["id"])
        short = {**CLOCK, "act_ms": 200, "bank_ms": 0, "grace_ms": 50}
        checks.start_check(service, made["bot"]["id"], caller=caller, fields={**FIELDS, "clock": short})
        advancing.advance(service)
        playing.play(service, budget=20)
        silence.set()
    done = checks.get_check(service, made["bot"]["id"], number=1, caller=caller)
    assert (done["cause"], len(done["late"]), done["unread"]) == ("time", 1, 0)
    assert "1 prompt was answered too late or never" in done["advice"][0]


def test_one_check_at_a_time_and_only_ones_own(service: Service, ada: Bot) -> None:
    eve = register(service, "Eve")
    assert problem(checks.start_check, service, ada.id, caller=eve.caller).code == "auth/not_yours"
    assert problem(checks.start_check, service, ada.id, caller=Caller()).code == "auth/token_missing"
    assert problem(checks.start_check, service, ada.id, caller=ada.caller, fields={"x": 1}).code == "check/unfit"
    checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)
    assert problem(checks.start_check, service, ada.id, caller=ada.caller).code == "check/running"
    play_on(service, [ada], drawn(1))
    assert checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)["id"] == 2
    assert problem(checks.get_check, service, ada.id, number=9, caller=ada.caller).code == "check/unknown"
    assert problem(checks.get_check, service, ada.id, number=1, caller=eve.caller).code == "auth/not_yours"


def test_scenario_62_a_check_that_waits_says_for_what_and_in_which_place(service: Service, ada: Bot) -> None:
    others = [register(service, f"other {n}") for n in range(2)]
    for bot in others:
        checks.start_check(service, bot.id, caller=bot.caller, fields=FIELDS)
    queued = checks.start_check(service, ada.id, caller=ada.caller, fields=FIELDS)
    assert (queued["state"], queued["position"]) == ("queued", 2)
    assert "concurrency" in queued["reason"]


def test_a_check_of_a_deleted_bot_does_not_stand_in_the_queue(service: Service, ada: Bot) -> None:
    bea = register(service, "Bea")
    for bot in (ada, bea):
        checks.start_check(service, bot.id, caller=bot.caller, fields=FIELDS)
    assert report(service, bea)["position"] == 1
    bots.delete_bot(service, ada.id, caller=ada.caller)
    assert report(service, bea)["position"] == 0
    assert report(service, ada)["state"] == "done"
