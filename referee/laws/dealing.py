"""Title A: cutting and dealing."""

from referee.laws.law import DISCOVERY, Case, Finding, Kind, law
from referee.laws.remedies import cut_again, fill_hands
from referee.rules.cards import CARD_NAMES, SEATS, names_of
from referee.rules.dealing import cannot_be_completed, faced_is_found
from referee.rules.positions import DEALING, dealing_seat

_FIRST_CARD = "when the first card is dealt"
_TRUMP = "when trump is turned"


@law(
    "IR-01",
    "Cut too small",
    kind=Kind.PRESCRIBED,
    cites=(("002", "dealing"),),
    window=("at the cut", _FIRST_CARD),
    options=("undo",),
    until=("first_card_dealt",),
)
def cut_too_small(case: Case) -> Finding | None:
    """The cut lifted fewer than two cards, or left fewer than two.

    The pack is cut again.
    """
    if not case.objected("IR-01"):
        return None
    assert case.act is not None
    return Finding(case.seat, {"lifted": case.act.at, "least": case.before.frame.options.cut_least})


@law(
    "IR-02",
    "Card shown in the cut",
    kind=Kind.PRESCRIBED,
    cites=(("whist", "cutting"),),
    window=("at the cut", _FIRST_CARD),
    options=("undo",),
    until=("first_card_dealt",),
)
def card_shown_in_cut(case: Case) -> Finding | None:
    """A card of the pack was shown in cutting it.

    The pack is cut again.
    """
    if not case.objected("IR-02"):
        return None
    assert case.act is not None
    return Finding(case.seat, {"card": CARD_NAMES[case.before.stock[case.act.at - 1]]})


@law(
    "IR-03",
    "Shuffled after the cut",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 1"),),
    window=("at the shuffle", _FIRST_CARD),
    options=("mend",),
    effects={"mend": cut_again},
    until=("first_card_dealt",),
)
def shuffled_after_cut(case: Case) -> Finding | None:
    """The pack was shuffled once more after it had been cut.

    There is a fresh cut.
    """
    return Finding(case.seat) if case.objected("IR-03") else None


@law(
    "IR-04",
    "Dealt without a cut",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 5"), ("1895", "law 10")),
    window=("at the first packet", "when the first trick is turned"),
    options=("fresh_deal",),
    until=("first_trick_turned",),
)
def dealt_without_cut(case: Case) -> Finding | None:
    """The first packet was dealt although the pack had not been cut since it was shuffled.

    The same dealer deals again; no deal is lost by a misdeal.
    """
    if not case.objected("IR-04"):
        return None
    return Finding(case.seat, {"phase": case.before.phase})


@law(
    "IR-05",
    "Faced card in the pack or stock",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 5"), ("1895", "law 10")),
    window=("when the card is found", "at the end of the deal"),
    options=("fresh_deal",),
)
def faced_card_found(case: Case) -> Finding | None:
    """A card lay face up in the pack and has come to light: it was dealt, or lies on top.

    The deal is void, even over a correct declaration; the same dealer deals again, and a carry is kept.
    """
    if case.happening != DISCOVERY or not faced_is_found(case.after):
        return None
    return Finding(case.seat, {"cards": names_of(case.after.aside.faced)})


@law(
    "IR-06",
    "Wrong number dealt, found before trump is turned",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 4"), ("1895", "law 10")),
    window=("at the packet", "when trump is turned"),
    options=("fresh_deal",),
    until=("trump_turned",),
)
def wrong_number_dealt(case: Case) -> Finding | None:
    """A packet gave a hand more cards than it may hold, and no trump has been turned yet.

    The same dealer deals again; so he does where too few cards are left to complete the deal.
    """
    if case.happening == DISCOVERY and cannot_be_completed(case.after):
        return Finding(case.seat, {"left": len(case.after.stock)})
    if not case.objected("IR-06") or _found_late(case):
        return None
    assert case.act is not None
    held = case.after.hands[case.act.to].bit_count()
    facts = {"hand": SEATS[case.act.to], "cards": held, "right": case.before.frame.options.hand_size}
    return Finding(case.seat, facts)


def _found_late(case: Case) -> bool:
    """Tell whether a wrong number is found only after trump was turned: the later stage of the same."""
    return case.claimed and case.present.phase not in DEALING


@law(
    "IR-07",
    "Wrong number found when trump is turned",
    kind=Kind.CHOICE,
    cites=(("1895", "law 8"), ("F-Ecarte", "deal")),
    window=("when trump is turned", "at the pone's first play; a fresh deal until he looks at his hand"),
    options=("mend", "fresh_deal"),
    effects={"mend": fill_hands},
    elector="pone",
    until=("other_plays",),
)
def hand_short_at_turn_up(case: Case) -> Finding | None:
    """Trump was turned while a hand did not have its number of cards.

    The pone chooses: the short hand is filled from the top of the stock and play goes on, a long
    hand playing without drawing until it is right; or, while he has not looked at his
    hand, the same dealer deals again.
    """
    if not case.objected("IR-07") and not (case.objected("IR-06") and _found_late(case)):
        return None
    sizes = {SEATS[seat]: hand.bit_count() for seat, hand in enumerate(case.present.hands)}
    facts = {"sizes": sizes, "right": case.before.frame.options.hand_size}
    return Finding(case.seat, facts, options=() if case.unseen else ("mend",))


@law(
    "IR-09",
    "Two cards turned for trump",
    kind=Kind.PRESCRIBED,
    cites=(("1895", "law 10"), ("F-Ecarte", "two trumps turned")),
    window=("when they are turned", "at the first lead; the choice until the pone looks at his hand"),
    options=("fresh_deal", "trump"),
    elector="pone",
    until=("card_led",),
)
def two_cards_turned(case: Case) -> Finding | None:
    """Two cards were turned up in making the trump.

    The same dealer deals again.  Where the rule-set leaves him the choice, a pone who has not looked at his
    hand may say instead which of the two is trump; the other then lies on top of the stock.  Passed over, the
    first of them is the trump and the other goes back on top of the stock.
    """
    # 2026-11-30: 1895 has the deal made afresh and leaves no choice; F-Ecarte lets an adversary who has not looked pick
    # the trump or have a new deal, and gives one who has looked the proper card or a misdeal.  The option follows
    # F-Ecarte for him who has not looked; for him who has, 1895, which is of this game, stands.  What is taken if
    # he says nothing is what follows where nobody notices: the first card.
    if not case.objected("IR-09"):
        return None
    facts = {"turned": 2}
    chosen = case.before.frame.options.two_turned == "choose" and case.unseen and not case.moved_on
    if not chosen:
        return Finding(case.seat, facts, options=("fresh_deal",))
    turned = (case.after.turn_up, case.after.stock[0])
    options = (*(f"trump:{CARD_NAMES[each]}" for each in turned), "fresh_deal")
    return Finding(case.seat, facts, Kind.CHOICE, options)


@law(
    "IR-10",
    "Dealer exposes a card in dealing",
    kind=Kind.CHOICE,
    cites=(("1895", "law 9"), ("F-Ecarte", "exposed cards")),
    window=("when it is exposed", "at the first lead, or when the pone looks at his hand"),
    options=("accept", "fresh_deal"),
    elector="pone",
    until=("card_led",),
)
def card_exposed_in_deal(case: Case) -> Finding | None:
    """The dealer showed a card of a packet while dealing it.

    The pone lets the deal stand, or, while he has not looked at his hand, has the same dealer
    deal again.
    """
    if not case.objected("IR-10"):
        return None
    assert case.act is not None
    card = case.before.stock[case.act.faced - 1]
    facts = {"card": CARD_NAMES[card], "to": SEATS[case.act.to]}
    if not case.unseen:
        return Finding(case.seat, facts, Kind.NONE, ("accept",))
    return Finding(case.seat, facts)


@law(
    "IR-11",
    "A player exposes a card while dealing goes on",
    kind=Kind.CHOICE,
    cites=(("whist", "dealing"), ("F-Ecarte", "exposed cards")),
    window=("when it is exposed", _TRUMP),
    options=("accept", "fresh_deal"),
    elector="dealer",
    until=("trump_turned",),
)
def card_exposed_while_dealing(case: Case) -> Finding | None:
    """The pone, or another who does not deal, showed a card he had received before the deal was complete.

    The dealer lets the deal stand, or deals again; where he rests, or it was his partner, the opponent next in
    turn says so.  A dealer who shows a card of his own gives the other nothing to choose: the deal stands.
    """
    if not case.objected("IR-11"):
        return None
    if case.seat == dealing_seat(case.before):
        return Finding(case.seat, {}, Kind.NONE, ("accept",))
    return Finding(case.seat, {"received": case.before.hands[case.seat].bit_count()})


@law(
    "IR-12",
    "Dealt out of turn",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 6"), ("1895", "law 11")),
    window=("at the packet", _TRUMP),
    options=("undo",),
    until=("trump_turned",),
)
def dealt_out_of_turn(case: Case) -> Finding | None:
    """A packet was dealt by the seat whose deal it was not.

    Found before trump is turned, the cards go back and the right dealer deals.  Found later,
    the deal stands, whoever dealt was the dealer, and the skipped player deals next.
    """
    if not case.objected("IR-12"):
        return None
    return Finding(case.seat, {"dealer": SEATS[case.before.frame.dealer]})


@law(
    "IR-14",
    "Wrong packets or wrong order of dealing",
    kind=Kind.PRESCRIBED,
    cites=(("1895", "law 10"),),
    window=("at the packet", _TRUMP),
    options=("fresh_deal",),
    until=("trump_turned",),
)
def wrong_packet(case: Case) -> Finding | None:
    """A packet had another number of cards than is dealt at a time, or went to the wrong hand.

    Found before trump is turned, the same dealer deals again; found later, the deal stands.
    """
    if not case.objected("IR-14"):
        return None
    assert case.act is not None
    return Finding(case.seat, {"dealt": case.act.cards})
