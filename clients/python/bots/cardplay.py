"""What any card player knows: ranks, values, which card beats which, marriages, chores.

Cards are written as on the wire, rank then suit: `"AS"`, `"TH"`, `"9C"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sixtysix import Act, Card, Prompt

RANKS = "789JQKTA"  # low to high, as played; the smaller packs are without the lowest
SUITS = "SHDC"
VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
CHORES = ("shuffle", "cut", "deal", "turn_up", "draw")


def value(card: Card) -> int:
    """Gives the card points of a card, 0 to 11."""
    return VALUES[card[0]]


def strength(card: Card) -> int:
    """Ranks a card within its suit, 0 (seven) to 7 (ace)."""
    return RANKS.index(card[0])


def beats(card: Card, led: Card, trump: str | None) -> bool:
    """Tells whether `card`, played later, takes the trick from `led`, the best card till then.

    >>> beats("9S", "AH", "S"), beats("TH", "AH", "S"), beats("AD", "9H", "S")
    (True, False, False)
    """
    if card[1] == led[1]:
        return strength(card) > strength(led)
    return card[1] == trump


def mate(card: Card) -> Card:
    """Names the other card of the marriage a king or queen belongs to."""
    return ("Q" if card[0] == "K" else "K") + card[1]


def marriage_points(suit: str, trump: str | None) -> int:
    """Gives what a marriage counts: 40 in trumps, else 20."""
    return 40 if suit == trump else 20


def of_kind(prompt: Prompt, kind: str) -> list[Act]:
    """Picks the lawful acts of one kind, such as every `play`."""
    return [act for act in prompt["lawful"] if act["act"] == kind]


def elected(prompt: Prompt, *, wanted: tuple[str, ...] = ()) -> Act | None:
    """Chooses a remedy: the first of `wanted` on offer, else the default; None if none is asked."""
    options = prompt.get("options") or []
    if not of_kind(prompt, "elect"):
        return None
    names = [*wanted, *(option["option"] for option in options if option.get("default"))]
    for name in names:
        for act in of_kind(prompt, "elect"):
            if act.get("option") == name:
                return act
    return prompt["lawful"][0]


def chore(prompt: Prompt) -> Act | None:
    """Does the chore that is due, None if none is; the nine is exchanged before drawing."""
    exchanges = of_kind(prompt, "exchange")
    for kind in CHORES:
        due = of_kind(prompt, kind)
        if due:
            return exchanges[0] if exchanges else due[len(due) // 2]
    return None
