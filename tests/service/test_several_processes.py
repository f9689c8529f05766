"""Several processes' worth of service over the same stores play one tournament between them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from referee import match as play
from referee import service as services
from referee.service import Service, ServiceProblem, advancing, bots, matches, tournaments
from referee.service import rulesets as use_rulesets
from referee.settings import Settings
from tests.service.playing_along import ORGANISER, drawn, matches_of, play_on, register, tournament


def test_four_processes_worth_of_service_play_one_tournament(settings: Settings) -> None:
    opened: list[Service] = []
    at_once(4, lambda: opened.append(services.open(settings, sweep=False)))
    service = opened[0]
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dan")]
    with pytest.raises(ServiceProblem, match="name_taken"):
        register(service, "ADA")
    stored: list[tuple[object, bool]] = []
    storing = list(opened)
    club = {"name": "club", "base": "house", "options": {"points_schwarz": 4}}
    at_once(4, lambda: stored.append(use_rulesets.store(storing.pop(), club, caller=ORGANISER)))
    assert sorted(is_new for _, is_new in stored) == [False, False, False, True]
    cup = tournament(service, seated, cycles=2, ruleset="club")
    found: list[str] = []
    waiting = list(opened)
    at_once(4, lambda: found.extend(advancing.advance(waiting.pop())))
    assert len(found) == len(set(found)) == 2
    play_on(service, seated, drawn(1))
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["planned"]) == ("finished", 12, 12)
    assert all(play.verify(matches.get_log(service, row["id"])).ok for row in matches_of(service, cup))
    bots.delete_bot(service, seated[0].id, caller=seated[0].caller)
    for each in opened:
        services.close(each)


def test_many_at_once_begin_the_record(settings: Settings) -> None:
    opened: list[Service] = []
    at_once(12, lambda: opened.append(services.open(settings, sweep=False)))
    assert len(opened) == 12
    for each in opened:
        services.close(each)


def at_once(count: int, call: Callable[[], object]) -> None:
    threads = [threading.Thread(target=call) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
