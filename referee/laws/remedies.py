"""What the words of the remedies do to a position (DESIGN section 4, *Elections*).

A remedy takes the case and the position it has led to; `None` means a fresh deal.
"""

from dataclasses import replace

from referee.laws.law import Case
from referee.rules import acts, play, scoring
from referee.rules.bidding import cancelled, ticks_of
from referee.rules.cards import COURT, SUIT_MASKS, SUIT_OF, cards_of, mask_of
from referee.rules.positions import CUT, DRAW, NO_CARD, Position, fresh, replaced, stock_left

_DRAW = acts.act(acts.DRAW)


def undo(case: Case, now: Position) -> Position:
    """Return the position before the act, and what its author did since; cards seen stay known."""
    q = fresh(case.before)
    q.seen = case.before.seen | case.after.seen | now.seen | _played_since(case, now)
    since = now.aside
    # A look at the trick that is opened again is a look at no trick any more.
    looks = tuple((seat, trick) for seat, trick in since.looks if trick <= len(q.tricks))
    if looks != q.aside.looks or since.barred != q.aside.barred:
        q.aside = replace(q.aside, looks=looks, barred=since.barred)
    return q


def lay_exposed(case: Case, now: Position) -> Position:
    """Take a card played out of turn back into its owner's hand, where it lies exposed (IR-96).

    One that waits for its turn beside the trick comes back alone; a lead with all that was played to it.
    """
    assert case.act is not None
    card = case.act.lead if case.act.lead >= 0 else case.act.card
    waits = (case.seat, card) in now.aside.early
    q = fresh(now if waits else undo(case, now))
    if waits:
        q.hands = replaced(now.hands, case.seat, now.hands[case.seat] | 1 << card)
        if case.act.kind == acts.MARRY:
            q.marriages = case.before.marriages
    early = tuple(each for each in q.aside.early if each != (case.seat, card))
    q.aside = replace(q.aside, early=early, exposed=q.aside.exposed | 1 << card)
    return q


def cancel_bid(case: Case, now: Position) -> Position:
    """Rule out a bid or a pass, so that its seat bids again in turn; what was bid since stays (IR-98)."""
    assert case.act is not None
    return cancelled(now, case.seat, ticks_of(case.act))


def _played_since(case: Case, now: Position) -> int:
    """Return the cards that lay open on the table since the act, the act's own included."""
    mask = 0
    for p in (case.after, now):
        for _, _, cards in p.tricks[len(case.before.tricks) :]:
            mask |= mask_of(cards)
        mask |= mask_of(p.table[len(case.before.table) :])
    return mask


def accept(_case: Case, now: Position) -> Position:
    """Let the act stand."""
    return now


def fresh_deal(_case: Case, _now: Position) -> None:
    """Deal afresh: same deal number, next attempt, same dealer (R-74)."""
    return


def make_trump(card: int, case: Case, now: Position) -> Position:
    """Make one of two cards turned the turn-up; the other, which everybody has seen, lies on top of the stock (IR-09)."""
    q = fresh(now)
    q.seen = now.seen | 1 << case.after.turn_up | 1 << case.after.stock[0]
    if card != now.turn_up:
        q.stock = (now.turn_up, *(each for each in now.stock if each != card))
        q.turn_up = card
        q.trump = SUIT_OF[card]
    return q


def draw_now(case: Case, now: Position) -> Position:
    """Let the offender make the draw he missed, whoever draws before him drawing first (IR-21)."""
    for seat in dict.fromkeys(case.before.to_draw):
        if stock_left(now) and (seat == case.seat or seat in now.to_draw):
            now = play.apply(now, seat, _DRAW)
        if seat == case.seat:
            break
    return now


def cut_again(case: Case, now: Position) -> Position:
    """Have the pack cut again, whatever was dealt of it since taken back (IR-03)."""
    q = fresh(undo(case, now))
    q.phase = CUT
    q.turn = now.frame.pone
    return q


def swap_back(case: Case, now: Position) -> Position:
    """Undo an exchange on the present position: the turn-up and the card left change places again (IR-53)."""
    assert case.act is not None
    left, taken = case.act.card, case.before.turn_up
    if now.table == (taken,) and now.leader == case.seat:
        return undo(case, now)
    q = fresh(now)
    q.turn_up = taken
    q.hands = replaced(now.hands, case.seat, now.hands[case.seat] & ~(1 << taken) | 1 << left)
    return q


def skip_surplus(case: Case, now: Position) -> Position:
    """Leave the long hand to skip its next draw; with no draw left the card goes back (IR-22)."""
    if stock_left(now):
        return now
    back = case.after.hands[case.seat] & ~case.before.hands[case.seat] & now.hands[case.seat]
    return undo(case, now) if not case.claimed else _put_back(case, now, back)


def _put_back(case: Case, now: Position, cards: int) -> Position:
    """Put surplus cards that are still in the hand back as the stock's last (IR-22 at the last draw)."""
    q = fresh(now)
    for card in cards_of(cards):
        if q.turn_up == NO_CARD:
            q.turn_up = card
        else:
            q.stock = (card, *q.stock)
        q.hands = replaced(q.hands, case.seat, q.hands[case.seat] & ~(1 << card))
    if q.phase == DRAW or q.to_draw:
        return play.drawn_out(q)
    return q


def faced(case: Case) -> tuple[int, ...]:
    """Return the two cards in question: both that were lifted, or the one drawn amiss and the proper one (IR-25)."""
    lifted = case.after.aside.lifted
    if lifted is not None:
        return lifted[1]
    drawn = case.after.hands[case.seat] & ~case.before.hands[case.seat]
    proper = case.before.stock[0] if case.before.stock else case.before.turn_up
    return (*cards_of(drawn), proper)


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


def draw_properly(case: Case, _now: Position) -> Position:
    """Put back what was drawn from the wrong place and draw from the top (IR-25)."""
    return play.apply(case.before, case.seat, _DRAW)


def others_draw(case: Case, now: Position) -> Position:
    """Let whoever is due a draw make it; the early lead stands (IR-27)."""
    while now.to_draw:
        now = play.apply(now, now.to_draw[0], _DRAW)
    return now


def top_two(case: Case) -> tuple[int, ...]:
    """Return the top cards of the stock that are faced in a case of IR-29."""
    return case.before.stock[:2]


def face_top(case: Case, now: Position) -> Position:
    """Turn the top two of the stock face up: everybody has seen them (IR-29)."""
    q = fresh(now)
    for card in top_two(case):
        q.seen |= 1 << card
    return q


def put_on_top(card: int, now: Position) -> Position:
    """Lay a card of the stock on top of it (IR-29)."""
    q = fresh(now)
    q.stock = (card, *(each for each in now.stock if each != card))
    return q


def lay_tricks_open(case: Case, now: Position) -> Position:
    """Bar the offender from closing, and let the other look at his tricks, which are his side's (IR-81)."""
    q = fresh(bar_from_closing(case, now))
    q.aside = replace(q.aside, laid_open=q.aside.laid_open | {*now.frame.sides[case.seat]})
    return q


def lead_the_marriage(case: Case, now: Position) -> Position:
    """Take back the card led; king or queen of the marriage announced is led instead (IR-32)."""
    q = undo(case, now)
    assert case.act is not None
    court = SUIT_MASKS[SUIT_OF[case.act.card]] & COURT
    q.seen |= court & case.before.hands[case.seat]
    q.aside = replace(q.aside, shown=(SUIT_OF[case.act.card],))
    return q


def fill_hands(_case: Case, now: Position) -> Position:
    """Fill the short hands from the top of the stock (IR-07); a long hand skips its draws."""
    size = now.frame.options.hand_size
    q = fresh(now)
    seat = now.frame.pone
    for _ in now.frame.active:
        played = len(q.table) if q.leader == seat else 0
        while q.hands[seat].bit_count() + played < size and q.stock:
            q.hands = replaced(q.hands, seat, q.hands[seat] | 1 << q.stock[0])
            q.stock = q.stock[1:]
        seat = now.frame.following[seat]
    return q


def bar_from_closing(case: Case, now: Position) -> Position:
    """Take the privilege of closing for the rest of the deal (IR-80, R-5B)."""
    q = fresh(now)
    q.aside = replace(now.aside, barred=now.aside.barred | {case.seat})
    return q


def reopen(case: Case, now: Position) -> Position:
    """Open the stock again, and keep who has lost the privilege from closing it once more (IR-57)."""
    return bar_from_closing(case, undo(case, now))


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
