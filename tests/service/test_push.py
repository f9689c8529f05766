"""Push bots: signed calls, bad answers asked for again, silence ruled on, leases that fence."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import socket
import threading
from typing import Any

import pytest

from referee import match as play
from referee.service import (
    Caller,
    Service,
    ServiceProblem,
    acts,
    addresses,
    advancing,
    asking,
    bots,
    matches,
    playing,
    pushing,
    table,
    tournaments,
    voiding,
)
from referee.service.taking import Request
from tests.service.playing_along import CLOCK, Bot, act, first, matches_of, play_on, register, tournament
from tests.service.push_server import Answer, PushBot, lawful, serving

SHORT = {**CLOCK, "act_ms": 300, "bank_ms": 0, "grace_ms": 50, "absence_ms": 600}


def registered(service: Service, name: str, push: PushBot, **fields: Any) -> Bot:
    answer = bots.register(service, {"name": name, "transport": "push", "url": push.url, **fields}, caller=Caller())
    push.secret = answer["webhook_secret"]
    return Bot(answer["bot"]["id"], Caller("bot", answer["bot"]["id"]), answer["token"])


def play_out(service: Service, cup: str, *pulled: Bot) -> None:
    """Plays as workers do until the tournament is over; pull bots answer in between."""
    for _ in range(200):
        play_on(service, pulled)
        advancing.advance(service)
        playing.play(service, budget=0.5 if pulled else 20)
        if tournaments.get_tournament(service, cup)["state"] == "finished":
            return
    raise AssertionError(tournaments.get_tournament(service, cup))


def test_push_bots_play_a_round_robin_and_every_call_is_signed(service: Service) -> None:
    pushed = [PushBot(lawful) for _ in range(3)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, cycles=2)
        play_out(service, cup)
    assert [row["state"] for row in matches_of(service, cup)] == ["done"] * 6
    for push in pushed:
        assert push.prompts
        assert push.forged == 0
        calls = [headers["webhook-id"] for headers in push.headers]
        assert len(set(calls)) == len(calls)
    for row in matches_of(service, cup):
        assert play.verify(matches.get_log(service, row["id"])).ok


def test_a_push_bot_meets_a_pull_bot(service: Service) -> None:
    push = PushBot(lawful)
    with serving(push):
        seated = [registered(service, "push", push), register(service, "pull")]
        cup = tournament(service, seated)
        stop = threading.Event()
        job = threading.Thread(target=lambda: playing.play(service, budget=30, until=stop.is_set))
        advancing.advance(service)
        job.start()
        while tournaments.get_tournament(service, cup)["state"] == "running":
            play_on(service, seated[1:], first)
        stop.set()
        job.join()
    [row] = matches_of(service, cup)
    assert row["state"] == "done"
    assert row["cause"] not in ("time", "no_show")


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ((200, b"not json"), "act/unreadable"),
        ((200, b"[1]"), "act/unreadable"),
        ((200, b'{"act":"play","act":"play"}'), "act/unreadable"),
        ((200, b'{"act":"dance"}'), "act/unreadable"),
        ((500, b"{}"), "act/unreadable"),
        ((302, b"http://127.0.0.1:1/"), "act/unreadable"),
        ((200, b"x" * 100_000), None),
        ((200, b"[" * 60_000), "act/unreadable"),
        ((200, b'{"act":' * 9000), "act/unreadable"),
        ((200, b'{"act":"play","\\ud800":1}'), "act/unreadable"),
        ((200, b'{"act":"play","card":"\\ud800"}'), "act/unreadable"),
        ((200, b'{"version":1e999}'), "act/unreadable"),
        ((200, b'{"version":' + b"9" * 5000 + b"}"), "act/unreadable"),
    ],
)
def test_a_bad_answer_is_asked_for_again_with_the_problem(service: Service, bad: Answer, code: str | None) -> None:
    answered: list[int] = []

    def once_badly(prompt: dict[str, Any]) -> Answer:
        answered.append(prompt["version"])
        return bad if len(answered) == 1 else lawful(prompt)

    pushed = [PushBot(once_badly), PushBot(lawful)]
    with serving(*pushed):
        cup = tournament(service, [registered(service, f"push {n}", push) for n, push in enumerate(pushed)])
        play_out(service, cup)
    one, two = pushed[0].prompts[:2]
    assert one["version"] == two["version"]
    assert "problem" not in one
    assert (two["problem"]["code"] if "problem" in two else None) == code
    assert not any("problem" in prompt for prompt in pushed[0].prompts[2:])


def test_scenario_19_a_bot_that_never_answers_loses_by_time_and_the_job_ends(service: Service) -> None:
    silence = threading.Event()

    def never(prompt: dict[str, Any]) -> Answer:
        silence.wait(30)
        return 200, b""

    pushed = [PushBot(never), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, clock={**CLOCK, "act_ms": 2000, "bank_ms": 0})
        play_out(service, cup)
        silence.set()
    [row] = matches_of(service, cup)
    assert (row["cause"], row["bots"][row["winner"]]) == ("time", seated[1].id)


def test_a_bot_whose_server_is_not_there_does_not_show(service: Service) -> None:
    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        bots.patch_bot(service, seated[0].id, caller=seated[0].caller, changes={"url": "http://127.0.0.1:1/"})
        cup = tournament(service, seated, clock=SHORT)
        play_out(service, cup)
    [row] = matches_of(service, cup)
    assert (row["cause"], row["bots"][row["winner"]]) == ("no_show", seated[1].id)


def test_a_match_on_which_playing_fails_again_and_again_is_void_and_not_played_for_ever(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a defect")

    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, clock=SHORT)
        with monkeypatch.context() as broken:
            broken.setattr(asking, "ask", fails)
            play_out(service, cup)
    rows = matches_of(service, cup)
    assert {row["state"] for row in rows} == {"void"}
    assert len(rows) == 1 + voiding.MOST_REPLAYS
    assert all("ZeroDivisionError" in row["reason"] for row in rows)


def test_a_job_without_its_lease_writes_nothing(service: Service) -> None:
    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        tournament(service, [registered(service, f"push {n}", push) for n, push in enumerate(pushed)])
        [match_id] = advancing.advance(service)
        now = service.clock.now_ms()
        old = service.live.lease(match_id, now=now, until=now)
        new = service.live.lease(match_id, now=now, until=now + 10_000)
        assert old
        assert int(new) > int(old)
        there = table.load(service, match_id)
        step = play.act(
            there.match, there.match.asked[0], play.prompt(there.match, there.match.asked[0])["lawful"][0], ms=0
        )
        assert table.write(service, there, step, token=old)[0] == "fenced"
        assert table.load(service, match_id).match.version == there.match.version
        assert service.live.renew({match_id: old}, until=now + 10_000) == {match_id: False}
        assert playing.play(service, budget=0.2) == 0  # another job holds it
        assert table.write(service, there, step, token=new)[0] == "taken"


@pytest.mark.parametrize("is_pushed", [True, False])
def test_only_who_does_not_push_himself_calls_a_worker_to_push_what_comes_next(
    service: Service, is_pushed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though by what the process remembers the lease ran out long ago: it was renewed beside that."""
    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        tournament(service, [registered(service, f"push {n}", push) for n, push in enumerate(pushed)])
    [match_id] = advancing.advance(service)
    now = service.clock.now_ms()
    token = service.live.lease(match_id, now=now, until=now)
    there = table.load(service, match_id)
    assert service.live.renew({match_id: token}, until=now + 60_000) == {match_id: True}
    called: list[str] = []
    monkeypatch.setattr(type(service.jobs), "hint", lambda _, job, *args: called.append(job))
    seat = there.match.asked[0]
    body = {"version": there.match.version, **play.prompt(there.match, seat)["lawful"][0]}
    asked = Request(there.standing.bots[seat], now, body, "", None, token=token if is_pushed else "", elapsed=5)
    assert acts.take(service, match_id, asked).status == 200
    assert called == ([] if is_pushed else ["play"])


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://localhost./",
        "http://LOCALHOST../",
        "http://bot.localhost/",
        "http://127.0.0.1./",
        "http://ex ample.com/",
        "http://9.9.9.9/a b",
        "http://9.9.9.9/\u00a0",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://0177.0.0.1/",
        "http://2130706433/",
        "http://127.1/",
        "http://224.0.0.1/",
        "http://100.64.0.1/",
        "http://9.9.9.9:22/",
        "ftp://9.9.9.9/",
        "http://user:word@9.9.9.9/",
        "http://",
        "9.9.9.9",
        "http://[::1",
        "http://[::1%25lo]/",
        "http://[fe80::1%25eth0]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://9.9.9.9:0/",
        "http://a..b/",
        "http://" + 64 * "a" + ".example/",
    ],
)
def test_scenario_12_private_addresses_are_refused_at_registration(
    service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    guarded = dataclasses.replace(service, settings=dataclasses.replace(service.settings, allow_private_push=False))
    with pytest.raises(ServiceProblem) as caught:
        registered(guarded, "push", PushBot(lawful, url=url))
    assert (caught.value.status, caught.value.code) == (422, "push/address_refused")
    assert bots.list_bots(guarded, caller=Caller()).items == ()


def test_what_a_name_means_inside_is_not_told_outside(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "resolved", lambda *_: ["10.9.8.7"])
    guarded = dataclasses.replace(service, settings=dataclasses.replace(service.settings, allow_private_push=False))
    with pytest.raises(ServiceProblem) as caught:
        registered(guarded, "push", PushBot(lawful, url="http://inside.example/"))
    assert caught.value.code == "push/address_refused"
    assert "10.9.8.7" not in str(caught.value.body())


def test_scenario_12_a_name_that_has_come_to_mean_a_private_address_is_refused_at_the_call(service: Service) -> None:
    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        guarded = dataclasses.replace(service, settings=dataclasses.replace(service.settings, allow_private_push=False))
        cup = tournament(guarded, seated, clock=SHORT)
        play_out(guarded, cup)
    assert pushed[0].prompts == pushed[1].prompts == []
    [row] = matches_of(guarded, cup)
    assert row["cause"] == "no_show"


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    from referee.service import pushing

    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    headers = pushing.signature(secret, call="msg_p5jXN8AQM9LWM0D4loKWxJek", body=body, at=1614265330)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert json.loads(body) == {"test": 2432232314}


def test_a_call_is_dropped_when_the_bot_acts_by_itself_meanwhile(service: Service) -> None:
    """A push bot may act over REST as well; it is not waited for then."""
    silence, asked = threading.Event(), threading.Event()

    def never_at_first(prompt: dict[str, Any]) -> Answer:
        if not asked.is_set():
            asked.set()
            silence.wait(60)
        return lawful(prompt)

    pushed = [PushBot(never_at_first), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated)
        job = threading.Thread(target=play_out, args=(service, cup))
        job.start()
        assert asked.wait(30)
        act(service, seated[0], pushed[0].prompts[0], pushed[0].prompts[0]["lawful"][0])
        job.join()
        silence.set()
    [row] = matches_of(service, cup)
    assert row["state"] == "done"
    assert row["cause"] not in ("time", "no_show")


def called_in_vain(port: int, *, seconds: float) -> pushing.Unanswered:
    """What a call to a port of this machine comes to that nobody answers there."""

    async def call() -> pushing.Unanswered:
        async with pushing.session(allow_private=True) as http:
            with pytest.raises(pushing.Unanswered) as caught:
                await pushing.post(
                    http, f"http://127.0.0.1:{port}/", secret="whsec_" + "A" * 32, call="c", body=b"{}", seconds=seconds
                )
            return caught.value

    return asyncio.run(call())


def test_time_that_runs_out_before_there_is_a_connection_reaches_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(8)]  # nobody accepts: further connections are not even begun
        try:
            for each in waiting:
                each.setblocking(False)
                each.connect_ex(("127.0.0.1", port))
            assert not called_in_vain(port, seconds=0.3).connected
        finally:
            for each in waiting:
                each.close()


def test_a_server_that_takes_the_call_and_says_nothing_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        tries = (0.5, 2, 8, 30)  # on a machine that is busy it may take a while to connect
        assert any(called_in_vain(silent.getsockname()[1], seconds=each).connected for each in tries)
