"""Playing for two: which card to lead, and which to give to a trick that a partner may be winning.

Where there are partners every trick is strict play, so the choice is among few cards; what is
left to decide is which tricks to make dear and which to keep cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardplay import beats, strength, value
from seating import is_last, winning

if TYPE_CHECKING:
    from sixtysix import Card, View


def lead_for_two(cards: Sequence[Card], view: View, out: set[Card]) -> Card:
    """Leads the highest card there is of a plain suit that many hold yet, else the least card.

    `out` are the cards not seen. Where the lead makes trump, it is the strongest card.
    """
    trump = view["trump"]
    if trump is None:
        return max(cards, key=strength)
    high = [card for card in cards if card[1] != trump and is_highest(card, out)]
    return max(high, key=lambda card: _left(card[1], out)) if high else _least(cards, trump)


def reply_for_two(cards: Sequence[Card], view: View, out: set[Card]) -> Card:
    """Makes dear what is likely to be ours, trumps cheaply, and gives the others the least."""
    best, trump = winning(view), view["trump"]
    taking = [card for card in cards if beats(card, best["card"], trump)]
    giving = [card for card in cards if card not in taking]
    if giving and best["seat"] == view["partner"]:
        safe = is_last(view) or best["card"][1] == trump or is_highest(best["card"], out)
        return max(giving, key=lambda card: (card[1] != trump, value(card))) if safe else _least(giving, trump)
    plain = [card for card in taking if card[1] != trump]
    if plain:
        return max(plain, key=value)
    return _least(taking or giving, trump)


def is_highest(card: Card, out: set[Card]) -> bool:
    """Tells whether none of the cards `out` is higher in the same suit."""
    return not any(other[1] == card[1] and strength(other) > strength(card) for other in out)


def _least(cards: Sequence[Card], trump: str | None) -> Card:
    return min(cards, key=lambda card: (card[1] == trump, value(card), strength(card)))


def _left(suit: str, out: set[Card]) -> int:
    return sum(card[1] == suit for card in out)
