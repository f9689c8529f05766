"""Bidding for the right to lead and to make trump (4.4): each seat once, from the dealer's left."""

from dataclasses import replace

from referee.rules import acts
from referee.rules.acts import Act
from referee.rules.ending import end
from referee.rules.positions import BIDDING, LEAD, NOBODY, Position, Result, frame_for, fresh
from referee.rules.scoring import PASSED_OUT, counts


def begin_bidding(q: Position) -> None:
    """Set on a fresh position that the dealer's left bids first."""
    q.phase = BIDDING
    q.turn = q.frame.pone


def has_bid(p: Position, seat: int) -> bool:
    """Tell whether a seat has had its one turn to bid."""
    return any(who == seat for who, _ in p.stakes.bids)


def bid(p: Position, seat: int, one: Act) -> Position:
    """Note a bid or a pass; when every seat has had its turn, the highest bidder leads."""
    q = fresh(p)
    q.stakes = replace(p.stakes, bids=(*p.stakes.bids, (seat, ticks_of(one))))
    return _go_on(q)


def ticks_of(one: Act) -> int:
    """Return what an act of bidding bids: 0 for a pass."""
    return one.ticks if one.kind == acts.BID else 0


def _go_on(q: Position) -> Position:
    """Let a fresh position go on to who bids next, or to the lead."""
    waiting = [each for each in q.frame.active if not has_bid(q, each)]
    if waiting:
        q.turn = waiting[0]
        return q
    bidder = q.stakes.bidder
    if bidder == NOBODY:
        return end(q, Result(PASSED_OUT, NOBODY, 0, counts(q)))
    if q.stakes.ticks >= q.frame.options.moon_bid:
        partner = next(each for each in q.frame.sides[bidder] if each != bidder)
        q.frame = frame_for(q.frame.rule_set, dealer=q.frame.dealer, out=partner)
    q.phase = LEAD
    q.turn = q.leader = bidder
    return q


def is_forced(p: Position, seat: int) -> bool:
    """Tell whether `seat` may not pass: the dealer, when nobody has bid (D-04)."""
    return p.frame.options.all_pass == "dealer_forced_1" and seat == p.frame.dealer and not p.stakes.ticks


def cancelled(p: Position, seat: int, ticks: int) -> Position:
    """Return the position with the last such bid of `seat` ruled out, so that it bids again in turn (IR-98).

    What others have bid since stays; a Moon that is ruled out brings the partner's hand back.
    """
    bids = list(p.stakes.bids)
    del bids[len(bids) - 1 - bids[::-1].index((seat, ticks))]
    q = fresh(p)
    q.stakes = replace(p.stakes, bids=tuple(bids), cancelled=(*p.stakes.cancelled, (seat, ticks)))
    q.frame = frame_for(p.frame.rule_set, dealer=p.frame.dealer)
    q.leader = q.frame.pone
    q.result = None
    begin_bidding(q)
    return _go_on(q)
