"""Titles E and F: the exchange for the turn-up, and closing."""

from referee.laws.law import Case, Finding, Kind, law
from referee.laws.remedies import both_draw, put_back_draw, reopen, skip_surplus, swap_back
from referee.rules import acts
from referee.rules.cards import CARD_NAMES, SEATS
from referee.rules.positions import DRAW, stock_left
from referee.rules.scoring import other


def _reasons(case: Case, law_id: str) -> list[str]:
    return [each.code for each in case.objections if each.law == law_id]


@law(
    "IR-51",
    "Exchanges without having won a trick",
    kind=Kind.CHOICE,
    cites=(("house", "P5: acting on it waives it"), ("000", "the nine of trumps")),
    window=("at the exchange", "when the other plays or draws next"),
    options=("undo", "accept"),
    scope="nine_needs_trick",
    until=(
        "other_plays",
        "other_draws",
    ),
)
def exchanges_without_trick(case: Case) -> Finding | None:
    """The turn-up was taken for the lowest trump by a seat that had won no trick.

    The other has the exchange undone, or accepts it.
    """
    if not case.objected("IR-51"):
        return None
    return Finding(case.seat, {"taken": CARD_NAMES[case.before.turn_up], "tricks": 0})


@law(
    "IR-52",
    "Exchanges at a forbidden moment",
    kind=Kind.CHOICE,
    cites=(("house", "P5: acting on it waives it"), ("000", "the nine of trumps"), ("004", "exchange")),
    window=("at the exchange", "when the other plays or draws next"),
    options=("undo", "accept"),
    until=(
        "other_plays",
        "other_draws",
    ),
)
def exchanges_at_forbidden_moment(case: Case) -> Finding | None:
    """The turn-up was taken for the lowest trump at a moment the rule-set does not allow.

    Between the two draws, off turn, with no face-down card left, off lead or after a close where
    the rule-set forbids it.  The other has the exchange undone, or accepts it.
    """
    if not case.objected("IR-52"):
        return None
    return Finding(case.seat, {"reasons": _reasons(case, "IR-52")})


@law(
    "IR-55",
    "Closes at a forbidden moment",
    kind=Kind.CHOICE,
    cites=(("Bridge 2017", "law 53, its pattern"), ("000", "closing"), ("002", "closing")),
    window=("at the close", "when the other plays or draws next"),
    options=("undo", "accept"),
    until=(
        "other_plays",
        "other_draws",
    ),
)
def closes_at_forbidden_moment(case: Case) -> Finding | None:
    """The stock was closed without the lead, or at a moment the rule-set forbids.

    The other has it opened again, or accepts it: the offender is then bound as closer, and
    strict play begins with the next lead.
    """
    if not case.objected("IR-55"):
        return None
    return Finding(case.seat, {"reasons": _reasons(case, "IR-55"), "stock": stock_left(case.before)})


@law(
    "IR-57",
    "Closes after losing the privilege",
    kind=Kind.CHOICE,
    cites=(("000", "looking back at tricks"),),
    window=("at the close", "when the other plays next"),
    options=("undo", "accept"),
    effects={"undo": reopen},
    until=(
        "other_plays",
        "other_draws",
    ),
)
def closes_after_losing_privilege(case: Case) -> Finding | None:
    """The stock was closed by a seat that had looked at a quitted trick in this deal.

    The other has it opened again, or holds the offender to it as closer.  Where the seats claim,
    the close can be claimed whether or not the look has been.
    """
    # 2026-11-30: where the seats claim, is a close after a look that nobody has claimed against this law?  000 ties
    # the loss of the privilege to the look itself, P1 has an irregularity exist even if nobody claims, W-30 lets the
    # other reopen and asks for nothing in between, and a look is heard until the deal ends, so that to let it pass
    # waives nothing before.  Against it stands that what follows in order on an act that stands is in order (DESIGN
    # section 4); but the look has not been let stand while it can still be claimed.  So the close may be claimed
    # alone; who has it opened again has noticed the look with it, and its author is barred as if that were claimed.
    if not case.objected("IR-57"):
        return None
    looked = [trick for seat, trick in case.before.aside.looks if seat == case.seat and trick > 0]
    return Finding(case.seat, {"looked_at": looked})


@law(
    "IR-58",
    "Closes before drawing when the other has drawn",
    kind=Kind.CHOICE,
    cites=(("house", "a consequence of IR-20"),),
    window=("at the close", "at the closer's lead"),
    options=("undo", "mend"),
    effects={"undo": put_back_draw, "mend": both_draw},
    elector="closer",
    consequence_of=(acts.CLOSE,),
)
def closes_when_other_has_drawn(case: Case) -> Finding | None:
    """The trick's winner closed before drawing, and the other had already drawn out of turn.

    The close is in order.  The closer chooses: the other's card goes back on the stock, or
    both draw and the stock is closed after it.
    """
    p = case.before
    adversary = other(p, case.seat)
    drawn = any(seat == adversary and card >= 0 for seat, _, card in p.drawn)
    closes = case.act is not None and case.act.kind == acts.CLOSE and case.seat == p.leader
    if not closes or case.objections or p.phase != DRAW or not drawn or case.seat not in p.to_draw:
        return None
    return Finding(adversary, {"closer": SEATS[case.seat]})


@law(
    "IR-53",
    "Leaves a wrong card in the exchange",
    kind=Kind.PRESCRIBED,
    cites=(("house", "no source speaks of it"),),
    window=("at the exchange", "at the next draw, or the end of the deal"),
    options=("undo",),
    effects={"undo": swap_back},
    until=("card_drawn",),
)
def leaves_wrong_card(case: Case) -> Finding | None:
    """The turn-up was taken for another card than the lowest trump.

    While both cards are where they went, the exchange is undone.  Later the other lets it
    stand, or ends the deal and scores one.
    """
    if not case.objected("IR-53"):
        return None
    assert case.act is not None
    left, taken, now = case.act.card, case.before.turn_up, case.present
    facts = {"left": CARD_NAMES[left], "taken": CARD_NAMES[taken]}
    held = now.hands[case.seat] >> taken & 1 or (now.table == (taken,) and now.leader == case.seat)
    if now.turn_up == left and held:
        return Finding(case.seat, facts)
    return Finding(case.seat, facts, Kind.CHOICE, ("accept", "end_deal"))


@law(
    "IR-54",
    "Takes the turn-up and leaves nothing",
    kind=Kind.CHOICE,
    cites=(("002", "rule 8"),),
    window=("at the taking", "at the offender's next due draw"),
    options=("mend", "end_deal"),
    effects={"mend": skip_surplus},
    until=("offenders_due_draw",),
)
def takes_turn_up(case: Case) -> Finding | None:
    """The turn-up was taken into a hand without leaving the lowest trump for it.

    As with any card too many: the other lets him play next time without drawing (with no draw
    left to skip, it goes back), or ends the deal and scores one.
    """
    if not case.objected("IR-54"):
        return None
    return Finding(case.seat, {"taken": CARD_NAMES[case.before.turn_up]})


@law(
    "IR-56",
    "Closes where nothing is left to close",
    kind=Kind.NONE,
    cites=(("002", "closing"),),
    window=("at the close", "at once"),
    options=("accept",),
)
def closes_nothing(case: Case) -> Finding | None:
    """A stock was closed that is exhausted or closed already.

    It has no effect.
    """
    return Finding(case.seat, {"stock": stock_left(case.before)}) if case.objected("IR-56") else None


@law(
    "IR-59",
    "Wishes to withdraw a close",
    kind=Kind.NONE,
    cites=(("house", "R-59"),),
    window=("at the wish", "at once"),
    options=("accept",),
)
def wants_close_back(case: Case) -> Finding | None:
    """The closer wished to open the stock again.

    It is refused; a close is not revocable.
    """
    return Finding(case.seat) if case.objected("IR-59") else None
