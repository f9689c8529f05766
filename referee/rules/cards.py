"""Cards, suits and seats as small integers, and their names on the wire.

A card is `suit * 8 + rank`, suits in the order S H D C, ranks from the ace down
(A T K Q J 9 8 7), so that within a suit the lower number is the higher card and packs of
20, 24 and 32 cards share one numbering.  A set of cards is an integer with one bit a card.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

SUITS: Final = "SHDC"
RANKS: Final = "ATKQJ987"
SEATS: Final = "abcd"
SUIT_SIZE: Final = len(RANKS)

ACE, TEN, KING, QUEEN, JACK, NINE, EIGHT, SEVEN = range(SUIT_SIZE)

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_NUMBERS: Final = {name: number for number, name in enumerate(CARD_NAMES)}
CARDS: Final = tuple(range(len(CARD_NAMES)))

SUIT_OF: Final = tuple(card // SUIT_SIZE for card in CARDS)
RANK_OF: Final = tuple(card % SUIT_SIZE for card in CARDS)

#: Card points by rank (R-01: every source gives the same values).
RANK_POINTS: Final = (11, 10, 4, 3, 2, 0, 0, 0)
CARD_POINTS: Final = tuple(RANK_POINTS[rank] for rank in RANK_OF)

SUIT_MASKS: Final = tuple(0xFF << suit * SUIT_SIZE for suit in range(len(SUITS)))
KINGS: Final = sum(1 << suit * SUIT_SIZE + KING for suit in range(len(SUITS)))
QUEENS: Final = KINGS << 1
COURT: Final = KINGS | QUEENS

#: The cards of the same suit that rank above each card.
ABOVE: Final = tuple(
    sum(1 << other for other in CARDS if SUIT_OF[other] == SUIT_OF[card] and other < card) for card in CARDS
)


def _beaten_by(trump: int) -> tuple[int, ...]:
    trumps = SUIT_MASKS[trump]
    return tuple(ABOVE[card] | (0 if SUIT_OF[card] == trump else trumps) for card in CARDS)


#: `BEATEN_BY[trump][card]`: the cards that win a trick from `card` when played after it.
BEATEN_BY: Final = tuple(_beaten_by(trump) for trump in range(len(SUITS)))


def card(name: str) -> int:
    """Return the card of that name.

    >>> card("9H"), CARD_NAMES[card("TS")]
    (13, 'TS')
    """
    try:
        return CARD_NUMBERS[name]
    except KeyError:
        raise ValueError(
            f"no card {name!r}: a card is a rank of {RANKS} and a suit of {SUITS}, such as AS or 9H"
        ) from None


def card_of(suit: int, rank: int) -> int:
    """Return the card of a suit and a rank."""
    return suit * SUIT_SIZE + rank


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of `cards` as a mask."""
    mask = 0
    for each in cards:
        mask |= 1 << each
    return mask


def cards_of(mask: int) -> Iterator[int]:
    """Yield the cards of a mask, lowest number first: suits S H D C, each from the ace down."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


#: The names of a suit's cards by the mask of its ranks.
_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (
    tuple([CARD_NAMES[shift + each] for each in cards_of(ranks)] for ranks in range(1 << SUIT_SIZE))
    for shift in range(0, len(CARDS), SUIT_SIZE)
)


def names_of(mask: int) -> list[str]:
    """Return the names of a mask's cards in their fixed order, as a list of one's own."""
    return _SPADES[mask & 0xFF] + _HEARTS[mask >> 8 & 0xFF] + _DIAMONDS[mask >> 16 & 0xFF] + _CLUBS[mask >> 24]


@cache
def pack_cards(size: int) -> tuple[int, ...]:
    """Return the cards of a pack of 20, 24 or 32, suits S H D C, each from the ace down (R-01)."""
    ranks = size // len(SUITS)
    return tuple(each for each in CARDS if RANK_OF[each] < ranks)
