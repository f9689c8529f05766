"""What the words of the remedies do to a position (DESIGN section 4, *Elections*).

A remedy takes the case and the position it has led to; `None` means a fresh deal.
"""

from dataclasses import replace

from referee.laws.law import Case
from referee.rules import acts, play, scoring
from referee.rules.positions import LEAD, NO_CARD, Position, fresh, replaced, stock_left

_DRAW = acts.act(acts.DRAW)


def undo(case: Case, _now: Position) -> Position:
    """Return the position before the act; cards seen stay known."""
    q = fresh(case.before)
    q.seen = case.before.seen | case.after.seen
    since = case.after.aside
    # A look at the trick that is opened again is a look at no trick any more.
    looks = tuple((seat, trick) for seat, trick in since.looks if trick <= len(q.tricks))
    if looks != q.aside.looks or since.barred != q.aside.barred:
        q.aside = replace(q.aside, looks=looks, barred=since.barred)
    return q


def accept(_case: Case, now: Position) -> Position:
    """Let the act stand."""
    return now


def fresh_deal(_case: Case, _now: Position) -> None:
    """Deal afresh: same deal number, next attempt, same dealer (R-74)."""
    return


def draw_now(case: Case, now: Position) -> Position:
    """Let the offender make the draw he missed, whoever draws before him drawing first (IR-21)."""
    while case.seat in now.to_draw:
        now = play.apply(now, now.to_draw[0], _DRAW)
    return now


def skip_surplus(case: Case, now: Position) -> Position:
    """Leave the long hand to skip its next draw; with no draw left the card goes back (IR-22)."""
    return now if stock_left(now) else undo(case, now)


def keep_top(case: Case, _now: Position) -> Position:
    """Give the drawer of two cards the top one; the other goes back (IR-23)."""
    return play.apply(case.before, case.seat, _DRAW)


def faced(case: Case) -> tuple[int, ...]:
    """Return the two cards lifted in a case of IR-23."""
    lifted = case.after.aside.lifted
    return lifted[1] if lifted is not None else ()


def face(case: Case, now: Position) -> Position:
    """Turn both lifted cards face up: everybody has seen them."""
    q = fresh(now)
    for card in faced(case):
        q.seen |= 1 << card
    return q


def give(card: int, case: Case) -> Position:
    """Give the offender `card` of the two lifted; the other is the adversary's draw, if one is due.

    If none is, it goes back to where it was (IR-23).
    """
    p = case.before
    other = next(each for each in faced(case) if each != card)
    adversary = scoring.other(p, case.seat)
    q = fresh(p)
    q.seen = p.seen | 1 << card | 1 << other
    q.hands = replaced(p.hands, case.seat, p.hands[case.seat] | 1 << card)
    q.drawn = (*p.drawn, (case.seat, "top", card))
    q.stock = tuple(each for each in p.stock if each not in (card, other))
    up = NO_CARD if p.turn_up in (card, other) else p.turn_up
    q.turn_up = up
    if adversary in p.to_draw:
        q.hands = replaced(q.hands, adversary, q.hands[adversary] | 1 << other)
        q.drawn = (*q.drawn, (adversary, "top", other))
    elif up == NO_CARD and p.turn_up >= 0:
        q.turn_up = other
    else:
        q.stock = (other, *q.stock)
    return play.drawn_out(q)


def fill_hands(_case: Case, now: Position) -> Position:
    """Fill the short hands from the top of the stock (IR-07); a long hand skips its draws."""
    size = now.frame.options.hand_size
    q = fresh(now)
    seat = now.frame.pone
    for _ in range(now.frame.players):
        while q.hands[seat].bit_count() < size and q.stock:
            q.hands = replaced(q.hands, seat, q.hands[seat] | 1 << q.stock[0])
            q.stock = q.stock[1:]
        seat = now.frame.following[seat]
    assert q.phase == LEAD
    return q


def bar_from_closing(case: Case, now: Position) -> Position:
    """Take the privilege of closing for the rest of the deal (IR-80, R-5B)."""
    q = fresh(now)
    q.aside = replace(now.aside, barred=now.aside.barred | {case.seat})
    return q


def put_back_draw(case: Case, now: Position) -> Position:
    """Put the card the other drew too early back on the stock: closed before drawing (IR-58)."""
    adversary = scoring.other(now, case.seat)
    p = case.before
    card = next(card for seat, _, card in reversed(p.drawn) if seat == adversary)
    q = fresh(now)
    q.hands = replaced(now.hands, adversary, p.hands[adversary] & ~(1 << card))
    if p.turn_up == NO_CARD:
        q.turn_up = card
    else:
        q.stock = (card, *now.stock)
    q.drawn = ()
    return q


def both_draw(case: Case, _now: Position) -> Position:
    """Let the closer draw too, then close (IR-58)."""
    q = case.before
    while q.to_draw:
        q = play.apply(q, q.to_draw[0], _DRAW)
    return play.apply(q, case.seat, acts.act(acts.CLOSE))
