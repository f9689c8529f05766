"""A clock that runs out, in whatever phase, is ruled on like anything else; increments; the ladder."""

from __future__ import annotations

import json
import random

import pytest

from referee import match
from referee.match import Clock, Seating, Terms
from referee.rules import rulesets

ALL = frozenset({"shuffle", "cut", "deal", "draw", "watch"})
GAMES = [("house", 2), ("schnapsen", 2), ("three_handed", 3), ("four_handed", 4), ("cruce", 4)]


def terms(ruleset: str = "house", seats: int = 2, *, chores: frozenset[str] = ALL, **fields: object) -> Terms:
    seated = tuple(Seating(f"bot_{seat}", f"Bot {seat}", chores) for seat in range(seats))
    more: dict[str, object] = {"calls": "players", "opened_at": "2026-11-30T12:00:00.000Z", **fields}
    return Terms("mat_1", rulesets.named(ruleset), seated, **more)  # type: ignore[arg-type]


def choose(dice: random.Random, m: match.Match, seat: int) -> object:
    return dice.choice(match.prompt(m, seat)["lawful"])


@pytest.mark.parametrize(("ruleset", "seats"), GAMES)
def test_a_time_out_in_any_phase_is_a_ruling_and_its_log_holds(ruleset: str, seats: int) -> None:
    met: set[str] = set()
    for seed in range(12):
        dice = random.Random(f"{ruleset}/{seed}")
        step = match.open_match(terms(ruleset, seats), seed.to_bytes(32, "big"))
        lines = list(step.lines)
        for _ in range(3000):
            m = step.match
            if m.is_over:
                break
            seat = dice.choice(m.asked)
            phase = "elect" if m.case else m.stop or m.position.phase
            if dice.random() < 0.03 or phase not in met:
                met.add(phase)
                step = match.time_out(m, seat, elapsed_ms=70_250)
                told = [json.loads(line) for line in step.lines]
                assert told[0]["type"] == "timed_out"
                rulings = [event for event in told if event["type"] == "ruled"]
                if phase == "elect":
                    assert rulings[0]["chosen_by"] == "default"
                elif not m.stop:
                    assert (rulings[0]["laws"], rulings[0]["offender"]) == (["IR-92"], "abcd"[seat])
            else:
                done = match.act(m, seat, choose(dice, m, seat), ms=dice.choice((5, 11_000)))
                assert not isinstance(done, match.Refusal)
                step = done
            lines += step.lines
        if step.match.is_over:
            verdict = match.verify(match.finished_log(step.match, lines, seed.to_bytes(32, "big")))
            assert verdict.ok, verdict.problem
    assert {"shuffle", "cut", "deal", "turn_up", "lead", "follow"} - met <= (
        {"turn_up"} if ruleset == "cruce" else set()
    )
    assert {"draw"} & met or ruleset in ("four_handed", "cruce")
    assert "bid" in met or ruleset != "cruce"


def test_cutting_for_deal_runs_out_like_the_rest() -> None:
    step = match.open_match(terms(first_dealer=None), bytes(32))
    assert step.match.position.phase == "cut_for_deal"
    done = match.time_out(step.match, 0, elapsed_ms=70_250)
    assert any(b'"IR-92"' in line for line in done.lines)
    assert done.match.outcome is None or done.match.outcome.cause == "time"


def test_an_election_that_runs_out_takes_the_default_and_is_no_time_out_of_the_ladder() -> None:
    step = match.open_match(terms(chores=frozenset(), calls="referee"), bytes(32))
    m = step.match
    seat = m.position.turn
    card = match.view(m, 1 - seat)["hand"][0]
    out_of_turn = match.act(m, 1 - seat, {"act": "play", "card": card}, ms=5)
    assert not isinstance(out_of_turn, match.Refusal)
    electing = out_of_turn.match
    assert electing.case is not None
    elector = electing.asked[0]
    done = match.time_out(electing, elector, elapsed_ms=10_250)
    [ruling] = [json.loads(line) for line in done.lines if b'"ruled"' in line]
    assert (ruling["chosen_by"], ruling["option"]) == ("default", electing.case.options[0])
    assert done.match.overruns == (0, 0)
    assert done.match.bank == electing.bank


def test_the_ladder_is_deal_then_match() -> None:
    step = match.open_match(terms(chores=frozenset(), calls="referee"), bytes(32))
    seat = step.match.asked[0]
    first = match.time_out(step.match, seat, elapsed_ms=70_250)
    assert not first.match.is_over
    assert first.match.deal == 2
    again = first.match
    while again.asked[0] != seat:
        done = match.act(again, again.asked[0], match.prompt(again, again.asked[0])["lawful"][0], ms=5)
        assert not isinstance(done, match.Refusal)
        again = done.match
    second = match.time_out(again, seat, elapsed_ms=70_250)
    assert second.match.outcome is not None
    assert (second.match.outcome.cause, second.match.outcome.winner) == ("time", 1 - seat)


def test_an_act_earns_the_increment_and_by_play_none() -> None:
    clock = Clock(act_ms=1000, bank_ms=500, increment_ms=300)
    step = match.open_match(terms(chores=frozenset(), calls="referee", clock=clock), bytes(32))
    m = step.match
    seat = m.asked[0]
    looked = match.act(m, seat, {"act": "expose", "card": match.view(m, seat)["hand"][0]}, ms=900)
    assert not isinstance(looked, match.Refusal)
    assert looked.match.bank == m.bank
    quick = match.act(m, seat, match.prompt(m, seat)["lawful"][0], ms=900)
    slow = match.act(m, seat, match.prompt(m, seat)["lawful"][0], ms=1400)
    assert not isinstance(quick, match.Refusal)
    assert not isinstance(slow, match.Refusal)
    assert (quick.match.bank[seat], slow.match.bank[seat]) == (800, 500 - 400 + 300)


@pytest.mark.parametrize("increment", [0, 250])
def test_the_terms_state_an_increment_only_where_there_is_one_and_come_back_as_they_were(increment: int) -> None:
    stated = terms(clock=Clock(increment_ms=increment))
    body = match.terms_json(stated)
    assert ("increment_ms" in body["clock"]) is bool(increment)
    assert match.terms_from(json.loads(json.dumps(body))) == stated
