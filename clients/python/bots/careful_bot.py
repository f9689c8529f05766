"""Counts its points, declares when it has 66, and closes where that pays.

It knows what a good player knows: a pending marriage does not count yet, an unfinished trick
counts for nobody, a marriage may be shown unled where it makes 66, the nine is worth
exchanging, and what has not been seen is in the other hands or the stock. With a partner it
plays for two.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bidding import bid, in_the_suit_to_make
from cardplay import (
    beats,
    chore,
    elected,
    marriage_points,
    mate,
    of_kind,
    strength,
    value,
)
from closing import share_of_wins
from command import arguments, play
from counting import ENOUGH, Memory, count, known_of, unseen
from partnering import is_highest, lead_for_two, reply_for_two
from seating import active, adversary

if TYPE_CHECKING:
    from sixtysix import Act, Card, Prompt, View

SURE_ENOUGH = 0.9
WORTH_A_TRUMP = 10


@dataclass(slots=True)
class Careful:
    """Plays several matches at once, each with a memory of its own."""

    dice: random.Random
    memories: dict[str, Memory] = field(default_factory=dict)

    def choose(self, prompt: Prompt) -> Act:
        """Goes out if it can, else does what is best before playing, else plays."""
        memory = self.memories.setdefault(prompt["match"], Memory())
        view, seat = prompt["view"], prompt["seat"]
        memory.look(view)
        points = count(memory, view, seat)
        return (
            elected(prompt, wanted=() if points >= ENOUGH // 2 else ("end_deal",))
            or _way_out(prompt, points)
            or self._close(prompt, memory, points)
            or chore(prompt)
            or bid(prompt)
            or _exchange(prompt)
            or _marriage(prompt)
            or _card(prompt, memory)
        )

    def _close(self, prompt: Prompt, memory: Memory, points: int) -> Act | None:
        closes, view = of_kind(prompt, "close"), prompt["view"]
        if not closes or len(view["hand"]) < min(view["sizes"][seat] for seat in active(view)):
            return None
        best = max((_worth(act, view) for act in of_kind(prompt, "marry")), default=0)
        share = share_of_wins(
            view["hand"],
            points + best,
            others=sorted(unseen(memory, view)),
            size=view["sizes"][adversary(view)],
            trump=view["trump"],
            dice=self.dice,
        )
        return closes[0] if share >= SURE_ENOUGH else None


def _way_out(prompt: Prompt, points: int) -> Act | None:
    """Declares with 66, or shows the marriage that makes it."""
    for act in prompt["own_risk"]:
        if act["act"] == "declare" and points >= ENOUGH:
            return act
        if act["act"] == "show" and act.get("suit"):
            shown = points + marriage_points(act["suit"], prompt["view"]["trump"])
            if shown >= ENOUGH and prompt["view"]["tricks"][prompt["seat"]]:
                return act
    return None


def _exchange(prompt: Prompt) -> Act | None:
    return next(iter(of_kind(prompt, "exchange")), None)


def _worth(act: Act, view: View) -> int:
    return marriage_points(act["card"][1], view["trump"])


def _marriage(prompt: Prompt) -> Act | None:
    """Announces the dearest marriage, and leads the queen of it."""
    marriages, view = in_the_suit_to_make(prompt, "marry"), prompt["view"]
    return max(marriages, key=lambda act: (_worth(act, view), act["card"][0] == "Q"), default=None)


def _card(prompt: Prompt, memory: Memory) -> Act:
    plays, view = in_the_suit_to_make(prompt, "play"), prompt["view"]
    if not plays:
        return prompt["lawful"][0]
    cards = [act["card"] for act in plays]
    table = view["table"]
    if "partner" in view:
        out = unseen(memory, view)
        card = reply_for_two(cards, view, out) if table else lead_for_two(cards, view, out)
    else:
        card = _reply(cards, table[0]["card"], view) if table else _lead(cards, memory, view)
    return next(act for act in plays if act["card"] == card)


def _is_strict(view: View) -> bool:
    return view["closed_by"] is not None or not view["stock"]


def _lead(cards: list[Card], memory: Memory, view: View) -> Card:
    """Leads sure winners in strict play, and what costs least while the stock is open."""
    out, trump = unseen(memory, view) | known_of(view, adversary(view)), view["trump"]
    if _is_strict(view):
        safe = [card for card in cards if _is_sure(card, out, trump)]
        if safe:
            return max(safe, key=lambda card: (card[1] == trump, value(card)))
    plain = [card for card in cards if card[1] != trump and not _is_kept(card, view)]
    return min(plain or cards, key=lambda card: (value(card), strength(card)))


def _is_sure(card: Card, out: set[Card], trump: str | None) -> bool:
    ruffed = card[1] != trump and any(c[1] == trump for c in out)
    return is_highest(card, out) and not ruffed


def _is_kept(card: Card, view: View) -> bool:
    """Keeps a marriage together, and tens and aces out of harm."""
    return value(card) >= value("TS") or (card[0] in "KQ" and mate(card) in view["hand"])


def _reply(cards: list[Card], led: Card, view: View) -> Card:
    """Takes the trick in suit if it can, with a trump if the trick is worth one, else pays least."""
    trump = view["trump"]
    winning = [card for card in cards if beats(card, led, trump)]
    in_suit = [card for card in winning if card[1] == led[1] and card[1] != trump]
    if in_suit:
        return max(in_suit, key=value)
    if winning and (_is_strict(view) or value(led) >= WORTH_A_TRUMP):
        return min(winning, key=lambda card: (_is_kept(card, view), value(card)))
    spare = [card for card in cards if card[1] != trump and not _is_kept(card, view)]
    return min(spare or cards, key=lambda card: (card[1] == trump, value(card)))


def main() -> None:
    """Runs the bot; its estimates are the same every time, and others with another `--seed`."""
    given = arguments("careful")
    play(Careful(random.Random(given.seed or 0)).choose, given)


if __name__ == "__main__":
    main()
