"""The live store killed in the middle of a tournament: it comes back from its append-only file, and play goes on."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from rq import SimpleWorker
from rq.exceptions import StopRequested

from referee import service as services
from referee.service import Service, ServiceProblem
from referee.settings import Settings
from tests.conftest import ValkeyServer, settings_for
from tests.service.playing_along import Bot, drawn, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import registered
from tests.workers.crew import until, working
from tests.workers.test_workers import is_finished, results_are_whole
from workers import run


@pytest.fixture
def own_settings(own_valkey: ValkeyServer, tmp_path: Path) -> Settings:
    return settings_for(own_valkey.url, tmp_path / "data")


@pytest.fixture
def own_service(own_settings: Settings) -> Iterator[Service]:
    opened = services.open(own_settings, sweep=False)
    yield opened
    services.close(opened)


def played_through_outages(service: Service, cup: str, pulled: list[Bot]) -> bool:
    """Plays what waits, whether the store is there or not; tells whether the tournament is over."""
    try:
        play_on(service, pulled, drawn(1), acts_at_most=20)
    except (redis.RedisError, ServiceProblem):
        time.sleep(0.05)  # nobody is there, or the act was made on what was lost; the bot asks again
    return is_finished(service, cup)


def test_a_worker_that_is_told_to_stop_while_redis_is_gone_stops_without_a_word_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def is_gone(*_: object) -> None:
        raise redis.ConnectionError("nobody answers")

    monkeypatch.setattr(SimpleWorker, "request_stop", is_gone)
    worker = object.__new__(run.Worker)
    with pytest.raises(StopRequested):
        worker.request_stop(signal.SIGTERM, None)
    assert worker.is_told_to_stop


def test_acceptance_8_redis_killed_twice_in_a_tournament(
    own_service: Service, own_settings: Settings, own_valkey: ValkeyServer
) -> None:
    pushed = [PushBot(lawful) for _ in range(2)]
    with serving(*pushed), working(own_settings):
        seated = [registered(own_service, f"push {n}", push) for n, push in enumerate(pushed)]
        pulled = [register(own_service, name) for name in ("Ada", "Bea")]
        cup = tournament(own_service, [*seated, *pulled], cycles=2, overrides={"target": 3})
        for deaths in range(1, 3):

            def two_more(wanted: int = 2 * deaths) -> bool:
                played_through_outages(own_service, cup, pulled)
                return played(own_service, cup) >= wanted

            until(two_more, "two more matches played")
            own_valkey.kill()
            for _ in range(4):  # long enough for everybody to notice
                with pytest.raises(redis.RedisError):
                    own_service.live.members("live")
            own_valkey.start()
        until(lambda: played_through_outages(own_service, cup, pulled), "the end")
    results_are_whole(own_service, cup, 12)
    assert not [row["cause"] for row in matches_of(own_service, cup) if row["cause"] in ("time", "no_show")]


def played(service: Service, cup: str) -> int:
    return sum(row["state"] == "done" for row in matches_of(service, cup))
