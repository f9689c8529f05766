"""Titles H and I: information, conduct, conceding, time."""

from referee.laws.law import CLAIM, CONDUCT, REVOKES, TIME_OUT, Case, Finding, Kind, law
from referee.laws.remedies import bar_from_closing, lay_tricks_open
from referee.rules import acts
from referee.rules.cards import CARD_NAMES
from referee.rules.scoring import count


@law(
    "IR-80",
    "Looks at a quitted trick",
    kind=Kind.PRESCRIBED,
    cites=(("000", "looking back at tricks"), ("002", "rule 13")),
    window=("at the look", "at the end of the deal"),
    options=("bar",),
    effects={"bar": bar_from_closing, "accept": bar_from_closing},
    scope="the tricks that look_back keeps closed",
    until=("deal_ended",),
)
def looks_at_quitted_trick(case: Case) -> Finding | None:
    """One of the seat's own tricks was looked at that the rule-set keeps closed.

    The first time the offender may not close for the rest of the deal; where there is no stock, nothing
    follows.  The second time the other goes on, or, unless ticks are scored, ends the deal and scores one.
    """
    if not case.objected("IR-80"):
        return None
    assert case.act is not None
    facts = {"trick": case.act.trick, "tricks": len(case.before.tricks)}
    if not case.before.frame.has_stock:
        return _where_nothing_is_closed(case, facts, Kind.NONE)
    if case.seat in case.before.aside.barred:
        return Finding(case.seat, facts, Kind.CHOICE, ("accept", "end_deal"))
    return Finding(case.seat, facts)


def _where_nothing_is_closed(case: Case, facts: dict[str, int], first: Kind) -> Finding:
    """Return what follows a look where there is no stock to close: nothing is lost by it but by the second.

    Where ticks are scored there is no award of one either (D-21).
    """
    again = case.seat in case.before.aside.barred
    if again and case.before.frame.options.score_by != "ticks":
        return Finding(case.seat, facts, Kind.CHOICE, ("accept", "end_deal"))
    return Finding(case.seat, facts, first, ("accept",))


@law(
    "IR-85",
    "Impossible or irregular acts without end",
    kind=Kind.PRESCRIBED,
    cites=(("house", "tournament conduct"), ("Bridge 2017", "law 90, its idea")),
    window=("at each refused request", "at the end of the match"),
    options=("end_match",),
)
def acts_without_end(case: Case) -> Finding | None:
    """As many requests of a seat were refused in one match as the rule-set's conduct limit allows.

    Impossible and unreadable requests count, and irregular ones that were refused.  They cost no
    game points each; at the limit the match is lost.
    """
    if case.happening != CONDUCT:
        return None
    return Finding(case.seat, {"limit": case.before.frame.options.conduct_limit})


@law(
    "IR-91",
    "Concedes the deal",
    kind=Kind.PRESCRIBED,
    cites=(("house", "no source speaks of it"),),
    window=("at the concession", "at once, by itself"),
    options=("end_deal",),
    consequence_of=(acts.CONCEDE,),
)
def concedes_deal(case: Case) -> Finding | None:
    """The deal was given up.

    The other scores as if he had declared with a good count: one, two or three by what the
    conceder, or his side, has; a closer who concedes has failed.  Where ticks are scored nobody concedes.
    """
    if case.act is None or case.act.kind != acts.CONCEDE:
        return None
    return Finding(case.seat, {"count": count(case.before, case.seat)})


@law(
    "IR-92",
    "Runs out of time",
    kind=Kind.PRESCRIBED,
    cites=(("old Hoyle Ecarte", "throwing up the cards"),),
    window=("when the clock has run out", "at once, by itself"),
    options=("end_deal",),
)
def runs_out_of_time(case: Case) -> Finding | None:
    """The seat to act let its clock run out.

    The deal is lost: the other scores two, or three if he has no trick, and never less than a
    concession would give.  Where ticks are scored its side is at fault as by a revoke (IR-9A); of a
    dealer who rests both players score.  The second time in a match the match is lost.
    """
    if case.happening != TIME_OUT:
        return None
    options = ("end_match",) if case.repeated else ()
    return Finding(case.seat, {"phase": case.before.phase}, options=options)


@law(
    "IR-28",
    "Shows or names the card drawn",
    kind=Kind.NONE,
    cites=(("000", "drawing"),),
    window=("when it is shown", "at once"),
    options=("accept",),
)
def shows_card_drawn(case: Case) -> Finding | None:
    """The card just drawn was shown.

    Nothing follows: showing one's own card costs nothing where there is no partner to inform.
    """
    if not case.objected("IR-83") or case.act is None:
        return None
    drawn = {card for seat, _, card in case.before.drawn if seat == case.seat}
    return Finding(case.seat, {"card": CARD_NAMES[case.act.card]}) if case.act.card in drawn else None


@law(
    "IR-81",
    "Looks at the other's old tricks",
    kind=Kind.PRESCRIBED,
    cites=(("old Hoyle Ecarte", "looking at tricks"),),
    window=("at the look", "at the end of the deal"),
    options=("bar",),
    effects={"bar": lay_tricks_open, "accept": lay_tricks_open},
    scope="the tricks that look_back keeps closed",
    until=("deal_ended",),
)
def looks_at_others_trick(case: Case) -> Finding | None:
    """A quitted trick of the other seat, or side, was looked at.

    As with one's own (IR-80), and the other may look at the offender's tricks.
    """
    if not case.objected("IR-81"):
        return None
    assert case.act is not None
    facts = {"trick": case.act.trick}
    if not case.before.frame.has_stock:
        return _where_nothing_is_closed(case, facts, Kind.PRESCRIBED)
    if case.seat in case.before.aside.barred:
        return Finding(case.seat, facts, Kind.CHOICE, ("accept", "end_deal"))
    return Finding(case.seat, facts)


@law(
    "IR-83",
    "Exposes a card of one's own",
    kind=Kind.NONE,
    cites=(("F-Ecarte", "exposed cards"),),
    window=("when it is exposed", "at once"),
    options=("accept",),
    yields_to=("IR-28",),
)
def exposes_own_card(case: Case) -> Finding | None:
    """A card of one's own hand was shown.

    Nothing follows; it is known.
    """
    if not case.objected("IR-83") or case.act is None:
        return None
    return Finding(case.seat, {"card": CARD_NAMES[case.act.card]})


@law(
    "IR-37",
    "Unfounded claim",
    kind=Kind.NONE,
    cites=(("NPA", "false accusation"),),
    window=("at the claim", "at once"),
    options=("accept",),
)
def unfounded_claim(case: Case) -> Finding | None:
    """A seat claimed an act that was in order.

    It costs no game points and counts as conduct; where the rule-set says so, the claimant pays what the
    other would have paid.
    """
    if case.happening != CLAIM:
        return None
    facts = {"claimed": case.act.number} if case.act is not None else {}
    if case.act is not None and _is_paid(case, case.act.law):
        return Finding(case.seat, facts, Kind.PRESCRIBED, ("end_deal",))
    return Finding(case.seat, facts)


def _is_paid(case: Case, alleged: str) -> bool:
    """Tell whether a claim under that law is paid for; in ticks only a revoke has a price, and who rests pays none."""
    frame = case.before.frame
    if not alleged or frame.options.false_accusation != "same_penalty" or case.seat not in frame.active:
        return False
    return frame.options.score_by != "ticks" or alleged in REVOKES
