"""Scoring of deals between two sides: by bands (4.3) and by ticks (4.4).

A side is named by one of its seats; both partners hold the same card points, tricks and marriages,
and score the same game points.
"""

from collections.abc import Callable
from typing import Final

from referee.rules.positions import NOBODY, Position, Result

#: The causes, as in `scoring`, which names them for every game.
PLAYED_OUT: Final = "played_out"
REMEDY: Final = "remedy"
CONCEDED: Final = "conceded"
TIME: Final = "time"
SET: Final = "set"
TEN: Final = "ten_of_trumps"


def has(p: Position, seat: int) -> int:
    """Return the card points and effective marriages of a seat's side."""
    return p.points[seat] + p.marriages.effective[seat]


def _result(
    p: Position, cause: str, winner: int, points: dict[int, int], *, law: str = "", seat: int = NOBODY
) -> Result:
    """Return a result in which each side scores what `points` says under one of its seats."""
    scores = list(p.stakes.tens or (0,) * p.frame.players)
    for one, gained in points.items():
        for each in p.frame.sides[one]:
            scores[each] += gained
    counts = tuple(has(p, each) for each in range(p.frame.players))
    return Result(cause, winner, points.get(winner, 0), counts, law, seat, tuple(scores))


def played_out(p: Position) -> Result:
    """Return how a deal ends that is played out."""
    return _PLAYED_OUT[p.frame.options.score_by](p)


def _by_bands(p: Position) -> Result:
    """One, two or three by the winner's total; the same total on both sides is a draw (4.3, C-01 to C-04)."""
    options = p.frame.options
    one, two = 0, p.frame.adversary[0]
    if has(p, one) == has(p, two):
        return _result(p, PLAYED_OUT, NOBODY, {})
    winner, loser = (one, two) if has(p, one) > has(p, two) else (two, one)
    if not p.counts[loser]:
        return _result(p, PLAYED_OUT, winner, {winner: options.points_schwarz})
    if options.schneider_basis == "bands":
        high = has(p, winner) >= options.schneider_from
    else:
        high = has(p, loser) < options.schneider_below
    return _result(p, PLAYED_OUT, winner, {winner: options.points_schneider if high else options.points_plain})


def _by_ticks(p: Position) -> Result:
    """A point a tick to each side; a bid that is not made is set (4.4, D-07, D-08, D-15)."""
    options, bidder, ticks = p.frame.options, p.stakes.bidder, p.stakes.ticks
    if bidder == NOBODY:
        return _result(p, PLAYED_OUT, NOBODY, {})
    others = p.frame.adversary[bidder]
    theirs = has(p, others) // options.tick
    if ticks >= options.moon_bid and options.moon_goal == "all_tricks":
        made, gained = not p.counts[others], ticks
    else:
        made, gained = has(p, bidder) >= ticks * options.tick, has(p, bidder) // options.tick
    if made:
        return _result(p, PLAYED_OUT, bidder, {bidder: gained, others: theirs})
    return _result(p, SET, others, {bidder: -_cost_of_set(p), others: theirs})


_PLAYED_OUT: Final[dict[str, Callable[[Position], Result]]] = {"bands": _by_bands, "ticks": _by_ticks}


def _cost_of_set(p: Position) -> int:
    """Return what a bid that is not made costs; with no bid standing, the lowest there is (D-05)."""
    ticks = max(p.stakes.ticks, 1)
    return 2 * ticks if p.frame.options.set_costs == "twice_bid" else ticks


def awarded(p: Position, winner: int, points: int, *, law: str, seat: int) -> Result:
    """Return how a deal ends by an award to a side, its own tens kept (C-09)."""
    return _result(p, REMEDY, winner, {winner: points}, law=law, seat=seat)


def accused_falsely(p: Position, claimant: int, points: int) -> Result:
    """Return how a deal ends by an unfounded claim of a side where it costs what it alleged (IR-37)."""
    if p.frame.options.score_by == "ticks":
        return _at_fault(p, REMEDY, claimant, "IR-37")
    return awarded(p, p.frame.adversary[claimant], points, law="IR-37", seat=claimant)


def _at_fault(p: Position, cause: str, seat: int, law: str) -> Result:
    """Rule that a side is at fault where ticks are bid: it is set, or the others have made their bid (IR-9A).

    Bidders who have made more than their bid already score that: nobody gains by a fault (3.5 no. 8).
    """
    others = p.frame.adversary[seat]
    bidder = p.stakes.bidder
    theirs = has(p, others) // p.frame.options.tick
    if bidder in p.frame.sides[others]:
        return _result(p, cause, others, {others: max(p.stakes.ticks, theirs)}, law=law, seat=seat)
    return _result(p, cause, others, {others: theirs, seat: -_cost_of_set(p)}, law=law, seat=seat)


def revoked(p: Position, at_act: Position, seat: int) -> Result:
    """Return how a deal ends by an established revoke of a side, judged on the position `at_act` (IR-95, IR-9A)."""
    options = p.frame.options
    if options.score_by == "ticks":
        return _at_fault(p, REMEDY, seat, "IR-9A")
    others = p.frame.adversary[seat]
    none = options.revoke_penalty == "flat_3" or not has(at_act, seat)
    points = options.revoke_points_no_points if none else options.revoke_points
    return _result(p, REMEDY, others, {others: points}, law="IR-95", seat=seat)


def conceded(p: Position, seat: int) -> Result:
    """Return how a deal ends when a seat concedes it for its side: by what the side has (IR-91)."""
    options, others = p.frame.options, p.frame.adversary[seat]
    if options.score_by == "ticks":
        return _at_fault(p, CONCEDED, seat, "IR-91")
    return _result(p, CONCEDED, others, {others: _level(p, seat)}, law="IR-91", seat=seat)


def timed_out(p: Position, seat: int) -> Result:
    """Return how a deal ends when a seat runs out of time; never less than conceding costs (IR-92, D-21)."""
    options, others = p.frame.options, p.frame.adversary[seat]
    if options.score_by == "ticks":
        return _at_fault(p, TIME, seat, "IR-92")
    fine = options.fail_points if p.counts[others] else options.fail_points_no_trick
    return _result(p, TIME, others, {others: max(fine, _level(p, seat))}, law="IR-92", seat=seat)


def _level(p: Position, loser: int) -> int:
    options = p.frame.options
    if has(p, loser) >= options.schneider_below:
        return options.points_plain
    return options.points_schneider if p.counts[loser] else options.points_schwarz


def won_at_once(p: Position, seat: int) -> Result:
    """Return how a deal ends in which a side has reached the target by the ten of trumps (C-10)."""
    return _result(p, TEN, seat, {})
