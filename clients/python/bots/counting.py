"""Keeping count in the head: one's own card points, and the cards not seen yet.

The referee never serves a count (R-13), so a bot remembers every quitted trick it saw as
`last_trick`. Each seat is asked at least once a trick, so none is missed; if one is (a restart),
the count is too low, and a count that is too low never declares falsely.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardplay import marriage_points, value
from seating import pack, side, tricks_played

if TYPE_CHECKING:
    from sixtysix import Card, Trick, View

ENOUGH = 66


@dataclass(slots=True)
class Memory:
    """Remembers the tricks of one match's running deal, by their place from 1."""

    deal: tuple[int, int] = (0, 0)
    tricks: dict[int, Trick] = field(default_factory=dict)

    def look(self, view: View) -> None:
        """Takes note of what the view shows; forgets the deal before, and tricks undone."""
        deal = (view["deal"], view["attempt"])
        if deal != self.deal:
            self.deal, self.tricks = deal, {}
        played = tricks_played(view)
        self.tricks = {place: trick for place, trick in self.tricks.items() if place <= played}
        if view["last_trick"] is not None and played:
            self.tricks[played] = view["last_trick"]

    def own_tricks(self, seat: str) -> list[int]:
        """Lists the places of the tricks `seat` has won."""
        return [place for place, trick in self.tricks.items() if trick["winner"] == seat]

    def card_points(self, seat: str) -> int:
        """Adds up the cards in the tricks `seat` has won."""
        won = (self.tricks[place]["cards"] for place in self.own_tricks(seat))
        return sum(value(card) for cards in won for card in cards)


def melded(view: View, seat: str) -> int:
    """Adds up the marriages of `seat` and its partner that count now; a pending one does not (R-32)."""
    return sum(
        marriage_points(marriage["suit"], view["trump"])
        for marriage in view["marriages"]
        if marriage["seat"] in side(view, seat) and marriage["counts"] == "now"
    )


def count(memory: Memory, view: View, seat: str) -> int:
    """Counts what `seat` and its partner have toward 66: card points of tricks, and marriages."""
    return sum(map(memory.card_points, side(view, seat))) + melded(view, seat)


def unseen(memory: Memory, view: View) -> set[Card]:
    """Collects the cards that may be in other hands or the stock."""
    seen: set[Card] = set(view["hand"])
    seen.update(placed["card"] for placed in [*view["table"], *view.get("early", [])])
    for trick in memory.tricks.values():
        seen.update(trick["cards"])
    if view["turn_up"] and view["stock"] and view["closed_by"] is None:
        seen.add(view["turn_up"])  # without a stock it is a card of the dealer's hand
    return set(pack(view)) - seen


def known_of(view: View, seat: str) -> set[Card]:
    """Collects the cards all know to be in the hand of `seat`."""
    return {card for card, place in view["open"].items() if place == seat}
