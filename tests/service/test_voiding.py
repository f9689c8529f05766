"""A result stays: who voids a match that is over, but not on record yet, has it recorded instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import TimeoutError as TooLate

from referee import service as services
from referee.match import time_out
from referee.service import (
    Service,
    ServiceProblem,
    advancing,
    bots,
    matches,
    silences,
    sweeping,
    table,
    tournaments,
    turns,
    voiding,
)
from referee.service.clock import NANOS, HostClock
from referee.settings import Settings
from referee.store.live import LiveStore
from tests.service.playing_along import ORGANISER, Bot, act, matches_of, play_on, register, tournament

SILENT = [silences.Silence("", f"bot_{n}", since=0, at=0) for n in range(3)]


@pytest.fixture
def playing(settings: Settings) -> Iterator[Service]:
    """A process that plays, and leaves what ends to an archivist, who is late."""
    opened = services.open(settings, sweep=False)
    opened.memory.has_archivist = True
    yield opened
    services.close(opened)


@pytest.fixture
def seated(playing: Service) -> list[Bot]:
    return [register(playing, name) for name in ("Ada", "Bea")]


@pytest.fixture
def cup(playing: Service, seated: list[Bot]) -> str:
    """A tournament of two matches, of which one is live."""
    made = tournament(playing, seated, cycles=2)
    play_on(playing, seated, acts_at_most=3)
    return made


def resign(service: Service, seated: list[Bot]) -> dict[str, Any]:
    """Whoever is asked gives the match up; answers what he is told."""
    for bot in seated:
        for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]:
            answer: dict[str, Any] = act(service, bot, prompt, {"act": "resign"})
            return answer
    raise AssertionError("nobody is asked")


def run_out_of_time(service: Service, match_id: str) -> None:
    now = table.load(service, match_id)
    table.write(service, now, time_out(now.match, now.match.asked[0], elapsed_ms=1))


def live_one(service: Service, cup: str) -> str:
    (row,) = (row for row in matches_of(service, cup) if row["state"] == "live")
    return str(row["id"])


def states(service: Service, cup: str) -> list[str]:
    return [row["state"] for row in matches_of(service, cup)]


def cancel(service: Service, cup: str) -> None:
    tournaments.cancel(service, cup, caller=ORGANISER)


def at_the_last_moment(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Has something happen once, after it was looked whether a match is over and before its table is halted."""
    halt, waiting = LiveStore.halt_each, [happens]

    def halts(live: LiveStore, match_ids: list[str], **others: Any) -> list[bool]:
        while waiting:
            waiting.pop()()
        return halt(live, match_ids, **others)

    monkeypatch.setattr(LiveStore, "halt_each", halts)


def test_a_cancelled_tournament_keeps_a_result_that_waits_for_the_archive(
    playing: Service, seated: list[Bot], cup: str
) -> None:
    assert resign(playing, seated)["over"]
    cancel(playing, cup)
    assert states(playing, cup) == ["done", "void"]
    shown = tournaments.get_tournament(playing, cup)
    assert (shown["state"], shown["played"], shown["void"]) == ("cancelled", 1, 1)
    assert matches.get_log(playing, matches_of(playing, cup)[0]["id"])
    assert sum(line["wins"] for line in tournaments.standings(playing, cup)["standings"]) == 1


def test_a_match_that_ends_while_its_tournament_is_cancelled_keeps_its_result(
    playing: Service, seated: list[Bot], cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    at_the_last_moment(monkeypatch, lambda: told.append(resign(playing, seated)["over"]))
    cancel(playing, cup)
    assert told == [True]
    row = matches_of(playing, cup)[0]
    assert (row["state"], row["cause"], row["reason"]) == ("done", "conceded", None)


def test_no_act_is_taken_once_a_table_is_halted(playing: Service, seated: list[Bot], cup: str) -> None:
    match_id = live_one(playing, cup)
    (prompt,) = (found for bot in seated for found in turns.get_turns(playing, caller=bot.caller)["prompts"])
    asked = next(bot for bot in seated if prompt["seat"] == _letter(playing, match_id, bot))
    voiding.halt(playing, [match_id])
    with pytest.raises(ServiceProblem) as refused:
        act(playing, asked, prompt, {"act": "resign"})
    assert (refused.value.status, refused.value.code) == (503, "act/contended")


def _letter(service: Service, match_id: str, bot: Bot) -> str:
    seats = matches.get_match(service, match_id)["seats"]
    return next(letter for letter, seat in seats.items() if seat["bot"] == bot.id)


@pytest.mark.parametrize("remembered", [True, False])
def test_a_match_whose_voider_died_goes_on_after_a_while_that_is_charged_to_nobody(
    playing: Service, seated: list[Bot], cup: str, remembered: bool
) -> None:
    match_id = live_one(playing, cup)
    now = table.load(playing, match_id)
    seat = now.match.asked[0]
    asked, halted = now.number("asked", seat), voiding.halt(playing, [match_id])
    if not remembered:
        playing.memory.forget(match_id)
    sweeping.recover(playing)
    assert play_on(playing, seated) == 0, "whoever halted it may be about to tell the record"
    moment = halted.at + voiding.GIVEN_UP_MS + 1
    later = replace(playing, clock=HostClock(0, lambda: moment * NANOS))
    sweeping.recover(later)
    assert table.load(playing, match_id).number("asked", seat) == asked + voiding.GIVEN_UP_MS + 1
    assert resign(playing, seated)["over"]
    cancel(playing, cup)
    assert states(playing, cup) == ["done", "void"]


def test_who_tells_the_record_too_late_voids_nothing(playing: Service, seated: list[Bot], cup: str) -> None:
    match_id = live_one(playing, cup)
    before = voiding.Halted(playing.clock.now_ms() - voiding.HALTED_MS - 1, frozenset())
    with pytest.raises(TooLate), playing.record.writing() as connection:
        voiding.move(playing, connection, match_id, halted=before)
    assert live_one(playing, cup) == match_id


def test_a_match_whose_voider_died_after_it_was_void_is_taken_off_and_kept_readable(
    playing: Service, seated: list[Bot], cup: str
) -> None:
    match_id = live_one(playing, cup)
    lines, _ = matches.get_events(playing, match_id)
    halted = voiding.halt(playing, [match_id])
    with playing.record.writing() as connection:
        assert voiding.move(playing, connection, match_id, halted=halted, reason="a test")
    sweeping.recover(playing)
    assert match_id not in playing.live.members("live")
    assert matches.get_events(playing, match_id) == (lines, True)
    assert all(match_id not in playing.live.turns(bot.id) for bot in seated)


def test_a_tournament_is_cancelled_whole_though_who_cancelled_it_died(
    playing: Service, seated: list[Bot], cup: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(voiding, "clear", lambda *_: None)
        cancel(playing, cup)
    assert states(playing, cup) == ["live", "void"]
    sweeping.recover(playing)
    assert states(playing, cup) == ["void", "void"]
    assert playing.live.members("live") == []


@pytest.mark.parametrize("late", [False, True])
def test_what_is_over_is_not_void_by_our_fault(
    playing: Service, seated: list[Bot], cup: str, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    match_id = live_one(playing, cup)
    if late:
        at_the_last_moment(monkeypatch, lambda: resign(playing, seated) and None)
    else:
        resign(playing, seated)
    assert not voiding.void_and_replay(playing, match_id, reason="a test")
    assert states(playing, cup) == ["done", "planned"]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("ends", "after"), [("resigned", ["done", "planned"]), ("silent", ["void", "planned", "planned"])]
)
def test_silences_undo_what_was_lost_by_silence_and_nothing_else(
    playing: Service,
    seated: list[Bot],
    cup: str,
    monkeypatch: pytest.MonkeyPatch,
    late: bool,
    ends: str,
    after: list[str],
) -> None:
    match_id = live_one(playing, cup)

    def end() -> None:
        if ends == "resigned":
            resign(playing, seated)
        else:
            run_out_of_time(playing, match_id)

    if late:
        at_the_last_moment(monkeypatch, end)
    else:
        end()
    cluster = tuple(silences.Silence(match_id, each.bot, since=0, at=0) for each in SILENT)
    assert silences.void(playing, cluster) == ((match_id,) if ends == "silent" else ())
    assert states(playing, cup) == after


def test_a_bot_that_is_deleted_keeps_a_result_that_waits_for_the_archive(
    playing: Service, seated: list[Bot], cup: str
) -> None:
    match_id = live_one(playing, cup)
    resign(playing, seated)
    bots.delete_bot(playing, seated[0].id, caller=seated[0].caller)
    shown = matches.get_match(playing, match_id)
    assert (shown["state"], shown["cause"]) == ("done", "conceded")


def test_an_entrant_that_withdraws_keeps_a_result_that_waits_for_the_archive(
    playing: Service, seated: list[Bot], cup: str
) -> None:
    match_id = live_one(playing, cup)
    resign(playing, seated)
    tournaments.withdraw_entry(playing, cup, bot_id=seated[0].id, caller=seated[0].caller)
    shown = matches.get_match(playing, match_id)
    assert (shown["state"], shown["cause"]) == ("done", "conceded")
    advancing.advance(playing)
    assert tournaments.get_tournament(playing, cup)["state"] == "finished"
