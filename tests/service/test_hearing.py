"""Whoever is woken by an act elsewhere has the match without reading it, as it is; what a wake does not tell is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee import match as matches
from referee import service as services
from referee.service import Service, acts, advancing, hearing, news, table, turns
from referee.service.wakes import Wake, waiter
from referee.settings import Settings
from tests.service.playing_along import Bot, register, tournament
from tests.service.test_trips_are_few import asked, posted, trips  # noqa: F401 - a fixture

LONG = 120.0


@pytest.fixture
def other(service: Service, settings: Settings) -> Iterator[Service]:
    """A process beside that of `service`."""
    opened = services.open(settings, sweep=False)
    yield opened
    services.close(opened)


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    """Two bots in one match that is on."""
    bots = [register(service, "one"), register(service, "two")]
    tournament(service, bots)
    advancing.advance(service)
    return bots


def act_elsewhere(service: Service, other: Service, seated: list[Bot]) -> Wake:
    """Have the asked bot act at the other process; the wake that `service` hears of it."""
    bot, (prompt, *_) = asked(other, seated)
    with waiter(service.wakes, [prompt["match"]]) as woken:
        while woken(0.05):
            pass  # what came before
        body = posted(prompt)
        acts.act(other, body.pop("match"), caller=bot.caller, body=body, raw=b"")
        (wake,) = woken(LONG)
    return wake


def read_anew(service: Service, match_id: str) -> table.Table:
    """The match as it lies in the store, whatever is remembered."""
    standings, facts = service.memory.standings.copy(), service.memory.facts.copy()
    service.memory.standings.clear()
    found = table.load(service, match_id)
    service.memory.standings, service.memory.facts = standings, facts
    return found


def shown(now: table.Table) -> Any:
    """What a match comes to for whoever plays it and for the log."""
    prompts = [matches.prompt(now.match, seat) for seat in now.match.asked]
    return now.match.version, now.match.head, now.match.score, now.standing[1:], prompts


def test_an_act_elsewhere_is_heard_and_not_read(
    service: Service,
    other: Service,
    seated: list[Bot],
    trips: Callable[[], Any],  # noqa: F811
) -> None:
    (match_id,) = service.live.members("live")
    table.load(service, match_id)
    heard = 0
    for _ in range(12):
        before = table.remembered(service, match_id)
        wake = act_elsewhere(service, other, seated)
        if not wake.news:  # a deal has ended
            table.load(service, match_id)
            continue
        with trips() as count:
            (now,) = hearing.as_heard(service, [match_id], [wake])
        assert (before, now) != (None, None)
        assert now is not None
        assert count() == 0
        heard += 1
        there = read_anew(service, match_id)
        assert shown(now) == shown(there)
        for seat in range(2):
            for name in ("asked", "delivered", "charged", "trip", "bank", "key"):
                assert now.text(name, seat) == there.text(name, seat), name
    assert heard > 6


def test_who_is_woken_gets_his_prompt_in_one_trip(
    service: Service,
    other: Service,
    seated: list[Bot],
    trips: Callable[[], Any],  # noqa: F811
) -> None:
    (match_id,) = service.live.members("live")
    table.load(service, match_id)
    wake = act_elsewhere(service, other, seated)
    (bot,) = (each for each in seated if each.id in wake.bots)
    with trips() as count:
        (prompt,) = turns.prompts_of(service, bot.id, [match_id], heard=[wake])
    assert count() == 1
    assert prompt["version"] == wake.version
    assert read_anew(service, match_id).has("delivered", prompt["seat"] == "b")


@pytest.mark.parametrize("garbled", ["gone", "cut", "another's", "of a later version"])
def test_what_a_wake_does_not_tell_is_read(service: Service, other: Service, seated: list[Bot], garbled: str) -> None:
    (match_id,) = service.live.members("live")
    table.load(service, match_id)
    wake = act_elsewhere(service, other, seated)
    lines, fields = news.read(wake.news)
    told = {
        "gone": wake._replace(news=""),
        "cut": wake._replace(news=wake.news[: len(wake.news) // 3]),
        "another's": wake._replace(news=news.write([line.replace(b'"a"', b'"b"') for line in lines], fields)),
        "of a later version": wake._replace(version=wake.version + 3),
    }[garbled]
    (now,) = hearing.as_heard(service, [match_id], [told])
    assert now is not None
    assert shown(now) == shown(read_anew(service, match_id))


def test_what_has_moved_on_since_the_wake_is_not_delivered(service: Service, other: Service, seated: list[Bot]) -> None:
    (match_id,) = service.live.members("live")
    table.load(service, match_id)
    wake = act_elsewhere(service, other, seated)
    (bot,) = (each for each in seated if each.id in wake.bots)
    act_elsewhere(service, other, seated)
    service.memory.keep(match_id, *hearing.as_heard(service, [match_id], [wake])[0][1:])  # type: ignore[index]
    assert turns.prompts_of(service, bot.id, [match_id], heard=[wake]) == []


def test_what_is_halted_since_is_not_delivered(service: Service, other: Service, seated: list[Bot]) -> None:
    (match_id,) = service.live.members("live")
    table.load(service, match_id)
    wake = act_elsewhere(service, other, seated)
    (bot,) = (each for each in seated if each.id in wake.bots)
    service.live.halt_each([match_id], now=service.clock.now_ms())
    assert turns.prompts_of(service, bot.id, [match_id], heard=[wake]) == []


def test_a_whole_match_is_played_by_two_processes_that_hear_of_each_other(
    service: Service, other: Service, seated: list[Bot]
) -> None:
    (match_id,) = service.live.members("live")
    heard = 0
    for number in range(60):
        here, there = (service, other)[:: 1 if number % 2 else -1]
        table.load(here, match_id)
        wake = act_elsewhere(here, there, seated)
        (now,) = hearing.as_heard(here, [match_id], [wake])
        if wake.over or now is None:
            break
        assert shown(now) == shown(read_anew(here, match_id))
        heard += wake.news != ""
    assert heard > 10


def test_what_an_outage_cost_the_store_is_told_to_nobody(service: Service, other: Service, seated: list[Bot]) -> None:
    (match_id,) = service.live.members("live")
    client = service.live.client
    bot, (prompt, *_) = asked(other, seated)
    while len(prompt["lawful"]) < 2:
        act_elsewhere(service, other, seated)
        bot, (prompt, *_) = asked(other, seated)
    saved = {key: client.dump(key) for key in client.scan_iter()}
    lost, kept = prompt["lawful"][:2]
    body = {"version": prompt["version"], **lost}
    acts.act(service, match_id, caller=bot.caller, body=body, raw=b"")  # of which the store will know nothing
    client.flushdb()
    for key, value in saved.items():
        client.restore(key, 0, value)
    other.memory.standings.clear()
    with waiter(service.wakes, [match_id]) as woken:
        while woken(0.05):
            pass
        acts.act(other, match_id, caller=bot.caller, body={"version": prompt["version"], **kept}, raw=b"")
        (wake,) = woken(LONG)
    known = table.remembered(service, match_id)
    assert known is not None
    assert known.match.head != wake.head
    (now,) = hearing.as_heard(service, [match_id], [wake])
    assert now is not None
    assert (now.match.version, now.match.head) == (wake.version, wake.head)
    assert shown(now) == shown(read_anew(service, match_id))


def test_who_may_have_missed_anything_hears_of_versions_he_knew(service: Service) -> None:
    with waiter(service.wakes, ["mat_1"]) as woken:
        woken.knows("mat_1", 7)
        woken.hear(Wake("mat_1", 7))
        assert woken(0.0) == ()
        woken.hear(Wake())
        woken.hear(Wake("mat_1", 6))
        assert {wake.match for wake in woken(LONG)} == {"", "mat_1"}


@pytest.mark.parametrize("value", ["a\nb", "a\x1eb", "a\x1db", "long" * 2000])
def test_what_would_not_be_read_as_it_was_written_is_not_told(value: str) -> None:
    assert news.write([b"{}"], {"version": 4, "note": value}) == ""
    assert news.write([], {"version": 4}) == ""
    plain = news.write([b'{"n":1}', b'{"n":2}'], {"version": 4, "note": b"a b"})
    assert Wake("mat_1", 4, False, ("bot_1",), "head", plain).text().count("\n") == 0
    assert news.read(plain) == ((b'{"n":1}', b'{"n":2}'), {"version": b"4", "note": b"a b"})
