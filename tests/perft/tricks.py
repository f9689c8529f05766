"""What the slow models share: cards as two letters, what they are worth, and which card takes a trick.

A card is rank then suit, "AS" or "9H". Everything is asked by going through lists of them.
"""

RANKS = "ATKQJ987"  # from the highest down
SUITS = "SHDC"
WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
MATE = {"K": "Q", "Q": "K"}


def pack(size: int) -> list[str]:
    """Every card of a pack of 20, 24 or 32, in order."""
    return [rank + suit for suit in SUITS for rank in RANKS[: size // len(SUITS)]]


def worth(cards: list[str]) -> int:
    """Card points of `cards`."""
    return sum(WORTH[card[0]] for card in cards)


def is_higher(card: str, other: str) -> bool:
    """True when both are of one suit and `card` ranks above `other`."""
    return card[1] == other[1] and RANKS.index(card[0]) < RANKS.index(other[0])


def takes(card: str, best: str, trump: str) -> bool:
    """True when `card`, played after `best`, wins the trick from it."""
    if card[1] == trump != best[1]:
        return True
    return is_higher(card, best)


def best_of(cards: list[str], trump: str) -> str:
    """The card that is winning among `cards`, the led card first."""
    best = cards[0]
    for card in cards[1:]:
        if takes(card, best, trump):
            best = card
    return best


def of_suit(cards: list[str], suit: str) -> list[str]:
    """The cards of one suit."""
    return [card for card in cards if card[1] == suit]


def marriages_in(hand: list[str]) -> list[str]:
    """Every king and queen of `hand` whose mate is there too: what may be led with an announcement."""
    return [card for card in hand if card[0] in MATE and MATE[card[0]] + card[1] in hand]
