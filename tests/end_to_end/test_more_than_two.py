"""Tournaments of three seats and of four, in teams, played to the end by workers, pushed and pulling bots alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import match
from referee.service import Service, matches, tournaments
from referee.settings import Settings
from tests.service.playing_along import Bot, matches_of, modest, play_on, register, tournament
from tests.service.push_server import Answer, PushBot, serving
from tests.service.test_push import registered
from tests.workers.crew import until, working

NAMES = ("Ada", "Bea", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
choose = modest(7)


def answer(prompt: dict[str, Any]) -> Answer:
    """Answers a pushed prompt as the others do."""
    return 200, json.dumps(choose(prompt)).encode()


def played(service: Service, settings: Settings, count: int, **fields: Any) -> tuple[str, list[Bot]]:
    """Plays a tournament of so many bots to the end, two of them pushed to; by twos in teams if `teams` is true."""
    pushed = [PushBot(answer) for _ in range(2)]
    with serving(*pushed), working(settings, 2):
        bots = [registered(service, name, push, concurrency=3) for name, push in zip(NAMES, pushed, strict=False)]
        pulled = [register(service, name, concurrency=3) for name in NAMES[2:count]]
        bots += pulled
        in_teams = fields.pop("teams", False)
        teams = [{"bots": [bots[n].id, bots[n + 1].id]} for n in range(0, count, 2)] if in_teams else []
        cup = tournament(service, [] if in_teams else bots, teams=teams, **fields)

        def is_finished() -> bool:
            play_on(service, pulled, choose)
            return bool(tournaments.get_tournament(service, cup)["state"] == "finished")

        until(is_finished, "the end of the tournament")
    assert all(push.prompts and not push.forged for push in pushed)
    return cup, bots


def finished(service: Service, cup: str, entrants: int) -> dict[str, Any]:
    """Holds a finished tournament to its schedule, its logs to their seeds, its tables to the results; prints its balance."""
    shown = tournaments.get_tournament(service, cup)
    print(f"\n{shown['ruleset']}:", *shown["balance"]["words"], sep="\n  ")
    rows = matches_of(service, cup)
    assert (shown["played"], shown["void"]) == (shown["balance"]["matches"], 0) == (len(rows), 0)
    for row in rows:
        verdict = match.verify(matches.get_log(service, row["id"]))
        assert verdict.ok, (row["id"], verdict.problem)
        assert row["winner"] is not None
    lines = tournaments.standings(service, cup)["standings"]
    assert len(lines) == entrants
    assert sum(line["wins"] for line in lines) == len(rows)
    table = tournaments.crosstable(service, cup)
    assert [each["bot"] for each in table["bots"]] == [line["bot"] for line in lines]
    for line, row in zip(lines, table["rows"], strict=True):
        met = {match_id for cell in row["cells"] if cell for match_id in cell["matches"]}
        assert len(met) == line["played"]
    return shown


def sat(service: Service, cup: str, bots: list[Bot]) -> list[list[int]]:
    """Counts how often each bot sat in each seat, off the matches and not off the balance."""
    rows = matches_of(service, cup)
    return [[sum(row["bots"][seat] == bot.id for row in rows) for seat in range(len(rows[0]["bots"]))] for bot in bots]


def test_seven_bots_play_three_handed_and_all_is_even(service: Service, settings: Settings) -> None:
    cup, bots = played(service, settings, 7, ruleset="three_handed", overrides={"target": 2})
    shown = finished(service, cup, 7)
    balance = shown["balance"]
    assert (balance["matches"], balance["exact"], balance["uneven"]) == (7, True, [])
    assert balance["meetings"] == balance["in_seat"] == balance["first_deals"] == {"least": 1, "most": 1}
    assert sat(service, cup, bots) == [[1, 1, 1]] * 7
    pairs = [
        frozenset((one, other)) for row in matches_of(service, cup) for one in row["bots"] for other in row["bots"]
    ]
    assert {pairs.count(pair) for pair in pairs if len(pair) == 2} == {2}  # once, and counted from both ends


@pytest.mark.parametrize("cycles", [1, 4])
def test_eight_bots_play_four_handed_in_teams_of_two(service: Service, settings: Settings, cycles: int) -> None:
    fields = {"ruleset": "four_handed", "overrides": {"target": 1}, "standings": "game_points"}
    cup, bots = played(service, settings, 8, teams=True, cycles=cycles, **fields)
    shown = finished(service, cup, 4)
    balance = shown["balance"]
    assert (balance["entrants"], balance["matches"]) == (4, 6 * cycles)
    assert balance["meetings"] == {"least": cycles, "most": cycles}
    counted = sat(service, cup, bots)
    assert balance["seat_gap"] == max(max(each) - min(each) for each in counted)
    assert balance["in_seat"] == {"least": min(map(min, counted)), "most": max(map(max, counted))}
    if cycles == 4:  # three matches a cycle do not go into four seats
        assert (balance["exact"], counted) == (True, [[3, 3, 3, 3]] * 8)
    for row in matches_of(service, cup):
        assert {frozenset(row["bots"][::2]), frozenset(row["bots"][1::2])} <= {
            frozenset((bots[n].id, bots[n + 1].id)) for n in range(0, 8, 2)
        }
    points = [line["game_points_for"] for line in tournaments.standings(service, cup)["standings"]]
    assert points == sorted(points, reverse=True)


def test_teams_play_cruce_for_bids(service: Service, settings: Settings) -> None:
    cup, _ = played(service, settings, 6, teams=True, ruleset="cruce", overrides={"target": 3})
    finished(service, cup, 3)
    for row in matches_of(service, cup):
        assert b'"act":"bid"' in matches.get_log(service, row["id"])
        assert row["score"][0] == row["score"][2]
        assert row["score"][1] == row["score"][3]
