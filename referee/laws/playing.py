"""Title C: playing."""

from referee.laws.law import Case, Finding, Kind, law
from referee.laws.remedies import lead_the_marriage
from referee.rules.cards import CARD_NAMES, SEATS, SUIT_OF, SUITS
from referee.rules.scoring import count

_STRICT = "strict play: the stock closed or exhausted when the trick was led, or no stock at all"


@law(
    "IR-31",
    "Leads out of turn",
    kind=Kind.CHOICE,
    cites=(("002", "rule 10"), ("1895", "law 12"), ("Rubicon", "law 24"), ("Bridge 2017", "law 53")),
    window=("at the card led", "when the other plays to it"),
    options=("undo", "accept"),
    until=("other_plays",),
    scope="deals in which two play; IR-96 speaks where more do",
)
def leads_out_of_turn(case: Case) -> Finding | None:
    """A card was led by a seat that had not the lead.

    The other has it taken up again, or accepts it and plays to it; there is no penalty.
    """
    if not case.objected("IR-31"):
        return None
    return Finding(case.seat, {"lead_of": SEATS[case.before.leader]})


def breach_of_duty(case: Case) -> Finding | None:
    """Return what a card breaks of the duty of strict play, or nothing (IR-35, IR-36, IR-95, IR-9A)."""
    if not case.objected("IR-35") or case.act is None:
        return None
    return Finding(
        case.seat,
        {
            "led": CARD_NAMES[case.before.table[0]],
            "played": CARD_NAMES[case.act.card],
            "duty": case.before.frame.options.strict_play,
        },
    )


@law(
    "IR-35",
    "Revoke not yet established",
    kind=Kind.PRESCRIBED,
    cites=(("Bridge 2017", "law 62"), ("Older Skat", "failure to follow")),
    window=("at the card played", "when the trick's winner acts next"),
    options=("undo",),
    scope=_STRICT,
    until=("established",),
)
def revoke_not_established(case: Case) -> Finding | None:
    """A card broke the duty of strict play, and its owner takes it back before the trick is quitted.

    The card goes back to his hand, and with it what was played after it; all remain known, and he plays another.
    There is no penalty.
    """
    return None if case.established else breach_of_duty(case)


@law(
    "IR-36",
    "Revoke established",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 11"), ("AT-kr", "breach of duty")),
    window=("when the trick's winner acts next, or the deal ends", "when the result is confirmed"),
    options=("end_deal",),
    scope=f"{_STRICT}, where the loser's count decides; IR-95 and IR-9A speak where sides score by bands or ticks",
)
def revoke_established(case: Case) -> Finding | None:
    """A card broke the duty of strict play, and its trick has been quitted.

    The deal ends, or its result is replaced: the offender scores nothing, the other two, or three
    if the offender had no points toward 66 when he revoked.  Failing to head or to trump is a
    revoke where the rule-set makes it a duty.  A closer who revokes has also failed.
    """
    return of_established_revoke(case, "loser")


def of_established_revoke(case: Case, score_by: str) -> Finding | None:
    """Return an established revoke where deals are scored so, with the points the offender's side had, or nothing."""
    found = breach_of_duty(case) if case.established else None
    if found is None or case.before.frame.options.score_by != score_by:
        return None
    return Finding(found.offender, {**found.facts, "points_at_act": count(case.before, case.seat)})


@law(
    "IR-32",
    "Leads another card than the marriage announced",
    kind=Kind.CHOICE,
    cites=(("002", "rule 10"), ("1895", "law 12"), ("AT-team", "the token of a marriage")),
    window=("at the card led", "when the other plays to it"),
    options=("undo", "accept"),
    effects={"undo": lead_the_marriage},
    until=("other_plays",),
)
def leads_another_card(case: Case) -> Finding | None:
    """A marriage was announced, and another card was led than its king or queen.

    The other has it taken up, and king or queen is led instead, without penalty; or plays to
    it: the trick stands and the marriage does not count.  Where other_card_led says so, the deal ends
    and the other scores three.
    """
    if not case.objected("IR-32"):
        return None
    assert case.act is not None
    facts = {"led": CARD_NAMES[case.act.lead], "announced": SUITS[SUIT_OF[case.act.card]]}
    if case.before.frame.options.other_card_led == "loses_3":
        return Finding(case.seat, facts, Kind.PRESCRIBED, ("end_deal",))
    return Finding(case.seat, facts)


@law(
    "IR-33",
    "Plays two cards at once",
    kind=Kind.CHOICE,
    cites=(("Rubicon", "law 23"),),
    window=("when they fall", "when the trick is turned"),
    options=("keep",),
    elector="offender",
)
def plays_two_cards(case: Case) -> Finding | None:
    """Two cards fell at once.

    Their owner says which of them stays, and takes the other up, which all have seen; there is no
    penalty.  The card that stays is judged as if it had been played alone.
    """
    if not case.objected("IR-33"):
        return None
    assert case.act is not None
    cards = [CARD_NAMES[case.act.card], CARD_NAMES[case.act.also]]
    return Finding(case.seat, {"cards": cards}, options=tuple(f"keep:{name}" for name in cards))


@law(
    "IR-34",
    "Wants to take back a card played",
    kind=Kind.NONE,
    cites=(("Rubicon", "law 23"), ("ISkO", "4.1.2")),
    window=("at the wish", "at once"),
    options=("accept",),
)
def wants_card_back(case: Case) -> Finding | None:
    """A seat wished to take back an act that was regularly made, or that is not for it to mend.

    It is refused; the act stays.
    """
    if not case.objected("IR-34"):
        return None
    return Finding(case.seat)


@law(
    "IR-38",
    "Second card to one trick",
    kind=Kind.PRESCRIBED,
    cites=(("Bridge 2017", "law 67"),),
    window=("at the second card", "when both have played to the next trick"),
    options=("undo",),
)
def second_card_to_a_trick(case: Case) -> Finding | None:
    """A second card was played to a trick by a seat whose first lay on the table.

    It stays in the hand and is known; the trick goes on.
    """
    return Finding(case.seat) if case.objected("IR-38") else None
