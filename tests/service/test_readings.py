"""Many that follow a match cost the store no more than a few; none of them is told what is no longer so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from referee.service import Caller, Service, advancing, following, matches, table
from referee.service.readings import Readings
from tests.service.playing_along import register, tournament
from tests.service.test_turns import until

CROWD = 30
LIMIT = 120.0


class Slow:
    """Reads slowly: the first reading lasts until the whole crowd has asked for it too."""

    def __init__(self, readings: Readings, read: Callable[..., Any]) -> None:
        self.readings, self.read, self.made = readings, read, 0

    def __call__(self, *args: Any, **others: Any) -> Any:
        self.made += 1
        if self.made == 1:
            until(lambda: any(each.wanted == CROWD for each in [*self.readings.under_way.values()]))
        return self.read(*args, **others)


def crowd(ask: Callable[[], Any]) -> list[Any]:
    """What each of many that ask at once is told, or the error."""
    told: list[Any] = []

    def one() -> None:
        try:
            told.append(ask())
        except ValueError as problem:
            told.append(str(problem))

    threads = [threading.Thread(target=one, daemon=True) for _ in range(CROWD)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(LIMIT)
    assert len(told) == CROWD
    return told


def test_what_a_crowd_asks_for_while_it_is_read_is_read_once_more_and_nothing_is_kept() -> None:
    readings = Readings()
    slow = Slow(readings, lambda: slow.made)
    told = crowd(lambda: readings.shared("key", slow))
    assert sorted(told) == [1, *[2] * (CROWD - 1)], "who asked after the first reading began is told of the second"
    assert slow.made == 2
    assert not readings.under_way
    assert readings.shared("key", slow) == 3


def test_an_error_is_shared_too_so_that_no_crowd_waits_for_it_one_after_another() -> None:
    readings = Readings()

    def fail() -> None:
        raise ValueError("away")

    slow = Slow(readings, fail)
    assert crowd(lambda: readings.shared("key", slow)) == ["away"] * CROWD
    assert slow.made == 2
    assert readings.shared("key", lambda: "back") == "back"


def test_a_reading_that_is_killed_leaves_the_others_to_read() -> None:
    readings = Readings()

    def killed() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        readings.shared("key", killed)
    assert readings.shared("key", lambda: "found") == "found"


@pytest.mark.parametrize(
    ("name", "ask"), [("some", following.facts), ("lines_after", lambda *of: following.lines(*of, 0))]
)
def test_followers_of_a_match_read_it_together(
    service: Service, monkeypatch: pytest.MonkeyPatch, name: str, ask: Callable[[Service, str], Any]
) -> None:
    match_id = opened(service)
    slow = Slow(service.readings, getattr(service.live, name))
    monkeypatch.setattr(type(service.live), name, lambda _live, *args: slow(*args))
    told = crowd(lambda: ask(service, match_id))
    assert slow.made == 2
    assert all(each == told[0] for each in told)


def test_spectators_work_out_the_view_together(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = opened(service)
    slow = Slow(service.readings, table.load)
    monkeypatch.setattr(table, "load", slow)
    told = crowd(lambda: matches.get_view(service, match_id, caller=Caller()))
    assert slow.made == 2
    assert all(each == told[0] for each in told)


def opened(service: Service) -> str:
    bots = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, bots)
    advancing.advance(service)
    return str(matches.list_matches(service).items[0]["id"])
