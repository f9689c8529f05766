"""Title B: drawing."""

from typing import Any

from referee.laws.law import Case, Finding, Kind, law
from referee.laws.remedies import draw_now, draw_properly, face, face_top, others_draw, skip_surplus, undo
from referee.rules.cards import SEATS
from referee.rules.positions import stock_left


@law(
    "IR-20",
    "Draws out of turn",
    kind=Kind.CHOICE,
    cites=(("002", "drawing"), ("1895", "law 14")),
    window=("at the draw", "when the trick's winner draws, or closes"),
    options=("accept", "end_deal"),
    until=("other_draws", "other_closes"),
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
    until=(
        "other_plays",
        "other_draws",
    ),
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
    until=("offenders_due_draw",),
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


def _of_two_cards(
    case: Case, facts: dict[str, Any], kind: Kind | None = None, options: tuple[str, ...] = ()
) -> Finding:
    """Return a finding that offers to face two cards; once they have moved on there is nothing to face."""
    if case.moved_on:
        return Finding(case.seat, facts, Kind.NONE, ("accept",))
    return Finding(case.seat, facts, kind, options)


@law(
    "IR-23",
    "First drawer lifts two cards",
    kind=Kind.CHOICE,
    cites=(("002", "rule 9"), ("1895", "law 16")),
    window=("at the draw", "when the other draws"),
    options=("accept", "face"),
    effects={"face": face},
    until=("other_draws",),
)
def lifts_two_cards(case: Case) -> Finding | None:
    """Two cards were lifted by the first to draw, who may draw one.

    The other lets him keep the top one, or has both turned face up and says which of them he
    takes; the remaining one is then the other's own draw, or goes back on top if none is
    due to him.
    """
    return _of_two_cards(case, {"lifted": 2}) if case.objected("IR-23") else None


@law(
    "IR-24",
    "Second drawer lifts two cards",
    kind=Kind.CHOICE,
    cites=(("002", "rule 9, extended"), ("Rubicon", "law 30")),
    window=("at the draw", "at the next lead"),
    options=("accept", "face"),
    effects={"face": face},
    until=("card_led",),
)
def second_drawer_lifts_two(case: Case) -> Finding | None:
    """Two cards were lifted by the second to draw, who may draw one.

    The other lets him keep the top one, or has both turned face up and says which he keeps; the
    remaining one goes back on top and is known to both.
    """
    return _of_two_cards(case, {"lifted": 2}) if case.objected("IR-24") else None


@law(
    "IR-25",
    "Draws from the wrong place",
    kind=Kind.PRESCRIBED,
    cites=(("house", "no source speaks of it"),),
    window=("at the draw", "at the next lead"),
    options=("mend",),
    effects={"mend": draw_properly, "face": face},
    until=("card_led",),
)
def draws_from_wrong_place(case: Case) -> Finding | None:
    """A card was drawn from elsewhere than the top of the stock.

    It goes back to its place unseen, and the proper card is drawn.  Once it has been seen, the other
    lets it stand, or has it and the proper one faced and says which of them the offender has.
    """
    if not case.objected("IR-25"):
        return None
    assert case.act is not None
    facts = {"from": case.act.place}
    return _of_two_cards(case, facts, Kind.CHOICE, ("accept", "face")) if case.claimed else Finding(case.seat, facts)


@law(
    "IR-26",
    "Draws after a close",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 8, by analogy"),),
    window=("at the draw", "at the next lead"),
    options=("undo",),
    effects={"undo": undo},
    until=("card_led",),
)
def draws_after_close(case: Case) -> Finding | None:
    """A card was drawn although the stock had been closed.

    It goes back face down where it came from.  Once it has been seen, the other has it put back,
    or ends the deal and scores one.
    """
    if not case.objected("IR-26"):
        return None
    facts = {"stock": stock_left(case.before)}
    return Finding(case.seat, facts, Kind.CHOICE, ("undo", "end_deal")) if case.claimed else Finding(case.seat, facts)


@law(
    "IR-27",
    "Leads before the other has drawn",
    kind=Kind.PRESCRIBED,
    cites=(("house", "no source speaks of it"),),
    window=("at the lead", "when the other plays to it"),
    options=("mend",),
    effects={"mend": others_draw},
    until=("other_plays",),
)
def leads_before_other_has_drawn(case: Case) -> Finding | None:
    """The leader led while the other's draw was still due.

    The other draws first; the lead stands, and there is no penalty.
    """
    return (
        Finding(case.seat, {"to_draw": [SEATS[each] for each in case.before.to_draw]})
        if case.objected("IR-27")
        else None
    )


@law(
    "IR-29",
    "Looks at a card of the stock",
    kind=Kind.CHOICE,
    cites=(("house", "no source speaks of it"),),
    window=("at the look", "at the next draw"),
    options=("accept", "face"),
    effects={"face": face_top},
    until=("card_drawn",),
)
def looks_at_stock(case: Case) -> Finding | None:
    """The top card of the stock was looked at without drawing it.

    The other passes over it, or has the top two faced and says which of them lies on top.
    """
    if not case.objected("IR-29"):
        return None
    facts = {"stock": stock_left(case.before)}
    if case.present.stock[:2] != case.before.stock[:2]:
        return Finding(case.seat, facts, Kind.NONE, ("accept",))
    return Finding(case.seat, facts)
