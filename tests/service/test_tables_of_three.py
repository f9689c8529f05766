"""Tables of three: tournaments, who wins when one is lost to its table, friendlies and checks."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from referee import match
from referee.service import Service, ServiceProblem, advancing, matches, scheduling, sweeping, tournaments, turns
from referee.service.clock import HostClock
from referee.tournament import schedule
from tests.service.playing_along import CLOCK, ORGANISER, Bot, act, drawn, matches_of, play_on, register, tournament

THREE = {"ruleset": "three_handed", "overrides": {"target": 2}}


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name, concurrency=4) for name in ("Ada", "Bea", "Cyd", "Dee")]


def line_of(service: Service, cup: str, bot: Bot) -> dict[str, Any]:
    return next(line for line in tournaments.standings(service, cup)["standings"] if line["bot"] == bot.id)


def resign(service: Service, *seated: Bot) -> tuple[Bot, str]:
    """Lets whoever is asked first give up its match; answers who did and which."""
    for bot in seated:
        for prompt in turns.get_turns(service, caller=bot.caller)["prompts"][:1]:
            act(service, bot, prompt, {"act": "resign"})
            return bot, str(prompt["match"])
    raise AssertionError("nobody is asked")


def test_four_bots_play_at_tables_of_three_to_the_end(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, **THREE)
    assert tournaments.get_tournament(service, cup)["planned"] == 4
    play_on(service, seated, drawn(1))
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["void"]) == ("finished", 4, 0)
    assert shown["balance"]["meetings"] == {"least": 2, "most": 2}
    rows = matches_of(service, cup)
    for row in rows:
        assert match.verify(matches.get_log(service, row["id"])).ok
        assert (len(row["bots"]), len(row["score"]), row["first_dealer"]) == (3, 3, 2)
        one = matches.get_match(service, row["id"])
        assert one["sides"] == [["a"], ["b"], ["c"]]
        assert one["score"][one["winner"]] == max(one["score"].values()) >= 2
    table = tournaments.crosstable(service, cup)
    for number, row in enumerate(table["rows"]):
        for other, cell in enumerate(row["cells"]):
            if number != other:
                assert cell["wins"] + cell["losses"] + cell["neither"] == len(cell["matches"]) == 2
    assert sum(line["wins"] for line in tournaments.standings(service, cup)["standings"]) == 4


def test_a_start_needs_three(service: Service, seated: list[Bot]) -> None:
    cup = tournaments.create(
        service, {"name": "cup", **THREE, "entrants": [bot.id for bot in seated[:2]]}, caller=ORGANISER
    )
    assert (cup["planned"], cup["balance"]) == (0, None)
    with pytest.raises(ServiceProblem) as caught:
        tournaments.start(service, cup["id"], caller=ORGANISER)
    assert caught.value.code == "tournament/too_few"
    assert "2 entrants" in caught.value.detail
    assert "needs 3" in caught.value.detail


@pytest.mark.parametrize("size", [*range(2, 24)])
def test_a_created_tournament_tells_how_many_matches_it_will_have(size: int) -> None:
    entrants = [f"bot_{n}" for n in range(size)]
    entries = [{"bot": bot, "members": ((bot, bot),)} for bot in entrants]
    for name, seats in (("house", 2), ("three_handed", 3)):
        row = {"play": {"ruleset": name, "overrides": {}}, "cycles": 2, "duplicate": "none"}
        laid = schedule.tables(entrants, seats=seats, cycles=2) if size >= seats else ()
        assert scheduling.count(row, entries) == len(laid)


def test_where_one_gives_up_and_the_others_are_level_both_have_won(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:3], **THREE)
    advancing.advance(service)
    loser, match_id = resign(service, *seated[:3])
    [row] = matches_of(service, cup)
    shown = matches.get_match(service, match_id)
    assert (shown["state"], shown["winner"], shown["cause"]) == ("done", None, "conceded")
    assert row["bots"]["abc".index(shown["lost_by"])] == loser.id
    for bot in seated[:3]:
        line = line_of(service, cup, bot)
        assert (line["played"], line["wins"], line["losses"]) == (1, bot != loser, bot == loser)


def test_where_one_gives_up_and_another_is_ahead_that_one_has_won(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:3], **{**THREE, "overrides": {"target": 9}})
    level = True
    while level:
        play_on(service, seated[:3], drawn(3), acts_at_most=1)
        [row] = matches_of(service, cup)
        score = sorted(matches.get_match(service, row["id"])["score"].values())
        level = score[-1] == score[-2]
    before = matches.get_match(service, row["id"])["score"]
    ahead = max(before, key=lambda letter: before[letter])
    play_on(service, seated[:3], drawn(3), acts_at_most=1)
    loser = next(bot for bot in seated[:3] if row["bots"]["abc".index(ahead)] != bot.id)
    tournaments.withdraw_entry(service, cup, bot_id=loser.id, caller=loser.caller)
    shown = matches.get_match(service, row["id"])
    assert (shown["winner"], shown["seats"][shown["lost_by"]]["bot"]) == (ahead, loser.id)
    assert tournaments.get_tournament(service, cup)["state"] == "finished"


def test_a_no_show_costs_one_seat_its_match_and_the_others_win_it(service: Service, seated: list[Bot]) -> None:
    hands = [0]
    timed = dataclasses.replace(service, clock=HostClock(1_000_000, lambda: hands[0] * 1_000_000))
    cup = tournament(timed, seated[:3], **THREE, clock={**CLOCK, "absence_ms": 2000})
    advancing.advance(timed)
    hands[0] += 3000
    sweeping.deadlines(timed)
    [row] = matches_of(timed, cup)
    assert (row["state"], row["cause"], row["winner"]) == ("done", "no_show", None)
    wins = [line["wins"] for line in tournaments.standings(timed, cup)["standings"]]
    assert wins == [1, 1, 0]


def test_who_withdraws_leaves_walkovers_to_all_at_its_tables(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, **THREE, cycles=2)
    while sum(row["state"] == "done" for row in matches_of(service, cup)) < 6:
        play_on(service, seated, drawn(5), acts_at_most=1)
    leaver = seated[0]
    tournaments.withdraw_entry(service, cup, bot_id=leaver.id, caller=leaver.caller)
    play_on(service, seated, drawn(5))
    shown = tournaments.get_tournament(service, cup)
    assert shown["state"] == "finished"
    rows = matches_of(service, cup)
    for bot in seated[1:]:
        line = line_of(service, cup, bot)
        walkovers = sum(row["state"] == "void" and bot.id in row["bots"] for row in rows)
        assert line["played"] == sum(row["state"] == "done" and bot.id in row["bots"] for row in rows) + walkovers
        assert line["struck"] is False


def test_an_overruled_match_of_three_may_count_for_nobody_again(service: Service, seated: list[Bot]) -> None:
    from referee.service import appeals

    def rash(prompt: dict[str, Any]) -> dict[str, Any]:
        return {"act": "declare"} if {"act": "declare"} in prompt["own_risk"] else dict(prompt["lawful"][0])

    cup = tournament(service, seated[:3], **THREE)
    play_on(service, seated[:3], rash)
    [row] = matches_of(service, cup)
    decision = {"winner": None, "score": {"a": 0, "b": 0, "c": 0}, "reason": "A fault of ours."}
    answer = appeals.overrule(service, row["id"], case=1, fields=decision, caller=ORGANISER)
    assert (answer["winner"], answer["score"]) == (None, {"a": 0, "b": 0, "c": 0})
    assert {line["played"] for line in tournaments.standings(service, cup)["standings"]} == {0}
    decision = {"winner": "c", "score": {"d": 1}, "reason": "A fault of ours."}
    with pytest.raises(ServiceProblem, match="is no seat of this match"):
        appeals.overrule(service, row["id"], case=1, fields=decision, caller=ORGANISER)
    appeals.overrule(service, row["id"], case=1, fields={"winner": "c", "reason": "Again."}, caller=ORGANISER)
    assert tournaments.standings(service, cup)["standings"][0]["bot"] == row["bots"][2]
    assert match.verify(matches.get_log(service, row["id"])).ok
