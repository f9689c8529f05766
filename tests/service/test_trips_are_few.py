"""How often a request goes to Redis: an act once where its match is remembered, else twice, a batch of any size as often."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis.connection import AbstractConnection

from referee import service as services
from referee.service import Service, ServiceProblem, acts, advancing, batches, prompts, table, turns
from referee.service.wakes import Wake
from referee.settings import Settings
from tests.service.playing_along import Bot, a_card, play_on, register, tournament

Count = Callable[[], int]


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Gives a block in which this thread's trips are counted: whatever is written to Redis in one go is one."""
    sent: list[int] = []
    send = AbstractConnection.send_packed_command

    def counted(connection: Any, command: Any, *args: Any, **kwargs: Any) -> Any:
        sent.append(threading.get_ident())
        return send(connection, command, *args, **kwargs)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)

    @contextmanager
    def counting() -> Iterator[Count]:
        before = len(sent)
        yield lambda: sent[before:].count(threading.get_ident())

    return counting


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    """Two bots in six matches, each asked in some."""
    bots = [register(service, name, concurrency=20) for name in ("Ada", "Bea")]
    for number in range(6):
        tournament(service, bots, seed=f"{number:064x}")
    while advancing.advance(service):
        pass
    play_on(service, bots, a_card, acts_at_most=9)
    return bots


def asked(service: Service, bots: list[Bot]) -> tuple[Bot, list[dict[str, Any]]]:
    found = [(bot, turns.get_turns(service, caller=bot.caller)["prompts"]) for bot in bots]
    return max(found, key=lambda each: len(each[1]))


def posted(prompt: dict[str, Any], **others: Any) -> dict[str, Any]:
    return {"match": prompt["match"], "version": prompt["version"], **a_card(prompt), **others}


def test_an_act_makes_one_trip_with_all_that_is_written(
    service: Service, seated: list[Bot], trips: Callable[[], Any]
) -> None:
    for number in range(12):
        bot, (prompt, *_) = asked(service, seated)
        body = {"version": prompt["version"], **a_card(prompt)}
        with trips() as count:
            acts.act(
                service, prompt["match"], caller=bot.caller, body=body, raw=json.dumps(body).encode(), key=f"k-{number}"
            )
        assert count() == 1


def test_the_next_prompt_of_who_has_acted_is_delivered_on_the_way(
    service: Service, seated: list[Bot], trips: Callable[[], Any]
) -> None:
    came = 0
    for number in range(200):
        bot, (prompt, *_) = asked(service, seated)
        match_id, body = prompt["match"], {"version": prompt["version"], **a_card(prompt)}
        letter = prompt["seat"]
        before = int(service.live.some(match_id, [f"prompts:{letter}"])[f"prompts:{letter}"])
        told: dict[str, Any] = {"body": body, "raw": json.dumps(body).encode(), "key": f"k-{number}", "wait": 0}
        with trips() as count, prompts.noting() as noted:
            reply = batches.act_and_wait(service, match_id, caller=bot.caller, **told)
        if json.loads(reply.body)["prompt"] is None:
            assert not noted
            continue
        assert count() == 1
        (now, seat, at), stored = noted[0], service.live.some(match_id, [f"delivered:{letter}", f"prompts:{letter}"])
        assert (now.match.version, "ab"[seat]) == (json.loads(reply.body)["prompt"]["version"], letter)
        assert stored == {f"delivered:{letter}": b"%d" % at, f"prompts:{letter}": b"%d" % (before + 1)}
        due = service.live.client.zscore("due", f"{match_id}/{letter}")
        assert due == table.load(service, match_id).deadline(seat)
        came += 1
        if came == 3:
            return
    raise AssertionError(f"of 200 acts {came} were followed by a prompt of the same bot")


def test_a_refused_act_and_a_repeated_one_make_no_more(
    service: Service, seated: list[Bot], trips: Callable[[], Any]
) -> None:
    bot, (prompt, *_) = asked(service, seated)
    asked_for: dict[str, Any] = {
        "caller": bot.caller,
        "body": {"version": prompt["version"], "act": "dance"},
        "raw": b"{}",
    }
    for most in (2, 1):
        with trips() as count, pytest.raises(ServiceProblem):
            acts.act(service, prompt["match"], **asked_for, key="k-1")
        assert count() <= most


def test_a_batch_makes_as_many_trips_as_one_act(service: Service, seated: list[Bot], trips: Callable[[], Any]) -> None:
    bot, prompts = asked(service, seated)
    assert len(prompts) > 1
    with trips() as count:
        batch = batches.act_all(service, [posted(prompt) for prompt in prompts], caller=bot.caller, key="k-1")
    assert count() == 1
    assert not any(isinstance(taken.answer, Exception) for _, taken in batch.taken)


def test_the_prompts_of_many_matches_take_three_trips_and_with_a_batch_five(
    service: Service, seated: list[Bot], trips: Callable[[], Any]
) -> None:
    bot, prompts = asked(service, seated)
    with trips() as count:
        assert turns.get_turns(service, caller=bot.caller)["prompts"]
    assert count() <= 3
    with trips() as count:
        batches.act_all(service, [posted(prompt) for prompt in prompts], caller=bot.caller, wait=0)
    assert count() <= 4


@pytest.mark.parametrize("remembered", ["nothing", "an earlier version"])
def test_a_process_that_does_not_remember_the_version_makes_one_trip_more(
    service: Service, settings: Settings, seated: list[Bot], trips: Callable[[], Any], remembered: str
) -> None:
    other = services.open(settings, sweep=False)
    if remembered == "nothing":
        service.memory.standings.clear()
    for _ in range(2):
        bot, prompts = asked(other, seated)
        batches.act_all(other, [posted(prompt) for prompt in prompts], caller=bot.caller)
    bot, prompts = asked(other, seated)
    with trips() as count:
        batch = batches.act_all(service, [posted(prompt) for prompt in prompts], caller=bot.caller)
    assert count() == 2
    assert not any(isinstance(taken.answer, Exception) for _, taken in batch.taken)
    services.close(other)


def test_who_is_woken_goes_to_read_at_once_where_he_knows_no_such_version(
    service: Service, settings: Settings, seated: list[Bot], trips: Callable[[], Any]
) -> None:
    other = services.open(settings, sweep=False)
    asked(service, seated)
    bot, (prompt, *_) = asked(other, seated)
    batches.act_all(other, [posted(prompt)], caller=bot.caller)
    now = table.load(other, prompt["match"])
    (woken,) = (each for each in seated if each.id == now.standing.bots[now.match.asked[0]])
    with trips() as count:
        found = turns.prompts_of(service, woken.id, [now.id], heard=[Wake(now.id, now.match.version)])
    assert count() == 2
    assert [each["version"] for each in found] == [now.match.version]
    services.close(other)
