"""Title D: marriages."""

from referee.laws.law import Case, Finding, Kind, law
from referee.rules.cards import CARD_NAMES, SUIT_OF, SUITS
from referee.rules.scoring import marriage_points


@law(
    "IR-41",
    "Marriage called late",
    kind=Kind.NONE,
    cites=(("000", "marriages"),),
    window=("when the card is led", "when the other plays to it"),
    options=("accept",),
    scope="late_marriage_call: none; elsewhere the call is in order until the other plays (R-35)",
)
def marriage_called_late(case: Case) -> Finding | None:
    """A marriage was called only after its king or queen had been led.

    Where the rule-set lets the call be added until the other plays, it is in order and counts.
    Where it does not, the call is void and the card stays.
    """
    if not case.objected("IR-41"):
        return None
    assert case.act is not None
    return Finding(case.seat, {"suit": SUITS[SUIT_OF[case.act.card]]})


@law(
    "IR-43",
    "Calls a marriage he does not hold",
    kind=Kind.CHOICE,
    cites=(("EW-Bez", "wrong declaration"), ("002", "the scale of one point")),
    window=("at the call", "when the other plays to the card led"),
    options=("accept", "end_deal"),
    until=("other_plays",),
)
def marriage_not_held(case: Case) -> Finding | None:
    """A marriage was called without its other card in hand.

    The call is cancelled and the card led stands; the other goes on, or, unless ticks are scored, ends
    the deal and scores one.
    """
    # 2026-11-30: the award of one is on the scale of 66 (002); D-21 keeps that scale out of ticks, and to be set for a
    # wrong call would be the price of a revoke.  So where ticks are scored the call is cancelled, and that is all.
    if not case.objected("IR-43"):
        return None
    assert case.act is not None
    facts = {"called": SUITS[SUIT_OF[case.act.card]]}
    if case.before.frame.options.score_by == "ticks":
        return Finding(case.seat, facts, Kind.NONE, ("accept",))
    return Finding(case.seat, facts)


@law(
    "IR-45",
    "Shows two marriages unled",
    kind=Kind.NONE,
    cites=(("000", "marriages"),),
    window=("when the second is shown", "at the declaration"),
    options=("accept",),
)
def shows_two_marriages(case: Case) -> Finding | None:
    """A second marriage was shown unled at one lead.

    Only the first shown counts toward a declaration; if that falls short, the declaration is false.
    """
    if not case.objected("IR-45"):
        return None
    return Finding(case.seat, {"counts": SUITS[case.before.aside.shown[0]]})


@law(
    "IR-46",
    "Shows a marriage unled in vain",
    kind=Kind.PRESCRIBED,
    cites=(("000", "marriages"),),
    window=("when another card is led", "when the other plays to it"),
    options=("undo",),
    until=("other_plays",),
)
def shows_marriage_in_vain(case: Case) -> Finding | None:
    """A marriage was shown unled, no declaration followed, and another card was led.

    The card goes back; king or queen of the marriage shown is led, and the call stands.
    """
    if not case.objected("IR-46"):
        return None
    assert case.act is not None
    led = case.act.lead if case.act.lead >= 0 else case.act.card
    return Finding(case.seat, {"shown": SUITS[case.before.aside.shown[0]], "led": CARD_NAMES[led]})


@law(
    "IR-42",
    "Calls a marriage where none may be called",
    kind=Kind.NONE,
    cites=(("000", "marriages"),),
    window=("at the call", "at once"),
    options=("accept",),
)
def marriage_called_in_vain(case: Case) -> Finding | None:
    """A marriage was called without the lead, twice, or where the rule-set allows none.

    The call is void; a card already played stays.
    """
    return Finding(case.seat) if case.objected("IR-42") else None


@law(
    "IR-44",
    "Says a wrong amount",
    kind=Kind.NONE,
    cites=(("house", "no source speaks of it"),),
    window=("at the call", "when the result is confirmed"),
    options=("accept",),
)
def wrong_amount_said(case: Case) -> Finding | None:
    """A marriage was announced at another amount than it counts.

    It counts at its true value; a declaration that rests on more is false.
    """
    if not case.objected("IR-44"):
        return None
    assert case.act is not None
    true = marriage_points(case.before, SUIT_OF[case.act.card])
    return Finding(case.seat, {"said": case.act.amount, "counts": true})


@law(
    "IR-47",
    "Refuses to show the mate",
    kind=Kind.NONE,
    cites=(("000", "marriages"),),
    window=("at the refusal", "when the other plays to the trick"),
    options=("accept",),
    scope="marriage_proof: on_demand",
    until=("other_plays",),
)
def mate_withheld(case: Case) -> Finding | None:
    """The mate of a marriage was asked for and not shown.

    The call is cancelled; the card led stands.
    """
    return Finding(case.seat) if case.objected("IR-47") else None
