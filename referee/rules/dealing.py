"""Shuffling, cutting, dealing and making the trump (R-02 to R-08).

A-21: the seventh card and the thirteenth consume the same thirteen cards.
"""

from dataclasses import replace

from referee.rules.acts import Act
from referee.rules.cards import SUIT_OF
from referee.rules.positions import (
    CUT,
    CUT_FOR_DEAL,
    DEAL,
    LEAD,
    NOBODY,
    QUIET,
    SCORED,
    SHUFFLE,
    TURN_UP,
    Position,
    dealing_seat,
    frame_for,
    fresh,
    replaced,
)


def shuffle(p: Position, seat: int, one: Act) -> Position:
    """Note a shuffle; the order of the pack comes from the seed (DESIGN section 6)."""
    q = fresh(p)
    if one.faced:
        q.aside = replace(p.aside, faced=p.aside.faced | 1 << p.stock[one.faced - 1])
    if p.phase == DEAL or (p.phase == SHUFFLE and seat != p.frame.dealer):
        return q
    q.phase = CUT
    q.turn = p.frame.pone
    return q


def cut(p: Position, seat: int, one: Act) -> Position:
    if p.phase == CUT_FOR_DEAL:
        return _cut_for_deal(p, seat, one)
    q = to_deal(p)
    q.stock = p.stock[one.at :] + p.stock[: one.at]
    if one.faced:
        q.seen = p.seen | 1 << p.stock[one.at - 1]
    return q


def to_deal(p: Position) -> Position:
    q = fresh(p)
    q.phase = DEAL
    q.turn = dealing_seat(p)
    return q


def _cut_for_deal(p: Position, seat: int, one: Act) -> Position:
    """Show the bottom card of what is lifted; the next seat cuts the rest (R-02, R-03)."""
    q = fresh(p)
    card = p.stock[one.at - 1]
    cuts = (*p.aside.cuts, (seat, card))
    q.aside = replace(p.aside, cuts=cuts)
    q.seen = p.seen | 1 << card
    q.stock = p.stock[one.at :]
    q.turn = p.frame.following[seat]
    if len(cuts) == p.frame.players:
        q.phase = SCORED
    return q


def deal(p: Position, seat: int, one: Act) -> Position:
    if seat != p.frame.dealer and not any(p.hands):
        p = fresh(p)
        p.aside = replace(p.aside, dealing=seat)
    q = to_deal(p)
    held = p.hands[one.to]
    for card in p.stock[: one.cards]:
        held |= 1 << card
    if one.faced:
        q.seen = p.seen | 1 << p.stock[one.faced - 1]
    q.stock = p.stock[one.cards :]
    q.hands = replaced(p.hands, one.to, held)
    received = p.aside.received or ((),) * p.frame.players
    q.aside = replace(q.aside, received=_with(received, one.to, p.stock[: one.cards]))
    return _after_packet(q)


def _after_packet(q: Position) -> Position:
    options = q.frame.options
    held = [hand.bit_count() for hand in q.hands]
    if min(held) >= options.hand_size and q.trump >= 0:
        return _to_play(q)
    early = options.trump_method == "turn_7th" and min(held) == max(held) == options.packet
    if q.trump < 0 and (early or min(held) >= options.hand_size):
        q.phase = TURN_UP
        q.turn = _pone(q) if options.trump_method == "pone_draws" else dealing_seat(q)
    return q


def _with(received: tuple[tuple[int, ...], ...], seat: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*received[:seat], received[seat] + cards, *received[seat + 1 :])


def _pone(p: Position) -> int:
    return p.frame.following[dealing_seat(p)]


def _to_play(q: Position) -> Position:
    if q.aside.dealing != NOBODY:  # the deal stands good: who dealt was the dealer (IR-12)
        q.frame = frame_for(q.frame.rule_set, dealer=q.aside.dealing, players=q.frame.players)
        q.aside = replace(q.aside, dealing=NOBODY)
    aside = replace(q.aside, received=())
    q.aside = QUIET if aside == QUIET else aside
    q.phase = LEAD
    q.turn = q.leader = q.frame.pone
    return q


def turn_up(p: Position, _seat: int, one: Act) -> Position:
    """Turn a card for trump: it becomes the last card of the stock (R-05, R-06, A-21, A-22)."""
    options = p.frame.options
    place = options.trump_position if options.trump_method == "pone_draws" else "top"
    at = {"top": 0, "middle": len(p.stock) // 2, "bottom": len(p.stock) - 1}[place]
    q = fresh(p)
    q.turn_up = p.stock[at]
    q.trump = SUIT_OF[q.turn_up]
    q.stock = p.stock[:at] + p.stock[at + 1 :]
    if one.cards > 1 and q.stock:
        q.seen = p.seen | 1 << q.stock[0]
    if options.trump_method == "turn_7th":
        q.phase = DEAL
        q.turn = dealing_seat(p)
        return _after_packet(q)
    return _to_play(q)


def faced_is_found(p: Position) -> bool:
    """Tell whether a card lying face up has come to light: dealt, or on top of the cut pack (IR-05)."""
    if p.phase in (SHUFFLE, CUT, CUT_FOR_DEAL):
        return False
    faced = p.aside.faced
    if any(hand & faced for hand in p.hands) or (p.turn_up >= 0 and faced >> p.turn_up & 1):
        return True
    return bool(p.stock) and bool(faced >> p.stock[0] & 1)


def cannot_be_completed(p: Position) -> bool:
    """Tell whether too few cards are left to complete the deal: wrong packets that stood used them up (IR-06)."""
    if p.phase == LEAD and not p.tricks and not p.table:
        return not all(p.hands)  # trump was turned before anything was dealt to a hand
    if p.phase not in (DEAL, TURN_UP):
        return False
    size = p.frame.options.hand_size
    missing = sum(max(0, size - hand.bit_count()) for hand in p.hands) + (p.trump < 0)
    return missing > len(p.stock)


def is_plainly_bad(p: Position) -> bool:
    """Tell whether everybody sees that the deal cannot go on: a faced card, or a pack dealt out."""
    return (p.aside.faced > 0 and faced_is_found(p)) or cannot_be_completed(p)
