"""Streams of prompts: everything that waits at first, then each version once, nothing lost with a connection or an outage."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee import service as services
from referee.service import Caller, Service, ServiceProblem, advancing, streaming, turns
from referee.service.wakes import Wake
from referee.settings import Settings
from referee.store.away import AWAY
from referee.store.live import LiveStore
from tests.conftest import ValkeyServer, settings_for
from tests.service.playing_along import Bot, a_card, act, first, play_on, register, tournament
from tests.service.test_turns import LIMIT, listening, until

Prompts = list[dict[str, Any]]


@pytest.fixture
def pair(service: Service) -> list[Bot]:
    """Two bots in one match, the first of them asked."""
    return seated(service)


def seated(service: Service) -> list[Bot]:
    bots = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, bots)
    advancing.advance(service)
    return sorted(bots, key=lambda bot: not turns.get_turns(service, caller=bot.caller)["prompts"])


def opened(service: Service, bot: Bot, **others: Any) -> Iterator[Prompts]:
    return streaming.open_stream(service, caller=bot.caller, **{"silence": 20.0, **others})


def is_of_a_line(prompts: Prompts) -> list[int]:
    return [prompt["line"] for prompt in prompts]


def versions(prompts: Prompts) -> list[int]:
    return [prompt["version"] for prompt in prompts]


def test_a_stream_begins_with_what_waits_and_gives_every_prompt_once(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    stream = opened(service, bot)
    (prompt,) = next(stream)
    given = [prompt["version"]]
    for _ in range(8):
        act(service, bot, prompt, a_card(prompt))
        play_on(service, [other])
        (prompt,) = next(stream)
        given.append(prompt["version"])
        assert prompt["clock"]["left_ms"] > 0
    assert given == sorted(set(given))
    assert versions(turns.get_turns(service, caller=bot.caller)["prompts"]) == given[-1:]


def test_an_empty_list_comes_where_nothing_does(service: Service, pair: list[Bot]) -> None:
    stream = opened(service, pair[1], silence=0.02)
    assert [next(stream) for _ in range(3)] == [[], [], []]


def test_a_stream_that_was_cut_is_followed_by_one_with_all_that_waits(service: Service, pair: list[Bot]) -> None:
    cut = opened(service, pair[0])
    before = versions(next(cut))
    cut.close()  # type: ignore[attr-defined]
    assert not listening(service, pair[0].id)
    assert versions(next(opened(service, pair[0]))) == before


def test_what_was_prompted_while_nobody_listened_comes_first(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    cut = opened(service, bot)
    (prompt,) = next(cut)
    cut.close()  # type: ignore[attr-defined]
    act(service, bot, prompt, a_card(prompt))
    play_on(service, [other])
    (again,) = next(opened(service, bot))
    assert again["version"] > prompt["version"]


def test_after_the_last_line_that_came_nothing_comes_twice_and_nothing_is_lost(
    service: Service, settings: Settings
) -> None:
    wide, *others = [register(service, name, concurrency=9) for name in ("Wide", "One", "Two", "Three", "Four")]
    for number, other in enumerate(others):
        tournament(service, [wide, other], seed=f"{number:064x}")
    advancing.advance(service)
    play_on(service, others)
    cut = opened(service, wide)
    given = next(cut)
    cut.close()  # type: ignore[attr-defined]
    assert is_of_a_line(given) == [1, 2, 3, 4]
    elsewhere = services.open(settings, sweep=False)  # as after a restart
    try:
        got = 2  # of the list that was sent half came through
        act(service, wide, given[0], a_card(given[0]))
        play_on(service, others)
        stream = opened(elsewhere, wide, after=got)
        rest = next(stream)
        news = [prompt for prompt in rest if prompt["match"] == given[0]["match"]]
        assert [prompt["version"] > given[0]["version"] for prompt in news] == [True]
        assert {prompt["match"] for prompt in rest} == {given[0]["match"], given[2]["match"], given[3]["match"]}
        assert is_of_a_line(rest) == [5, 6, 7]
        stream.close()  # type: ignore[attr-defined]
        assert next(opened(service, wide, after=7, silence=0.1)) == []
    finally:
        services.close(elsewhere)


def test_who_names_no_line_or_one_of_another_program_is_sent_all_that_waits(service: Service, pair: list[Bot]) -> None:
    (prompt,) = next(opened(service, pair[0]))
    (again,) = next(opened(service, pair[0]))
    assert (prompt["line"], again["line"]) == (1, 2)
    assert versions([prompt]) == versions([again])
    assert is_of_a_line(next(opened(service, pair[0], after=1))) == [3]  # what came on line 2 went to another
    assert next(opened(service, pair[0], after=3)) == []


def test_what_waits_no_more_is_not_kept(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    stream = opened(service, bot, silence=0.05)
    (prompt,) = next(stream)
    while turns.get_turns(service, caller=bot.caller)["prompts"]:
        act(service, bot, turns.get_turns(service, caller=bot.caller)["prompts"][0], first(prompt))
        (prompt, *_) = [*turns.get_turns(service, caller=bot.caller)["prompts"], prompt]
    assert turns.get_turns(service, caller=other.caller)["prompts"]
    name = f"s:{bot.id}"
    until(lambda: (next(stream), not [key for key in service.live.client.hkeys(name) if b"/" in key])[1])  # type: ignore[union-attr]


def test_a_stream_speaks_even_while_wakes_tell_it_nothing(service: Service, pair: list[Bot]) -> None:
    stream = opened(service, pair[1], silence=0.2)
    assert next(stream) == []
    done = threading.Event()

    def wake() -> None:
        while not done.wait(0.01):
            service.live.publish(Wake("mat_none", bots=(pair[1].id,)).text())

    thread = threading.Thread(target=wake)
    thread.start()
    try:
        assert next(stream) == []
    finally:
        done.set()
        thread.join()


def test_a_process_that_is_told_to_end_ends_its_streams_and_sends_nothing_twice(
    service: Service, pair: list[Bot]
) -> None:
    stream = opened(service, pair[0])
    assert len(next(stream)) == 1
    service.wakes.release()
    assert list(stream) == []


def test_the_older_of_two_streams_is_told_why_it_ends(service: Service, settings: Settings, pair: list[Bot]) -> None:
    elsewhere = services.open(settings, sweep=False)  # as in another web process
    try:
        older = opened(service, pair[1])
        assert next(older) == []
        newer = opened(elsewhere, pair[1])
        assert next(newer) == []
        with pytest.raises(ServiceProblem) as told:
            next(older)
        assert (told.value.status, told.value.code) == (409, "stream/replaced")
        play_on(service, pair[:1], first, acts_at_most=50)
        assert next(newer)[0]["lawful"]
    finally:
        services.close(elsewhere)


def test_another_bots_stream_ends_nobodys(service: Service, pair: list[Bot]) -> None:
    streams = [opened(service, bot, silence=0.05) for bot in pair]
    assert len(next(streams[0])) == 1
    assert next(streams[1]) == []
    assert next(streams[0]) == []


def some(stream: Iterator[Prompts]) -> Prompts:
    """The next prompts of a stream that still has some."""
    return next(prompts for prompts in stream if prompts)


def test_after_a_wake_for_everybody_comes_what_was_missed_and_nothing_twice(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    stream = opened(service, other, silence=0.5)
    assert next(stream) == []
    deaf, service.wakes.listeners = service.wakes.listeners, {}  # so that it hears of nothing
    play_on(service, [bot])
    service.wakes.listeners = deaf
    service.live.publish(Wake().text())
    assert is_of_a_line(some(stream)) == [1]
    service.live.publish(Wake().text())
    assert next(stream) == []


def test_a_stream_that_outlives_the_store_sends_all_that_waits_again(
    service: Service, pair: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = opened(service, pair[0])
    before = versions(next(stream))
    newest = LiveStore.new_stream
    monkeypatch.setattr(LiveStore, "server", lambda live: "another")  # which may have lost the last acts
    monkeypatch.setattr(
        LiveStore, "new_stream", lambda *args, **asked: newest(*args, **asked)._replace(server="another")
    )
    service.live.client.delete(f"s:{pair[0].id}")  # and has lost the stream itself
    service.live.publish(Wake().text())
    again = some(stream)
    assert (versions(again), is_of_a_line(again)) == (before, [2])
    assert next(opened(service, pair[0], after=2)) == []


def test_a_prompt_that_no_wake_told_of_is_found_after_a_silence(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    stream = opened(service, other, silence=0.5)
    assert next(stream) == []
    service.wakes.listeners.clear()  # so that it hears of nothing
    play_on(service, [bot])
    assert versions(some(stream)) == versions(turns.get_turns(service, caller=other.caller)["prompts"])


def test_a_stream_ends_when_its_time_is_over(service: Service, pair: list[Bot]) -> None:
    assert list(opened(service, pair[1], seconds=0.0)) == [[]]
    assert len(list(opened(service, pair[0], seconds=0.05, silence=0.02))) >= 2


def test_only_bots_have_streams(service: Service) -> None:
    for caller, status in ((Caller(), 401), (Caller("organiser"), 403)):
        with pytest.raises(ServiceProblem) as caught:
            streaming.open_stream(service, caller=caller, silence=1.0)
        assert caught.value.status == status


def test_an_outage_ends_a_stream_and_the_next_one_has_the_prompt(own_valkey: ValkeyServer, tmp_path: Path) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    try:
        bot, _ = seated(service)
        stream = opened(service, bot, silence=0.1)
        before = versions(next(stream))
        own_valkey.kill()
        with pytest.raises(AWAY):
            for _ in stream:
                pass
        own_valkey.start()  # which may have lost the last acts: what waits comes again, whatever came before
        assert versions(next(opened(service, bot, after=1))) == before
    finally:
        services.close(service)


def test_many_streams_wait_side_by_side(service: Service) -> None:
    bots = [register(service, f"bot {n}") for n in range(12)]
    heard: dict[str, Prompts] = {}

    def follow(bot: Bot) -> None:
        with suppress(ServiceProblem):  # by which those end that were told nothing
            for prompts in opened(service, bot):
                if prompts:
                    heard[bot.id] = prompts
                    return

    threads = [threading.Thread(target=follow, args=(bot,)) for bot in bots]
    for thread in threads:
        thread.start()
    until(lambda: all(listening(service, bot.id) for bot in bots))
    for number in range(0, len(bots), 2):
        tournament(service, bots[number : number + 2], seed=f"{number:064x}")
    advancing.advance(service)
    asked = {bot.id for bot in bots if turns.get_turns(service, caller=bot.caller)["prompts"]}
    until(lambda: set(heard) >= asked)
    for bot in bots:
        if bot.id not in heard:
            opened(service, bot)
    for thread in threads:
        thread.join(LIMIT)
    assert len(asked) == 6
