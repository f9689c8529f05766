"""Why an act of any seat at any time is out of order.

`objections` adds to those of the seat on turn the ones of acting out of turn and of what is odd
about the act itself.  Each names the law that rules on it; an act without objections is
in order.
"""

from collections.abc import Callable
from typing import Final

from referee.rules import acts
from referee.rules.acts import Act
from referee.rules.bidding import has_bid
from referee.rules.cards import SUIT_OF
from referee.rules.dealing import TURNED_EARLY
from referee.rules.objections import (
    MARRY_SHIFT,
    Objection,
    exchange_is_free,
    holds_marriage,
    marriage_counts,
    raised,
)
from referee.rules.order import has_drawn, lawful_mask
from referee.rules.positions import (
    ANSWER,
    BIDDING,
    CUT,
    DEAL,
    DRAW,
    FOLLOW,
    LEAD,
    PLAYING,
    SHUFFLE,
    Position,
    dealing_seat,
    exhausted,
    fresh,
)
from referee.rules.possible import is_late_call
from referee.rules.reasons import (
    BARRED,
    BID_OUT_OF_TURN,
    BID_TOO_LOW,
    CALLED_TWICE,
    CARD_EXPOSED_IN_DEAL,
    CLOSE_OFF_LEAD,
    COUNT_SHORT,
    CUT_SHOWN,
    CUT_TOO_SMALL,
    DEALER_MUST_BID,
    DEALT_OUT_OF_TURN,
    DRAW_AFTER_CLOSE,
    EARLY_LEAD,
    EXCHANGE_OFF_TURN,
    EXPOSED,
    EXPOSED_WHILE_DEALT,
    FACED_IN_PACK,
    FIRST_LEAD,
    HAND_SHORT,
    LATE_CALL,
    LOOKED_AT_OTHERS,
    LOOKED_AT_TRICK,
    MARRIAGE_OFF_LEAD,
    MATE_WITHHELD,
    NO_MATE,
    NOT_CUT,
    NOT_IN_TIME,
    NOT_YOUR_CHORE,
    NOTHING_TO_CLOSE,
    OTHER_CARD_LED,
    OUT_OF_TURN_DRAW,
    OUT_OF_TURN_LEAD,
    PEEKED,
    PLAYED_OUT_OF_TURN,
    SECOND_LEAD,
    SECOND_SHOWN,
    SHOWN_OFF_LEAD,
    SHUFFLED_AFTER_CUT,
    SHUFFLED_AGAIN,
    TOO_MANY_DEALT,
    TURN_UP_TAKEN,
    TWO_LIFTED_FIRST,
    TWO_LIFTED_SECOND,
    TWO_PLAYED,
    TWO_TURNED,
    UNDRAWN_PLAY,
    UNDUE_DRAW,
    WRONG_AMOUNT,
    WRONG_EXCHANGE,
    WRONG_PACKET,
    WRONG_PLACE,
)
from referee.rules.scoring import declared_count
from referee.rules.tricks import has_played


def objections(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    """Return why a possible act of `seat` is irregular now; empty if it is in order.

    Declaring off the window and a short count are objections too, though never refused.
    """
    if seat == p.turn and one.bit & lawful_mask(p):
        return ()
    return _AGAINST[one.kind](p, seat, one)


def _against_play(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [TWO_PLAYED] if one.also >= 0 else []
    found += _out_of_turn_play(p, seat)
    if not found or found == [TWO_PLAYED]:
        found += raised(p, acts.plain(one).bit)
    return tuple(found)


def _out_of_turn_play(p: Position, seat: int) -> list[Objection]:
    if len(p.frame.active) > 2 or p.trump < 0:
        return _out_of_turn_at_four(p, seat)
    if p.phase == FOLLOW:
        return [SECOND_LEAD] if seat != p.turn else []
    if p.phase == LEAD:
        return [OUT_OF_TURN_LEAD] if seat != p.turn else []
    if p.table:
        if seat == p.leader:
            return [SECOND_LEAD]
        return [UNDRAWN_PLAY] if seat in p.to_draw and not p.aside.led_early else []
    found = [OUT_OF_TURN_LEAD] if seat != p.leader else []
    if seat in p.to_draw:
        found.append(UNDRAWN_PLAY)
    elif seat == p.leader:
        found.append(EARLY_LEAD)
    return found


def _out_of_turn_at_four(p: Position, seat: int) -> list[Objection]:
    """Name what is out of turn where more than two play: there is a partner, and trump may hang on it."""
    if seat == p.turn:
        return []
    if has_played(p, seat):
        return [SECOND_LEAD]
    return [FIRST_LEAD] if p.trump < 0 else [PLAYED_OUT_OF_TURN]


def _against_marry(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    if is_late_call(p, seat, one):
        return _against_late_call(p, seat, one)
    if p.phase == FOLLOW or seat != p.leader or p.table:
        return (MARRIAGE_OFF_LEAD, *_out_of_turn_play(p, seat))
    found = _out_of_turn_play(p, seat)
    if one.lead >= 0:
        found.append(OTHER_CARD_LED)
    if one.amount >= 0:
        found.append(WRONG_AMOUNT)
    if p.phase == LEAD:
        found += raised(p, 1 << one.card + MARRY_SHIFT)
    else:
        if _marriage_is_void(p, seat, SUIT_OF[one.card]):
            found.append(MARRIAGE_OFF_LEAD)
        if not holds_marriage(p.hands[seat], SUIT_OF[one.card]):
            found.append(NO_MATE)
    return tuple(found)


def _against_late_call(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    """Judge a late call by the lead it belongs to: what was open to it then is open now."""
    options, suit = p.frame.options, SUIT_OF[one.card]
    found = []
    if p.called >= 0:
        found.append(CALLED_TWICE)
    elif options.late_marriage_call == "none":
        found.append(LATE_CALL)
    elif _marriage_is_void(p, seat, suit):
        found.append(MARRIAGE_OFF_LEAD)
    if not holds_marriage(p.hands[seat] | 1 << one.card, suit):
        found.append(NO_MATE)
    if one.amount >= 0:
        found.append(WRONG_AMOUNT)
    return tuple(found)


def _marriage_is_void(p: Position, seat: int, suit: int) -> bool:
    return marriage_counts(p, seat, suit) == "void"


def _against_exchange(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [WRONG_EXCHANGE] if one.card >= 0 else []
    free = exchange_is_free(p, seat) and p.phase in (LEAD, FOLLOW)
    bit = acts.act(acts.EXCHANGE).bit
    if seat != p.turn:
        if not free:
            found.append(EXCHANGE_OFF_TURN)
            if p.frame.options.nine_needs_trick and not p.counts[seat]:
                found += [each for each in raised(_as_turn(p, seat), bit) if each.law == "IR-51"]
    elif p.phase == DRAW and (p.drawn or p.table or seat != p.leader):
        found.append(EXCHANGE_OFF_TURN)
    else:
        found += raised(p, bit)
    return tuple(found)


def _as_turn(p: Position, seat: int) -> Position:
    q = fresh(p)
    q.turn = seat
    return q


def _against_close(p: Position, seat: int, _one: Act) -> tuple[Objection, ...]:
    if p.closing is not None or exhausted(p) or p.turn_up < 0:
        return (NOTHING_TO_CLOSE,)
    on_lead = seat == p.turn == p.leader and not p.table
    if on_lead and not (p.phase == DRAW and has_drawn(p, seat)):
        return raised(p, acts.act(acts.CLOSE).bit)
    return (CLOSE_OFF_LEAD, BARRED) if seat in p.aside.barred else (CLOSE_OFF_LEAD,)


def _against_draw(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    if p.closing is not None:
        return (DRAW_AFTER_CLOSE,)
    owed = p.to_draw.count(seat)
    found = []
    if one.place == "turn_up" and p.stock:
        found.append(WRONG_PLACE if owed else TURN_UP_TAKEN)
    elif one.place != "top" and one.place != "turn_up":
        found.append(WRONG_PLACE)
    if not owed:
        return (*found, UNDUE_DRAW)
    if p.to_draw[0] != seat:
        found.append(OUT_OF_TURN_DRAW)
    if one.cards > owed:
        found.append(TWO_LIFTED_SECOND if p.drawn else TWO_LIFTED_FIRST)
    return tuple(found)


def _against_declare(p: Position, seat: int, _one: Act) -> tuple[Objection, ...]:
    found = [] if in_time_to_declare(p, seat) else [NOT_IN_TIME]
    if declared_count(p, seat) < p.frame.options.declare_at:
        found.append(COUNT_SHORT)
    return tuple(found)


def in_time_to_declare(p: Position, seat: int) -> bool:
    """Tell whether `seat` may declare now, whatever its count (R-61)."""
    window = p.frame.options.declare_window
    if p.phase not in PLAYING or window == "never":
        return False
    if window == "any_time":
        return True
    if window == "any_own_turn" and seat == p.turn:
        return True
    if seat != p.leader or not p.table:
        return seat == p.leader
    just_announced = p.called >= 0 and p.phase == FOLLOW
    return just_announced and p.marriages.announced[-1].counts != "void"


def in_time_to_show(p: Position, seat: int, suit: int) -> bool:
    """Tell whether `seat` may show a marriage of `suit` unled now, whatever its count (R-34)."""
    return (
        p.frame.options.show_unled_to_66
        and seat == p.turn == p.leader
        and p.phase in (LEAD, DRAW)
        and not p.table
        and not p.aside.shown
        and bool(p.counts[seat])
        and holds_marriage(p.hands[seat], suit)
        and not _marriage_is_void(p, seat, suit)
        and in_time_to_declare(p, seat)
    )


def _against_show(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    if p.phase == ANSWER:
        return ()
    if seat != p.leader or p.table:
        return (SHOWN_OFF_LEAD,)
    return (SECOND_SHOWN,) if p.aside.shown else ()


def _against_shuffle(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [FACED_IN_PACK] if one.faced else []
    if p.phase == CUT:
        return (*found, SHUFFLED_AGAIN)
    return (*found, SHUFFLED_AFTER_CUT) if p.phase == DEAL else tuple(found)


def _against_cut(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [NOT_YOUR_CHORE] if seat != p.turn else []
    found += [CUT_SHOWN] if one.faced else []
    within = lawful_mask(p) & acts.act(acts.CUT, at=one.at).bit
    return tuple(found if within else (*found, CUT_TOO_SMALL))


def _against_deal(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [DEALT_OUT_OF_TURN] if seat != dealing_seat(p) else []
    if p.phase in (SHUFFLE, CUT):
        found.append(NOT_CUT)
    elif seat == dealing_seat(p):  # the order of packets is that of the dealer
        if p.hands[one.to].bit_count() + one.cards > p.frame.options.hand_size:
            found.append(TOO_MANY_DEALT)
        elif not acts.plain(one).bit & lawful_mask(p):
            found.append(WRONG_PACKET)
    return (*found, CARD_EXPOSED_IN_DEAL) if one.faced else tuple(found)


def _against_turn_up(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [NOT_YOUR_CHORE] if seat != p.turn else []
    if p.phase == DEAL:
        early = p.frame.options.trump_method in TURNED_EARLY
        found.append(WRONG_PACKET if early else HAND_SHORT)
    return (*found, TWO_TURNED) if one.cards > 1 else tuple(found)


def _against_look(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    if one.stock:
        return (PEEKED,)
    winner = p.tricks[one.trick - 1][1]
    own = winner in p.frame.sides[seat]
    if may_look_back(p, one.trick) or (not own and winner in p.aside.laid_open):
        return ()
    return (LOOKED_AT_TRICK,) if own else (LOOKED_AT_OTHERS,)


def may_look_back(p: Position, trick: int) -> bool:
    """Tell whether `look_back` leaves that trick open to both seats (R-12)."""
    if trick != len(p.tricks):
        return False
    look_back = p.frame.options.look_back
    return look_back == "last_trick" or (look_back == "last_until_lead" and not p.table)


def _against_expose(_p: Position, _seat: int, one: Act) -> tuple[Objection, ...]:
    return (EXPOSED,) if one.card >= 0 else (EXPOSED_WHILE_DEALT,)


def _against_pass(p: Position, seat: int, _one: Act) -> tuple[Objection, ...]:
    if p.phase != BIDDING:
        return (MATE_WITHHELD,)
    return (BID_OUT_OF_TURN,) if seat != p.turn else (DEALER_MUST_BID,)


def _against_bid(p: Position, seat: int, one: Act) -> tuple[Objection, ...]:
    found = [BID_OUT_OF_TURN] if seat != p.turn or has_bid(p, seat) else []
    return (*found, BID_TOO_LOW) if one.ticks <= p.stakes.ticks else tuple(found)


def _in_order(_p: Position, _seat: int, _one: Act) -> tuple[Objection, ...]:
    return ()


_AGAINST: Final[dict[str, Callable[[Position, int, Act], tuple[Objection, ...]]]] = {
    acts.PLAY: _against_play,
    acts.MARRY: _against_marry,
    acts.EXCHANGE: _against_exchange,
    acts.CLOSE: _against_close,
    acts.DECLARE: _against_declare,
    acts.CONCEDE: _in_order,
    acts.DRAW: _against_draw,
    acts.SHOW: _against_show,
    acts.DEMAND: _in_order,
    acts.PASS: _against_pass,
    acts.BID: _against_bid,
    acts.SHUFFLE: _against_shuffle,
    acts.CUT: _against_cut,
    acts.DEAL: _against_deal,
    acts.TURN_UP: _against_turn_up,
    acts.LOOK: _against_look,
    acts.EXPOSE: _against_expose,
}
