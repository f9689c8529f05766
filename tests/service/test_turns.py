"""Long polls: woken by what concerns the bot, not lost between looking and waiting, over when the time is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import redis

from referee.service import Caller, Service, ServiceProblem, advancing, batches, matches, table, turns
from referee.service.wakes import Wake, read, waiter
from tests.service.playing_along import Bot, act, first, matches_of, play_on, register, tournament

LONG = 30.0
LIMIT = 120.0


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea")]


def started(call: Callable[[], Any]) -> Callable[[], Any]:
    """Runs a call in a thread; what it gives waits for the answer and gives that."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(call()))
    thread.start()

    def answer() -> Any:
        thread.join(LIMIT)
        assert answers, "no answer"
        return answers[0]

    return answer


def listening(service: Service, topic: str) -> bool:
    return bool(service.wakes.listeners.get(topic))


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_poll_is_woken_when_a_match_is_opened(service: Service, seated: list[Bot]) -> None:
    polls = [started(lambda bot=bot: turns.get_turns(service, caller=bot.caller, wait=LONG)) for bot in seated]
    until(lambda: all(listening(service, bot.id) for bot in seated))
    tournament(service, seated)
    advancing.advance(service)
    until(lambda: not all(listening(service, bot.id) for bot in seated))
    play_on(service, seated, acts_at_most=6)
    prompts = [prompt for poll in polls for prompt in poll()["prompts"]]
    assert prompts


def test_a_poll_is_woken_by_the_act_that_makes_it_the_bots_turn(service: Service, seated: list[Bot]) -> None:
    tournament(service, seated)
    advancing.advance(service)
    [(bot, prompt)] = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
    [other] = [each for each in seated if each != bot]
    poll = started(lambda: turns.get_turns(service, caller=other.caller, wait=LONG))
    until(lambda: listening(service, other.id))
    before = time.monotonic()
    act(service, bot, prompt, first(prompt))
    [woken] = poll()["prompts"]
    assert woken["version"] > prompt["version"]
    assert time.monotonic() - before < LONG  # it was woken, not timed out


def test_a_poll_without_news_is_empty_when_its_time_is_over(service: Service, seated: list[Bot]) -> None:
    assert turns.get_turns(service, caller=seated[0].caller, wait=0.05) == {"prompts": []}


def test_a_wake_between_looking_and_waiting_is_not_lost(service: Service) -> None:
    with waiter(service.wakes, ["bot_1"]) as woken:
        while woken(0.05):
            pass  # the wake of the subscription itself
        service.live.publish(Wake("mat_1", 3, False, ("bot_1",)).text())
        assert woken(LONG)
        assert not woken(0.01)


def test_a_wake_that_cannot_be_read_wakes_everybody(service: Service) -> None:
    assert read("") == read("mat_1 x 0 ") == Wake()
    with waiter(service.wakes, ["bot_1"]) as one, waiter(service.wakes, ["mat_2"]) as two:
        service.live.publish("")
        assert one(LONG)
        assert two(LONG)


def test_other_bots_matches_wake_nobody(service: Service) -> None:
    with waiter(service.wakes, ["bot_1"]) as one, waiter(service.wakes, ["bot_2"]) as two:
        while one(0.05) or two(0.05):
            pass  # the wake of the subscription itself
        service.live.publish(Wake("mat_1", 3, False, ("bot_2",)).text())
        assert two(LONG)
        assert not one(0.01)


def test_events_are_waited_for(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated)
    advancing.advance(service)
    [row] = matches_of(service, cup)
    known = len(matches.get_events(service, row["id"])[0])
    poll = started(lambda: matches.get_events(service, row["id"], after=known, wait=LONG))
    until(lambda: listening(service, row["id"]))
    play_on(service, seated, acts_at_most=1)
    lines, over = poll()
    assert len(lines) >= 1
    assert not over


def test_the_end_of_a_match_ends_the_waiting_for_events(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated)
    advancing.advance(service)
    [row] = matches_of(service, cup)
    poll = started(lambda: matches.get_events(service, row["id"], after=10_000, wait=LONG))
    until(lambda: listening(service, row["id"]))
    play_on(service, seated)
    assert poll() == ((), True)


def test_only_bots_have_turns(service: Service) -> None:
    for caller, status in ((Caller(), 401), (Caller("organiser"), 403)):
        with pytest.raises(ServiceProblem) as caught:
            turns.get_turns(service, caller=caller)
        assert caught.value.status == status


def test_scenario_8_one_call_lists_all_that_waits(service: Service) -> None:
    wide = register(service, "Wide", concurrency=20)
    others = [register(service, f"other {n}") for n in range(20)]
    for number, other in enumerate(others):
        tournament(service, [wide, other], seed=f"{number:064x}")
    advancing.advance(service)
    play_on(service, others)
    prompts = turns.get_turns(service, caller=wide.caller)["prompts"]
    assert len(prompts) == 20
    for prompt in prompts:  # each can be gone on with
        assert act(service, wide, prompt, prompt["lawful"][0])["taken"] > prompt["version"]


@pytest.mark.parametrize("fault", [redis.ConnectionError("gone"), OSError("gone"), TypeError("no socket")], ids=repr)
def test_wakes_are_heard_again_after_a_subscription_broke(
    service: Service, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    faults, plain = [fault], redis.client.PubSub.get_message

    def breaks(self: redis.client.PubSub, *args: Any, **more: Any) -> Any:
        if faults:
            raise faults.pop()
        return plain(self, *args, **more)

    monkeypatch.setattr(redis.client.PubSub, "get_message", breaks)
    with waiter(service.wakes, ["bot_1"]) as woken:
        until(lambda: not faults)

        def is_heard() -> bool:
            service.live.publish(Wake("mat_1", 3, False, ("bot_1",)).text())
            return bool(woken(1.0))

        until(is_heard)


def test_who_fetches_fewer_prompts_than_wait_is_not_timed_on_the_rest(service: Service) -> None:
    wide = register(service, "Wide", concurrency=20)
    others = [register(service, f"other {n}") for n in range(4)]
    tournament(service, [wide, *others])
    advancing.advance(service)
    play_on(service, others)
    tables = [table.load(service, match_id) for match_id in service.live.turns(wide.id)]
    asked = {now.id: now.number("asked", seat) or 0 for now in tables for seat in turns.pulled(now, wide.id)}
    service.memory.standings.clear()
    longest = [prompt["match"] for prompt in turns.get_turns(service, caller=wide.caller, most=3)["prompts"]]
    assert [asked[match_id] for match_id in longest] == sorted(asked.values())[:3]
    assert {*service.memory.standings} == {*longest}  # no more are read than are fetched
    again = turns.get_turns(service, caller=wide.caller, wait=LONG, most=3)["prompts"]
    assert [prompt["match"] for prompt in again] == longest
    now = [table.load(service, match_id) for match_id in service.live.turns(wide.id)]
    assert {each.id for each in now for seat in turns.pulled(each, wide.id) if each.has("delivered", seat)} == {
        *longest
    }
    batch = batches.act_all(service, [], caller=wide.caller, wait=0, most=1)
    assert [prompt["match"] for prompt in batch.prompts or ()] == longest[:1]


def test_a_listener_that_fails_leaves_the_others_awake(service: Service) -> None:
    def fails(wake: Wake) -> None:
        raise RuntimeError("a listener of the test")

    with service.wakes.listening(["bot_1"], fails), waiter(service.wakes, ["bot_1"]) as woken:
        for _ in range(2):
            service.live.publish(Wake("mat_1", 3, False, ("bot_1",)).text())
            assert woken(LONG)
