"""The crowd and the polls of the bench, small: what they play goes on to its end and verifies, and everybody is woken.

Nothing here says how fast: on a busy machine everything may be slow.
"""

from __future__ import annotations

import random

import pytest

from tests.bench import crowd, polls
from tests.bench.bots import Ledger, choice
from tests.bench.over_http import Bot
from tests.bench.report import Measure


def by_key(found: list[Measure]) -> dict[str, Measure]:
    assert len({each.key for each in found}) == len(found)
    return {each.key: each for each in found}


@pytest.mark.timeout(900)
def test_a_small_crowd_plays_its_matches_out_in_batches_and_act_by_act() -> None:
    size = crowd.Size(matches=3, batchers=3, warm_up=0.0, seconds=3.0)
    found = by_key(list(crowd.figures(size)))
    assert {key for key, each in found.items() if each.bound is not None} == {
        "crowd_batch_p50",
        "crowd_batch_p99",
        "crowd_batch_rate",
        "crowd_think_p50",
        "crowd_think_p99",
        "crowd_single_rate",
    }
    assert all(each.value > 0 for each in found.values())
    assert found["crowd_think_own"].value >= 200


@pytest.mark.timeout(900)
def test_a_few_polls_are_all_woken_one_by_one_and_at_once() -> None:
    size = polls.Size(waiting=12, matches=2, thought=0.02, seconds=4.0, saturated=4.0, settling=2.0, wakes=20)
    found = by_key(list(polls.figures(size)))
    assert {key for key, each in found.items() if each.bound is not None} == {
        "poll_memory",
        "poll_wake_p99",
        "poll_health",
    }
    for key in ("poll_rate", "poll_wake_p50", "poll_all"):
        assert found[key].value > 0
    assert {"poll_rate_saturated", "poll_wake_p99_saturated"} <= found.keys()  # so few matches may be over by then


def test_what_the_bot_takes_and_what_the_referee_takes_are_told_apart() -> None:
    ledger = Ledger()
    ledger.got("mat_1", 1.0)
    ledger.sends("mat_1", 1.25)
    ledger.got("mat_1", 1.75)  # the other's prompt
    ledger.got("mat_2", 1.8)
    assert (ledger.own, ledger.overheads, ledger.acts) == ([(1.25, 0.25)], [(1.75, 0.5)], 1)


def test_bots_choose_what_is_lawful_and_close_only_if_they_must() -> None:
    close, play = {"act": "close"}, {"act": "play", "card": "AS"}
    prompt = {"match": "mat_1", "version": 7, "seat": "b", "lawful": [close, play]}
    chosen = {str(choice(prompt, random.Random(number))["act"]) for number in range(20)}
    assert chosen == {"play"}
    assert choice({**prompt, "lawful": [close]}, random.Random(1))["act"] == "close"


def test_everybody_sits_with_everybody_else() -> None:
    bots = [Bot(f"bot_{number}", "") for number in range(5)]
    pairs = [crowd._pair(bots, number) for number in range(20)]
    assert all(one != other for one, other in pairs)
    assert len(set(pairs)) == 20
