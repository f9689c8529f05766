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
    ticks = one.ticks if one.kind == acts.BID else 0
    q.stakes = replace(p.stakes, bids=(*p.stakes.bids, (seat, ticks)))
    waiting = [each for each in p.frame.active if not has_bid(q, each)]
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
    """Return the position in which a bid of `seat` was ruled out, so that it bids again in turn (IR-98)."""
    q = fresh(p)
    q.stakes = replace(p.stakes, cancelled=(*p.stakes.cancelled, (seat, ticks)))
    return q
