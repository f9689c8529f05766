"""Title A: cutting and dealing."""

from referee.laws.law import Case, Finding, Kind, law
from referee.laws.remedies import fill_hands
from referee.rules.cards import SEATS


@law(
    "IR-04",
    "Dealt without a cut",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 5"), ("1895", "law 10")),
    window=("at the first packet", "when the first trick is turned"),
    options=("fresh_deal",),
)
def dealt_without_cut(case: Case) -> Finding | None:
    """The first packet was dealt although the pack had not been cut since it was shuffled.

    The same dealer deals again; no deal is lost by a misdeal.
    """
    if not case.objected("IR-04"):
        return None
    return Finding(case.seat, {"phase": case.before.phase})


@law(
    "IR-06",
    "Wrong number dealt, found before trump is turned",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 4"), ("1895", "law 10")),
    window=("at the packet", "when trump is turned"),
    options=("fresh_deal",),
)
def wrong_number_dealt(case: Case) -> Finding | None:
    """A packet gave a hand more cards than it may hold, and no trump has been turned yet.

    The same dealer deals again.
    """
    if not case.objected("IR-06"):
        return None
    assert case.act is not None
    held = case.after.hands[case.act.to].bit_count()
    facts = {"hand": SEATS[case.act.to], "cards": held, "right": case.before.frame.options.hand_size}
    return Finding(case.seat, facts)


@law(
    "IR-07",
    "Wrong number found when trump is turned",
    kind=Kind.CHOICE,
    cites=(("1895", "law 8"), ("F-Ecarte", "deal")),
    window=("when trump is turned", "at the pone's first play; a fresh deal until he looks at his hand"),
    options=("mend", "fresh_deal"),
    effects={"mend": fill_hands},
    elector="pone",
)
def hand_short_at_turn_up(case: Case) -> Finding | None:
    """Trump was turned while a hand did not have its number of cards.

    The pone chooses: the short hand is filled from the top of the stock and play goes on, a long
    hand playing without drawing until it is right; or, while he has not looked at his
    hand, the same dealer deals again.
    """
    if not case.objected("IR-07"):
        return None
    sizes = {SEATS[seat]: hand.bit_count() for seat, hand in enumerate(case.after.hands)}
    return Finding(case.seat, {"sizes": sizes, "right": case.before.frame.options.hand_size})
