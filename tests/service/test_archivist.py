"""Matches that end are left to an archivist where there is one; nobody waits for it longer than he has to."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy.exc import OperationalError

from referee import match as play
from referee import service as services
from referee.service import Service, advancing, archivist, matches, metrics, sweeping, tournaments, voiding
from referee.settings import Settings
from referee.store import match_rows
from tests.service.playing_along import a_card, matches_of, play_on, register, tournament

PATIENCE = 120.0


@pytest.fixture
def playing(settings: Settings) -> Iterator[Service]:
    """A process that plays, and has heard of an archivist."""
    opened = services.open(settings, sweep=False)
    opened.memory.has_archivist = True
    yield opened
    services.close(opened)


def states(service: Service, cup: str) -> dict[str, int]:
    return dict(Counter(row["state"] for row in matches_of(service, cup)))


def played_out(service: Service, *, matches_at_once: int, planned: int = 0) -> str:
    """A tournament of so many matches, all over and none on record yet, and of more that there was no room for."""
    bots = [register(service, name, concurrency=matches_at_once) for name in ("Ada", "Bea")]
    cup = tournament(service, bots, cycles=matches_at_once + planned)
    advancing.advance(service)
    play_on(service, bots, a_card)
    return cup


def test_what_ends_waits_for_the_archivist_who_opens_what_comes_next(service: Service, playing: Service) -> None:
    bots = [register(playing, name, concurrency=3) for name in ("Ada", "Bea")]
    cup = tournament(playing, bots, cycles=6)
    advancing.advance(playing)
    assert states(playing, cup) == {"live": 3, "planned": 3}
    play_on(playing, bots, a_card)
    assert states(playing, cup) == {"live": 3, "planned": 3}
    assert archivist.archive(service, service.live.ended(seconds=1, most=2)) == 2
    assert states(playing, cup) == {"done": 2, "live": 3, "planned": 1}
    assert archivist.archive(service, service.live.ended(seconds=1, most=100)) == 1
    assert states(playing, cup) == {"done": 3, "live": 3}
    done = [row["id"] for row in matches_of(playing, cup) if row["state"] == "done"]
    assert all(play.verify(matches.get_log(playing, match_id)).ok for match_id in done)
    assert service.live.ended(seconds=1, most=1) == []


def test_whoever_reads_a_match_that_is_over_has_it_recorded_first(playing: Service) -> None:
    cup = played_out(playing, matches_at_once=3)
    one, other, last = (row["id"] for row in matches_of(playing, cup))
    assert matches.get_match(playing, one)["state"] == "done"
    assert play.verify(matches.get_log(playing, other)).ok
    assert states(playing, cup) == {"done": 2, "live": 1}
    sweeping.recover(playing)
    assert matches.get_match(playing, last)["state"] == "done"
    assert tournaments.get_tournament(playing, cup)["state"] == "finished"
    assert playing.live.ended(seconds=1, most=100) == []


def test_two_archivists_and_a_reader_record_a_match_once(service: Service, playing: Service) -> None:
    cup = played_out(playing, matches_at_once=1)
    (row,) = matches_of(playing, cup)
    counts = [archivist.archive(each, [row["id"], row["id"]]) for each in (service, playing)]
    assert counts == [1, 0]
    assert matches.get_match(playing, row["id"])["state"] == "done"


def test_a_match_that_cannot_be_recorded_holds_up_no_other(
    service: Service, playing: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = played_out(playing, matches_at_once=3, planned=2)
    broken = matches_of(playing, cup)[1]["id"]
    move = match_rows.move

    def fails(connection: object, match_id: str, **others: object) -> bool:
        if match_id == broken and others["to"] == "done":
            raise RuntimeError("a defect")
        return move(connection, match_id, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(match_rows, "move", fails)
    with pytest.raises(RuntimeError, match="a defect"):
        archivist.archive(service, service.live.ended(seconds=1, most=100))
    assert states(playing, cup) == {"done": 2, "live": 3}  # those that there is room for now are open
    sweeping.recover(service)  # and the sweeper makes it void
    assert states(playing, cup)["void"] == 1


def test_while_the_record_is_away_what_ended_waits_on(
    service: Service, playing: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = played_out(playing, matches_at_once=3)
    assert b"referee_table_ended 3.0" in metrics.exposition(playing)
    with monkeypatch.context() as away:

        def is_away(*_: object, **__: object) -> None:
            raise OperationalError("BEGIN", {}, OSError("the disk is full"))

        away.setattr(match_rows, "move", is_away)
        with pytest.raises(OperationalError):
            archivist.archive_next(service)
    assert b"referee_table_ended 3.0" in metrics.exposition(playing)
    assert archivist.archive_next(service) == 3
    assert b"referee_table_ended 0.0" in metrics.exposition(playing)
    assert states(playing, cup) == {"done": 3}


def test_a_match_that_became_void_meanwhile_is_passed_over(service: Service, playing: Service) -> None:
    bots = [register(playing, name) for name in ("Ada", "Bea")]
    cup = tournament(playing, bots)
    advancing.advance(playing)
    play_on(playing, bots, a_card, acts_at_most=1)
    (row,) = matches_of(playing, cup)
    assert voiding.void_and_replay(playing, row["id"], reason="a test")
    assert archivist.archive(service, [row["id"]]) == 0


def test_a_worker_archives_beside_its_jobs(settings: Settings, playing: Service) -> None:
    worker = services.open(settings)
    polled(playing.live.has_archivist)
    bots = [register(playing, name) for name in ("Ada", "Bea")]
    cup = tournament(playing, bots, cycles=2)
    advancing.advance(playing)
    until = time.monotonic() + PATIENCE
    while tournaments.get_tournament(playing, cup)["state"] != "finished":
        play_on(playing, bots, a_card, acts_at_most=1)
        assert time.monotonic() < until, states(playing, cup)
    services.close(worker)


def polled(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
