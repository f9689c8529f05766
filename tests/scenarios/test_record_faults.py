"""Faults of other services that show in results and logs: 4, 30, 32, 40, 52 of the scenario list."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys

import orjson
import pytest

from referee import match as play
from referee.launcher.processes import ROOT
from referee.rules import rulesets
from referee.service import Service, advancing, appeals, matches, sweeping, tournaments
from tests.service.playing_along import ORGANISER, drawn, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import SHORT, play_out, registered

ACTS = 100_000


def test_scenario_4_a_hundred_thousand_lawful_acts_of_every_rule_set_are_taken() -> None:
    dice, taken, number = random.Random(4), 0, 0
    names = rulesets.names()
    while taken < ACTS:
        one = opened(names[number % len(names)], number)
        number += 1
        while not one.is_over and taken < ACTS:
            seat = one.asked[0]
            body = dice.choice(play.prompt(one, seat)["lawful"])
            step = play.act(one, seat, body, ms=1)
            assert isinstance(step, play.Step), (one.terms.ruleset.name, body, step)
            one, taken = step.match, taken + 1
    assert number >= len(names)


def opened(name: str, number: int) -> play.Match:
    """A match just opened whose seats do every chore but to watch."""
    rules = rulesets.named(name)
    chores = frozenset({"shuffle", "cut", "deal", "draw"}) if number % 2 else frozenset()
    seats = tuple(play.Seating(f"bot_{x}", x, chores) for x in "abcd"[: rules.options["seats"]])  # type: ignore[misc]
    seed = hashlib.sha256(f"{name}/{number}".encode()).digest()
    return play.open_match(play.Terms("mat_scenario", rules, seats, first_dealer=0), seed).match


def test_scenario_30_a_bot_that_crashes_loses_with_reason_and_evidence_and_the_schedule_goes_on(
    service: Service,
) -> None:
    bots = [PushBot(lawful) for _ in range(3)]
    with serving(bots[0]), serving(bots[1]):
        with serving(bots[2]):
            seated = [registered(service, f"push {n}", bot) for n, bot in enumerate(bots)]
        cup = tournament(service, seated, clock=SHORT)  # the third is gone
        play_out(service, cup)
    rows = matches_of(service, cup)
    assert [row["state"] for row in rows] == ["done"] * 3
    for row in rows:
        if seated[2].id in row["bots"]:
            assert row["bots"][row["winner"]] != seated[2].id
            assert row["cause"] == "no_show"
            assert row["evidence"]
        else:
            assert row["cause"] not in ("no_show", "time")
    assert tournaments.get_tournament(service, cup)["state"] == "finished"


def test_scenario_32_what_was_our_fault_is_in_no_total_and_no_cell(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated)
    play_on(service, seated, drawn(1), acts_at_most=6)
    live = next(row for row in matches_of(service, cup) if row["state"] == "live")
    service.live.client.lset(f"e:{live['id']}", -1, b'{"n":1}')  # the store has damaged a line
    service.memory.forget(live["id"])
    sweeping.recover(service)
    play_on(service, seated, drawn(1))
    void = [row for row in matches_of(service, cup) if row["state"] == "void"]
    assert [row["id"] for row in void] == [live["id"]]
    lines = tournaments.standings(service, cup)["standings"]
    assert [line["played"] for line in lines] == [2, 2, 2]
    assert sum(line["wins"] for line in lines) == sum(line["losses"] for line in lines) == 3
    assert live["id"] not in str(tournaments.crosstable(service, cup)["rows"])


def test_scenario_40_the_result_on_record_is_the_last_word_of_the_log(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, overrides={"target": 2})
    play_on(service, seated, drawn(40))
    rows = matches_of(service, cup)
    for row in rows:
        assert last_word(service, row["id"]) == (row["winner"], row["score"])
        log = matches.get_log(service, row["id"])
        assert row["log_sha256"] == hashlib.sha256(log).hexdigest()
    ruled = next((row for row in rows if matches.get_rulings(service, row["id"])["rulings"]), None)
    if ruled is not None:  # and so it is of one that was decided otherwise afterwards
        case = matches.get_rulings(service, ruled["id"])["rulings"][0]["case"]
        fields = {"winner": "ab"[1 - ruled["winner"]], "reason": "a test"}
        appeals.overrule(service, ruled["id"], case=case, fields=fields, caller=ORGANISER)
        [row] = [row for row in matches_of(service, cup) if row["id"] == ruled["id"]]
        assert last_word(service, row["id"]) == (row["winner"], row["score"]) != (ruled["winner"], ruled["score"])


def last_word(service: Service, match_id: str) -> tuple[int | None, list[int]]:
    """Winner and score as the last event that tells them has them."""
    events = [orjson.loads(line) for line in matches.get_log(service, match_id).splitlines()]
    last = [event for event in events if "winner" in event and "score" in event][-1]
    winner = None if last["winner"] is None else "ab".index(last["winner"])
    return winner, list(last["score"].values())


PROGRAM = """
import hashlib, random, sys
from referee import match
from referee.rules import rulesets
seats = tuple(match.Seating("bot_" + x, x, frozenset()) for x in "ab")
one = match.open_match(match.Terms("mat_1", rulesets.named("house"), seats), bytes(32)).match
dice, said = random.Random(1), hashlib.sha256()
while not one.is_over:
    step = match.act(one, one.asked[0], dice.choice(match.prompt(one, one.asked[0])["lawful"]), ms=1)
    one = step.match
    for line in step.lines:
        said.update(line)
print(one.dealer, said.hexdigest())
"""


def test_scenario_52_the_same_seed_is_the_same_leader_and_cards_in_every_process() -> None:
    said = set()
    for hashing in ("0", "1", "random"):
        surroundings = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=surroundings, cwd=ROOT, capture_output=True, text=True, check=True
        )
        said.add(done.stdout)
    assert len(said) == 1, said


def test_scenario_45_a_match_that_only_seems_to_run_does_not_hold_up_its_round(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated)
    [phantom] = advancing.advance(service)
    service.live.client.flushall()  # live on record, and nowhere
    sweeping.recover(service)
    play_on(service, seated, drawn(45))
    assert [row["state"] for row in matches_of(service, cup)] == ["done"] * 3
    assert phantom in [row["id"] for row in matches_of(service, cup)]


@pytest.mark.parametrize("cycles", [1, 2])
def test_scenario_28_exactly_the_planned_matches_and_deals_are_played(service: Service, cycles: int) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dan")]
    cup = tournament(service, seated, cycles=cycles, overrides={"target": 2})
    play_on(service, seated, drawn(28))
    for _ in range(3):
        assert advancing.advance(service) == []
    rows = matches_of(service, cup)
    assert [row["number"] for row in rows] == list(range(1, 6 * cycles + 1))
    for row in rows:
        events = [orjson.loads(line) for line in matches.get_log(service, row["id"]).splitlines()]
        begun = [(event["deal"], event["attempt"]) for event in events if event["type"] == "deal_begun"]
        scored = [event["deal"] for event in events if event["type"] == "scored"]
        assert begun == sorted(set(begun))
        assert scored == list(range(1, len(scored) + 1))
        assert {deal for deal, _ in begun} == set(scored)
