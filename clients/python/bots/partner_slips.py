"""The irregularities the clumsy bot knows where there are partners: out of turn, bids too low, revokes.

As in `slips` each is a function from a scene, or from the view of one who is not asked, to the act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from scene import Scene, Slip, wrong_card

if TYPE_CHECKING:
    from sixtysix import Act, View


def bids_too_low(scene: Scene) -> Act | None:
    """IR-98: bids no more than the highest bid."""
    highest = _highest(scene.view)
    return {"act": "bid", "ticks": highest} if highest and scene.asked_to("pass") else None


def revokes_at_bands(scene: Scene) -> Act | None:
    """IR-95: breaks a duty of strict play where deals are played out for card points."""
    return wrong_card(scene) if "partner" in scene.view and "bids" not in scene.view else None


def revokes_at_ticks(scene: Scene) -> Act | None:
    """IR-9A: breaks a duty of strict play where the bidder's side has a bid to make."""
    return wrong_card(scene) if "bids" in scene.view else None


def plays_too_early(view: View) -> Act | None:
    """IR-96: leads or plays though another is on turn."""
    waits = view["phase"] in ("lead", "follow") and view["trump"] is not None
    return _card(view) if waits and view["turn"] != view["seat"] and not _has_played(view) else None


def plays_again(view: View) -> Act | None:
    """IR-38: plays a second card to the trick."""
    return _card(view) if view["phase"] == "follow" and _has_played(view) else None


def leads_for_the_bidder(view: View) -> Act | None:
    """IR-99: makes the first lead, and with it trump, though another has bid highest."""
    waits = view["phase"] == "lead" and view["trump"] is None
    return _card(view) if waits and view["turn"] != view["seat"] else None


def bids_again(view: View) -> Act | None:
    """IR-98: bids a second time."""
    again = view["phase"] == "bid" and any(one["seat"] == view["seat"] for one in view.get("bids", []))
    return {"act": "bid", "ticks": _highest(view) or 1} if again else None


def _card(view: View) -> Act | None:
    """Takes the first card of the hand; there is none to play where there is no partner, or the hand is dead."""
    if "partner" not in view or view.get("out") == view["seat"] or not view["hand"]:
        return None
    return {"act": "play", "card": view["hand"][0]}


def _has_played(view: View) -> bool:
    placed = [*view["table"], *view.get("early", [])]
    return any(one["seat"] == view["seat"] for one in placed)


def _highest(view: View) -> int:
    return max((one["ticks"] or 0 for one in view.get("bids", [])), default=0)


SLIPS: Mapping[str, Slip] = {
    "IR-98": bids_too_low,
    "IR-95": revokes_at_bands,
    "IR-9A": revokes_at_ticks,
}
"""What it commits when it is asked."""

OFF_TURN: Mapping[str, Callable[[View], Act | None]] = {
    "IR-99": leads_for_the_bidder,
    "IR-98": bids_again,
    "IR-96": plays_too_early,
    "IR-38": plays_again,
}
"""What it commits while another is due."""
