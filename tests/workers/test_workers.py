"""Workers as processes: they play push bots, open pull matches and let go, and may die at any moment."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import pytest
import redis
from rq import Queue

from referee import match as play
from referee.service import Service, advancing, matches, tournaments
from referee.settings import Settings
from referee.store.queue import QUEUE
from tests.service.playing_along import drawn, matches_of, play_on, register, tournament
from tests.service.push_server import Answer, PushBot, lawful, serving
from tests.service.test_push import registered
from tests.workers.crew import killed, started, until, working
from workers.run import Worker


def results_are_whole(service: Service, cup: str, planned: int) -> None:
    """One result for each pairing, and every log verifies."""
    rows = matches_of(service, cup)
    assert sorted(row["number"] for row in rows if row["state"] == "done") == list(range(1, planned + 1))
    for row in rows:
        if row["state"] == "done":
            verdict = play.verify(matches.get_log(service, row["id"]))
            assert verdict.ok, verdict.problem
    with service.record.reading() as connection:
        from referee.store import tournament_rows

        assert tournament_rows.notice(connection, "tournament_finished", subject=cup) is not None


def is_finished(service: Service, cup: str) -> bool:
    return bool(tournaments.get_tournament(service, cup)["state"] == "finished")


def slow(prompt: dict[str, Any]) -> Answer:
    time.sleep(0.03)  # a bot that thinks, so that there is a middle of the match to be killed in
    return lawful(prompt)


def test_workers_play_push_and_pull_bots_to_the_end(service: Service, settings: Settings) -> None:
    pushed = [PushBot(lawful) for _ in range(2)]
    with serving(*pushed), working(settings, 2):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        pulled = [register(service, name) for name in ("Ada", "Bea")]
        cup = tournament(service, [*seated, *pulled], cycles=2)
        until(lambda: bool(play_on(service, pulled, drawn(1)) and False) or is_finished(service, cup), "the end")
    results_are_whole(service, cup, 12)


def test_scenario_24_a_worker_killed_in_a_match_is_replaced_and_the_log_goes_on(
    service: Service, settings: Settings
) -> None:
    pushed = [PushBot(slow) for _ in range(2)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, overrides={"target": 3})
        first = started(settings)
        until(lambda: len(pushed[0].prompts) > 10, "ten prompts")
        killed(first)
        [row] = matches_of(service, cup)
        before = matches.get_events(service, row["id"])[0]
        with working(settings):
            until(lambda: is_finished(service, cup), "the end after the first worker was killed")
    results_are_whole(service, cup, 1)
    assert matches.get_events(service, row["id"])[0][: len(before)] == before
    assert matches_of(service, cup)[0]["cause"] not in ("time", "no_show")


def test_scenario_25_a_worker_told_to_stop_gives_its_matches_back_at_once(service: Service, settings: Settings) -> None:
    pushed = [PushBot(slow) for _ in range(2)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, overrides={"target": 3})
        first = started(settings)
        until(lambda: len(pushed[0].prompts) > 10, "ten prompts")
        first.send_signal(signal.SIGTERM)
        until(lambda: first.poll() is not None, "the end of the worker")
        [row] = matches_of(service, cup)
        assert row["state"] == "live"
        lease = int(service.live.some(row["id"], ["lease"])["lease"])
        assert lease <= service.clock.now_ms()
        with working(settings):
            until(lambda: is_finished(service, cup), "the end after the first worker stopped")
    results_are_whole(service, cup, 1)


def test_scenario_26_jobs_that_run_twice_and_at_once_change_nothing(service: Service) -> None:
    from referee.service import playing

    pushed = [PushBot(lawful) for _ in range(4)]
    with serving(*pushed):
        cup = tournament(service, [registered(service, f"push {n}", push) for n, push in enumerate(pushed)], cycles=2)
        faults: list[BaseException] = []

        def job() -> None:
            try:
                while not is_finished(service, cup):
                    advancing.advance(service)
                    playing.play(service, budget=5)
            except BaseException as fault:
                faults.append(fault)

        jobs = [threading.Thread(target=job) for _ in range(3)]
        for each in jobs:
            each.start()
        for each in jobs:
            each.join()
    assert faults == []
    results_are_whole(service, cup, 12)
    assert sum(push.forged for push in pushed) == 0


@pytest.mark.parametrize("fault", [redis.ConnectionError("gone"), TypeError("no socket")], ids=repr)
def test_a_worker_goes_on_listening_to_commands_after_an_outage(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, fault: Exception
) -> None:
    monkeypatch.setattr("rq.worker.base.time.sleep", lambda _seconds: None)
    thread: Any = None
    with redis.Redis.from_url(settings.redis_url) as client:
        worker = Worker([Queue(QUEUE, connection=client)], connection=client)
        worker._pubsub_exception_handler(fault, client.pubsub(), thread)

        def is_at_fault() -> None:
            try:
                raise RuntimeError("something else")
            except RuntimeError as other:
                worker._pubsub_exception_handler(other, client.pubsub(), thread)

        with pytest.raises(RuntimeError, match="something else"):
            is_at_fault()


def test_an_idle_worker_ends_when_told_to_and_one_without_a_store_says_so(settings: Settings) -> None:
    import dataclasses

    idle = started(settings)
    with redis.Redis.from_url(settings.redis_url) as client:
        until(lambda: client.scard("rq:workers") == 1, "a registered worker")
    idle.send_signal(signal.SIGTERM)
    until(lambda: idle.poll() is not None, "the end of the worker")
    assert idle.returncode == 0
    lost = started(dataclasses.replace(settings, redis_url="redis://127.0.0.1:1/0"))
    until(lambda: lost.poll() is not None, "the end of a worker without a store")
    assert lost.returncode == 1
