"""What could happen at the table: the cards an act names lie where it takes them from.

Whose turn or chore it is decides only whether an act is in order, which is not judged here.
"""

from collections.abc import Callable
from typing import Final

from referee.rules import acts
from referee.rules.acts import Act
from referee.rules.cards import COURT, SUIT_MASKS, SUIT_OF
from referee.rules.objections import holds_marriage, may_demand
from referee.rules.positions import (
    ANSWER,
    BIDDING,
    CUT,
    CUT_FOR_DEAL,
    DEAL,
    DEALING,
    DRAW,
    FOLLOW,
    NOBODY,
    PLAYING,
    SHUFFLE,
    TURN_UP,
    Position,
    stock_left,
)
from referee.rules.scoring import marriage_points


def is_possible(p: Position, seat: int, one: Act) -> bool:
    """Tell whether an act could happen: the cards it names lie where it takes them from.

    Whose turn it is does not matter here (DESIGN section 4, *Possible, and in order*).
    """
    check = _POSSIBLE.get(one.kind)
    return check is not None and check(p, seat, one)


def _in_hand(p: Position, seat: int, *cards: int) -> bool:
    """Tell whether cards can be taken from a hand; a dead one lies aside (D-07)."""
    hand = p.hands[seat] if seat in p.frame.active else 0
    return all(card < 0 or hand >> card & 1 for card in cards)


def _can_play(p: Position, seat: int, one: Act) -> bool:
    return p.phase in PLAYING and _in_hand(p, seat, one.card, one.also)


def _can_marry(p: Position, seat: int, one: Act) -> bool:
    if is_late_call(p, seat, one):
        return True
    return p.phase in PLAYING and _in_hand(p, seat, one.card, one.lead)


def is_late_call(p: Position, seat: int, one: Act) -> bool:
    """Tell whether an announcement is of the card its seat has just led (R-35)."""
    return (
        p.phase in (FOLLOW, DRAW)
        and p.table == (one.card,)
        and p.leader == seat
        and one.lead < 0
        and one.kind == acts.MARRY
    )


def _can_exchange(p: Position, seat: int, one: Act) -> bool:
    if p.phase not in PLAYING or p.turn_up < 0:
        return False
    card = one.card if one.card >= 0 else p.frame.exchange_cards[p.trump]
    return _in_hand(p, seat, card)


def _can_close(p: Position, seat: int, _one: Act) -> bool:
    """Only a game with a stock can be closed."""
    return p.phase in PLAYING and seat in p.frame.active and p.frame.has_stock


def _can_declare(p: Position, seat: int, _one: Act) -> bool:
    return p.phase in PLAYING and seat in p.frame.active and p.frame.options.declare_window != "never"


def _can_concede(p: Position, seat: int, _one: Act) -> bool:
    """Where ticks are counted nobody concedes (D-21)."""
    return p.phase in PLAYING and seat in p.frame.active and p.frame.options.score_by != "ticks"


def _can_draw(p: Position, seat: int, one: Act) -> bool:
    if p.phase not in PLAYING or seat not in p.frame.active:
        return False
    if one.place == "top":
        return stock_left(p) >= one.cards
    if one.place == "turn_up":
        return p.turn_up >= 0 and one.cards == 1
    return len(p.stock) >= one.cards


def _can_show(p: Position, seat: int, one: Act) -> bool:
    if p.phase == ANSWER:
        mate = p.hands[seat] & SUIT_MASKS[one.suit] & COURT
        return seat == p.leader and one.suit == p.called and bool(mate)
    return _can_declare(p, seat, one) and holds_marriage(p.hands[seat], one.suit)  # it is shown to declare upon


def _can_demand(p: Position, seat: int, _one: Act) -> bool:
    return p.phase == FOLLOW and seat == p.turn and p.called >= 0 and may_demand(p)


def _can_pass(p: Position, seat: int, _one: Act) -> bool:
    return (p.phase == ANSWER and seat == p.turn) or p.phase == BIDDING


def _can_bid(p: Position, _seat: int, one: Act) -> bool:
    return p.phase == BIDDING and one.ticks <= p.frame.options.moon_bid


def _undealt(p: Position) -> bool:
    return not any(p.hands) and p.trump < 0


def _can_shuffle(p: Position, _seat: int, one: Act) -> bool:
    return p.phase in (SHUFFLE, CUT, DEAL) and _undealt(p) and one.faced <= len(p.stock)


def _can_cut(p: Position, seat: int, one: Act) -> bool:
    if p.phase == CUT_FOR_DEAL:
        return 0 < one.at <= len(p.stock) and all(done != seat for done, _ in p.aside.cuts)
    return p.phase == CUT and 0 < one.at < len(p.stock)


def _can_deal(p: Position, seat: int, one: Act) -> bool:
    if p.frame.resting not in (NOBODY, seat):
        return False  # where the dealer rests nobody else can deal: he would deal to himself
    return p.phase in DEALING and one.to in p.frame.active and one.cards <= len(p.stock)


def _can_turn_up(p: Position, _seat: int, one: Act) -> bool:
    if p.frame.options.trump_method == "first_lead":
        return False
    if p.frame.options.trump_method == "last_card" and len(p.stock) != 1:
        return False
    return p.phase in (DEAL, TURN_UP) and p.trump < 0 and one.cards <= len(p.stock)


def _can_look(p: Position, seat: int, one: Act) -> bool:
    return (
        p.phase in PLAYING and seat in p.frame.active and (bool(p.stock) if one.stock else one.trick <= len(p.tricks))
    )


def _can_expose(p: Position, seat: int, one: Act) -> bool:
    if one.card >= 0:
        return p.phase in PLAYING and _in_hand(p, seat, one.card)
    return p.phase in DEALING and one.at <= p.hands[seat].bit_count()


_POSSIBLE: Final[dict[str, Callable[[Position, int, Act], bool]]] = {
    acts.PLAY: _can_play,
    acts.MARRY: _can_marry,
    acts.EXCHANGE: _can_exchange,
    acts.CLOSE: _can_close,
    acts.DECLARE: _can_declare,
    acts.CONCEDE: _can_concede,
    acts.BID: _can_bid,
    acts.DRAW: _can_draw,
    acts.SHOW: _can_show,
    acts.DEMAND: _can_demand,
    acts.PASS: _can_pass,
    acts.SHUFFLE: _can_shuffle,
    acts.CUT: _can_cut,
    acts.DEAL: _can_deal,
    acts.TURN_UP: _can_turn_up,
    acts.LOOK: _can_look,
    acts.EXPOSE: _can_expose,
}


def usual(p: Position, one: Act) -> Act:
    """Return the same act with a usual value that was spelled out left out.

    The usual card of an exchange is the lowest trump, the usual amount of a marriage its true one;
    in cutting for deal every cut shows its card (R-02); the last card face down is drawn from the top.
    """
    if one.kind == acts.DRAW and one.place in ("bottom", "middle") and one.cards == len(p.stock) == 1:
        return acts.act(acts.DRAW)
    if one.kind == acts.EXCHANGE and one.card >= 0:
        return acts.act(acts.EXCHANGE) if one.card == p.frame.exchange_cards[p.trump] else one
    if one.kind == acts.CUT and p.phase == CUT_FOR_DEAL:
        return acts.act(acts.CUT, at=one.at)
    if one.kind == acts.MARRY and one.amount == marriage_points(p, SUIT_OF[one.card]):
        return acts.act(acts.MARRY, card=one.card, lead=one.lead)
    return one
