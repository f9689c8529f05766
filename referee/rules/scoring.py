"""Scoring: what is counted, and how a deal ends; defined for every position, odd ones included.

Game points are without the carry, which belongs to the match (R-69).
"""

from dataclasses import replace
from typing import Final

from referee.rules import sides
from referee.rules.objections import holds_marriage
from referee.rules.options import Options
from referee.rules.positions import NOBODY, Position, Result

DECLARED: Final = "declared"
FALSE_DECLARATION: Final = "false_declaration"
PLAYED_OUT: Final = "played_out"
CLOSER_FAILED: Final = "closer_failed"
REMEDY: Final = "remedy"
CONCEDED: Final = "conceded"
TIME: Final = "time"
#: Causes of games with bids and sides (4.3, 4.4): nobody bid, a bid was not made, the ten of trumps ended the match.
PASSED_OUT: Final = "passed_out"
SET: Final = "set"
TEN: Final = "ten_of_trumps"


def count(p: Position, seat: int) -> int:
    """Return the card points of a seat's tricks and its effective marriages (R-70: none pending)."""
    return p.points[seat] + p.marriages.effective[seat]


def counts(p: Position) -> tuple[int, ...]:
    """Return every seat's count."""
    return tuple(count(p, seat) for seat in range(p.frame.players))


def other(p: Position, seat: int) -> int:
    """Return the adversary of a seat: of two the other, of more the next in turn on another side."""
    return p.frame.adversary[seat]


def marriage_points(p: Position, suit: int) -> int:
    """Return what a marriage of `suit` counts (R-30); one that is led before trump is made makes it (D-12)."""
    options = p.frame.options
    return options.marriage_royal if suit == p.trump or p.trump < 0 else options.marriage_plain


def declared_count(p: Position, seat: int) -> int:
    """Return what a declaration by `seat` counts: with the marriage shown unled, if it may be.

    Only one shown marriage counts, the first (IR-45), and none before a trick is won (R-34).
    """
    total = count(p, seat)
    options = p.frame.options
    on_lead = seat == p.leader and not p.table
    if not on_lead or not p.aside.shown or not options.show_unled_to_66 or not p.counts[seat]:
        return total
    suit = p.aside.shown[0]
    return total + marriage_points(p, suit) if holds_marriage(p.hands[seat], suit) else total


def level(p: Position, loser: int, *, loser_count: int | None = None) -> int:
    """Return 1, 2 or 3 by what the loser has: a third of the cards, a trick, nothing (R-70)."""
    options = p.frame.options
    has = count(p, loser) if loser_count is None else loser_count
    if has >= options.schneider_below:
        return options.points_plain
    return options.points_schneider if p.counts[loser] else options.points_schwarz


def success_level(p: Position, closer: int) -> int:
    """Return what a closer who succeeds scores (R-57)."""
    closing = p.closing
    if closing is None or not p.frame.options.success_level_frozen:
        return level(p, other(p, closer))
    options = p.frame.options
    if closing.points >= options.schneider_below:
        return options.points_plain
    return options.points_schneider if closing.tricks else options.points_schwarz


def fail_points(p: Position) -> int:
    """Return what the other scores when the closer fails; the trick test is that of the close (R-55)."""
    options, closing = p.frame.options, p.closing
    if closing is None:
        return 0
    if options.fail_penalty == "flat_2":
        return options.fail_points
    if not closing.tricks:
        return options.fail_points_no_trick
    if options.fail_penalty == "by_closer_count":
        plain = count(p, closing.closer) >= options.schneider_below
        return options.points_plain if plain else options.points_schneider
    return options.fail_points


def is_closer(p: Position, seat: int) -> bool:
    """Tell whether `seat` closed the stock."""
    return p.closing is not None and p.closing.closer == seat


def _result(p: Position, cause: str, winner: int, points: int, *, law: str = "", seat: int = NOBODY) -> Result:
    return Result(cause, winner, points, counts(p), law, seat)


def won(p: Position, seat: int) -> tuple[str, int]:
    """Return cause and game points of a correct declaration by `seat` (R-56, R-57, R-70)."""
    adversary = other(p, seat)
    if is_closer(p, seat):
        return DECLARED, success_level(p, seat)
    if is_closer(p, adversary):
        options = p.frame.options
        flat = options.non_closer_declares == "flat_2"
        return DECLARED, options.fail_points if flat else fail_points(p)
    return DECLARED, level(p, adversary)


def declaration(p: Position, seat: int) -> Result:
    """Return how a deal ends by a declaration of `seat`, good or false (R-61 to R-65, IR-61).

    The window is not judged here.
    """
    adversary, options = other(p, seat), p.frame.options
    total = declared_count(p, seat)
    if total >= options.declare_at:
        cause, points = won(p, seat)
        full = tuple(total if each == seat else has for each, has in enumerate(counts(p)))
        return Result(cause, seat, points, full, seat=seat)
    if is_closer(p, seat):
        points = fail_points(p)
    elif options.false_declaration == "as_claimed":
        points = won(p, seat)[1]
    elif options.false_declaration == "flat_2" or p.counts[adversary]:
        points = options.false_points
    else:
        points = options.false_points_no_trick
    full = tuple(total if each == seat else has for each, has in enumerate(counts(p)))
    return Result(FALSE_DECLARATION, adversary, points, full, "IR-61", seat)


def concession(p: Position, seat: int) -> Result:
    """Return how a deal ends when `seat` concedes: as if the other had declared (IR-91)."""
    if p.frame.options.partners:
        return sides.conceded(p, seat)
    adversary = other(p, seat)
    points = won(p, adversary)[1]
    if is_closer(p, seat):
        points = max(points, fail_points(p))
    return _result(p, CONCEDED, adversary, points, law="IR-91", seat=seat)


def time_out(p: Position, seat: int) -> Result:
    """Return how a deal ends when `seat` runs out of time; never less than conceding costs (IR-92)."""
    if p.frame.options.partners:
        return sides.timed_out(p, seat)
    adversary, options = other(p, seat), p.frame.options
    fine = options.fail_points if p.counts[adversary] else options.fail_points_no_trick
    points = max(fine, concession(p, seat).game_points)
    result = _result(p, TIME, adversary, points, law="IR-92", seat=seat)
    if seat != p.frame.resting:
        return result
    # A resting dealer has both players for adversaries, and does not share in what his own absence gives (P6).
    return replace(result, scores=tuple(points if each in p.frame.active else 0 for each in range(p.frame.players)))


def revoked(p: Position, at_act: Position, seat: int) -> Result:
    """Return how a deal ends by an established revoke, judged on the position `at_act` (IR-36)."""
    options, adversary = p.frame.options, other(p, seat)
    if options.partners:
        return sides.revoked(p, at_act, seat)
    if options.revoke_penalty == "flat_3" or not count(at_act, seat):
        points = options.revoke_points_no_points
    else:
        points = options.revoke_points
    if is_closer(at_act, seat):
        points = max(points, fail_points(at_act))
    return _result(p, REMEDY, adversary, points, law="IR-36", seat=seat)


def remedied(p: Position, offender: int, *, law: str) -> Result:
    """Return how a deal ends when the other ends it by a remedy (002's scale; P8), or by another card led (E-07)."""
    options = p.frame.options
    points = options.revoke_points_no_points if law == "IR-32" else options.remedy_award
    if p.frame.options.partners:
        return sides.awarded(p, other(p, offender), points, law=law, seat=offender)
    return _result(p, REMEDY, other(p, offender), points, law=law, seat=offender)


def accused_falsely(p: Position, claimant: int, *, law: str) -> Result:
    """Return how a deal ends by an unfounded claim where it costs what it alleged (IR-37)."""
    options = p.frame.options
    points = options.revoke_points if law in ("IR-36", "IR-95", "IR-9A") else options.remedy_award
    if options.partners:
        return sides.accused_falsely(p, claimant, points)
    return _result(p, REMEDY, other(p, claimant), points, law="IR-37", seat=claimant)


def shared(p: Position, result: Result) -> Result:
    """Return a result with what a resting dealer scores: as much as the winner, or his own share (4.2, B-03)."""
    dealer = p.frame.resting
    if dealer == NOBODY or result.scores:
        return result
    points = p.frame.options.rest_share if result.winner == NOBODY else result.game_points
    scoring = (dealer, result.winner)
    return replace(result, scores=tuple(points if seat in scoring else 0 for seat in range(p.frame.players)))


def gains(p: Position, result: Result) -> tuple[int, ...]:
    """Return the game points of every seat for a deal, without a carry."""
    if result.scores:
        return result.scores
    return tuple(result.game_points if seat == result.winner else 0 for seat in range(p.frame.players))


def can_fall(options: Options) -> bool:
    """Tell whether a score can fall, below nothing too: where a bid that is not made is set (D-06)."""
    return options.score_by == "ticks"


def played_out(p: Position) -> Result:
    """Return how a deal ends when all is played and nobody declared (R-58, R-63, R-66 to R-68)."""
    if p.frame.options.partners:
        return sides.played_out(p)
    return _closed_end(p) if p.closing is not None else _open_end(p)


def _open_end(p: Position) -> Result:
    enough = p.frame.options.declare_at
    if p.frame.options.last_trick == "wins_hand_1" and p.tricks:
        return _result(p, PLAYED_OUT, p.tricks[-1][1], p.frame.options.points_plain)
    has = counts(p)
    reached = [seat for seat, total in enumerate(has) if total >= enough]
    if len(reached) == 1:
        return _result(p, PLAYED_OUT, reached[0], level(p, other(p, reached[0])))
    return _both_or_neither(p, bool(reached))


def _both_or_neither(p: Position, both: bool) -> Result:
    has = counts(p)
    if both and p.frame.options.both_66_undeclared == "last_trick":
        winner = p.tricks[-1][1]
        return _result(p, PLAYED_OUT, winner, level(p, other(p, winner)))
    if both and p.frame.options.both_66_undeclared == "higher_total":
        best = [seat for seat in p.frame.active if has[seat] == max(has)]
        if len(best) == 1:
            return _result(p, PLAYED_OUT, best[0], level(p, other(p, best[0])))
    return _result(p, PLAYED_OUT, NOBODY, 0)


def _closed_end(p: Position) -> Result:
    assert p.closing is not None
    options, closer = p.frame.options, p.closing.closer
    adversary = other(p, closer)
    enough = options.declare_at
    if count(p, closer) >= enough:
        if options.closer_66_undeclared == "if_won_last_trick":
            if p.tricks and p.tricks[-1][1] == closer:
                return _result(p, PLAYED_OUT, closer, success_level(p, closer))
        elif count(p, adversary) >= enough:
            return _both_or_neither(p, True)
        else:
            return _result(p, PLAYED_OUT, closer, success_level(p, closer))
    return _result(p, CLOSER_FAILED, adversary, fail_points(p), seat=closer)


def settlement(options: Options, winner_has: int, loser_has: int) -> int:
    """Return what the loser of a match owes its winner, for organisers who keep an account (R-72, R-73).

    The winner's score counts as the target at most; all is doubled if the loser has no game point.
    """
    if options.settlement == "none":
        return 0
    owed = 1 if options.settlement == "per_game" else min(winner_has, options.target) - loser_has
    return owed if loser_has else 2 * owed
