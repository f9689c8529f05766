"""Claims, in `calls: players`: an irregularity stands unless a seat claims it inside its law's window.

Nothing latent is kept.  A claim names an act by the number of its event; it is judged on the
position as it was at that act, and the window is a function of what happened since.  Acting on
an irregular act waives it; a waived one is dead; an unfounded claim is ruled on itself (IR-37).
"""

from dataclasses import replace
from typing import Final

from referee.laws import adjudicate
from referee.laws.adjudicate import Judgement
from referee.laws.law import CLAIM, REVOKES, Case, Law
from referee.match import ruling
from referee.match.state import Match, Past, draft
from referee.match.steps import Refusal, Step, changed, record, step_of
from referee.match.table import HANDS, attend
from referee.match.windows import established, is_open, opponents
from referee.rules import acts, play
from referee.rules.acts import Act
from referee.rules.cards import SEATS
from referee.rules.objections import Objection
from referee.rules.positions import DEALING, SCORED
from referee.rules.reasons import BARRED

#: Laws that the referee calls of itself even so (DESIGN, *When the referee calls*), and those of requests.
AUTOMATIC: Final = frozenset(
    (
        *("IR-05", "IR-13", "IR-33", "IR-34", "IR-38", "IR-58", "IR-59", "IR-61", "IR-62"),
        *("IR-85", "IR-91", "IR-92", "IR-99"),
    )
)


def past_act(m: Match, number: int) -> Past | None:
    """Return the act of that event in the running deal, or nothing; a confirmation is no act at the table."""
    return next((each for each in m.past if each.number == number and each.act.kind != acts.CONFIRM), None)


def case_of(m: Match, past: Past) -> Case:
    """Return the case of an act of the running deal: the position at the act, and the present one."""
    return Case(
        past.number,
        past.seat,
        past.before,
        play.apply(past.before, past.seat, past.act),
        past.act,
        against(m, past),
        established=established(m, past),
        now=m.position,
        unseen=m.stop == HANDS or m.position.phase in DEALING,
    )


def against(m: Match, past: Past) -> tuple[Objection, ...]:
    """Return what a claim may find against an act of the running deal: what the position shows, and a look before it.

    A look at a quitted trick takes the privilege of closing, claimed or not (IR-57 says why).
    """
    found = play.objections(past.before, past.seat, past.act)
    laws = {each.law for each in found}
    if past.act.kind != acts.CLOSE or laws & {"IR-56", "IR-57"} or not _has_looked_back(m, past):
        return found
    return (*found, BARRED)


def _has_looked_back(m: Match, past: Past) -> bool:
    """Tell whether the seat of an act had looked at a trick that was closed to it, earlier in the deal."""
    return any(
        {"IR-80", "IR-81"}.intersection(each.law for each in play.objections(look.before, look.seat, look.act))
        for look in m.past
        if look.act.kind == acts.LOOK and look.seat == past.seat and look.number < past.number
    )


def claim(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Decide on a claim of a seat: the act it names is judged, and the claim itself if it is unfounded.

    While a choice is open a claim waits behind it, unless it is on an earlier act: that comes first,
    and the choice waits (DESIGN, *Elections*).
    """
    past = past_act(m, one.number)
    if past is None or past.attendant:
        detail = f"event {one.number} is no act of a seat in this deal; a claim names the number of an act"
        return Refusal(409, "claim/no_such_act", "There is no such act", detail, counts=True)
    refused = _not_to_claim(m, seat, past)
    if refused is not None:
        return refused
    d = draft(m)
    taken = record(d, seat, one, ms)
    d.slips = changed(d.slips, seat, d.slips[seat] + 1)
    case = case_of(m, past)
    judgement = adjudicate.judge(case)
    if judgement is None:
        _unfounded(d, taken, seat, one, past)
    elif d.case is None or _comes_first(d, past):
        _heard(d, case, judgement, past, seat)
    else:
        d.waiting = (*d.waiting, past.number)
    if d.case is None:
        hear_waiting(d)
    if d.case is None:
        attend(d)
    return step_of(d, taken=taken, firm=d.position is not m.position or d.case is not m.case)


def _not_to_claim(m: Match, seat: int, past: Past) -> Refusal | None:
    """Return why an act is not for that seat to claim, or nothing: only an opponent who plays claims.

    A dealer who rests may call the referee to a misdeal of his own (B-07).
    """
    frame = m.position.frame
    if seat not in frame.active:
        if seat == past.seat == frame.resting and past.before.phase in DEALING:
            return None
        detail = f"seat {SEATS[seat]} takes no part in this deal; a dealer who rests may claim a misdeal of his own"
        return Refusal(409, "claim/no_part", "Only who plays claims", detail, counts=True)
    if past.seat not in frame.sides[seat]:
        return None
    own = "your own act; what can still be mended of it is taken back (take_back)"
    whose = own if past.seat == seat else f"an act of seat {SEATS[past.seat]}, your partner"
    detail = f"event {past.number} is {whose}"
    return Refusal(409, "claim/own_act", "A claim is on the other's act", detail, counts=True)


def _comes_first(d: Match, past: Past) -> bool:
    """Tell whether a claimed act goes before the open choice, which then waits: never one half made."""
    pending = d.case
    assert pending is not None
    half_made = pending.options != pending.judgement.options
    automatic = AUTOMATIC.intersection(pending.judgement.laws)
    ruled_on = bool(pending.judgement.laws)  # the choice of the deal is no case of a law, and waits for nobody
    if half_made or automatic or not ruled_on or past.number > pending.case.number:
        return False
    if past.number != pending.case.number:
        d.case, d.waiting = None, (*d.waiting, pending.case.number)
    return past.number != pending.case.number


def hear_waiting(d: Match) -> None:
    """Bring the claim on the earliest act to the front once a choice is made; one whose object is gone lapses."""
    while d.waiting and d.case is None and d.outcome is None:
        number = min(d.waiting)
        d.waiting = tuple(each for each in d.waiting if each != number)
        past = past_act(d, number)
        if past is None or number in d.heard or d.position.phase == SCORED:
            continue
        case = case_of(d, past)
        judgement = adjudicate.judge(case)
        if judgement is not None:
            _rule(d, case, judgement, past, dead=False)


def _heard(d: Match, case: Case, judgement: Judgement, past: Past, seat: int) -> None:
    """Rule on a claim of a seat: what has been waived, decided or confirmed is dead (3.5 nos. 4, 5)."""
    confirmed = d.position.phase == SCORED and seat not in d.confirming
    _rule(d, case, judgement, past, dead=past.number in d.heard or confirmed)


def _rule(d: Match, case: Case, judgement: Judgement, past: Past, *, dead: bool) -> None:
    """Rule on what is still open of a case, or that the right to a remedy was forfeited."""
    open_ids = frozenset(each.id for each in _laws(judgement) if not dead and is_open(d, each, past))
    heard = adjudicate.judge(case, only=open_ids) if open_ids else None
    if heard is None:
        ruling.forfeit(d, case, judgement)
        return
    earlier = _earlier_revoke(d, past) if REVOKES.intersection(heard.laws) else None
    if earlier is not None:  # of two established revokes the earlier act counts (3.5 no. 3)
        case = case_of(d, earlier)
        heard = adjudicate.judge(case, only=REVOKES) or heard
    ruling.open_case(d, case, heard)


def _earlier_revoke(d: Match, past: Past) -> Past | None:
    """Return the other side's established revoke before the one that is claimed, if there is one."""
    return next(
        (
            each
            for each in d.past
            if each.number < past.number
            and each.seat in opponents(past)
            and each.number not in d.undone
            and each.act.kind in (acts.PLAY, acts.MARRY)
            and any(o.law == "IR-35" for o in play.objections(each.before, each.seat, each.act))
            and established(d, each)
        ),
        None,
    )


def _laws(judgement: Judgement) -> tuple[Law, ...]:
    return tuple(each.law for each in judgement.cited if each.law.id not in AUTOMATIC)


def _unfounded(d: Match, taken: int, seat: int, one: Act, past: Past) -> None:
    p = d.position
    d.conduct = changed(d.conduct, seat, d.conduct[seat] + 1)
    unfounded = Case(taken, seat, p, p, one, happening=CLAIM)
    ruling.weigh(d, replace(unfounded, against=past.act))
    if d.position is not p:  # the deal has ended with it, and what was still to be chosen has lapsed
        d.case, d.waiting = None, ()


def mends(m: Match, past: Past) -> bool:
    """Tell whether its own seat may still take an act back: IR-31, 32 and 35, while they can be mended."""
    if past.attendant or past.number in m.heard or past.act.kind not in (acts.PLAY, acts.MARRY):
        return False
    laws = {each.law for each in play.objections(past.before, past.seat, past.act)}
    if past.before.frame.options.other_card_led == "loses_3" and "IR-32" in laws:
        return False
    if not laws & {"IR-31", "IR-32", "IR-35"}:
        return False
    if "IR-35" in laws:
        return not established(m, past)
    later = m.past[m.past.index(past) + 1 :]
    return all(each.seat == past.seat or each.attendant or each.act.kind in acts.BY_PLAY for each in later)
