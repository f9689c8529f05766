"""Three at the table, over whole matches, from the events of the log alone (RULES 4.2).

Who deals rests, scores what either of the others scores or a point for a drawn deal, and never crosses the point before
the last on his own deal; with `play_on` the others go on two-handed until a second one is out.
"""

import random
from collections import Counter
from itertools import pairwise

import pytest

from referee.rules import rulesets
from tests.properties.deals import DEALS
from tests.properties.matches import assert_log_holds, play_lawfully

pytestmark = pytest.mark.timeout(max(300, DEALS))

LEFT = {"a": "b", "b": "c", "c": "a"}
CHANGES = (
    {}, {"target": 3}, {"target": 1}, {"rest_share": 2, "target": 5}, {"rest_share": 0}, {"win_by": 2},
    {"both_66_undeclared": "higher_total"},
)  # fmt: skip


def out_before(deal: list[dict], options) -> str:
    """The seat that had reached the target before a deal where the others play on, or nothing."""
    score = deal[0]["score"]
    best = max(score, key=score.__getitem__)
    return best if options["play_on"] and score[best] >= options["target"] else ""


def assert_deal(deal: list[dict], options, seen: Counter) -> None:
    """One deal: who plays, what the dealer scores with them, and the point that he does not get."""
    begun, scored = deal[0], next(event for event in deal if event["type"] == "scored")
    dealer, before, after = begun["dealer"], begun["score"], scored["score"]
    out = out_before(deal, options)
    resting = "" if out else dealer
    active = {"a", "b", "c"} - {out or dealer}
    played = {trick["leader"] for trick in scored["piles"]} | {trick["winner"] for trick in scored["piles"]}
    acts_of_play = ("play", "marry", "exchange", "close", "declare")
    played |= {event["seat"] for event in deal if event["type"] == "acted" and event["act"]["act"] in acts_of_play}
    assert played <= active, (dealer, out, played)
    winner, points = scored["winner"], scored["game_points"]
    assert winner is None or winner in active
    for seat in "abc":
        gained = points if seat == winner else 0
        if seat == resting:
            gained = points if winner else options["rest_share"]
            cap = max(options["target"] - 1, before[seat])
            seen["capped"] += before[seat] + gained > cap
            gained = min(gained, cap - before[seat])
            assert after[seat] < options["target"] or after[seat] == before[seat], "the last point is won in play"
        assert after[seat] == before[seat] + gained, (seat, begun, scored)
    assert scored["carry"] == 0, "the dealer's share takes the place of a carry"
    seen["drawn"] += winner is None
    seen["two-handed"] += bool(out)


def assert_won(played, options) -> None:
    """Without playing on, an active player has won by reaching the target; with it, the first who was out."""
    ended, deals = played.events[-1], played.deals()
    if ended["cause"] == "deal_limit":
        return
    last, score = deals[-1], ended["score"]
    out = out_before(last, options)
    there = {seat for seat in "abc" if score[seat] >= options["target"]}
    if options["play_on"]:
        assert (len(there), ended["winner"]) == (2, out)
        return
    scored = next(event for event in last if event["type"] == "scored")
    assert ended["winner"] == scored["winner"] != last[0]["dealer"]
    others = max(score[seat] for seat in "abc" if seat != ended["winner"])
    assert score[ended["winner"]] - others >= options["win_by"]


def assert_dealers(deals: list[list[dict]], options) -> None:
    """The deal passes to the left, over a seat that is out by then."""
    for before, deal in pairwise(deals):
        left = LEFT[before[0]["dealer"]]
        assert deal[0]["dealer"] == (LEFT[left] if left == out_before(deal, options) else left)


@pytest.mark.parametrize("play_on", [False, True], ids=["first wins", "play on"])
def test_a_resting_dealer_scores_with_the_players_and_never_the_last_point(play_on):
    seen: Counter = Counter()
    number = 0
    while seen["deals"] < DEALS:
        rng = random.Random(f"resting/{play_on}/{number}")
        changed = {**rng.choice(CHANGES), "play_on": play_on}
        if play_on:
            changed.pop("win_by", None)
        rules = rulesets.named("three_handed").override(changed)
        played = play_lawfully(rules, rng)
        deals = played.deals()
        for deal in deals:
            assert_deal(deal, rules.options, seen)
            seen["deals"] += 1
        assert_won(played, rules.options)
        assert_dealers(deals, rules.options)
        if number % 5 == 0:
            assert_log_holds(played)
        number += 1
    assert seen["capped"] and seen["drawn"], seen
    assert bool(seen["two-handed"]) == play_on
