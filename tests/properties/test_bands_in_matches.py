"""Four-handed Sixty-Six over whole matches, from the trick piles of the log (RULES 4.3): totals, bands, tens and carries.

Only which suit is trump is asked of the engine, since the log names no card that was not played; all else is worked
out again from who took which cards.
"""

import random
from collections import Counter
from itertools import pairwise

import pytest

from referee.rules import rulesets
from tests.properties.deals import DEALS
from tests.properties.matches import assert_log_holds, play_lawfully

pytestmark = pytest.mark.timeout(max(300, DEALS))

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
ORDER = "ATKQJ987"
LEFT = {"a": "b", "b": "c", "c": "d", "d": "a"}
CHOICES = {
    "ten_of_trumps": ("none", "game_point"), "schneider_basis": ("bands", "under_33"), "undertrump": (True, False),
    "deal_style": ("three_two_three", "cross_twos"), "target": (3, 7), "carry_on_draw": ("cumulative_1", "none"),
}  # fmt: skip


def side(seat: str) -> str:
    """The two letters of a seat and its partner."""
    return "ac" if seat in "ac" else "bd"


def assert_tricks(piles: list[dict], trump: str) -> None:
    """Each trick is led by who won the one before, played round the table, and won by its best card."""
    for before, trick in pairwise(piles):
        assert trick["leader"] == before["winner"]
    for trick in piles:
        seats = [trick["leader"]]
        while len(seats) < 4:
            seats.append(LEFT[seats[-1]])
        suit = trick["cards"][0][1]
        strength = [(card[1] == trump, card[1] == suit, -ORDER.index(card[0])) for card in trick["cards"]]
        assert trick["winner"] == seats[strength.index(max(strength))], trick


def expected(piles: list[dict], trump: str, options) -> tuple[dict[str, int], dict[str, int]]:
    """What each side scores for its cards, and for the ten of trumps."""
    totals = {"ac": 0, "bd": 0}
    tens = dict(totals)
    for trick in piles:
        totals[side(trick["winner"])] += sum(WORTH[card[0]] for card in trick["cards"])
        tens[side(trick["winner"])] += options["ten_of_trumps"] == "game_point" and "T" + trump in trick["cards"]
    gained = {"ac": 0, "bd": 0}
    if len(piles) < 8:
        return gained, tens
    totals[side(piles[-1]["winner"])] += 10
    assert sum(totals.values()) == 130
    if totals["ac"] == totals["bd"]:
        return gained, tens
    best = max(totals, key=totals.__getitem__)
    (other,) = {"ac", "bd"} - {best}
    if all(side(trick["winner"]) == best for trick in piles):
        gained[best] = 3
    elif options["schneider_basis"] == "bands":
        gained[best] = 1 if totals[best] < 100 else 2
    else:
        gained[best] = 1 if totals[other] >= 33 else 2
    return gained, tens


def assert_match(played, options, seen: Counter) -> None:
    """Every deal of a match, its score, and what is carried to the next."""
    trumps = {
        step.match.deal: "SHDC"[step.match.position.trump] for step in played.steps if step.match.position.trump >= 0
    }
    score, carry = {"ac": 0, "bd": 0}, 0
    for deal in played.deals():
        scored = next(event for event in deal if event["type"] == "scored")
        assert_tricks(scored["piles"], trumps[scored["deal"]])
        gained, tens = expected(scored["piles"], trumps[scored["deal"]], options)
        at_once = any(tens[each] and score[each] + tens[each] >= options["target"] for each in tens)
        assert at_once == (scored["cause"] == "ten_of_trumps")
        if at_once:  # C-10: the point for the ten comes first, though the trick was the last
            gained = dict.fromkeys(gained, 0)
        else:
            assert len(scored["piles"]) == 8
        for each in score:
            score[each] += gained[each] + tens[each] + (carry if gained[each] else 0)
        assert scored["score"] == {seat: score[side(seat)] for seat in "abcd"}, scored
        if any(gained.values()):
            carry = 0
        elif not at_once:
            carry += options["carry_on_draw"] == "cumulative_1"
            seen["drawn"] += 1
        assert at_once or scored["carry"] == carry, "the point for the ten takes no carry"
        seen.update({"deals": 1, "at once": at_once, "tens": any(tens.values()), f"won {max(gained.values())}": 1})
    ended = played.events[-1]
    assert (
        score[side(ended["winner"])]
        >= options["target"]
        > max(score[each] for each in score if ended["winner"] not in each)
    )


@pytest.mark.parametrize("mixed", [False, True], ids=["as it stands", "under options of its own"])
def test_matches_of_four_are_scored_as_the_trick_piles_say(mixed):
    seen: Counter = Counter()
    number = 0
    while seen["deals"] < DEALS:
        rng = random.Random(f"bands/{mixed}/{number}")
        changed = {name: rng.choice(values) for name, values in CHOICES.items()} if mixed else {}
        rules = rulesets.named("four_handed").override(changed)
        played = play_lawfully(rules, rng)
        assert_match(played, rules.options, seen)
        if number % 5 == 0:
            assert_log_holds(played)
        number += 1
    wanted = {"won 1", "won 2", "drawn"} | ({"tens", "at once"} if mixed else set())
    assert wanted <= set(+seen), seen
