"""Who sits where: who holds cards in this deal, who scores with whom, whose card wins the trick.

Everything is read off the view, so that one bot plays at tables of two, three and four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardplay import RANKS, SUITS, beats

if TYPE_CHECKING:
    from sixtysix import Card, Placed, Seat, View

HANDS = {20: 5, 24: 6, 32: 8}
"""How many cards a hand is dealt, by the size of the pack."""


def active(view: View) -> list[Seat]:
    """Lists the seats that hold cards in this deal: not a dealer who rests, nor a seat left out."""
    idle = (view.get("resting"), view.get("out"))
    return [seat for seat in view["sizes"] if seat not in idle]


def side(view: View, seat: Seat) -> set[Seat]:
    """Collects who scores with `seat`: itself, and where there are partners the one opposite."""
    partner = view.get("partner")
    if partner is None:
        return {seat}
    own = {view["seat"], partner}
    return own if seat in own else set(view["sizes"]) - own


def adversary(view: View) -> Seat:
    """Names the next seat after one's own that holds cards and plays against it."""
    seats, own = sorted(view["sizes"]), side(view, view["seat"])
    place = seats.index(view["seat"])
    around = seats[place + 1 :] + seats[:place]
    return next(seat for seat in around if seat in active(view) and seat not in own)


def tricks_played(view: View) -> int:
    """Counts the quitted tricks of the deal; partners both hold those of their side."""
    return sum(view["tricks"].values()) // len(side(view, view["seat"]))


def pack(view: View) -> list[Card]:
    """Lists the cards this game is played with, by the number that can be counted: 20, 24 or 32."""
    placed = len(view["table"]) + len(view.get("early", []))
    cards = sum(view["sizes"].values()) + view["stock"] + placed + tricks_played(view) * len(active(view))
    return [rank + suit for suit in SUITS for rank in RANKS[-(cards // len(SUITS)) :]]


def hand_size(view: View) -> int:
    """Tells how many cards are dealt to each hand; 0 while lots are drawn with the pack."""
    return HANDS.get(len(pack(view)), 0)


def winning(view: View) -> Placed:
    """Finds the card on the table that takes the trick as it lies; there must be one."""
    best = view["table"][0]
    for placed in view["table"][1:]:
        if beats(placed["card"], best["card"], view["trump"]):
            best = placed
    return best


def is_last(view: View) -> bool:
    """Tells whether one's own card completes the trick."""
    return len(view["table"]) + len(view.get("early", [])) == len(active(view)) - 1
