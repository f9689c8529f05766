"""The course of a deal: dealing, playing, drawing, closing, announcing; and what is lawful.

`apply` is total over every possible act, in order or not; it returns a new position and
judges nothing.  A deal goes shuffle, cut, deal, turn-up, then lead, follow and draw until it is
scored.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from referee.rules import acts, announcing, bidding, dealing, scoring, tricks
from referee.rules.acts import Act
from referee.rules.cards import BEATEN_BY, CARD_POINTS, COURT, KINGS, SUIT_MASKS, SUIT_OF, cards_of, pack_cards
from referee.rules.drawing import after_draw, draw, drawn_out, draws_due, settled
from referee.rules.ending import end, played_out, with_last_trick
from referee.rules.irregular import in_time_to_declare, in_time_to_show, objections
from referee.rules.objections import Objection
from referee.rules.order import lawful_acts, lawful_bodies, lawful_mask
from referee.rules.positions import (
    BIDDING,
    DEAL,
    DRAW,
    FOLLOW,
    LEAD,
    NO_SUIT,
    QUIET,
    TURN_UP,
    Closing,
    Frame,
    Position,
    begin,
    frame_for,
    fresh,
    in_strict_play,
    replaced,
)
from referee.rules.possible import is_late_call, is_possible, usual
from referee.rules.rulesets import RuleSet

__all__ = [
    "Objection",
    "apply",
    "deal_position",
    "drawn_out",
    "draws_due",
    "end",
    "in_time_to_declare",
    "is_possible",
    "lawful_acts",
    "lawful_bodies",
    "lawful_mask",
    "nothing_left",
    "objections",
    "own_risk",
    "played_out",
    "usual",
    "with_last_trick",
]  # fmt: skip

_DECLARE: Final = acts.act(acts.DECLARE)
_SHOWS: Final = tuple(acts.act(acts.SHOW, suit=suit) for suit in range(len(SUIT_MASKS)))


def own_risk(p: Position) -> tuple[Act, ...]:
    """Return `declare` and `show` where they are in time for the seat on turn (R-13, R-34, R-61).

    Whether the count is good is for the seat to know.
    """
    seat = p.turn
    if not in_time_to_declare(p, seat):
        return ()
    hand = p.hands[seat]
    kings = hand & (hand >> 1) & KINGS
    if not kings:
        return (_DECLARE,)
    suits = (SUIT_OF[king] for king in cards_of(kings))
    return (_DECLARE, *(_SHOWS[suit] for suit in suits if in_time_to_show(p, seat, suit)))


def apply(p: Position, seat: int, one: Act) -> Position:
    """Return the position after a possible act of `seat`, whether it is in order or not."""
    return _APPLY[one.kind](p, seat, one)


def deal_position(rule_set: RuleSet, pack: Sequence[int], dealer: int = 0) -> Position:
    """Return the position of a deal from `pack` (top first), ready for the first lead (R-04, R-05).

    Shuffle and cut are passed over: the pack is dealt as it is.
    """
    frame = frame_for(rule_set, dealer=dealer)
    if not frame.places:
        _deal_in_order(frame)
    q = begin(frame, tuple(pack))
    hands, stock, turn_up = frame.places[0]
    q.hands = tuple([sum([1 << pack[at] for at in hand]) for hand in hands])
    q.stock = tuple([pack[at] for at in stock])
    if turn_up >= 0:
        q.turn_up = pack[turn_up]
        q.trump = SUIT_OF[q.turn_up]
    elif frame.options.trump_method == "last_card":
        q.trump = SUIT_OF[pack[-1]]
        q.seen = 1 << pack[-1]
    q.phase = LEAD
    q.turn = q.leader
    if frame.options.bidding == "ticks":
        bidding.begin_bidding(q)
    return q


def _deal_in_order(frame: Frame) -> None:
    """Deal a pack in known order, act by act, and note on the frame where every card went."""
    pack = pack_cards(frame.options.pack)
    p = dealing.to_deal(begin(frame, pack))
    while p.phase in (DEAL, TURN_UP):
        p = apply(p, p.turn, lawful_acts(p)[0])
    hands = tuple(tuple(pack.index(card) for card in cards_of(hand)) for hand in p.hands)
    stock = tuple(pack.index(card) for card in p.stock)
    frame.places.append((hands, stock, pack.index(p.turn_up) if p.turn_up >= 0 else -1))


def nothing_left(p: Position) -> bool:
    """Tell whether the seat to play has no card and no draw is due: so a deal ends (4.1)."""
    return not p.hands[p.turn] and p.phase in (LEAD, FOLLOW) and not p.to_draw


def _play(p: Position, seat: int, one: Act) -> Position:
    if p.frame.players > 2:
        return tricks.play(p, seat, one)
    if one.also >= 0:
        return tricks.seen(p, 1 << one.card | 1 << one.also)
    if p.table and seat != p.leader:
        return _follow(p, seat, one.card)
    if p.aside.shown and COURT >> one.card & 1 and SUIT_OF[one.card] in p.aside.shown:
        p = announcing.announce(p, seat, SUIT_OF[one.card])
    return _lead(p, seat, one.card)


def _lead(p: Position, seat: int, card: int) -> Position:
    if p.frame.players > 2:
        return tricks.lead(p, seat, card)
    p = settled(p)
    if p.table:
        return tricks.seen(p, 1 << card)
    q = fresh(p)
    first, second = p.hands
    bit = 1 << card
    q.hands = (first, second ^ bit) if seat else (first ^ bit, second)
    q.table = (card,)
    q.leader = seat
    q.strict = in_strict_play(p)
    q.to_draw = to_draw = tuple(each for each in p.to_draw if each != seat) if p.to_draw else ()
    if to_draw:
        q.phase = DRAW
        q.turn = to_draw[0]
        q.aside = replace(p.aside, led_early=True, shown=())
    else:
        q.phase = FOLLOW
        q.turn = p.frame.following[seat]
        if p.aside.shown:
            q.aside = replace(p.aside, shown=())
        if not q.hands[q.turn]:
            return played_out(q)
    return q


def _follow(p: Position, seat: int, card: int) -> Position:
    q = fresh(p)
    first, second = p.hands
    bit = 1 << card
    q.hands = hands = (first, second ^ bit) if seat else (first ^ bit, second)
    led = p.table[0]
    leader = p.leader
    winner = seat if BEATEN_BY[p.trump][led] & bit else leader
    q.tricks = (*p.tricks, (leader, winner, (led, card)))
    value = CARD_POINTS[led] + CARD_POINTS[card]
    first, second = p.points
    q.points = (first, second + value) if winner else (first + value, second)
    first, second = p.counts
    q.counts = (first, second + 1) if winner else (first + 1, second)
    q.table = ()
    q.turn = q.leader = winner
    if p.called >= 0:
        q.called = NO_SUIT
    if p.drawn:
        q.drawn = ()
    if p.marriages.pending[winner]:
        q.marriages = announcing.effective(p, winner)
    if p.aside is not QUIET and (p.aside.asked or p.aside.led_early):
        q.aside = replace(p.aside, asked=False, led_early=False)
    if p.closing is None and (p.stock or p.turn_up >= 0):
        q.to_draw = to_draw = draws_due(q)
        if to_draw:
            q.turn = to_draw[0]
            q.phase = DRAW
            return q
    elif p.to_draw:
        q.to_draw = ()
    if hands[winner]:
        q.phase = LEAD
        return q
    return played_out(q)


def _marry(p: Position, seat: int, one: Act) -> Position:
    if is_late_call(p, seat, one):
        too_late = p.frame.options.late_marriage_call == "none"
        return announcing.announce(p, seat, SUIT_OF[one.card], void=too_late)
    card = one.lead if one.lead >= 0 else one.card
    p = tricks.trump_made(p, SUIT_OF[card])
    if p.phase == FOLLOW or seat != p.leader or p.table:
        q = announcing.announce_in_vain(p, seat, SUIT_OF[one.card])
        return _play(q, seat, acts.act(acts.PLAY, card=card))
    q = announcing.announce(p, seat, SUIT_OF[one.card], void=one.lead >= 0)
    return _lead(q, seat, card)


def _exchange(p: Position, seat: int, one: Act) -> Position:
    card = one.card if one.card >= 0 else p.frame.exchange_cards[p.trump]
    q = fresh(p)
    q.hands = replaced(p.hands, seat, p.hands[seat] ^ 1 << card | 1 << p.turn_up)
    q.turn_up = card
    q.seen = p.seen | 1 << p.turn_up | 1 << card
    return q


def _close(p: Position, seat: int, _one: Act) -> Position:
    if p.closing is not None or p.turn_up < 0:
        return p
    q = fresh(p)
    adversary = p.frame.adversary[seat]
    q.closing = Closing(seat, p.counts[adversary], scoring.count(p, adversary), len(p.tricks))
    if p.phase == DRAW:
        after_draw(q, ())
    return q


def _declare(p: Position, seat: int, _one: Act) -> Position:
    """End the deal by a declaration; a good count out of time has no effect (IR-62)."""
    result = scoring.declaration(p, seat)
    if result.cause == scoring.DECLARED and not in_time_to_declare(p, seat):
        return p
    return end(p, result)


def _pass(p: Position, seat: int, one: Act) -> Position:
    return bidding.bid(p, seat, one) if p.phase == BIDDING else announcing.refuse_proof(p, seat, one)


def _concede(p: Position, seat: int, _one: Act) -> Position:
    return end(p, scoring.concession(p, seat))


def _look(p: Position, seat: int, one: Act) -> Position:
    q = fresh(p)
    looked = ~p.stock[0] if one.stock else one.trick
    q.aside = replace(p.aside, looks=(*p.aside.looks, (seat, looked)))
    return q


def _expose(p: Position, seat: int, one: Act) -> Position:
    received = p.received[seat] if p.received else tuple(cards_of(p.hands[seat]))
    card = one.card if one.card >= 0 else received[one.at - 1]
    q = fresh(p)
    q.seen = p.seen | 1 << card
    return q


_APPLY: Final[dict[str, Callable[[Position, int, Act], Position]]] = {
    acts.PLAY: _play,
    acts.DRAW: draw,
    acts.MARRY: _marry,
    acts.EXCHANGE: _exchange,
    acts.CLOSE: _close,
    acts.DECLARE: _declare,
    acts.CONCEDE: _concede,
    acts.SHOW: announcing.show,
    acts.DEMAND: announcing.demand,
    acts.PASS: _pass,
    acts.BID: bidding.bid,
    acts.LOOK: _look,
    acts.EXPOSE: _expose,
    acts.SHUFFLE: dealing.shuffle,
    acts.CUT: dealing.cut,
    acts.DEAL: dealing.deal,
    acts.TURN_UP: dealing.turn_up,
}
