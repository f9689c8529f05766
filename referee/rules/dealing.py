"""Shuffling, cutting, dealing and making the trump (R-02 to R-08).

A-21: the seventh card and the thirteenth consume the same thirteen cards.
"""

from dataclasses import replace
from typing import Final

from referee.rules.acts import Act
from referee.rules.bidding import begin_bidding
from referee.rules.cards import RANK_OF, SUIT_OF
from referee.rules.options import Options
from referee.rules.positions import (
    BEING_DEALT,
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

#: The ways of making trump in which a card is turned after the first round of packets.
TURNED_EARLY: Final = ("turn_7th", "turn_after_3")
#: How many cards a hand holds after each round of three, two and three (4.3).
_THREE_TWO_THREE: Final = (3, 5, 8)


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
    q.turn = (seat + 1) % p.frame.players
    if len(cuts) == p.frame.players:
        q.phase = SCORED
    return q


def highest_cut(p: Position) -> int:
    """Return who has cut the highest card, ranked as in play; nobody where two of that rank were cut (R-02)."""
    best = min(RANK_OF[card] for _, card in p.aside.cuts)
    found = [seat for seat, card in p.aside.cuts if RANK_OF[card] == best]
    return found[0] if len(found) == 1 else NOBODY


def deal(p: Position, seat: int, one: Act) -> Position:
    if seat != p.frame.dealer and not any(p.hands):
        p = fresh(p)
        p.aside = replace(p.aside, dealing=seat)
    q = to_deal(p)
    held = p.hands[one.to]
    packet = p.stock[: one.cards]
    for card in packet:
        held |= 1 << card
    if one.faced:
        q.seen = p.seen | 1 << p.stock[one.faced - 1]
    q.stock = p.stock[one.cards :]
    q.hands = replaced(p.hands, one.to, held)
    q.received = _received(p, one.to, packet)
    return _after_packet(q)


def _after_packet(q: Position) -> Position:
    options = q.frame.options
    held = [q.hands[seat].bit_count() for seat in q.frame.active]
    if min(held) >= options.hand_size and (q.trump >= 0 or options.trump_method == "first_lead"):
        return _to_play(q)
    if q.trump < 0 and (min(held) >= options.hand_size or _is_turned_now(q, held)):
        q.phase = TURN_UP
        q.turn = _pone(q) if options.trump_method == "pone_draws" else dealing_seat(q)
    return q


def _is_turned_now(q: Position, held: list[int]) -> bool:
    """Tell whether a card is turned before every hand is full: after the first round, or the dealer's last."""
    options = q.frame.options
    if options.trump_method == "last_card":
        return len(q.stock) == 1 and q.hands[dealing_seat(q)].bit_count() < options.hand_size
    return options.trump_method in TURNED_EARLY and min(held) == max(held) == options.packet


def packet_due(p: Position) -> tuple[int, int]:
    """Return to whom the next packet goes and how many cards: the shorter hand, pone first (R-04).

    Cards are counted, not packets, so that a wrong packet that stood is made up.
    """
    options = p.frame.options
    seat, held = NOBODY, options.pack
    for each in _dealing_order(p):
        has = p.hands[each].bit_count()
        if has < held:
            seat, held = each, has
    cards = _packet(options, held)
    if options.trump_method == "last_card" and p.trump < 0:
        cards = min(cards, len(p.stock) - 1)  # the last card is turned, not dealt
    return seat, cards


def _dealing_order(p: Position) -> tuple[int, ...]:
    frame, dealer = p.frame, dealing_seat(p)
    order = frame.active
    if dealer != frame.dealer:
        first = order.index(frame.following[dealer])
        order = order[first:] + order[:first]
    if frame.options.deal_style == "cross_twos":
        left, partner, right, own = order
        return (partner, left, right, own)
    return order


def _packet(options: Options, held: int) -> int:
    if options.deal_style == "three_two_three":
        return next(full for full in _THREE_TWO_THREE if full > held) - held
    packet = 2 if options.deal_style == "cross_twos" else options.packet
    return min(packet - held % packet, options.hand_size - held)


def _received(p: Position, seat: int, cards: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return what every hand has been dealt, with the cards that one is dealt now."""
    received = p.received or ((),) * p.frame.players
    return (*received[:seat], received[seat] + cards, *received[seat + 1 :])


def _pone(p: Position) -> int:
    return p.frame.following[dealing_seat(p)]


def _to_play(q: Position) -> Position:
    if q.aside.dealing != NOBODY:  # the deal stands good: who dealt was the dealer (IR-12)
        q.frame = frame_for(q.frame.rule_set, dealer=q.aside.dealing, out=q.frame.out)
        aside = replace(q.aside, dealing=NOBODY)
        q.aside = QUIET if aside == QUIET else aside
    q.received = ()
    q.phase = LEAD
    q.turn = q.leader = q.frame.pone
    if q.frame.options.bidding == "ticks":
        begin_bidding(q)
    return q


def turn_up(p: Position, _seat: int, one: Act) -> Position:
    """Turn a card for trump: it becomes the last card of the stock (R-05, R-06, A-21, A-22)."""
    options = p.frame.options
    if options.trump_method == "last_card":
        return _turn_last(p)
    place = options.trump_position if options.trump_method == "pone_draws" else "top"
    at = {"top": 0, "middle": len(p.stock) // 2, "bottom": len(p.stock) - 1}[place]
    q = fresh(p)
    q.turn_up = p.stock[at]
    q.trump = SUIT_OF[q.turn_up]
    q.stock = p.stock[:at] + p.stock[at + 1 :]
    if one.cards > 1 and q.stock:
        q.seen = p.seen | 1 << q.stock[0]
    if options.trump_method in TURNED_EARLY:
        q.phase = DEAL
        q.turn = dealing_seat(p)
        return _after_packet(q)
    return _to_play(q)


def _turn_last(p: Position) -> Position:
    """Turn the last card of a pack that is dealt out; it belongs to the dealer's hand (4.3, C-08)."""
    q = fresh(p)
    card, dealer = p.stock[-1], dealing_seat(p)
    q.trump = SUIT_OF[card]
    q.seen = p.seen | 1 << card
    q.stock = p.stock[:-1]
    q.hands = replaced(p.hands, dealer, p.hands[dealer] | 1 << card)
    q.received = _received(p, dealer, (card,))
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
        return not all(p.hands[seat] for seat in p.frame.active)  # trump was turned before anything was dealt to a hand
    if p.phase not in BEING_DEALT:
        return False
    size = p.frame.options.hand_size
    if p.trump < 0 and p.frame.options.trump_method == "last_card" and p.hands[dealing_seat(p)].bit_count() >= size:
        return True  # the card to be turned is the dealer's own last, and his hand is full without it
    missing = 0
    for seat in p.frame.active:
        missing += max(size - p.hands[seat].bit_count(), 0)
    turned = p.trump < 0 and p.frame.options.trump_method not in ("last_card", "first_lead")
    return missing + turned > len(p.stock)


def is_plainly_bad(p: Position) -> bool:
    """Tell whether everybody sees that the deal cannot go on: a faced card, or a pack dealt out."""
    if p.aside.faced and faced_is_found(p):
        return True
    return (p.phase == LEAD or p.phase in BEING_DEALT) and cannot_be_completed(p)
