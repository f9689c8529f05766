"""Title C: playing."""

from referee.laws.law import Case, Finding, Kind, law
from referee.rules.cards import CARD_NAMES, SEATS
from referee.rules.scoring import count

_STRICT = "strict play: the stock closed or exhausted when the trick was led"


@law(
    "IR-31",
    "Leads out of turn",
    kind=Kind.CHOICE,
    cites=(("002", "rule 10"), ("1895", "law 12"), ("Rubicon", "law 24"), ("Bridge 2017", "law 53")),
    window=("at the card led", "when the other plays to it"),
    options=("undo", "accept"),
)
def leads_out_of_turn(case: Case) -> Finding | None:
    """A card was led by a seat that had not the lead.

    The other has it taken up again, or accepts it and plays to it; there is no penalty.
    """
    if not case.objected("IR-31"):
        return None
    return Finding(case.seat, {"lead_of": SEATS[case.before.leader]})


def _breach(case: Case) -> Finding | None:
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
)
def revoke_not_established(case: Case) -> Finding | None:
    """A card broke the duty of strict play, and its owner takes it back before the trick is quitted.

    The card goes back to his hand, remains known, and he plays another; there is no penalty.
    """
    return None if case.established else _breach(case)


@law(
    "IR-36",
    "Revoke established",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 11"), ("AT-kr", "breach of duty")),
    window=("when the trick's winner acts next, or the deal ends", "when the result is confirmed"),
    options=("end_deal",),
    scope=_STRICT,
)
def revoke_established(case: Case) -> Finding | None:
    """A card broke the duty of strict play, and its trick has been quitted.

    The deal ends, or its result is replaced: the offender scores nothing, the other two, or three
    if the offender had no points toward 66 when he revoked.  Failing to head or to trump is a
    revoke where the rule-set makes it a duty.  A closer who revokes has also failed.
    """
    found = _breach(case) if case.established else None
    if found is None:
        return None
    return Finding(found.offender, {**found.facts, "points_at_act": count(case.before, case.seat)})
