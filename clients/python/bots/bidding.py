"""Bidding for the right to lead and to make trump: what a hand may be worth with its best suit.

A bid is for so many ticks of 33 points, cards and marriages of both partners. The estimate adds up
what single cards are worth on average, found by playing some thousand deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardplay import marriage_points, mate, of_kind

if TYPE_CHECKING:
    from sixtysix import Act, Card, Prompt

TICK = 33
# So much the estimate must exceed the bid, so that it is made four times in five.
MARGIN = 14

A_PARTNER = 20
A_TRUMP = 10
TRUMP_HONOURS = {"A": 12, "T": 6}
AN_ACE = 14
A_TEN = 3
A_TEN_BEHIND_ITS_ACE = 10


def bid(prompt: Prompt) -> Act | None:
    """Bids what the hand is worth, or passes; None where no bid is asked for.

    The last to bid says no more than it must, and a partner is not outbid. The highest bid of
    all is left alone: it is the Moon, which must take every trick and without the partner.
    """
    view = prompt["view"]
    if view["phase"] != "bid":
        return None
    bids, passes = of_kind(prompt, "bid"), of_kind(prompt, "pass")
    made = [one for one in view.get("bids", []) if one["ticks"]]
    if passes and made and made[-1]["seat"] == view.get("partner"):
        return passes[0]
    can = (worth(view["hand"], suit_to_make(view["hand"])) - MARGIN) // TICK
    good = [act for act in bids[:-1] if act["ticks"] <= can]
    if not good:
        return passes[0] if passes else prompt["lawful"][0]
    others_have_bid = len(view.get("bids", [])) == len(view["sizes"]) - 1
    return good[0] if others_have_bid else good[-1]


def in_the_suit_to_make(prompt: Prompt, kind: str) -> list[Act]:
    """Picks the lawful acts of one kind; where the lead makes trump, those in the suit best for that."""
    acts, view = of_kind(prompt, kind), prompt["view"]
    if not acts or view["trump"] is not None:
        return acts
    suit = suit_to_make(view["hand"])
    return [act for act in acts if act["card"][1] == suit] or acts


def suit_to_make(hand: Sequence[Card]) -> str:
    """Names the suit that is best made trump; there must be a card."""
    return max({card[1] for card in hand}, key=lambda suit: (worth(hand, suit), suit))


def worth(hand: Sequence[Card], trump: str) -> int:
    """Estimates the points that a hand and its partner come to with that trump.

    >>> worth(["AS", "TS", "KS", "QS", "9H", "9D"], "S"), worth(["9S", "JH", "9H", "JD", "9D", "JC"], "H")
    (118, 40)
    """
    cards = set(hand)
    total = A_PARTNER
    for card in cards:
        if card[1] == trump:
            total += A_TRUMP + TRUMP_HONOURS.get(card[0], 0)
        elif card[0] == "A":
            total += AN_ACE
        elif card[0] == "T":
            total += A_TEN_BEHIND_ITS_ACE if f"A{card[1]}" in cards else A_TEN
        if card[0] == "K" and mate(card) in cards:
            total += marriage_points(card[1], trump)
    return total
