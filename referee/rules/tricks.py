"""Playing to a trick where more than two sit at the table (4.2 to 4.4): single players or partners.

The functions of `play` do the same for two seats, which is by far the most frequent game; what
differs here is that a trick has as many cards as there are active players, and that tricks,
points and marriages belong to a side.
"""

from dataclasses import replace

from referee.rules import announcing
from referee.rules.acts import Act
from referee.rules.cards import BEATEN_BY, CARD_POINTS, COURT, SUIT_OF, TEN, card_of
from referee.rules.drawing import draws_due, settled
from referee.rules.ending import played_out
from referee.rules.positions import (
    DRAW,
    FOLLOW,
    LEAD,
    NO_SUIT,
    QUIET,
    Position,
    for_side,
    fresh,
    in_strict_play,
    replaced,
)


def play(p: Position, seat: int, one: Act) -> Position:
    """Play a card of `seat`, in turn or not: led, followed with, or laid on the table early (IR-96)."""
    if one.also >= 0:
        return seen(p, 1 << one.card | 1 << one.also)
    if has_played(p, seat):
        return seen(p, 1 << one.card)
    p = _no_longer_exposed(p, one.card)
    if not p.table:
        if p.aside.shown and COURT >> one.card & 1 and SUIT_OF[one.card] in p.aside.shown:
            p = announcing.announce(p, seat, SUIT_OF[one.card])
        return lead(p, seat, one.card)
    if len(p.frame.active) > 2 and seat != p.turn:
        return _early(p, seat, one.card)
    return _follow(p, seat, one.card)


def has_played(p: Position, seat: int) -> bool:
    """Tell whether a card of `seat` lies on the table, in its turn or before it."""
    return seat in on_table(p) or any(who == seat for who, _ in p.aside.early)


def on_table(p: Position) -> tuple[int, ...]:
    """Return whose cards lie on the table, in the order of play."""
    seats, seat = [], p.leader
    for _ in p.table:
        seats.append(seat)
        seat = p.frame.following[seat]
    return tuple(seats)


def seen(p: Position, cards: int) -> Position:
    """Show cards that do not leave the hand: two that fell at once, a second one (IR-33, IR-38)."""
    q = fresh(p)
    q.seen = p.seen | cards
    return q


def best_of(p: Position) -> int:
    """Return the card that wins the trick on the table as it lies."""
    best = p.table[0]
    for card in p.table[1:]:
        if BEATEN_BY[p.trump][best] >> card & 1:
            best = card
    return best


def trump_made(p: Position, suit: int) -> Position:
    """Make trump by the first card led (4.4); nothing happens where trump is made."""
    if p.trump >= 0:
        return p
    q = fresh(p)
    q.trump = suit
    return q


def lead(p: Position, seat: int, card: int) -> Position:
    """Lead a card; a lead made before the other has drawn leaves him to draw first (IR-27)."""
    p = settled(p)
    if p.table:
        return seen(p, 1 << card)
    q = fresh(trump_made(p, SUIT_OF[card]))
    q.hands = replaced(p.hands, seat, p.hands[seat] ^ 1 << card)
    q.table = (card,)
    q.leader = seat
    q.strict = in_strict_play(p)
    q.to_draw = to_draw = tuple(each for each in p.to_draw if each != seat)
    if to_draw:
        q.phase = DRAW
        q.turn = to_draw[0]
        q.aside = replace(p.aside, led_early=True, shown=())
        return q
    if p.aside.shown:
        q.aside = replace(p.aside, shown=())
    return _next(q, seat)


def _next(q: Position, seat: int) -> Position:
    """Go on to who plays after `seat`; a card of his that lies there early is played now."""
    q.phase = FOLLOW
    q.turn = turn = q.frame.following[seat]
    early = next((card for who, card in q.aside.early if who == turn), None)
    if early is not None:
        q.aside = replace(q.aside, early=tuple(each for each in q.aside.early if each[0] != turn))
        q.hands = replaced(q.hands, turn, q.hands[turn] | 1 << early)
        return _follow(q, turn, early)
    return q if q.hands[turn] else played_out(q)


def _early(p: Position, seat: int, card: int) -> Position:
    q = fresh(p)
    q.hands = replaced(p.hands, seat, p.hands[seat] ^ 1 << card)
    q.aside = replace(p.aside, early=(*p.aside.early, (seat, card)))
    q.seen = p.seen | 1 << card
    return q


def _no_longer_exposed(p: Position, card: int) -> Position:
    if not p.aside.exposed >> card & 1:
        return p
    q = fresh(p)
    q.aside = replace(p.aside, exposed=p.aside.exposed & ~(1 << card))
    return q


def _follow(p: Position, seat: int, card: int) -> Position:
    q = fresh(p)
    q.hands = replaced(p.hands, seat, p.hands[seat] ^ 1 << card)
    q.table = (*p.table, card)
    if len(q.table) < len(p.frame.active):
        return _next(q, seat)
    players = on_table(q)
    winner = players[q.table.index(best_of(q))]
    q.tricks = (*p.tricks, (p.leader, winner, q.table))
    q.points = for_side(p, p.points, winner, p.points[winner] + sum(CARD_POINTS[each] for each in q.table))
    q.counts = for_side(p, p.counts, winner, p.counts[winner] + 1)
    _take_ten(q, winner)
    q.table = ()
    q.turn = q.leader = winner
    q.called = NO_SUIT
    q.drawn = ()
    if p.marriages.pending[winner]:
        q.marriages = announcing.effective(p, winner)
    if p.aside is not QUIET and (p.aside.asked or p.aside.led_early):
        q.aside = replace(p.aside, asked=False, led_early=False)
    return _after_trick(q)


def _after_trick(q: Position) -> Position:
    q.to_draw = ()
    if q.closing is None and (q.stock or q.turn_up >= 0):
        q.to_draw = draws_due(q)
        if q.to_draw:
            q.turn = q.to_draw[0]
            q.phase = DRAW
            return q
    if q.hands[q.leader]:
        q.phase = LEAD
        return q
    return played_out(q)


def _take_ten(q: Position, winner: int) -> None:
    """Give the side that captures the ten of trumps its game point, where the rule-set has it (C-09)."""
    options = q.frame.options
    if options.ten_of_trumps != "game_point" or card_of(q.trump, TEN) not in q.table:
        return
    none = (0,) * q.frame.players
    q.stakes = replace(q.stakes, tens=for_side(q, none, winner, options.points_plain))
