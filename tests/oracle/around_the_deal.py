"""What comes before a deal is played and after it is scored: the slow way, from the rules dossier."""

from collections.abc import Mapping
from typing import Any

OTHER = {"a": "b", "b": "a"}


def lay_out(options: Mapping[str, Any], pack: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Pone's six, dealer's six, and the stock with the turn-up as its last card.

    R-04, R-05, A-21, A-22, W-43.
    """
    way = options["trump_method"]
    if way in ("turn_7th", "turn_after_3"):  # with six cards each, three and three more, they are the same
        return pack[0:3] + pack[7:10], pack[3:6] + pack[10:13], [*pack[13:], pack[6]]
    pone, dealer, rest = pack[0:3] + pack[6:9], pack[3:6] + pack[9:12], pack[12:]
    if way == "turn_13th":
        return pone, dealer, [*rest[1:], rest[0]]
    if way != "pone_draws":
        raise ValueError(f"trump_method {way!r}: this oracle knows turn_13th, turn_7th, turn_after_3, pone_draws")
    place = {"top": 0, "middle": len(rest) // 2, "bottom": len(rest) - 1}[options["trump_position"]]
    return pone, dealer, [*rest[:place], *rest[place + 1 :], rest[place]]


def next_deal(options: Mapping[str, Any], dealer: str, result: Mapping[str, Any], carry: int) -> tuple[str, int, int]:
    """(next dealer, what the winner scores with the carry, carry after): R-07, R-67 to R-69."""
    winner = result["winner"]
    rotating = OTHER[dealer]
    if options["next_dealer"] == "winner":
        rotating = winner or dealer
    if winner is None:
        return rotating, 0, carry + (1 if options["carry_on_draw"] == "cumulative_1" else 0)
    return rotating, result["points"] + carry, 0
