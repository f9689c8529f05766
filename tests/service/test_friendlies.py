"""Friendlies take no bot's time from tournaments and checks, and are bounded in number and in length."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from referee.service import (
    Service,
    ServiceProblem,
    advancing,
    bots,
    checks,
    friendlies,
    matches,
    sweeping,
    tournaments,
    turns,
    voiding,
)
from tests.service.playing_along import ORGANISER, Bot, act, matches_of, register, tournament


def ask(service: Service, asker: Bot, other: Bot, **fields: Any) -> str:
    """Asks for a friendly and answers its id."""
    body = {"bots": [asker.id, other.id], "overrides": {"target": 1}, **fields}
    return str(matches.create_friendly(service, body, caller=asker.caller)["id"])


def refused(service: Service, asker: Bot, other: Bot, **fields: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        ask(service, asker, other, **fields)
    return caught.value


def state(service: Service, match_id: str) -> tuple[str, str]:
    shown = matches.get_match(service, match_id)
    return shown["state"], shown["reason"]


def states(service: Service, match_ids: list[str]) -> list[str]:
    return [state(service, match_id)[0] for match_id in match_ids]


def resign(service: Service, *seated: Bot) -> None:
    """Ends one match of whichever of the bots is asked."""
    for bot in seated:
        for prompt in turns.get_turns(service, caller=bot.caller)["prompts"][:1]:
            act(service, bot, prompt, {"act": "resign"})
            return
    raise AssertionError("nobody is asked")


@pytest.fixture
def mine(service: Service) -> Bot:
    return register(service, "Mine", concurrency=9)


@pytest.fixture
def victim(service: Service) -> Bot:
    return register(service, "Victim")


def test_a_bot_has_few_friendlies_of_its_own_asking_open(service: Service, mine: Bot, victim: Bot) -> None:
    for _ in range(friendlies.MOST_ASKED_FOR):
        ask(service, mine, victim)
    problem = refused(service, mine, register(service, "Third"))
    assert (problem.status, problem.code) == (409, "match/too_many_friendlies")
    assert problem.extras == {"bot": mine.id, "most": 4}
    assert "at most 4" in problem.detail
    assert ask(service, victim, mine), "being named is not asking"
    matches.create_friendly(service, {"bots": [mine.id, victim.id]}, caller=ORGANISER)
    advancing.advance(service)
    resign(service, mine, victim)
    assert ask(service, mine, victim), "one is over"


def test_a_friendly_that_is_over_and_not_on_record_yet_does_not_count(service: Service, mine: Bot) -> None:
    other = register(service, "Other", concurrency=9)
    for _ in range(friendlies.MOST_ASKED_FOR):
        ask(service, mine, other)
    advancing.advance(service)
    service.memory.has_archivist = True  # who is late
    resign(service, mine, other)
    assert ask(service, mine, other)
    assert refused(service, mine, other).code == "match/too_many_friendlies"


def test_a_bot_is_named_in_few_friendlies_and_still_asks_itself(service: Service, victim: Bot) -> None:
    for n in range(5):
        stranger = register(service, f"stranger {n}")
        for _ in range(4):
            ask(service, stranger, victim)
    late = register(service, "late")
    problem = refused(service, late, victim)
    assert (problem.status, problem.code, problem.extras) == (
        409,
        "match/too_many_friendlies",
        {"bot": victim.id, "most": 20},
    )
    assert "Victim" in problem.detail
    assert ask(service, victim, late)


@pytest.mark.parametrize(("member", "most"), friendlies.LONGEST.items())
def test_the_clock_of_a_friendly_is_bounded(service: Service, mine: Bot, victim: Bot, member: str, most: int) -> None:
    problem = refused(service, mine, victim, clock={member: most + 1})
    assert (problem.status, problem.code) == (422, "match/unfit")
    (error,) = problem.extras["errors"]
    assert error["pointer"] == f"/clock/{member}"
    assert str(most) in error["detail"]
    assert ask(service, mine, victim, clock={member: most})


def test_a_tournament_match_comes_next_after_the_live_friendly(service: Service, mine: Bot, victim: Bot) -> None:
    asked = [ask(service, mine, victim) for _ in range(4)]
    advancing.advance(service)
    assert states(service, asked) == ["live", "planned", "planned", "planned"]
    other = register(service, "Other")
    cup = tournament(service, [victim, other])
    advancing.advance(service)
    assert {row["state"] for row in matches_of(service, cup)} == {"planned"}
    resign(service, mine, victim)
    advancing.advance(service)
    assert [row["state"] for row in matches_of(service, cup)][:1] == ["live"]
    assert states(service, asked) == ["done", "planned", "planned", "planned"]
    for _ in matches_of(service, cup):
        resign(service, victim, other)
        advancing.advance(service)
    assert {row["state"] for row in matches_of(service, cup)} == {"done"}
    assert states(service, asked) == ["done", "live", "planned", "planned"]


def test_a_friendly_that_keeps_a_bot_from_a_tournament_for_long_gives_way(
    service: Service, mine: Bot, victim: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = ask(service, mine, victim, overrides={"target": 99})
    elsewhere = ask(service, mine, register(service, "Third"))
    advancing.advance(service)
    cup = tournament(service, [victim, register(service, "Other")])
    sweeping.recover(service)
    assert states(service, [in_the_way, elsewhere]) == ["live", "live"], "it has its time"
    monkeypatch.setattr(voiding, "GIVES_WAY_SECONDS", -1)
    sweeping.recover(service)
    assert states(service, [in_the_way, elsewhere]) == ["void", "live"]
    assert "a tournament awaits" in state(service, in_the_way)[1]
    assert {row["state"] for row in matches_of(service, cup)} == {"live"}


def test_with_one_place_no_friendly_goes_before_a_tournament_match_that_waits_for_the_other_bot(
    service: Service, mine: Bot, victim: Bot
) -> None:
    other = register(service, "Other")
    ask(service, mine, other)
    advancing.advance(service)
    cup = tournament(service, [victim, other])
    waiting = ask(service, mine, victim)
    advancing.advance(service)
    assert {row["state"] for row in matches_of(service, cup)} == {"planned"}, "the other bot is busy"
    expected = f"matches of a tournament come first for Victim ({victim.id})"
    assert state(service, waiting) == ("planned", expected)
    tournaments.pause(service, cup, caller=ORGANISER)
    advancing.advance(service)
    assert state(service, waiting)[0] == "live"


def test_with_more_places_one_is_kept_from_friendlies(service: Service, mine: Bot) -> None:
    wide, other = register(service, "Wide", concurrency=3), register(service, "Other")
    held = register(service, "Held")
    ask(service, held, other)
    advancing.advance(service)
    cup = tournament(service, [wide, other])
    asked = [ask(service, mine, wide) for _ in range(3)]
    advancing.advance(service)
    assert states(service, asked) == ["live", "live", "planned"]
    resign(service, held, other)
    advancing.advance(service)
    assert "live" in {row["state"] for row in matches_of(service, cup)}


def test_a_check_goes_before_an_older_friendly(service: Service, mine: Bot, victim: Bot) -> None:
    asked = [ask(service, mine, victim) for _ in range(3)]
    advancing.advance(service)
    started = checks.start_check(service, victim.id, caller=victim.caller)
    assert started["state"] == "queued"
    resign(service, mine, victim)
    advancing.advance(service)
    assert state(service, started["match"])[0] == "live"
    assert states(service, asked) == ["done", "planned", "planned"]


def test_a_friendly_that_waits_for_a_busy_bot_says_so(service: Service, mine: Bot, victim: Bot) -> None:
    asked = [ask(service, mine, victim) for _ in range(2)]
    advancing.advance(service)
    assert state(service, asked[1]) == ("planned", f"a bot is busy: Victim ({victim.id}) plays 1 of at most 1")


def test_who_takes_friendlies_no_more_is_rid_of_those_others_planned(service: Service, mine: Bot, victim: Bot) -> None:
    asked = [ask(service, mine, victim) for _ in range(2)]
    own = ask(service, victim, mine)
    advancing.advance(service)
    bots.patch_bot(service, victim.id, caller=victim.caller, changes={"accepts_friendlies": False})
    assert states(service, [*asked, own]) == ["live", "void", "planned"]
    assert state(service, asked[1])[1] == f"Victim ({victim.id}) takes no friendlies any more"
    assert refused(service, mine, victim).code == "bot/declines_friendlies"


def test_what_a_deleted_bot_leaves_says_why_it_is_void(service: Service, mine: Bot, victim: Bot) -> None:
    cup = tournament(service, [mine, victim, register(service, "Third")])
    tournaments.pause(service, cup, caller=ORGANISER)
    asked = [ask(service, mine, victim) for _ in range(2)]
    advancing.advance(service)
    bots.delete_bot(service, mine.id, caller=mine.caller)
    assert state(service, asked[1]) == ("void", f"Mine ({mine.id}) was deleted")
    reasons = {row["reason"] for row in matches_of(service, cup) if mine.id in row["bots"]}
    assert reasons == {"an entrant has withdrawn"}


def test_everything_with_room_is_opened_whatever_the_batch(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advancing, "BATCH", 2)
    seated = [register(service, f"bot {n}", concurrency=2) for n in range(6)]
    cup = tournament(service, seated)
    advancing.advance(service)
    live = [row["bots"] for row in matches_of(service, cup) if row["state"] == "live"]
    played = {bot.id: sum(bot.id in pair for pair in live) for bot in seated}
    blocked = [row["bots"] for row in matches_of(service, cup) if row["state"] == "planned"]
    assert max(played.values()) == 2
    assert all(2 in (played[a], played[b]) for a, b in blocked), "no match is left that both bots had room for"


def test_matches_without_room_are_not_read(service: Service, mine: Bot, victim: Bot) -> None:
    asked = [ask(service, mine, victim) for _ in range(4)]
    advancing.advance(service)
    said: list[str] = []

    def hear(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        said.append(statement)

    event.listen(service.record.engine, "before_cursor_execute", hear)
    assert advancing.advance(service) == []
    event.remove(service.record.engine, "before_cursor_execute", hear)
    assert said
    assert not [
        statement for statement in said if "matches.play" in statement or statement.startswith("BEGIN IMMEDIATE")
    ]
    assert states(service, asked) == ["live", "planned", "planned", "planned"]
