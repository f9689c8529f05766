"""A bot that is gone is withdrawn where the tournament says after how many matches; increments reach the prompt."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cards import SEATS
from referee.service import Service, advancing, clocks, tournaments, turns
from tests.service.playing_along import CLOCK, Bot, act, first, matches_of, register, tournament

FAR = 10**8


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dot")]


def play_without(service: Service, cup: str, here: list[Bot], gone: Bot) -> None:
    """Plays a tournament in which one bot never fetches a prompt; whoever does not is a no-show at once."""
    for _ in range(3000):
        advancing.advance(service)
        if tournaments.get_tournament(service, cup)["state"] == "finished":
            return
        for bot in here:
            for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]:
                act(service, bot, prompt, first(prompt))
        for match_id in service.live.turns(gone.id):
            seat = next(row["bots"].index(gone.id) for row in matches_of(service, cup) if row["id"] == match_id)
            clocks.enforce(service, match_id, seat=seat, at=service.clock.now_ms() + FAR)
    raise AssertionError(tournaments.get_tournament(service, cup))


@pytest.mark.parametrize(("after", "lost"), [(2, 2), (0, 9)])
def test_who_loses_so_many_matches_in_a_row_by_no_show_is_withdrawn(
    service: Service, seated: list[Bot], after: int, lost: int
) -> None:
    *here, gone = seated
    cup = tournament(service, seated, cycles=3, withdraw_after=after)
    play_without(service, cup, here, gone)

    entry = next(e for e in tournaments.get_tournament(service, cup)["entrants"] if e["bot"] == gone.id)
    assert entry["state"] == ("withdrawn" if after else "entered")
    rows = [row for row in matches_of(service, cup) if gone.id in row["bots"]]
    no_shows = [row for row in rows if row["cause"] == "no_show"]
    assert all(row["evidence"]["seat"] == SEATS[row["bots"].index(gone.id)] for row in no_shows)
    assert len(no_shows) >= lost if after else len(no_shows) == lost
    assert (any(row["state"] == "void" for row in rows)) is bool(after)
    line = next(line for line in tournaments.standings(service, cup)["standings"] if line["bot"] == gone.id)
    assert line["struck"] is bool(after)  # fewer than half of its matches finished (T3)


def test_a_match_that_was_played_breaks_the_row(service: Service) -> None:
    from referee.service.absences import _in_a_row

    def row(number: int, cause: str, seat: str) -> dict[str, Any]:
        at = f"2026-01-01T00:00:{number:02}.000Z"
        return {"bots": ("x", "y"), "number": number, "cause": cause, "evidence": {"seat": seat}, "ended_at": at}

    rows = [row(1, "no_show", "a"), row(2, "declared", "a"), row(3, "time", "a"), row(4, "no_show", "a")]
    assert _in_a_row(rows, "x") == 2
    assert _in_a_row(rows, "y") == 0
    assert _in_a_row([*rows, row(5, "time", "b")], "x") == 0
    assert _in_a_row([*rows, row(5, "conceded", "a")], "x") == 0


def test_a_prompt_says_what_the_bank_gains_and_why_the_last_act_cost_what_it_did(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, seated, clock={**CLOCK, "increment_ms": 700}, overrides={"target": 7})
    advancing.advance(service)
    banks: dict[str, list[int]] = {bot.id: [] for bot in seated}
    for _ in range(12):
        for bot in seated:
            for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]:
                clock = prompt["clock"]
                banks[bot.id].append(clock["bank_ms"])
                assert clock["increment_ms"] == 700
                assert (clock["why"], clock["from_bank_ms"]) == ("in_time" if len(banks[bot.id]) > 1 else None, 0)
                act(service, bot, prompt, first(prompt))
    for seen in banks.values():
        assert len(seen) > 3
        assert seen == [60_000 + 700 * n for n in range(len(seen))]
