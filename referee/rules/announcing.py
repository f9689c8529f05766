"""Marriages: announcing, showing, proving and cancelling them (R-30 to R-38)."""

from dataclasses import replace

from referee.rules.acts import Act
from referee.rules.cards import COURT, SUIT_MASKS
from referee.rules.objections import holds_marriage, marriage_counts
from referee.rules.positions import ANSWER, FOLLOW, Marriage, Marriages, Position, for_side, fresh
from referee.rules.scoring import marriage_points


def announce(p: Position, seat: int, suit: int, *, void: bool = False) -> Position:
    """Announce a marriage; it counts now, is pending, or is void (R-30 to R-38)."""
    court = SUIT_MASKS[suit] & COURT
    led = 1 << p.table[0] if p.table else 0
    held = holds_marriage(p.hands[seat] | led, suit)
    counts = marriage_counts(p, seat, suit) if held and p.called < 0 and not void else "void"
    amount = marriage_points(p, suit)
    shown = held and (p.frame.options.marriage_proof == "both_shown" or suit in p.aside.shown)
    q = fresh(p)
    q.called = suit
    if shown:
        q.seen = p.seen | court
    done, pending = p.marriages.effective, p.marriages.pending
    if counts == "now":
        done = for_side(p, done, seat, done[seat] + amount)
    elif counts == "pending":
        pending = for_side(p, pending, seat, pending[seat] + amount)
    announced = (*p.marriages.announced, Marriage(seat, suit, amount, shown, counts))
    q.marriages = Marriages(announced, done, pending)
    return q


def effective(p: Position, winner: int) -> Marriages:
    """Return the marriages with the pending ones of a trick's winner and its side counting (R-32, A-04)."""
    m, side = p.marriages, p.frame.sides[winner]
    return Marriages(
        tuple(
            replace(each, counts="now") if each.seat in side and each.counts == "pending" else each
            for each in m.announced
        ),
        for_side(p, m.effective, winner, m.effective[winner] + m.pending[winner]),
        for_side(p, m.pending, winner, 0),
    )


def announce_in_vain(p: Position, seat: int, suit: int) -> Position:
    """Note a call off lead: it is void, and nothing is shown (IR-42)."""
    q = fresh(p)
    call = Marriage(seat, suit, marriage_points(p, suit), False, "void")
    q.marriages = replace(p.marriages, announced=(*p.marriages.announced, call))
    return q


def show(p: Position, seat: int, one: Act) -> Position:
    q = fresh(p)
    seen = p.seen | SUIT_MASKS[one.suit] & COURT
    if p.phase == ANSWER:
        *before, asked = p.marriages.announced
        q.marriages = replace(p.marriages, announced=(*before, replace(asked, shown=True)))
        q.seen = seen
        return _followed(q)
    on_lead = seat == p.leader and not p.table
    shown = (*p.aside.shown, one.suit) if on_lead else p.aside.shown
    q.seen = seen
    q.aside = replace(p.aside, shown=shown)
    return q


def demand(p: Position, seat: int, _one: Act) -> Position:
    q = fresh(p)
    q.aside = replace(p.aside, asked=True)
    q.phase = ANSWER
    q.turn = p.leader
    return q


def refuse_proof(p: Position, seat: int, _one: Act) -> Position:
    """Refuse to show the mate: the call is cancelled (IR-47)."""
    return _followed(cancelled(p))


def _followed(q: Position) -> Position:
    """Let the seat that asked play on: the one after those whose cards lie on the table."""
    q.phase = FOLLOW
    q.turn = q.leader
    for _ in q.table:
        q.turn = q.frame.following[q.turn]
    return q


def cancelled(p: Position) -> Position:
    """Return the position with the marriage announced last cancelled."""
    *before, last = p.marriages.announced
    done, pending = p.marriages.effective, p.marriages.pending
    seat = last.seat
    if last.counts == "now":
        done = for_side(p, done, seat, done[seat] - last.amount)
    elif last.counts == "pending":
        pending = for_side(p, pending, seat, pending[seat] - last.amount)
    q = fresh(p)
    void = replace(last, counts="void")
    q.marriages = Marriages((*before, void), done, pending)
    return q
