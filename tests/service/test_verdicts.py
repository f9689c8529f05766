"""Verdicts: what was our fault is void, shown as what it was, and played again; with which packs; clusters of silence."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee import match as play
from referee.service import Service, advancing, matches, playing, tournaments, voiding
from referee.service.pushing import Unanswered
from referee.service.silences import BOTS_AT_LEAST, WITHIN_MS, Ledger, Silence
from tests.service.playing_along import Bot, drawn, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import SHORT, registered


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea")]


def first_pack(service: Service, row: dict[str, Any]) -> tuple[int, ...]:
    return play.pack_for(bytes.fromhex(row["seed"]), 1, 1, 24)


def test_a_finished_match_has_a_cause_and_its_evidence(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=3)
    play_on(service, seated, drawn(1))
    for row in matches_of(service, cup):
        shown = matches.get_match(service, row["id"])
        events = [json.loads(line) for line in matches.get_log(service, row["id"]).splitlines()]
        assert shown["cause"] == next(event["cause"] for event in events if event["type"] == "match_ended")
        assert events[shown["evidence"]["event"] - 1]["type"] == shown["evidence"]["type"] == "acted"


def test_what_nobody_has_acted_in_is_played_again_with_the_same_packs(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated)
    [match_id] = advancing.advance(service)
    for bot in seated:  # both look at their hands, which they will see again
        matches.get_view(service, match_id, caller=bot.caller)
    assert voiding.void_and_replay(service, match_id, reason="a test")
    voided, anew = matches_of(service, cup)
    assert (anew["seed"], anew["commitment"]) == (voided["seed"], voided["commitment"])
    shown = matches.get_match(service, match_id)
    assert (shown["state"], shown["cause"], shown["reason"]) == ("void", "void", "a test")
    assert (shown["withheld"], shown["seed"], shown["evidence"]) == (True, None, None)

    play_on(service, seated)
    shown = matches.get_match(service, match_id)
    assert (shown["withheld"], shown["seed"]) == (False, voided["seed"])
    assert shown["evidence"]["fault"] == "referee_failed"
    assert play.verify(matches.get_log(service, anew["id"])).ok


@pytest.mark.parametrize("acts", [1, 6])
def test_once_a_seat_has_acted_the_replay_has_packs_of_its_own(service: Service, seated: list[Bot], acts: int) -> None:
    cup = tournament(service, seated)
    play_on(service, seated, acts_at_most=acts)
    [row] = matches_of(service, cup)
    assert voiding.void_and_replay(service, row["id"], reason="a test")
    voided, anew = matches_of(service, cup)
    assert anew["packs"] != voided["packs"]
    assert first_pack(service, anew) != first_pack(service, voided)
    assert matches.get_match(service, row["id"])["seed"] == voided["seed"]


def test_a_replay_in_a_duplicate_tournament_stays_on_its_packs_only_if_they_are_unseen(
    service: Service, seated: list[Bot]
) -> None:
    cup = tournament(service, seated, duplicate="paired")
    [match_id] = advancing.advance(service)
    voiding.void_and_replay(service, match_id, reason="a test")
    rows = matches_of(service, cup)
    assert len({row["packs"] for row in rows}) == 1
    play_on(service, seated, acts_at_most=3)
    live = next(row for row in matches_of(service, cup) if row["state"] == "live")
    voiding.void_and_replay(service, live["id"], reason="a test")
    assert len({row["packs"] for row in matches_of(service, cup)}) == 2
    play_on(service, seated, drawn(1))
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["void"]) == ("finished", 2, 2)
    assert [line["deals_compared"] for line in tournaments.standings(service, cup)["standings"]] == [0, 0]


def test_scenario_23_bots_that_one_worker_hears_no_more_are_not_to_blame(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed = [PushBot(lawful) for _ in range(6)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cups = [tournament(service, seated[n : n + 2], clock=SHORT, cycles=2) for n in (0, 2, 4)]
        begun = advancing.advance(service)
        assert len(begun) == 3
        with monkeypatch.context() as cut_off:
            cut_off.setattr("referee.service.asking.pushing.post", unreachable)
            playing.play(service, budget=60, until=lambda: all_void(service, begun))
        shown = [matches.get_match(service, match_id) for match_id in begun]
        assert [(each["state"], each["cause"], each["winner"]) for each in shown] == [("void", "void", None)] * 3
        assert all("one worker" in each["reason"] for each in shown)
        rows = [row for cup in cups for row in matches_of(service, cup) if row["id"] in begun]
        for row in rows:
            assert row["evidence"]["fault"] == "worker_silent"
            assert len(row["evidence"]["bots"]) == len(row["evidence"]["silences"]) == BOTS_AT_LEAST
    anew = [row for cup in cups for row in matches_of(service, cup) if row["replay"] == 1]
    assert [row["number"] for row in anew].count(1) == 3
    assert {row["evidence"] for row in anew} == {None}, "SCENARIOS 34: what failed is told of its own attempt"


def test_bots_that_stay_silent_in_the_replay_have_lost_it(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed = [PushBot(lawful) for _ in range(6)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cups = [tournament(service, seated[n : n + 2], clock=SHORT) for n in (0, 2, 4)]
        monkeypatch.setattr("referee.service.asking.pushing.post", unreachable)
        for _ in range(20):
            advancing.advance(service)
            playing.play(service, budget=60)
            if all(tournaments.get_tournament(service, cup)["state"] == "finished" for cup in cups):
                break
    rows = [row for cup in cups for row in matches_of(service, cup)]
    assert {row["state"] for row in rows} <= {"done", "void"}
    assert {row["cause"] for row in rows if row["replay"]} == {"no_show"}
    assert max(row["replay"] for row in rows) == 1


def test_friendlies_that_fall_silent_make_no_match_void(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed = [PushBot(lawful) for _ in range(6)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated[:2], clock=SHORT)
        for pair in (seated[2:4], seated[4:]):
            body = {"bots": [bot.id for bot in pair], "clock": SHORT}
            matches.create_friendly(service, body, caller=pair[0].caller)
        begun = advancing.advance(service)
        assert len(begun) == 3
        monkeypatch.setattr("referee.service.asking.pushing.post", unreachable)
        for _ in range(20):
            playing.play(service, budget=60)
            advancing.advance(service)
            if tournaments.get_tournament(service, cup)["state"] == "finished":
                break
    [row] = matches_of(service, cup)
    assert (row["state"], row["cause"], row["replay"]) == ("done", "no_show", 0)
    assert {matches.get_match(service, match_id)["state"] for match_id in begun} == {"done"}


async def unreachable(*_args: object, **_kwargs: object) -> None:
    raise Unanswered("the network is gone", connected=False)


def all_void(service: Service, match_ids: list[str]) -> bool:
    return all(matches.get_match(service, match_id)["state"] == "void" for match_id in match_ids)


def silence(bot: str, *, since: int, at: int) -> Silence:
    return Silence(f"mat_{bot}", bot, since, at)


def test_three_bots_within_a_minute_make_a_cluster() -> None:
    ledger = Ledger()
    assert ledger.silent(silence("a", since=0, at=1000)) == ()
    assert ledger.silent(silence("a", since=1000, at=2000)) == ()
    assert ledger.silent(silence("b", since=0, at=2000)) == ()
    assert {each.bot for each in ledger.silent(silence("c", since=0, at=3000))} == {"a", "b", "c"}


def test_what_lies_more_than_a_minute_apart_makes_none() -> None:
    ledger = Ledger()
    ledger.silent(silence("a", since=0, at=1000))
    ledger.silent(silence("b", since=0, at=2000))
    assert ledger.silent(silence("c", since=0, at=1001 + WITHIN_MS)) == ()


def test_where_anybody_was_heard_meanwhile_the_silent_are_to_blame() -> None:
    ledger = Ledger()
    for bot in "ab":
        ledger.silent(silence(bot, since=0, at=1000))
    ledger.heard(1500)
    assert ledger.silent(silence("c", since=1600, at=2000)) == ()
    assert ledger.silent(silence("d", since=1400, at=2000)) == ()
    dice = random.Random(0)
    for n in range(100):
        ledger.heard(3000 + n)
        assert ledger.silent(silence(f"{dice.random()}", since=2000, at=3000 + n)) == ()
