"""Cruce over whole matches, from the events of the log alone (RULES 4.4): what was bid, called and won, and what it scored.

The engine is asked nothing here but to play: sides, ticks, sets, the Moon, who deals and who has won are worked out
again from the words of the log.
"""

import random
from collections import Counter
from itertools import pairwise

import pytest

from referee.rules import rulesets
from tests.properties.deals import DEALS
from tests.properties.matches import assert_log_holds, play_lawfully

pytestmark = pytest.mark.timeout(max(300, DEALS))

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
LEFT = {"a": "b", "b": "c", "c": "d", "d": "a"}
CHOICES = {
    "target": (10, 11, 15, 21), "win_by": (1, 2), "all_pass": ("void", "dealer_forced_1"),
    "moon_goal": ("all_tricks", "points_165"), "set_costs": ("bid", "twice_bid"), "deal_style": ("packets", "cross_twos"),
}  # fmt: skip


def side(seat: str) -> str:
    """The two letters of a seat and its partner."""
    return "ac" if seat in "ac" else "bd"


def bids_of(deal: list[dict]) -> list[tuple[str, int]]:
    """(seat, ticks) of every bid, 0 for a pass."""
    acted = [(event["seat"], event["act"]) for event in deal if event["type"] == "acted"]
    return [(seat, act.get("ticks", 0)) for seat, act in acted if act["act"] in ("bid", "pass")]


def totals_of(deal: list[dict], tricks: list[dict]) -> dict[str, int]:
    """What each side took in tricks, and the marriages it called, if it took one."""
    totals = {"ac": 0, "bd": 0}
    for trick in tricks:
        totals[side(trick["winner"])] += sum(WORTH[card[0]] for card in trick["cards"])
    trump = tricks[0]["cards"][0][1] if tricks else ""
    for event in deal:
        if event["type"] == "acted" and event["act"]["act"] == "marry":
            called = side(event["seat"])
            if any(side(trick["winner"]) == called for trick in tricks):
                totals[called] += 40 if event["act"]["card"][1] == trump else 20
    return totals


def expected(deal: list[dict], scored: dict, options) -> tuple[str, dict[str, int]]:
    """How a deal ended, and what each side scores for it."""
    bids = bids_of(deal)
    high = max(ticks for _, ticks in bids)
    if not high:
        return "passed_out", {"ac": 0, "bd": 0}
    ours = side(next(seat for seat, ticks in bids if ticks == high))
    (theirs,) = {"ac", "bd"} - {ours}
    totals = totals_of(deal, scored["piles"])
    if high == 5 and options["moon_goal"] == "all_tricks":
        made, gained = all(side(trick["winner"]) == ours for trick in scored["piles"]), 5
    else:
        made, gained = totals[ours] >= 33 * high, totals[ours] // 33
    lost = 2 * high if options["set_costs"] == "twice_bid" else high
    return ("played_out" if made else "set"), {ours: gained if made else -lost, theirs: totals[theirs] // 33}


def assert_deal(deal: list[dict], score: dict[str, int], options, seen: Counter) -> dict[str, int]:
    """One deal: turns to bid, who leads, dead hands, the score; gives the score after it."""
    begun, scored = deal[0], next(event for event in deal if event["type"] == "scored")
    bids = bids_of(deal)
    turns = [seat for seat, _ in bids]
    assert turns[0] == LEFT[begun["dealer"]]
    assert turns == [turns[0], *(LEFT[seat] for seat in turns[:-1])]
    assert len(turns) == 4, "each seat has exactly one turn"
    made = [ticks for _, ticks in bids if ticks]
    assert made == sorted(set(made)), "each bid is higher than any before"
    if options["all_pass"] == "dealer_forced_1":
        assert made, "the dealer may not pass"
    cause, gained = expected(deal, scored, options)
    assert scored["cause"] == cause, (bids, scored)
    after = {seat: score[seat] + gained[side(seat)] for seat in "abcd"}
    assert scored["score"] == after, (bids, gained, scored)
    assert (scored["carried"], scored["carry"]) == (0, 0)
    if made:
        bidder = bids[[ticks for _, ticks in bids].index(made[-1])][0]
        played = 3 if made[-1] == 5 else 4
        assert scored["piles"][0]["leader"] == bidder
        assert [len(trick["cards"]) for trick in scored["piles"]] == [played] * 6
    seen[cause] += 1
    seen["moon"] += bool(made and made[-1] == 5)
    seen["marriages"] += any(event["type"] == "acted" and event["act"]["act"] == "marry" for event in deal)
    return after


def assert_won(played, options) -> None:
    """The bidding side comes first where both are at the target; a margin may be asked for (4.4, D-01)."""
    ended = played.events[-1]
    score = ended["score"]
    if ended["cause"] == "deal_limit":
        return
    deal = played.deals()[-1]
    scored = next(event for event in deal if event["type"] == "scored")
    bidder = side(max(bids_of(deal), key=lambda bid: bid[1])[0])
    there = {side(seat) for seat in "abcd" if score[seat] >= options["target"]}
    margin = options["win_by"] if options["win_by"] > 1 else -99
    there = {each for each in there if score[each[0]] - score["b" if each == "ac" else "a"] >= margin}
    assert there, score
    made = bidder in there and scored["cause"] == "played_out"
    assert side(ended["winner"]) == (bidder if made else there.pop())
    assert ended["winner"] in "ab", "of a side the first seat is named"


@pytest.mark.parametrize("mixed", [False, True], ids=["as it stands", "under options of its own"])
def test_matches_of_cruce_are_bid_and_scored_as_the_log_says(mixed):
    seen: Counter = Counter()
    number = 0
    while seen["deals"] < DEALS:
        rng = random.Random(f"bids/{mixed}/{number}")
        changed = {name: rng.choice(values) for name, values in CHOICES.items()} if mixed else {}
        rules = rulesets.named("cruce").override(changed)
        played = play_lawfully(rules, rng)
        score = dict.fromkeys("abcd", 0)
        deals = played.deals()
        for before, deal in pairwise(deals):
            assert deal[0]["dealer"] == LEFT[before[0]["dealer"]], "the deal moves to the left"
        for deal in deals:
            score = assert_deal(deal, score, rules.options, seen)
            seen["deals"] += 1
        assert_won(played, rules.options)
        if number % 5 == 0:
            assert_log_holds(played)
        number += 1
    assert {"played_out", "set", "passed_out", "moon", "marriages"} <= set(+seen), seen
