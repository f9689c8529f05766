"""Acts as requests: repeated, raced, stale, refused, too many."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from referee.service import Caller, Service, ServiceProblem, acts, matches, table, turns
from tests.service.playing_along import Bot, act, matches_of, play_on, register, tournament


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea")]


@pytest.fixture
def prompt(service: Service, seated: list[Bot]) -> dict[str, Any]:
    tournament(service, seated)
    play_on(service, seated, acts_at_most=3)
    return asked(service, seated)[1]


def asked(service: Service, seated: list[Bot]) -> tuple[Bot, dict[str, Any]]:
    [(bot, prompt)] = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
    return bot, prompt


def sent(service: Service, bot: Bot, match_id: str, body: dict[str, Any], key: str | None = None) -> bytes:
    raw = json.dumps(body).encode()
    return acts.act(service, match_id, caller=bot.caller, body=body, raw=raw, key=key).body


def refused(service: Service, bot: Bot, match_id: str, body: dict[str, Any], key: str | None = None) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        sent(service, bot, match_id, body, key)
    return caught.value


def events(service: Service, match_id: str) -> tuple[bytes, ...]:
    return matches.get_events(service, match_id)[0]


def test_scenario_1_the_same_key_and_body_get_the_same_bytes_and_one_act(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    reply = sent(service, bot, prompt["match"], body, "key-1")
    lines = events(service, prompt["match"])
    assert sent(service, bot, prompt["match"], body, "key-1") == reply
    assert events(service, prompt["match"]) == lines
    assert json.loads(reply)["version"] == len(lines)


def test_scenario_1_the_act_that_ended_the_match_can_be_repeated_after_the_end(
    service: Service, seated: list[Bot]
) -> None:
    cup = tournament(service, seated)
    while True:
        play_on(service, seated, acts_at_most=1)
        bot, prompt = asked(service, seated)
        body = {"version": prompt["version"], **prompt["lawful"][0]}
        reply = sent(service, bot, prompt["match"], body, f"key-{prompt['version']}")
        if json.loads(reply)["over"]:
            break
    assert [row["state"] for row in matches_of(service, cup)] == ["done"]
    assert sent(service, bot, prompt["match"], body, f"key-{prompt['version']}") == reply
    assert refused(service, bot, prompt["match"], body, "another").code == "act/match_over"


def test_scenario_2_the_same_key_with_another_body_is_409_and_changes_nothing(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    sent(service, bot, prompt["match"], body, "key-1")
    lines = events(service, prompt["match"])
    problem = refused(service, bot, prompt["match"], {**body, "version": 1}, "key-1")
    assert (problem.status, problem.code) == (409, "key/reused")
    assert events(service, prompt["match"]) == lines


def test_a_refusal_is_repeated_byte_for_byte_and_counts_once(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    absent = next(card for card in ("AS", "AH", "AD", "AC", "TS", "TH", "TD") if card not in prompt["view"]["hand"])
    body = {"version": prompt["version"], "act": "play", "card": absent}
    first = refused(service, bot, prompt["match"], body, "key-1")
    again = refused(service, bot, prompt["match"], body, "key-1")
    assert (first.status, first.code) == (409, "act/impossible")
    assert json.dumps(first.body()) == json.dumps(again.body())
    assert first.extras["clock"]["act_ms"] == 60_000
    assert first.extras["lawful"] == prompt["lawful"]
    assert table.load(service, prompt["match"]).number("refused", "ab".index(prompt["seat"])) == 1


def test_a_refusal_that_counts_says_how_far_it_has_come_and_the_last_that_the_match_is_lost(
    service: Service, seated: list[Bot]
) -> None:
    tournament(service, seated, overrides={"target": 1, "conduct_limit": 3})
    play_on(service, seated, acts_at_most=1)
    bot, prompt = asked(service, seated)
    stale = refused(service, bot, prompt["match"], {**prompt["lawful"][0], "version": 10_000})
    assert "conduct_count" not in stale.extras
    body = {"version": prompt["version"], "act": "play", "card": None}
    told = [refused(service, bot, prompt["match"], body, f"key-{n}") for n in range(3)]
    assert "found null" in told[0].detail
    assert [each.extras["conduct_count"] for each in told] == [1, 2, 3]
    assert [each.extras["conduct_limit"] for each in told] == [3, 3, 3]
    assert [each.extras["over"] for each in told] == [False, False, True]
    assert "lost" in told[2].detail
    assert "lost" not in told[1].detail
    shown = matches.get_match(service, prompt["match"])
    assert (shown["state"], shown["cause"]) == ("done", "conduct")
    assert refused(service, bot, prompt["match"], body, "key-2").body() == told[2].body()


def test_acceptance_9_two_acts_for_one_version_one_is_taken_and_the_other_gets_409(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    before = len(events(service, prompt["match"]))
    start, taken, problems = threading.Barrier(2), [], []

    def run(body: dict[str, Any]) -> None:
        start.wait()
        try:
            taken.append(act(service, bot, prompt, body))
        except ServiceProblem as problem:
            problems.append(problem)

    chosen = (prompt["lawful"] * 2)[:2]
    threads = [threading.Thread(target=run, args=(body,)) for body in chosen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 1
    assert [(problem.status, problem.code) for problem in problems] == [(409, "act/stale_version")]
    acted = [json.loads(line) for line in events(service, prompt["match"])[before:]]
    assert sum(event["type"] == "acted" and "ms" in event for event in acted) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"act": "play", "card": "1Z"}, 422, "act/unreadable"),
        ({"act": "play", "card": 1.5}, 422, "act/unreadable"),
        ({"act": "play", "card": {"rank": "A"}}, 422, "act/unreadable"),
        ({"act": "play", "card": True}, 422, "act/unreadable"),
        ({"act": "dance"}, 422, "act/unreadable"),
        ({"act": "play"}, 422, "act/unreadable"),
        ({}, 422, "act/unreadable"),
        ({"act": "play", "card": "AS", "version": None}, 422, "act/unreadable"),
        ({"act": "play", "card": "AS", "version": 1.0}, 422, "act/unreadable"),
        ({"act": "play", "card": "AS", "version": True}, 422, "act/unreadable"),
        ({"act": "play", "card": "AS", "version": 10**40}, 409, "act/stale_version"),
        ({"act": "play", "card": "AS", "version": 1}, 409, "act/stale_version"),
        ({"act": "play", "card": "AS", "seat": "c"}, 422, "act/unreadable"),
        ({"act": "claim", "number": 3}, 409, "claim/referee_calls"),
        ({"act": "elect", "case": 1, "option": "accept"}, 409, "act/impossible"),
    ],
)
def test_what_is_no_act_here_is_a_problem_and_changes_nothing(
    service: Service, seated: list[Bot], prompt: dict[str, Any], body: dict[str, Any], status: int, code: str
) -> None:
    bot, prompt = asked(service, seated)
    lines = events(service, prompt["match"])
    problem = refused(service, bot, prompt["match"], {"version": prompt["version"], **body})
    assert (problem.status, problem.code) == (status, code), problem.detail
    assert events(service, prompt["match"]) == lines
    assert asked(service, seated)[1]["lawful"] == prompt["lawful"]


def test_an_act_may_say_its_own_seat_as_the_prompt_did(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    other = {"version": prompt["version"], **prompt["lawful"][0], "seat": "ba"["ab".index(prompt["seat"])]}
    assert refused(service, bot, prompt["match"], other).code == "act/unreadable"
    sent(service, bot, prompt["match"], {**other, "seat": prompt["seat"]}, "key-1")
    assert table.load(service, prompt["match"]).match.version > prompt["version"]


def test_only_who_sits_there_acts(service: Service, seated: list[Bot], prompt: dict[str, Any]) -> None:
    stranger = register(service, "Eve")
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    assert refused(service, stranger, prompt["match"], body).code == "match/not_seated"
    nobody = Bot("", Caller(), "")
    assert refused(service, nobody, prompt["match"], body).status == 401
    assert refused(service, Bot("", Caller("organiser"), ""), prompt["match"], body).code == "auth/bot_only"
    assert refused(service, seated[0], "mat_none", body).code == "match/unknown"


def test_ir_85_too_many_refused_acts_lose_the_match(
    service: Service, seated: list[Bot], prompt: dict[str, Any]
) -> None:
    bot, prompt = asked(service, seated)
    limit = table.load(service, prompt["match"]).match.terms.ruleset.options["conduct_limit"]
    codes = []
    while not codes or codes[-1] != "act/match_over":
        assert len(codes) <= limit, codes
        codes.append(refused(service, bot, prompt["match"], {"version": prompt["version"], "act": "dance"}).code)
    assert codes == ["act/unreadable"] * limit + ["act/match_over"]
    shown = matches.get_match(service, prompt["match"])
    assert (shown["state"], shown["cause"], shown["winner"]) == ("done", "conduct", "ba"["ab".index(prompt["seat"])])
    last = [json.loads(line) for line in events(service, prompt["match"])]
    assert [event["refused"] for event in last if event["type"] == "conduct_reached"] == [limit]


def test_an_act_on_a_match_not_opened_yet_is_told_so(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated)
    [row] = matches_of(service, cup)
    assert refused(service, seated[0], row["id"], {"version": 1, "act": "close"}).code == "match/planned"
