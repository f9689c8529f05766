"""What a playing job's matches want of the stores goes together, and each hears of its own; bells ring for what is new alone."""

from __future__ import annotations

import asyncio
import threading

import pytest
import redis

from referee.service import Service, acts, advancing, table
from referee.service.bells import Bell
from referee.service.gathering import WORTH_A_TRIP, Gathering
from referee.service.problems import ServiceProblem
from referee.service.taking import Request
from tests.service.playing_along import first, register, tournament


def asked(service: Service, match_id: str) -> Request:
    """The act of the seat that is asked, as it arrives."""
    from referee import match as matches

    now = table.load(service, match_id)
    seat = now.match.asked[0]
    body = {"version": now.match.version, **first(matches.prompt(now.match, seat))}
    return Request(now.standing.bots[seat], service.clock.now_ms(), body, "", None, elapsed=5)


def opened(service: Service) -> list[str]:
    seated = [register(service, f"pull {number}", concurrency=5) for number in range(3)]
    tournament(service, seated)
    return advancing.advance(service)


def test_acts_and_reads_of_many_matches_go_together_and_each_hears_of_its_own(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = opened(service)
    trips: list[int] = []
    take_all = acts.take_all
    monkeypatch.setattr(acts, "take_all", lambda *given: trips.append(len(given[1])) or take_all(*given))

    async def together() -> list[object]:
        gathering = Gathering(service)
        stale = asked(service, two)._replace(body={"version": 0, "act": "play"})
        return await asyncio.gather(
            gathering.take(one, asked(service, one)),
            gathering.take(two, stale),
            gathering.load(three),
            gathering.load("mat_none"),
            return_exceptions=True,
        )

    taken, refused, read, none = asyncio.run(together())
    assert taken.after.id == one  # type: ignore[attr-defined]
    assert isinstance(refused.answer, ServiceProblem)  # type: ignore[attr-defined]
    assert read.id == three  # type: ignore[attr-defined]
    assert isinstance(none, table.NotLive)
    assert trips == [2]


def test_an_outage_is_told_to_everybody_who_waits_and_what_comes_later_is_tried_anew(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    [one, two, _] = opened(service)

    async def twice() -> tuple[list[object], object]:
        gathering = Gathering(service)
        with monkeypatch.context() as away:
            away.setattr(acts, "tables", lambda *_: (_ for _ in ()).throw(redis.ConnectionError("away")))
            failed = await asyncio.gather(gathering.load(one), gathering.load(two), return_exceptions=True)
        return list(failed), await gathering.load(one)

    failed, again = asyncio.run(twice())
    assert [type(each) for each in failed] == [redis.ConnectionError] * 2
    assert again.id == one  # type: ignore[attr-defined]


@pytest.mark.parametrize(("waiting", "trips"), [(WORTH_A_TRIP - 1, [1]), (WORTH_A_TRIP, [1, WORTH_A_TRIP])])
def test_while_one_trip_is_on_its_way_another_sets_out_only_if_enough_waits(
    waiting: int, trips: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a store that is slow keeps nobody idle who could be asked, and few do not go one by one."""
    gone: list[int] = []
    back = threading.Event()

    def slow(_service: object, match_ids: dict[str, None]) -> list[tuple[str, str]]:
        gone.append(len(match_ids))
        assert back.wait(120)
        return [(match_id, match_id) for match_id in match_ids]

    monkeypatch.setattr(acts, "tables", slow)

    async def doing() -> None:
        gathering = Gathering(None)  # type: ignore[arg-type]
        first_of_all = asyncio.create_task(gathering.load("first"))
        async with asyncio.timeout(120):
            while not gone:
                await asyncio.sleep(0.01)
            others = [asyncio.create_task(gathering.load(f"mat_{number}")) for number in range(waiting)]
            while sum(gone) + len(gathering._reads) < 1 + waiting:
                await asyncio.sleep(0.01)
            assert gone == trips
            back.set()
            assert await asyncio.gather(first_of_all, *others) == ["first", *(f"mat_{n}" for n in range(waiting))]
            await gathering.settled()
        assert sum(gone) == 1 + waiting

    try:
        asyncio.run(doing())
    finally:
        back.set()


def test_a_bell_rings_for_what_is_newer_than_what_is_known() -> None:
    async def heard() -> list[bool]:
        bell, rung = Bell(), []
        bell.knows(7)
        with bell.watched(lambda: rung.append(True)):
            for version in (6, 7):
                bell.ring(version)
            told = [bool(rung)]
            bell.ring(8)
            told.append(bool(rung))
        await bell.wait(60)  # not at all: it has rung
        bell.looks()
        told.append(bell.is_rung)
        bell.ring()
        return [*told, bell.is_rung]

    assert asyncio.run(heard()) == [False, True, False, True]
