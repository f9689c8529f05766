"""Cutting for deal in the text notation, see `notation`.

Errors: `NotationError` says which section, what was found and what is right.
"""

from typing import Final

from referee.rules.positions import CUT_FOR_DEAL, SCORED, Position
from referee.rules.tokens import NotationError, read_card, read_pairs

#: What the last section says once the cutting for deal is done.
ALL_CUT: Final = "all have cut"


def read_cuts(text: str, players: int) -> tuple[tuple[int, int], ...]:
    """Return the card that each seat has cut, in the order of the cuts."""
    cuts = tuple((seat, read_card("cuts", name)) for seat, name in read_pairs("cuts", text, players))
    if len({seat for seat, _ in cuts}) < len(cuts):
        raise NotationError("cuts", text, "one card a seat, such as 'cuts:a:KS b:9H'")
    return cuts


def read_all_cut(p: Position) -> None:
    """Note that nobody is left to cut, and it is to be said who deals (R-02)."""
    if len(p.aside.cuts) < p.frame.players:
        raise NotationError("last section", ALL_CUT, "preceded by the card each seat has cut, such as 'cuts:a:KS b:9H'")
    p.phase = SCORED
    p.turn = (p.aside.cuts[-1][0] + 1) % p.frame.players


def check_cuts(p: Position, last: str) -> None:
    """Refuse cuts that do not go with what the last section says."""
    if p.aside.cuts and p.phase != CUT_FOR_DEAL:
        raise NotationError("cuts", last, "left out once the cutting for deal is over")
    if any(seat == p.turn for seat, _ in p.aside.cuts):
        raise NotationError("last section", last, "a seat that has not cut yet")
