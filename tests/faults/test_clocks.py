"""The run of `make clocks` in small: what it plays adds up and verifies, and who oversleeps is found to have done so.

Nothing here says how many time losses there are else: on a busy machine the bots themselves may be late.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.clock_bots import Notes
from tests.faults.clocks import CLOCK, FALSE_AT_MOST, GRACE_MS, Act, Found, Loss, Run, count, played, shares, told

SHORT = Run(deals=40, matches=8, seed="short", oversleeps_ms=CLOCK["act_ms"] + GRACE_MS + 1000)


def loss(own: float | None, *, has_prompt: bool = True, is_void: bool = False) -> Loss:
    return Loss("mat_1", "a", 7, 600, Act(own, None) if has_prompt else None, is_void)


@pytest.mark.timeout(900)
def test_scenario_16_a_run_in_small_adds_up_verifies_and_finds_who_oversleeps(tmp_path: Path) -> None:
    found = played(SHORT, tmp_path)
    assert (found.unverified, found.faults) == ([], []), told(found)
    assert found.deals >= SHORT.deals
    assert 0 < found.matches <= found.deals
    assert found.acts == len(found.charged)
    assert len(found.own) >= found.acts  # of matches that were broken off at the end there are more
    own = [each for each in found.losses if not each.is_false]
    assert any(each.elapsed_ms > CLOCK["act_ms"] + GRACE_MS for each in own), told(found)
    slept = [each for each in own if each.act is not None and (each.act.own or 0) >= SHORT.oversleeps_ms]
    assert slept, told(found)
    assert f"false time losses: {len(found.false)} (at most {FALSE_AT_MOST})" in told(found)


def test_a_loss_is_false_if_the_bot_answered_in_time_or_never_had_the_prompt() -> None:
    assert loss(CLOCK["act_ms"]).is_false
    assert loss(None, has_prompt=False).is_false
    assert not loss(CLOCK["act_ms"] + 0.1).is_false
    assert not loss(None).is_false  # it has had it, and thinks still
    assert [loss(own).is_of_both for own in (50, 101, 350, 351)] == [False, True, True, False]


def test_one_may_be_false_and_what_is_void_does_not_count() -> None:
    assert Found(losses=[loss(5), loss(500), loss(500)]).is_right
    assert not Found(losses=[loss(5), loss(6)]).is_right
    assert Found(losses=[loss(5), loss(6, is_void=True)]).is_right
    assert not Found(unverified=["mat_1: a hash does not fit"]).is_right
    assert not Found(faults=["a bot ended"]).is_right


def test_what_is_counted_is_what_the_events_say() -> None:
    found, acts = Found(), {("mat_1", "b", 8): Act(20.0, 25)}
    events = [
        {"n": 8, "type": "acted", "seat": "a", "ms": 3},
        {"n": 9, "type": "timed_out", "seat": "b", "elapsed_ms": 500},
        {"n": 10, "type": "scored"},
        {"n": 11, "type": "no_show", "seat": "a"},
    ]
    for event in events:
        count("mat_1", event, acts, found, is_void=False)
    assert (found.deals, found.acts, found.no_shows, found.charged) == (1, 1, 1, [3])
    assert found.false == [Loss("mat_1", "b", 8, 500, Act(20.0, 25))]
    for event in events:
        count("mat_2", event, acts, found, is_void=True)
    assert (found.deals, found.acts, len(found.losses), len(found.false)) == (1, 1, 2, 1)


@pytest.mark.parametrize(("matches", "bots", "concurrency"), [(200, 20, 20), (8, 4, 4), (50, 10, 10)])
def test_there_are_bots_enough_for_so_many_matches_at_once(matches: int, bots: int, concurrency: int) -> None:
    run = Run(deals=20_000, matches=matches)
    assert (run.bots, run.concurrency) == (bots, concurrency)
    assert 1 <= run.cycles <= 100


def test_a_distribution_is_told_in_a_line() -> None:
    assert shares([]) == "none"
    assert shares(list(range(1000, 0, -1))) == "p50 501.0, p99 991.0, p99.9 1000.0, max 1000.0, of 1000"


def test_the_time_of_a_repeated_act_is_that_of_the_first() -> None:
    notes, clock = Notes(), {"round_trip_ms": 31}
    first = {"match": "mat_1", "seat": "a", "version": 7, "clock": clock}
    notes.got([first])  # type: ignore[list-item]
    decision = type("Decision", (), {"prompt": first})()
    notes.sends([decision])
    own = notes.own[("mat_1", "a", 7)]
    notes.got([first])  # type: ignore[list-item]
    notes.sends([decision])
    assert notes.own == {("mat_1", "a", 7): own}
    notes.got([{**first, "version": 9}])  # type: ignore[list-item]
    assert notes.trips == {("mat_1", "a", 7): 31}
