"""Drawing: who is due a card, and taking it (R-11); hands of any size are filled up by counting."""

from dataclasses import replace
from typing import Final

from referee.rules import acts
from referee.rules.acts import Act
from referee.rules.ending import played_out
from referee.rules.positions import FOLLOW, LEAD, NO_CARD, Position, fresh, replaced, stock_left

_TOP: Final = acts.PLACES[0]
_DRAW_ONE: Final = acts.act(acts.DRAW)


def draws_due(p: Position) -> tuple[int, ...]:
    """Return who draws now, in order: each hand is filled up, the leader's first.

    A hand goes up to min(hand size, half of all that is left), as far as the stock goes, so
    that a missed draw is made up and a long hand skips (DESIGN section 4; IR-07, 08, 21, 22).
    """
    frame = p.frame
    size = frame.options.hand_size
    one = p.leader
    two = frame.following[one]
    first, second = p.hands[one].bit_count() + len(p.table), p.hands[two].bit_count()
    if first == second == size - 1 and p.stock and p.turn_up >= 0:
        return (one, two)
    left = stock_left(p)
    full = min(size, (first + second + left) // 2)
    owed = min(max(full - first, 0), left)
    return (one,) * owed + (two,) * min(max(full - second, 0), left - owed)


def draw(p: Position, seat: int, one: Act) -> Position:
    """Return the position after a draw of one card or two, due or not, from wherever it is taken."""
    if one.cards > 1 and p.to_draw.count(seat) < one.cards and seat in p.to_draw:
        return _lift(p, seat)
    p = settled(p)
    if one is _DRAW_ONE and p.stock and p.to_draw and p.to_draw[0] == seat:
        return _draw_top(p, seat)
    q = fresh(p)
    for _ in range(one.cards):
        _take(q, seat, one.place)
    if p.to_draw:
        to_draw = p.to_draw[one.cards :] if p.to_draw[0] == seat else draws_due(q)
        after_draw(q, to_draw)
        if not to_draw and not q.hands[q.turn]:
            return played_out(q)
    return q


def _draw_top(p: Position, seat: int) -> Position:
    """Draw the top card, in turn: what nearly every draw is."""
    q = fresh(p)
    stock = p.stock
    card = stock[0]
    bit = 1 << card
    if len(p.hands) == 2:
        first, second = p.hands
        q.hands = (first, second | bit) if seat else (first | bit, second)
    else:
        q.hands = replaced(p.hands, seat, p.hands[seat] | bit)
    q.stock = stock[1:]
    q.drawn = (*p.drawn, (seat, _TOP, card))
    to_draw = p.to_draw[1:]
    after_draw(q, to_draw)
    if not to_draw and not q.hands[q.turn]:
        return played_out(q)
    return q


def after_draw(q: Position, to_draw: tuple[int, ...]) -> None:
    """Set on a fresh position who acts after a draw: who still draws, else who follows or leads."""
    q.to_draw = to_draw
    if to_draw:
        q.turn = to_draw[0]
    elif q.table:
        q.phase = FOLLOW
        q.turn = q.frame.following[q.leader]
    else:
        q.phase = LEAD
        q.turn = q.leader


def _take(q: Position, seat: int, place: str) -> None:
    """Move one card from the stock of a fresh position into a hand."""
    stock = q.stock
    if stock and place != "turn_up":
        at = {"top": 0, "bottom": len(stock) - 1, "middle": len(stock) // 2}[place]
        card = stock[at]
        q.stock = stock[:at] + stock[at + 1 :]
    else:
        card = q.turn_up
        q.turn_up = NO_CARD
        q.seen |= 1 << card
    q.hands = replaced(q.hands, seat, q.hands[seat] | 1 << card)
    q.drawn = (*q.drawn, (seat, place, card))


def drawn_out(q: Position) -> Position:
    """Go on after draws were settled by a remedy: who is still due draws, else the leader leads."""
    after_draw(q, draws_due(q))
    return q


def _lift(p: Position, seat: int) -> Position:
    """Lift two cards where one is due: the top one is drawn, the other goes back, and both are noted (IR-23, IR-24)."""
    second = p.stock[1] if len(p.stock) > 1 else p.turn_up
    q = draw(p, seat, _DRAW_ONE)
    q.aside = replace(q.aside, lifted=(seat, (p.stock[0], second)))
    return q


def settled(p: Position) -> Position:
    """Return the position with what was lifted no longer to be settled: acted on, it stands."""
    if p.aside.lifted is None:
        return p
    q = fresh(p)
    q.aside = replace(p.aside, lifted=None)
    return q
