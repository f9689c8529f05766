"""Whether closing pays: play the deal out against hands the other may hold, and see.

The other hand is drawn from the cards not seen, a few dozen times; both sides then play
simply, we our sure cards first. Closing pays where nearly all of these come to 66.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardplay import beats, strength, value
from counting import ENOUGH

if TYPE_CHECKING:
    from sixtysix import Card, Suit

SAMPLES = 24


def share_of_wins(
    hand: Sequence[Card],
    points: int,
    *,
    others: Sequence[Card],
    size: int,
    trump: Suit | None,
    dice: random.Random,
) -> float:
    """Estimates how often a close comes to 66, 0.0 to 1.0.

    `points` is our count now, `others` the cards not seen, `size` the other hand's.
    """
    pool = sorted(others)
    if len(pool) < size:
        return 0.0
    wins = sum(_comes_home(list(hand), points, other=dice.sample(pool, size), trump=trump) for _ in range(SAMPLES))
    return wins / SAMPLES


def _comes_home(hand: list[Card], points: int, *, other: list[Card], trump: Suit | None) -> bool:
    we_lead = True
    while hand and other and points < ENOUGH:
        leading, following = (hand, other) if we_lead else (other, hand)
        led = _lead(leading, following, trump)
        reply = _reply(following, led, trump)
        leading.remove(led)
        following.remove(reply)
        if beats(reply, led, trump):
            we_lead = not we_lead
        if we_lead:
            points += value(led) + value(reply)
    return points >= ENOUGH


def _lead(hand: list[Card], against: list[Card], trump: Suit | None) -> Card:
    """Leads a trump while the other has any to take away, else the best card, else the least."""
    highest = {suit: max((strength(c) for c in against if c[1] == suit), default=-1) for suit in "SHDC"}
    sure = [card for card in hand if strength(card) > highest[card[1]]]
    trumps = [card for card in sure if card[1] == trump]
    if trumps and trump is not None and highest[trump] >= 0:
        return max(trumps, key=strength)
    if sure:
        return max(sure, key=value)
    return min(hand, key=value)


def _reply(hand: list[Card], led: Card, trump: Suit | None) -> Card:
    may = [card for card in hand if card[1] == led[1]] or hand
    winning = [card for card in may if beats(card, led, trump)]
    if winning:
        return max(winning, key=lambda card: (card[1] != trump, value(card)))
    return min(may, key=value)
