"""The record killed in the middle of a tournament: PostgreSQL comes back, and play goes on to the same end."""

from __future__ import annotations

import time
from pathlib import Path

from sqlalchemy.exc import OperationalError

from referee import service as services
from referee.service import Service, ServiceProblem
from referee.store.away import AWAY
from tests.conftest import settings_for
from tests.postgresql import PostgresServer
from tests.service.playing_along import Bot, drawn, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import registered
from tests.workers.crew import until, working
from tests.workers.test_workers import is_finished, results_are_whole


def over(service: Service, cup: str, pulled: list[Bot]) -> bool:
    """Plays what waits as far as the stores let it; tells whether the tournament is over."""
    try:
        play_on(service, pulled, drawn(1), acts_at_most=20)
        return is_finished(service, cup)
    except (*AWAY, ServiceProblem):
        time.sleep(0.05)
        return False


def played(service: Service, cup: str) -> int:
    return sum(row["state"] == "done" for row in matches_of(service, cup))


def test_postgresql_killed_twice_in_a_tournament(
    redis_url: str, own_postgresql: PostgresServer, tmp_path: Path
) -> None:
    settings = settings_for(redis_url, tmp_path / "data", database_url=own_postgresql.fresh())
    service = services.open(settings, sweep=False)
    pushed = [PushBot(lawful) for _ in range(2)]
    with serving(*pushed), working(settings):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        pulled = [register(service, name) for name in ("Ada", "Bea")]
        cup = tournament(service, [*seated, *pulled], cycles=2, overrides={"target": 3})
        for whole in (True, False):
            before = played(service, cup)

            def two_more(wanted: int = before + 2) -> bool:
                return over(service, cup, pulled) or played(service, cup) >= wanted

            until(two_more, "two more matches played")
            own_postgresql.kill(whole=whole)
            until(lambda: not _answers(service), "a record that does not answer")
            over(service, cup, pulled)
            own_postgresql.start()
        until(lambda: over(service, cup, pulled), "the end")
    results_are_whole(service, cup, 12)
    assert not [row["cause"] for row in matches_of(service, cup) if row["cause"] in ("time", "no_show", "conduct")]
    assert not [row for row in matches_of(service, cup) if row["state"] == "void"]
    services.close(service)


def _answers(service: Service) -> bool:
    try:
        service.record.touch()
    except OperationalError:
        return False
    return True
