"""Fair shares: of two tournaments, of bots, of workers; and a bot that thinks long holds up nobody else."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from referee import match as play
from referee import service as services
from referee.service import Service, adopting, advancing, matches, playing, table, tournaments
from referee.service.adopting import Chunk, Waiting, fairly
from referee.settings import Settings
from tests.service.playing_along import matches_of, play_on, register, tournament
from tests.service.push_server import Answer, PushBot, lawful, serving
from tests.service.test_push import registered

PATIENCE = 90.0


def waiting(tournament_id: str, count: int, *bots: str) -> list[Waiting]:
    return [Waiting(f"{tournament_id}{number}", tournament_id, bots) for number in range(count)]


def test_of_two_tournaments_the_small_one_is_not_behind_the_large_one() -> None:
    large, small = waiting("large", 500, "x", "y"), waiting("small", 3, "v", "w")
    order = [each.tournament for each in fairly([*large, *small], held=[])]
    assert Counter(order[:6]) == {"large": 3, "small": 3}
    assert len(order) == 503
    held = waiting("large", 200, "x", "y")
    assert [each.tournament for each in fairly([*large, *small], held)][:3] == ["small"] * 3


def test_within_a_tournament_the_bots_with_the_fewest_matches_in_hand_come_first_and_else_the_oldest() -> None:
    greedy = [Waiting(f"a{number}", "cup", ("greedy", "other")) for number in range(4)]
    modest = [Waiting("b0", "cup", ("modest", "third"))]
    assert [each.match for each in fairly([*greedy, *modest], held=[])] == ["a0", "b0", "a1", "a2", "a3"]
    assert next(each.match for each in fairly([*greedy, *modest], held=greedy[:1])) == "b0"


def test_a_busy_job_has_at_most_200_in_hand_and_one_whose_bots_think_takes_more_step_by_step() -> None:
    chunk, held, most = Chunk(), 0, []
    for second in range(1, 30):
        held = min(1000, chunk.allowed)
        chunk.measure(held, at=float(second), worked=0.1 * second)
        most.append(chunk.allowed)
    assert most[0] == 2 * adopting.STEP
    assert most[-1] == adopting.MOST_THINKING
    chunk = Chunk()
    for second in range(1, 30):
        chunk.measure(chunk.allowed, at=float(second), worked=0.95 * second)
    assert chunk.allowed == adopting.MOST


def test_of_two_tournaments_of_the_same_bots_the_second_does_not_wait_for_the_first(service: Service) -> None:
    seated = [register(service, f"pull {number}") for number in range(4)]
    first = tournament(service, seated, cycles=20)
    advancing.advance(service)
    second = tournament(service, seated, name="second")
    for _ in range(60):
        if tournaments.get_tournament(service, second)["state"] == "finished":
            break
        play_on(service, seated, acts_at_most=40)
        advancing.advance(service)
    left = Counter(row["state"] for row in matches_of(service, first))
    assert tournaments.get_tournament(service, second)["state"] == "finished", left
    assert left["planned"] >= 60, left


def test_of_matches_that_wait_for_a_push_a_job_takes_the_second_tournament_s_before_the_first_is_over(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adopting, "STEP", 2)
    monkeypatch.setattr(adopting, "MOST", 2)
    monkeypatch.setattr(adopting, "MOST_THINKING", 2)
    pushed = [PushBot(lawful) for _ in range(4)]
    with serving(*pushed):
        seated = [registered(service, f"push {number}", push, concurrency=30) for number, push in enumerate(pushed)]
        large = tournament(service, seated[:2], cycles=30)
        advancing.advance(service)
        small = tournament(service, seated[2:], cycles=2, name="small")
        advancing.advance(service)
        done = tournaments.get_tournament
        playing.play(service, budget=PATIENCE, until=lambda: done(service, small)["state"] == "finished")
    assert done(service, small)["state"] == "finished"
    assert Counter(row["state"] for row in matches_of(service, large))["live"] >= 20


@contextmanager
def thinking() -> Iterator[tuple[Callable[[dict[str, Any]], Answer], threading.Event]]:
    """A way to answer that takes until the event is set."""
    awake = threading.Event()

    def think(prompt: dict[str, Any]) -> Answer:
        awake.wait(PATIENCE)
        return lawful(prompt)

    try:
        yield think, awake
    finally:
        awake.set()


def test_bots_that_think_fill_no_places_that_others_need(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adopting, "STEP", 3)
    monkeypatch.setattr(adopting, "MOST", 3)
    with thinking() as (think, awake):
        pushed = [PushBot(think), PushBot(think), PushBot(lawful), PushBot(lawful)]
        with serving(*pushed):
            seated = [registered(service, f"push {n}", push, concurrency=6) for n, push in enumerate(pushed)]
            slow = tournament(service, seated[:2], cycles=6)
            advancing.advance(service)
            quick = tournament(service, seated[2:], cycles=2, name="quick")
            advancing.advance(service)
            done = tournaments.get_tournament
            playing.play(service, budget=PATIENCE, until=lambda: done(service, quick)["state"] == "finished")
            assert done(service, quick)["state"] == "finished"
            assert [row["state"] for row in matches_of(service, slow)] == ["live"] * 6
            awake.set()
            playing.play(service, budget=PATIENCE)
    rows = [*matches_of(service, slow), *matches_of(service, quick)]
    assert {(row["state"], row["cause"] in ("time", "no_show")) for row in rows} == {("done", False)}
    assert all(play.verify(matches.get_log(service, row["id"])).ok for row in rows)


def test_what_a_job_leaves_is_played_by_another_worker_at_the_same_time(
    service: Service, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adopting, "STEP", 3)
    monkeypatch.setattr(adopting, "MOST_THINKING", 3)
    other = services.open(settings, sweep=False)
    with thinking() as (think, awake):
        pushed = [PushBot(think), PushBot(think)]
        with serving(*pushed):
            seated = [registered(service, f"push {n}", push, concurrency=6) for n, push in enumerate(pushed)]
            cup = tournament(service, seated, cycles=6)
            advancing.advance(service)
            jobs = [
                threading.Thread(target=playing.play, args=(each,), kwargs={"budget": PATIENCE})
                for each in (service, other)
            ]
            for job in jobs:
                job.start()
            held = leases_of(service, cup, until=6)
            awake.set()
            for job in jobs:
                job.join()
    services.close(other)
    assert held == 6
    assert {row["state"] for row in matches_of(service, cup)} == {"done"}


def leases_of(service: Service, cup: str, *, until: int) -> int:
    """How many matches of a tournament are in the hands of jobs, once they are so many or patience is over."""
    held, pause = 0, threading.Event()
    for _ in range(int(PATIENCE / 0.1)):
        tables = [table.load(service, row["id"]) for row in matches_of(service, cup) if row["state"] == "live"]
        held = sum(int(each.facts.get("lease", b"0") or 0) > service.clock.now_ms() for each in tables)
        if held >= until:
            break
        pause.wait(0.1)
    return held
