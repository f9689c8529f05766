"""The end of a deal: scored, with the last trick's ten where every card of an open deal is out."""

from referee.rules import scoring
from referee.rules.positions import SCORED, Position, Result, for_side, fresh, stock_left


def end(p: Position, result: Result) -> Position:
    """Return the position scored: unplayed cards have no value (P7)."""
    q = fresh(p)
    q.phase = SCORED
    q.result = scoring.shared(p, result)
    q.to_draw = ()
    return q


def played_out(q: Position) -> Position:
    """Score a deal that is played to its end; the last trick counts ten if every card is out (R-43)."""
    q.points = with_last_trick(q)
    return end(q, scoring.played_out(q))


def with_last_trick(q: Position) -> tuple[int, ...]:
    """Return the card points with the last trick's ten, if every card of an open deal is out."""
    options = q.frame.options
    if q.closing is not None or options.last_trick != "ten" or any(q.hands) or stock_left(q):
        return q.points
    winner = q.tricks[-1][1]
    return for_side(q, q.points, winner, q.points[winner] + options.last_trick_bonus)
