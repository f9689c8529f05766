"""The course of a match: deals and their attempts, the attendant's chores, scores, the end."""

from collections.abc import Iterable
from typing import Any, Final

from referee.match.offering import offer_deal
from referee.match.seeds import pack_for
from referee.match.state import Match, Outcome, Past, tally, write, write_act
from referee.rules import acts, play, scoring, sides, views
from referee.rules.acts import TEXTS, Act
from referee.rules.cards import SEATS
from referee.rules.dealing import highest_cut, is_plainly_bad
from referee.rules.positions import (
    BEING_DEALT,
    BIDDING,
    CUT,
    CUT_FOR_DEAL,
    DEAL,
    DRAW,
    LEAD,
    NOBODY,
    SCORED,
    SHUFFLE,
    TURN_UP,
    Frame,
    Position,
    Result,
    begin,
    frame_for,
    fresh,
)

#: The chore that each phase asks for, and so the phases in which an attendant may stand in.
CHORE_OF: Final = {CUT_FOR_DEAL: "cut", SHUFFLE: "shuffle", CUT: "cut", DEAL: "deal", TURN_UP: "deal", DRAW: "draw"}
_DRAW: Final = acts.act(acts.DRAW)
_CUTS: Final = tuple(acts.act(acts.CUT, at=at) for at in range(acts.WIDEST_PACK + 1))
#: The stops at the end of a deal, and before hands are taken up.
RESULT, HANDS = "result", "hands"
#: The cause of a match that nobody had won after `most_deals` deals.
DEAL_LIMIT: Final = "deal_limit"
_BY_ATTENDANT: Final = '"by":"attendant"'


def begin_match(m: Match) -> None:
    """Begin the first deal, or the cutting for it where every seat cuts, or the highest cut chooses (R-02).

    The attendant cuts for whoever does not.
    """
    cuts = all("cut" in each.chores for each in m.terms.seats)
    if m.terms.first_dealer is None and (cuts or m.terms.ruleset.options["first_dealer"] == "highest_cut_chooses"):
        begin_cut_for_deal(m, attempt=1)
    else:
        begin_deal(m, deal=1, attempt=1)


def begin_cut_for_deal(m: Match, *, attempt: int) -> None:
    """Begin cutting for deal: deal number 0; equal ranks cut again."""
    _begin(m, 0, attempt)
    q = fresh(m.position)
    q.phase = CUT_FOR_DEAL
    q.turn = 0
    m.position = q
    attend(m)


def begin_deal(m: Match, *, deal: int, attempt: int) -> None:
    """Begin a deal, or a further attempt at it, each with a pack of its own from the seed."""
    if deal != m.deal:
        m.slips = (0,) * len(m.slips)
    _begin(m, deal, attempt)
    attend(m)


def _begin(m: Match, deal: int, attempt: int) -> None:
    m.deal, m.attempt = deal, attempt
    m.boundary = len(m.lines)
    m.last, m.heard, m.waiting, m.undone = None, (), (), ()
    m.stop, m.confirming, m.passed = "", (), ""
    m.start = tally(m)
    frame = frame_for(m.terms.ruleset, dealer=m.dealer, out=_out(m))
    m.position = begin(frame, _pack(m, frame.options.pack))
    write(
        m,
        "deal_begun",
        deal=deal,
        attempt=attempt,
        dealer=SEATS[m.dealer] if deal else None,
        score=views.by_seat(m.score),
        carry=m.carry,
    )


def _pack(m: Match, size: int) -> tuple[int, ...]:
    if m.terms.salts:
        return pack_for(m.seed, m.deal, m.attempt, size, salts=m.terms.salts)
    return pack_for(m.seed, m.deal, m.attempt, size)


def _out(m: Match) -> int:
    """Return the seat that has reached the target where the others play on (B-06), or nobody."""
    options = m.terms.ruleset.options
    if not options["play_on"] or max(m.score) < int(options["target"]):
        return NOBODY
    return m.score.index(max(m.score))


def attend(m: Match) -> None:
    """Let the attendant do the chores that nobody at the table does, and score what is over."""
    while m.outcome is None:
        p = m.position
        if m.terms.calls == "players" and stops_here(m):
            return
        phase = p.phase
        if (phase in BEING_DEALT or p.aside.faced) and is_plainly_bad(p):
            return
        if phase == SCORED:
            _after_deal(m)
            return
        chore = CHORE_OF.get(phase)
        if chore is None or chore in m.terms.seats[p.turn].chores or _left_to_its_seat(m):
            return
        one = _attendants_act(m)
        write_act(m, SEATS[p.turn], TEXTS[one], _BY_ATTENDANT)
        m.last = Past(m.version, p.turn, one, p, True, m.last)
        m.position = play.apply(p, p.turn, one)


def stops_here(m: Match) -> bool:
    """Ask those who watch to confirm, where they are to be asked before anything goes on (DESIGN, *Watching*)."""
    if m.confirming:
        return True
    stop = _stop_at(m.position)
    if not stop or stop == m.passed:
        return False
    active = m.position.frame.active
    watching = tuple(seat for seat, each in enumerate(m.terms.seats) if "watch" in each.chores and seat in active)
    if stop != RESULT:
        dealer = m.position.frame.dealer
        dealt_by_hand = "deal" in m.terms.seats[dealer].chores
        watching = tuple(seat for seat in watching if seat != dealer and dealt_by_hand)
    m.stop, m.confirming = (stop, watching) if watching else ("", ())
    return bool(watching)


def _stop_at(p: Position) -> str:
    """Return the stop that a position is: the result, or a moment of the deal before it goes on."""
    if p.phase == SCORED:
        return RESULT if p.result is not None else ""
    if p.phase == DEAL and not any(p.hands):
        return "first_card"
    if p.phase == TURN_UP:
        return "trump"
    fresh_hands = p.phase in (LEAD, BIDDING) and not p.stakes.bids and not p.tricks and not p.table and not p.drawn
    return HANDS if fresh_hands and p.closing is None and not any(p.counts) else ""


def confirm(m: Match, seat: int) -> None:
    """Note on a draft that a seat has nothing to claim; the last to say so lets things go on."""
    m.confirming = tuple(each for each in m.confirming if each != seat)
    if not m.confirming:
        m.stop, m.passed = "", m.stop


def leave_stop(m: Match, one: Act) -> None:
    """Note on a draft that something was done at the table: a stop is over, and dealing arms the next anew."""
    if one.kind in acts.BY_PLAY:
        return
    m.stop, m.confirming = "", ()
    if one.kind in (acts.SHUFFLE, acts.CUT, acts.DEAL, acts.TURN_UP):
        m.passed = ""


def _left_to_its_seat(m: Match) -> bool:
    """Tell whether a draw is left to its seat: the one before it was visibly amiss."""
    p = m.position
    if p.phase != DRAW or m.terms.calls == "referee":
        return False
    return p.aside.lifted is not None or bool(p.drawn and p.drawn[-1][1] != acts.PLACES[0])


def _attendants_act(m: Match) -> Act:
    p = m.position
    if p.phase == DRAW:
        return _DRAW
    if p.phase == CUT:
        return _CUTS[len(p.stock) // 2]
    if p.phase == CUT_FOR_DEAL:  # as much for each cut to come as for what the last of them leaves
        return _CUTS[len(p.stock) // (len(m.score) - len(p.aside.cuts) + 1)]
    return play.lawful_acts(p)[0]


def _after_deal(m: Match) -> None:
    p = m.position
    if p.result is None:
        _after_cuts(m)
        return
    _score(m, p.result)
    winner = _won_by(m, p.result)
    if winner != NOBODY:
        end_match(m, winner=winner, cause=p.result.cause)
        return
    if m.deal >= p.frame.options.most_deals:
        end_match(m, winner=_leading(m, range(len(m.score))), cause=DEAL_LIMIT)
        return
    if p.frame.options.next_dealer == "alternate":
        m.dealer = _next_dealer(m)
    elif p.result.winner != NOBODY:
        m.dealer = p.result.winner
    begin_deal(m, deal=m.deal + 1, attempt=1)


def _won_by(m: Match, result: Result) -> int:
    """Return who has won the match by a deal, or nobody: of those at the target who won the deal comes first (4.4).

    Where the others play on, the first to be out has won once a second is (B-06).
    """
    options = m.position.frame.options
    there = [seat for seat, has in enumerate(m.score) if has >= options.target]
    if options.play_on:
        if len(there) < 2:
            return NOBODY
        started = [seat for seat in there if m.start.score[seat] >= options.target]
        return (started or [_best(m, there)])[0]
    there = [seat for seat in there if _leads_enough(m.position.frame, m.score, seat)]
    if not there:
        return NOBODY
    return result.winner if result.winner in there else _best(m, there)


def _against(m: Match, side: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(has for seat, has in enumerate(m.score) if seat not in side)


def _leads_enough(frame: Frame, score: tuple[int, ...], seat: int) -> bool:
    """Tell whether a seat that is at the target has the margin that is asked for, if one is (D-01)."""
    others = max(has for each, has in enumerate(score) if each not in frame.sides[seat])
    return frame.options.win_by == 1 or score[seat] - others >= frame.options.win_by


def _best(m: Match, seats: list[int]) -> int:
    return max(seats, key=lambda seat: m.score[seat])


def _next_dealer(m: Match) -> int:
    """The deal passes to the left, over a seat that is out by now (R-07, B-06)."""
    left = (m.position.frame.dealer + 1) % len(m.score)
    return (left + 1) % len(m.score) if left == _out(m) else left


def ten_ends_match(m: Match) -> bool:
    """End the deal of a draft in which the ten of trumps has brought a side to the target; tell whether it has.

    It was taken before the hand is counted, so it comes first though it was in the last trick (C-10).
    """
    p = m.position
    played_out = p.result is not None and p.result.cause == scoring.PLAYED_OUT
    if not p.stakes.tens or (p.phase == SCORED and not played_out):
        return False
    target = p.frame.options.target
    score = tuple(has + gained for has, gained in zip(m.score, p.stakes.tens, strict=True))
    there = [
        seat
        for seat, gained in enumerate(p.stakes.tens)
        if gained and score[seat] >= target and _leads_enough(p.frame, score, seat)
    ]
    if there:
        m.position = play.end(p, sides.won_at_once(p, there[0]))
    return bool(there)


def _after_cuts(m: Match) -> None:
    """The highest card deals, ranked as in play, or chooses who does; equal ranks cut again (R-02)."""
    first = highest_cut(m.position)
    if first == NOBODY:
        begin_cut_for_deal(m, attempt=m.attempt + 1)
        return
    if m.position.frame.options.first_dealer == "highest_cut_chooses":
        offer_deal(m, first)
        return
    m.dealer = first
    begin_deal(m, deal=1, attempt=1)


def cuts_words(p: Position | None) -> str:
    """Say what comes of cutting for deal in a position where all have cut; nothing of another."""
    if p is None or p.phase != SCORED or not p.aside.cuts:
        return ""
    first = highest_cut(p)
    return " Equal ranks: all cut again." if first == NOBODY else f" {SEATS[first]} has cut the highest card."


def _score(m: Match, result: Result) -> None:
    """Write the deal's one scoring reason; the carry goes to who scores, or grows (R-67 to R-69).

    A resting dealer stops a point short of the target: the last one is won in play (4.2, B-02).
    """
    frame = m.position.frame
    options, winner = frame.options, result.winner
    carried = m.carry if winner != NOBODY and winner not in _tens_only(result) else 0
    gained = scoring.gains(m.position, result)
    if carried:
        gained = tuple(has + carried if seat in frame.sides[winner] else has for seat, has in enumerate(gained))
    score = [has + more for has, more in zip(m.score, gained, strict=True)]
    if frame.resting != NOBODY:
        score[frame.resting] = min(score[frame.resting], max(options.target - 1, m.score[frame.resting]))
    m.score = tuple(score)
    if winner == NOBODY and options.carry_on_draw == "cumulative_1" and result.cause != scoring.PASSED_OUT:
        m.carry += options.carry_step
    elif carried:
        m.carry = 0
    write(m, "scored", **scored_members(m, result, carried))


def _tens_only(result: Result) -> tuple[int, ...]:
    """Return the winner of a deal that only the ten of trumps ended: that point takes no carry (C-09)."""
    return (result.winner,) if result.cause == scoring.TEN else ()


def scored_members(m: Match, result: Result, carried: int) -> dict[str, Any]:
    """Return what a `scored` event says; both trick piles are laid open, hands stay closed (R-6A)."""
    more = {"scores": views.by_seat(result.scores)} if result.scores else {}
    return {
        "deal": m.deal,
        "attempt": m.attempt,
        "cause": result.cause,
        "law": result.law or None,
        "winner": views.seat_name(result.winner),
        "by": views.seat_name(result.seat),
        "game_points": result.game_points,
        "carried": carried,
        "counts": views.by_seat(result.counts),
        "piles": views.piles(m.position),
        "score": views.by_seat(m.score),
        "carry": m.carry,
        **more,
    }


def forfeit_match(m: Match, seat: int, *, cause: str) -> None:
    """End a match that a seat has lost by itself; of several others the one with most game points has won, if one has."""
    others = [each for each in range(len(m.score)) if each not in m.position.frame.sides[seat]]
    end_match(m, winner=_leading(m, others), cause=cause, lost_by=seat)


def _leading(m: Match, seats: Iterable[int]) -> int | None:
    """Return whose side has most game points of some seats, or nothing where two sides are level."""
    among = list(seats)
    best = max(m.score[seat] for seat in among)
    leading = {m.position.frame.sides[seat][0] for seat in among if m.score[seat] == best}
    return leading.pop() if len(leading) == 1 else None


def end_match(m: Match, *, winner: int | None, cause: str, lost_by: int | None = None) -> None:
    """Write the end of a match, with what the loser owes where the rule-set keeps such an account.

    Of a side `winner` is its first seat; `lost_by` is named at tables of three and more.
    """
    if winner is not None:
        winner = m.position.frame.sides[winner][0]
    m.case = None
    m.stop, m.confirming = "", ()
    m.outcome = Outcome(winner, cause, m.score)
    options = m.position.frame.options
    more: dict[str, Any] = {}
    if options.settlement != "none" and winner is not None:
        most = max(_against(m, m.position.frame.sides[winner]))
        more["settlement"] = scoring.settlement(options, m.score[winner], most)
    if len(m.score) > 2 and lost_by is not None:
        more["lost_by"] = SEATS[lost_by]
    name = None if winner is None else SEATS[winner]
    write(m, "match_ended", winner=name, cause=cause, score=views.by_seat(m.score), **more)
