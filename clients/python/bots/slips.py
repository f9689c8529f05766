"""The irregularities the clumsy bot knows, one function each: from a scene to the act, or None.

A slip says when it can happen at a table and what it looks like on the wire; which law that
breaks is in its name. `SLIPS` are committed when asked, `OFF_TURN` while the other is due. Those
that need a partner or bids are in `partner_slips`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import partner_slips
from cardplay import marriage_points, mate, of_kind
from counting import ENOUGH, count
from scene import Scene, Slip, wrong_card
from seating import active, adversary, hand_size, pack, tricks_played

if TYPE_CHECKING:
    from sixtysix import Act, View

PACKET = 3
# So far below 66 that no marriage overlooked could make the declaration good.
SURELY_SHORT = 20


def deals_one_more(scene: Scene) -> Act | None:
    """IR-06: deals a hand of one too many, with its last packet."""
    view = scene.view
    for act in of_kind(scene.prompt, "deal"):
        if view["sizes"][act["to"]] + act["cards"] == hand_size(view) and view["stock"] > act["cards"]:
            return {"act": "deal", "to": act["to"], "cards": act["cards"] + 1}
    return None


def turns_up_early(scene: Scene) -> Act | None:
    """IR-07: turns the trump while one hand is short of its second packet."""
    view = scene.view
    sizes, full = [view["sizes"][seat] for seat in active(view)], hand_size(view)
    halves = max(sizes) == full and min(sizes) == full // 2
    return {"act": "turn_up"} if halves and scene.asked_to("deal") and "partner" not in view else None


def plays_without_drawing(scene: Scene) -> Act | None:
    """IR-21: plays a card while its own draw is due."""
    view = scene.view
    wins = view["to_draw"][:1] == [scene.seat] and view["leader"] == scene.seat
    if scene.asked_to("draw") and wins and view["hand"]:
        return {"act": "play", "card": view["hand"][0]}
    return None


def lifts_two(scene: Scene) -> Act | None:
    """IR-23: lifts two cards as the first to draw."""
    if scene.asked_to("draw") and scene.view["to_draw"] == [scene.seat, adversary(scene.view)]:
        return {"act": "draw", "cards": 2}
    return None


def draws_a_seventh(scene: Scene) -> Act | None:
    """IR-22: draws with a full hand."""
    view, full = scene.view, hand_size(scene.view)
    if not scene.asked_to("play") or view["closed_by"] or view["to_draw"] or view["stock"] < full:
        return None
    return {"act": "draw"} if len(view["hand"]) == full else None


def revokes(scene: Scene) -> Act | None:
    """IR-36: breaks a duty of strict play, such as following suit."""
    return wrong_card(scene) if "partner" not in scene.view else None


def trumps_wrongly(scene: Scene) -> Act | None:
    """IR-35, first half: takes a trick with a trump, able to follow suit."""
    act, trump = wrong_card(scene), scene.view["trump"]
    led = scene.view["table"][0]["card"] if scene.view["table"] else ""
    trumps = [card for card in scene.view["hand"] if card[1] == trump]
    if act is None or not trumps or led[1:] == trump or len(scene.view["hand"]) < 2:
        return None
    return {"act": "play", "card": trumps[0]}


def takes_back(scene: Scene) -> Act | None:
    """IR-35, second half: takes the revoke back before it is established."""
    if scene.revoked and scene.asked_to("play") and not scene.view["table"]:
        return {"act": "take_back", "number": scene.taken}
    return None


def marries_alone(scene: Scene) -> Act | None:
    """IR-43: calls a marriage with the king or queen alone."""
    if scene.view["table"] or ("partner" in scene.view and "bids" not in scene.view):
        return None  # no marriage is called there at all
    called = {marriage["suit"] for marriage in scene.view["marriages"]}
    for act in of_kind(scene.prompt, "play"):
        card = act["card"]
        if card[0] in "KQ" and card[1] not in called and mate(card) not in scene.view["hand"]:
            return {"act": "marry", "card": card}
    return None


def shows_in_vain(scene: Scene) -> Act | None:
    """IR-46, first half: shows a marriage that does not make 66."""
    points, trump = count(scene.memory, scene.view, scene.seat), scene.view["trump"]
    for act in scene.prompt["own_risk"]:
        if act["act"] == "show" and points + marriage_points(act["suit"], trump) < ENOUGH:
            return act
    return None


def leads_another(scene: Scene) -> Act | None:
    """IR-46, second half: leads neither card of the marriage it has just shown."""
    if not scene.shown or scene.view["table"]:
        return None
    for card in scene.view["hand"]:
        if card[1] != scene.shown or card[0] not in "KQ":
            return {"act": "play", "card": card}
    return None


def exchanges_too_soon(scene: Scene) -> Act | None:
    """IR-51: exchanges the nine before it has won a trick."""
    view = scene.view
    if view["tricks"][scene.seat] or not scene.asked_to("play") or not _could_exchange(view):
        return None
    return {"act": "exchange"}


def exchanges_between_draws(scene: Scene) -> Act | None:
    """IR-52: exchanges the nine between the other's draw and its own."""
    view = scene.view
    if not view["tricks"][scene.seat] or not _could_exchange(view):
        return None
    waits = scene.asked_to("draw") and view["leader"] != scene.seat and len(view["to_draw"]) == 1
    return {"act": "exchange"} if waits else None


def closes_off_lead(scene: Scene) -> Act | None:
    """IR-55: closes while a card lies on the table."""
    view = scene.view
    if view["table"] and scene.asked_to("play") and not view["closed_by"] and view["stock"] > 2:
        return {"act": "close"}
    return None


def looks_back(scene: Scene) -> Act | None:
    """IR-80: looks at a trick of its own that is not the last one."""
    if not scene.asked_to("play") or scene.seat in scene.view["barred"]:
        return None
    played = tricks_played(scene.view)
    old = [place for place in scene.memory.own_tricks(scene.seat) if place < played]
    return {"act": "look", "trick": old[0]} if old else None


def closes_though_barred(scene: Scene) -> Act | None:
    """IR-57: closes after a look at an old trick has cost it the right."""
    view = scene.view
    if scene.seat not in view["barred"] or view["table"] or not scene.asked_to("play"):
        return None
    return {"act": "close"} if view["stock"] > 2 and not view["closed_by"] else None


def declares_short(scene: Scene) -> Act | None:
    """IR-61: declares in time, with a count that is short."""
    short = count(scene.memory, scene.view, scene.seat) + SURELY_SHORT < ENOUGH
    # With a trick on each side the fault costs two points and not three.
    late = _all_have_tricks(scene.view)
    return {"act": "declare"} if scene.may_declare() and short and late else None


def declares_off_lead(scene: Scene) -> Act | None:
    """IR-62: declares while it is following."""
    view = scene.view
    if not view["table"] or scene.may_declare() or "partner" in view or not _all_have_tricks(view):
        return None
    return {"act": "declare"} if scene.asked_to("play") else None


def concedes(scene: Scene) -> Act | None:
    """IR-91: gives up a deal in which it has won next to nothing."""
    view = scene.view
    theirs = view["tricks"][adversary(view)]
    if "partner" in view:
        return None
    lost = theirs >= hand_size(view) - 1 and count(scene.memory, view, scene.seat) < SURELY_SHORT
    return {"act": "concede"} if lost and scene.asked_to("play") else None


def draws_first(view: View) -> Act | None:
    """IR-20: draws before the winner of the trick has drawn."""
    seat = view["seat"]
    waits = view["phase"] == "draw" and view["to_draw"] == [adversary(view), seat]
    return {"act": "draw"} if waits else None


def leads_out_of_turn(view: View) -> Act | None:
    """IR-31: leads though the other is to lead."""
    waits = view["phase"] == "lead" and view["turn"] == adversary(view) and "partner" not in view
    return {"act": "play", "card": view["hand"][0]} if waits and view["hand"] else None


def deals_uncut(view: View) -> Act | None:
    """IR-04: deals before the other has cut."""
    seat = view["seat"]
    waits = view["phase"] == "cut" and view["dealer"] == seat
    return {"act": "deal", "to": adversary(view), "cards": PACKET} if waits else None


def _all_have_tricks(view: View) -> bool:
    return all(view["tricks"][seat] for seat in active(view))


def _could_exchange(view: View) -> bool:
    nine = f"{pack(view)[0][0]}{view['trump']}"  # or the jack, where there are no nines
    turn_up = view["turn_up"]
    return nine in view["hand"] and bool(turn_up) and turn_up != nine and view["stock"] > 2


SLIPS: Mapping[str, Slip] = {
    **partner_slips.SLIPS,
    "IR-06": deals_one_more,
    "IR-36": revokes,
    "IR-23": lifts_two,
    "IR-21": plays_without_drawing,
    "IR-51": exchanges_too_soon,
    "IR-43": marries_alone,
    "IR-22": draws_a_seventh,
    "IR-80": looks_back,
    "IR-57": closes_though_barred,
    "IR-07": turns_up_early,
    "IR-52": exchanges_between_draws,
    "IR-55": closes_off_lead,
    "IR-61": declares_short,
    "IR-46": shows_in_vain,
    "IR-62": declares_off_lead,
    "IR-35": trumps_wrongly,
    "IR-91": concedes,
}
"""What it commits when it is asked, those that come up seldom or matter most first."""

SECOND_HALVES: Mapping[str, Slip] = {"IR-46": leads_another, "IR-35": takes_back}
"""What makes the first half of a slip of two acts into one."""

LEADS_TO: Mapping[str, str] = {"IR-80": "IR-57"}
"""A slip that is committed again for the sake of another it makes possible."""

OFF_TURN: Mapping[str, Callable[[View], Act | None]] = {
    **partner_slips.OFF_TURN,
    "IR-20": draws_first,
    "IR-31": leads_out_of_turn,
    "IR-04": deals_uncut,
}
"""What it commits while the other is due, by what it sees when it looks at the table again."""
