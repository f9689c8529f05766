"""What any card player knows: ranks, values, who wins a trick, and how to take what one can.

Cards are written as on the wire, rank then suit: `"AS"`, `"TH"`, `"9C"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sixtysix import Act, Card, Prompt, Suit

RANKS = "9JQKTA"  # low to high, as played
SUITS = "SHDC"
PACK = tuple(rank + suit for suit in SUITS for rank in reversed(RANKS))
VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
CHORES = ("shuffle", "cut", "deal", "turn_up", "draw")


def value(card: Card) -> int:
    """Gives the card points of a card, 0 to 11."""
    return VALUES[card[0]]


def strength(card: Card) -> int:
    """Ranks a card within its suit, 0 (nine) to 5 (ace)."""
    return RANKS.index(card[0])


def beats(card: Card, led: Card, trump: str | None) -> bool:
    """Tells whether `card`, played second, takes the trick from `led`.

    >>> beats("9S", "AH", "S"), beats("TH", "AH", "S"), beats("AD", "9H", "S")
    (True, False, False)
    """
    if card[1] == led[1]:
        return strength(card) > strength(led)
    return card[1] == trump


def mate(card: Card) -> Card:
    """Names the other card of the marriage a king or queen belongs to."""
    return ("Q" if card[0] == "K" else "K") + card[1]


def other(seat: str) -> str:
    """Names the adversary of a seat at a table of two."""
    return "b" if seat == "a" else "a"


def marriage_points(suit: str, trump: Suit | None) -> int:
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


def greedy_act(prompt: Prompt, *, wanted: tuple[str, ...] = ("end_deal",)) -> Act:
    """Takes what it can: the nine's exchange, the better marriage, the dearest trick."""
    ready = elected(prompt, wanted=wanted) or chore(prompt)
    if ready is not None:
        return ready
    exchanges, marriages = of_kind(prompt, "exchange"), of_kind(prompt, "marry")
    trump = prompt["view"]["trump"]
    if exchanges:
        return exchanges[0]
    if marriages:
        return max(marriages, key=lambda act: marriage_points(act["card"][1], trump))
    plays = of_kind(prompt, "play")
    if not plays:
        return prompt["lawful"][0]
    table = prompt["view"]["table"]
    if not table:
        return max(plays, key=lambda act: (act["card"][1] != trump, strength(act["card"])))
    return _greedy_reply(plays, table[0]["card"], trump)


def _greedy_reply(plays: list[Act], led: Card, trump: Suit | None) -> Act:
    winning = [act for act in plays if beats(act["card"], led, trump)]
    in_suit = [act for act in winning if act["card"][1] == led[1]]
    if in_suit:
        return max(in_suit, key=lambda act: value(act["card"]))
    if winning:
        return min(winning, key=lambda act: value(act["card"]))
    return min(plays, key=lambda act: (act["card"][1] == trump, value(act["card"])))
