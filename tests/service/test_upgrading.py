"""A service that was stopped in the middle of a tournament goes on under a later release, whatever edition its record is of."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from referee import match as play
from referee import service as services
from referee.service import Service, matches, tournaments
from referee.settings import Settings
from tests.service.playing_along import drawn, matches_of, play_on, register, tournament
from tests.store.editions import copied, editions, made


@pytest.mark.parametrize("edition", [editions()[0], editions()[-2]])
def test_a_running_tournament_of_an_earlier_edition_is_played_to_its_end(
    service: Service, settings: Settings, empty_database_url: str, edition: str, tmp_path: Path
) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2)
    while sum(row["state"] == "done" for row in matches_of(service, cup)) < 3:
        play_on(service, seated, drawn(1), acts_at_most=1)
    done = {
        row["id"]: matches.get_log(service, row["id"]) for row in matches_of(service, cup) if row["state"] == "done"
    }
    earlier = made(empty_database_url, edition)
    assert copied(service.record.engine, earlier)["matches"] == 6
    earlier.dispose()
    later = dataclasses.replace(settings, database_url=empty_database_url, data=tmp_path / "later")
    upgraded = services.open(later, sweep=False)
    play_on(upgraded, seated, drawn(1))
    shown = tournaments.get_tournament(upgraded, cup)
    assert (shown["state"], shown["played"], shown["planned"]) == ("finished", 6, 6)
    for row in matches_of(upgraded, cup):
        log = matches.get_log(upgraded, row["id"])
        assert play.verify(log).ok
        assert done.get(row["id"], log) == log
    assert sum(row["wins"] for row in tournaments.standings(upgraded, cup)["standings"]) == 6
    services.close(upgraded)
