"""Title B: drawing."""

from referee.laws.law import Case, Finding, Kind, law
from referee.laws.remedies import draw_now, face, keep_top, skip_surplus
from referee.rules.cards import SEATS
from referee.rules.positions import stock_left


@law(
    "IR-20",
    "Draws out of turn",
    kind=Kind.CHOICE,
    cites=(("002", "drawing"), ("1895", "law 14")),
    window=("at the draw", "when the trick's winner draws"),
    options=("accept", "end_deal"),
)
def draws_out_of_turn(case: Case) -> Finding | None:
    """The loser of the trick drew before its winner had drawn.

    The winner draws the next card and goes on, or ends the deal and scores one.  Once he has
    drawn, the cards stay as they were drawn.
    """
    if not case.objected("IR-20"):
        return None
    return Finding(case.seat, {"due_first": SEATS[case.before.to_draw[0]]})


@law(
    "IR-21",
    "Plays without drawing",
    kind=Kind.CHOICE,
    cites=(("002", "rule 7"), ("1895", "law 13"), ("EW-Bez", "plays without drawing")),
    window=("at the card played", "when the other plays to that trick or draws"),
    options=("mend", "end_deal"),
    effects={"mend": draw_now},
)
def plays_without_drawing(case: Case) -> Finding | None:
    """A card was played by a seat whose own draw was due.

    The other lets him draw now and goes on, or ends the deal and scores one.  A follower whose
    leader led before he could draw has not offended (Foster: who errs by the other's
    earlier error is free).
    """
    if not case.objected("IR-21"):
        return None
    return Finding(case.seat, {"hand": case.before.hands[case.seat].bit_count()})


@law(
    "IR-22",
    "Draws with a full hand",
    kind=Kind.CHOICE,
    cites=(("002", "rule 8"), ("1895", "law 15")),
    window=("at the draw", "at the offender's next due draw"),
    options=("mend", "end_deal"),
    effects={"mend": skip_surplus},
)
def draws_with_full_hand(case: Case) -> Finding | None:
    """A card was drawn by a seat to which no draw was due.

    The other lets him play next time without drawing (where no draw is left to skip, the
    card goes back), or ends the deal and scores one.
    """
    if not case.objected("IR-22"):
        return None
    facts = {"hand": case.after.hands[case.seat].bit_count(), "stock": stock_left(case.after)}
    return Finding(case.seat, facts)


@law(
    "IR-23",
    "First drawer lifts two cards",
    kind=Kind.CHOICE,
    cites=(("002", "rule 9"), ("1895", "law 16")),
    window=("at the draw", "when the other draws"),
    options=("accept", "face"),
    effects={"accept": keep_top, "face": face},
)
def lifts_two_cards(case: Case) -> Finding | None:
    """Two cards were lifted by the first to draw, who may draw one.

    The other lets him keep the top one, or has both turned face up and says which of them he
    takes; the remaining one is then the other's own draw, or goes back on top if none is
    due to him.
    """
    if not case.objected("IR-23"):
        return None
    return Finding(case.seat, {"lifted": 2})
