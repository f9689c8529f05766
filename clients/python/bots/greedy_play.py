"""Taking what one can, trick by trick, in every game; nothing is counted and nothing remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bidding import bid, in_the_suit_to_make
from cardplay import beats, chore, elected, marriage_points, of_kind, strength, value
from seating import winning

if TYPE_CHECKING:
    from sixtysix import Act, Prompt, View


def greedy_act(prompt: Prompt, *, wanted: tuple[str, ...] = ("end_deal",)) -> Act:
    """Takes what it can: the nine's exchange, the better marriage, the dearest trick."""
    ready = elected(prompt, wanted=wanted) or chore(prompt) or bid(prompt)
    if ready is not None:
        return ready
    exchanges = of_kind(prompt, "exchange")
    marriages, plays = in_the_suit_to_make(prompt, "marry"), in_the_suit_to_make(prompt, "play")
    view = prompt["view"]
    trump = view["trump"]
    if exchanges:
        return exchanges[0]
    if marriages:
        return max(marriages, key=lambda act: marriage_points(act["card"][1], trump))
    if not plays:
        return prompt["lawful"][0]
    if not view["table"]:
        return max(plays, key=lambda act: (act["card"][1] != trump, strength(act["card"])))
    return _reply(plays, view)


def _reply(plays: list[Act], view: View) -> Act:
    best, trump = winning(view), view["trump"]
    if best["seat"] == view.get("partner"):  # the trick is ours: give it what is dear, and leave the trumps
        return max(plays, key=lambda act: (not beats(act["card"], best["card"], trump), value(act["card"])))
    taking = [act for act in plays if beats(act["card"], best["card"], trump)]
    in_suit = [act for act in taking if act["card"][1] == best["card"][1]]
    if in_suit:
        return max(in_suit, key=lambda act: value(act["card"]))
    if taking:
        return min(taking, key=lambda act: value(act["card"]))
    return min(plays, key=lambda act: (act["card"][1] == trump, value(act["card"])))
