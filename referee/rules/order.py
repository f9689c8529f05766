"""What is in order for the seat on turn: by phase, less what the objections forbid."""

from collections.abc import Callable
from typing import Any, Final

from referee.rules import acts
from referee.rules.acts import ACTS, BODIES, Act
from referee.rules.bidding import is_forced
from referee.rules.cards import COURT, KINGS, SEATS, SUIT_MASKS, SUIT_SIZE, cards_of
from referee.rules.dealing import packet_due
from referee.rules.objections import (
    CLOSE_BIT,
    EXCHANGE_BIT,
    MARRY_SHIFT,
    Forbids,
    listed_for,
    may_demand,
)
from referee.rules.positions import (
    ANSWER,
    BIDDING,
    CUT,
    CUT_FOR_DEAL,
    DEAL,
    DRAW,
    FOLLOW,
    LEAD,
    QUIET,
    SCORED,
    SHUFFLE,
    TURN_UP,
    Frame,
    Position,
    stock_left,
)

DRAW_BIT: Final = acts.act(acts.DRAW).bit
DRAW_TWO_BIT: Final = acts.act(acts.DRAW, cards=2).bit
DEMAND_BIT: Final = acts.act(acts.DEMAND).bit
PASS_BIT: Final = acts.act(acts.PASS).bit
SHUFFLE_BIT: Final = acts.act(acts.SHUFFLE).bit
TURN_UP_BIT: Final = acts.act(acts.TURN_UP).bit
SHOW_BITS: Final = tuple(acts.act(acts.SHOW, suit=suit).bit for suit in range(len(SUIT_MASKS)))
BID_BITS: Final = (0, *(acts.act(acts.BID, ticks=ticks).bit for ticks in range(1, acts.MOST_TICKS + 1)))
CUT_BITS: Final = tuple(acts.act(acts.CUT, at=at).bit for at in range(acts.WIDEST_PACK + 1))


DEAL_BITS: Final = tuple(
    (0, *(acts.act(acts.DEAL, to=seat, cards=cards).bit for cards in range(1, acts.LARGEST_PACKET + 1)))
    for seat in range(len(SEATS))
)


def _lead(p: Position) -> int:
    hand = p.hands[p.turn]
    kings = hand & (hand >> 1) & KINGS
    mask = hand | (kings | kings << 1) << MARRY_SHIFT
    if p.turn_up >= 0:
        if hand >> p.frame.exchange_cards[p.trump] & 1:
            mask |= EXCHANGE_BIT
        if p.closing is None:
            mask |= CLOSE_BIT
    return mask


def _follow(p: Position) -> int:
    hand = p.hands[p.turn]
    if p.turn_up >= 0 and hand >> p.frame.exchange_cards[p.trump] & 1:
        hand |= EXCHANGE_BIT
    if p.called >= 0 and may_demand(p):
        hand |= DEMAND_BIT
    return hand


def _draw(p: Position) -> int:
    seat = p.turn
    if p.drawn and len(p.to_draw) == 1 and seat != p.leader and not p.aside.led_early:
        return DRAW_BIT
    two = len(p.to_draw) > 1 and p.to_draw[1] == seat and stock_left(p) > 1
    mask = DRAW_BIT | DRAW_TWO_BIT if two else DRAW_BIT
    if p.aside.led_early and p.table and seat != p.leader:
        return mask | p.hands[seat]
    if p.table or seat != p.leader or p.turn_up < 0 or (p.drawn and has_drawn(p, seat)):
        return mask
    if p.closing is None:
        mask |= CLOSE_BIT
    if not p.drawn and p.hands[seat] >> p.frame.exchange_cards[p.trump] & 1:
        mask |= EXCHANGE_BIT
    return mask


def has_drawn(p: Position, seat: int) -> bool:
    """Tell whether a seat has drawn since the last trick."""
    return any(who == seat for who, _, _ in p.drawn)


def _answer(p: Position) -> int:
    mate = p.hands[p.turn] & SUIT_MASKS[p.called] & COURT
    return SHOW_BITS[p.called] if mate else PASS_BIT


def _shuffle(_: Position) -> int:
    return SHUFFLE_BIT


def _cut(p: Position) -> int:
    options = p.frame.options
    return _cuts(options.cut_least, options.pack - options.cut_least)


def _cut_for_deal(p: Position) -> int:
    """Leave room for the cuts to come: each lifts and leaves at least two (R-03)."""
    least = p.frame.options.cut_least
    return _cuts(least, len(p.stock) - least * (p.frame.players - len(p.aside.cuts)))


def _cuts(first: int, last: int) -> int:
    mask = 0
    for at in range(first, last + 1):
        mask |= CUT_BITS[at]
    return mask


def _deal(p: Position) -> int:
    to, cards = packet_due(p)
    return DEAL_BITS[to][cards]


def _turn_up(_: Position) -> int:
    return TURN_UP_BIT


def _bid(p: Position) -> int:
    """Leave a pass, unless the dealer is forced, and every bid that is higher than those before (4.4)."""
    mask = 0 if is_forced(p, p.turn) else PASS_BIT
    for ticks in range(p.stakes.ticks + 1, p.frame.options.moon_bid + 1):
        mask |= BID_BITS[ticks]
    return mask


def _nothing(_: Position) -> int:
    return 0


#: What each phase has in order for the seat on turn, before any objection is heard.
IN_ORDER: Final[dict[str, Callable[[Position], int]]] = {
    CUT_FOR_DEAL: _cut_for_deal,
    SHUFFLE: _shuffle,
    CUT: _cut,
    DEAL: _deal,
    TURN_UP: _turn_up,
    BIDDING: _bid,
    DRAW: _draw,
    LEAD: _lead,
    FOLLOW: _follow,
    ANSWER: _answer,
    SCORED: _nothing,
}


def _list_objections(frame: Frame, phase: str) -> tuple[tuple[int, Forbids], ...]:
    """Keep the objections of a phase on the frame as bare functions, for the hot path."""
    listed = listed_for(frame.options, phase)
    frame.rarely[phase] = tuple(each.forbids for each in listed if each.rare)
    frame.forbidding[phase] = tuple((each.touches, each.forbids) for each in listed if not each.rare)
    return frame.forbidding[phase]


def lawful_mask(p: Position) -> int:
    """Return the lawful acts of the seat on turn as a mask, worked out once a position.

    Never in it: `declare` and `show`, since whether the count is good is for the seat to know
    (R-13), and what is in order for either seat at any time (by-play, conceding).
    """
    mask = p.lawful
    if mask >= 0:
        return mask
    phase = p.phase
    mask = IN_ORDER[phase](p)
    if mask != DRAW_BIT:
        frame = p.frame
        forbidding = frame.forbidding.get(phase)
        if forbidding is None:
            forbidding = _list_objections(frame, phase)
        for touches, forbids in forbidding:
            if mask & touches:
                mask &= ~forbids(p)
        if p.aside is not QUIET or (phase is LEAD and p.marriages.announced):
            for forbids in frame.rarely[phase]:
                mask &= ~forbids(p)
    p.lawful = mask
    return mask


#: The acts of playing the cards of a suit, by suit and by the mask of ranks, and how they stand on the wire.
_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (
    tuple(tuple(ACTS[shift + each] for each in cards_of(byte)) for byte in range(1 << SUIT_SIZE))
    for shift in range(0, 32, 8)
)
_SPADE_BODIES, _HEART_BODIES, _DIAMOND_BODIES, _CLUB_BODIES = (
    tuple([BODIES[one] for one in plays] for plays in suit) for suit in (_SPADES, _HEARTS, _DIAMONDS, _CLUBS)
)


class _Others(dict[int, tuple[Act, ...]]):
    def __missing__(self, others: int) -> tuple[Act, ...]:
        self[others] = found = tuple(ACTS[32 + each] for each in cards_of(others))
        return found


#: The other acts, by the mask above the cards: filled as they are met (a few dozen in play).
_OTHERS: Final = _Others()


def lawful_acts(p: Position) -> tuple[Act, ...]:
    """Return the lawful acts of the seat on turn, cards first; see `order.lawful_mask`."""
    mask = p.lawful
    return acts_of(mask if mask >= 0 else lawful_mask(p))


def acts_of(mask: int) -> tuple[Act, ...]:
    """Return the acts of a mask, by index."""
    others = mask >> 32
    if not others:
        return _SPADES[mask & 0xFF] + _HEARTS[mask >> 8 & 0xFF] + _DIAMONDS[mask >> 16 & 0xFF] + _CLUBS[mask >> 24]
    if not mask & 0xFFFFFFFF:
        return _OTHERS[others]
    return (
        _SPADES[mask & 0xFF]
        + _HEARTS[mask >> 8 & 0xFF]
        + _DIAMONDS[mask >> 16 & 0xFF]
        + _CLUBS[mask >> 24 & 0xFF]
        + _OTHERS[others]
    )


def lawful_bodies(p: Position) -> list[dict[str, Any]]:
    """Return the lawful acts of the seat on turn as they stand on the wire: a list of one's own, of shared acts."""
    mask = lawful_mask(p)
    others = mask >> 32
    if others and not mask & 0xFFFFFFFF:
        return [BODIES[one] for one in _OTHERS[others]]
    plays = (
        _SPADE_BODIES[mask & 0xFF]
        + _HEART_BODIES[mask >> 8 & 0xFF]
        + _DIAMOND_BODIES[mask >> 16 & 0xFF]
        + _CLUB_BODIES[mask >> 24 & 0xFF]
    )
    return plays + [BODIES[one] for one in _OTHERS[others]] if others else plays
