"""The words of the text notation: cards, seats and suits; see `notation`.

Errors: `NotationError` (a `ValueError`) says which section, what was found and what is right.
"""

from referee.rules.cards import CARD_NUMBERS, SEATS, SUITS


class NotationError(ValueError):
    """Says where a text is not in the notation, what was found, and what is right."""

    def __init__(self, section: str, found: str, right: str) -> None:
        super().__init__(f"{section}: found {found!r}; it must be {right}")


def read_card(section: str, name: str) -> int:
    """Return the card of that name."""
    if name not in CARD_NUMBERS:
        raise NotationError(section, name, "a card such as AS or 9H")
    return CARD_NUMBERS[name]


def read_cards(section: str, names: str) -> tuple[int, ...]:
    """Return the cards named, in their order."""
    return tuple(read_card(section, name) for name in names.split())


def read_seat(section: str, name: str, players: int) -> int:
    """Return the seat of that letter, at a table of so many."""
    if len(name) != 1 or name not in SEATS[:players]:
        raise NotationError(section, name, f"a seat: {', '.join(SEATS[:players])}")
    return SEATS.index(name)


def read_suit(section: str, name: str) -> int:
    """Return the suit of that letter."""
    if len(name) != 1 or name not in SUITS:
        raise NotationError(section, name, f"a suit out of {SUITS}")
    return SUITS.index(name)


def read_pairs(section: str, text: str, players: int) -> tuple[tuple[int, str], ...]:
    """Return seats at a table of so many, with what is said of each: `a:9 b:-`."""
    found = []
    for token in text.split():
        seat, _, rest = token.partition(":")
        found.append((read_seat(section, seat, players), rest))
    return tuple(found)
