"""Views: what a seat sees at the table, built up from what it may know, never cut down.

A seat sees its own hand once the deal is complete, what lies face up, how many cards lie
elsewhere, and what everybody has been shown (DESIGN sections 4 and 10).  Never in a view: the
stock, another hand, a running count (R-13).
"""

from typing import Any

from referee.rules.cards import CARD_NAMES, SEATS, SUIT_MASKS, SUITS, names_of
from referee.rules.irregular import may_look_back
from referee.rules.positions import (
    BIDDING,
    CUT_FOR_DEAL,
    DEALING,
    NOBODY,
    QUIET,
    SCORED,
    Position,
)
from referee.rules.tricks import on_table

View = dict[str, Any]


def seat_name(seat: int) -> str | None:
    """Return the letter of a seat, or nothing for nobody."""
    return None if seat == NOBODY else SEATS[seat]


def by_seat(values: tuple[Any, ...]) -> dict[str, Any]:
    """Return per-seat values under the seats' letters."""
    return {SEATS[seat]: value for seat, value in enumerate(values)}


def view(p: Position, seat: int | None) -> View:
    """Return what `seat` sees, or a spectator (None), as JSON-able values of the wire.

    `sizes`, `tricks` are by seat; `stock` counts the turn-up; `open` tells where cards lie
    that everybody has seen: a seat's hand, `turn_up` or `stock`.
    """
    cutting = p.phase == CUT_FOR_DEAL or bool(p.aside.cuts)
    dealing = p.phase in DEALING or cutting
    hands, counts, tricks, aside = p.hands, p.counts, p.tricks, p.aside
    turn_up, closing = p.turn_up, p.closing
    seen: View = {
        "seat": None if seat is None else SEATS[seat],
        "phase": CUT_FOR_DEAL if cutting else p.phase,
        "turn": None if p.phase == SCORED else seat_name(p.turn),
        "dealer": None if cutting else SEATS[p.frame.dealer],
        "leader": None if dealing else SEATS[p.leader],
        "trump": SUITS[p.trump] if p.trump >= 0 else None,
        "turn_up": CARD_NAMES[turn_up] if turn_up >= 0 else None,
        "sizes": {"a": hands[0].bit_count(), "b": hands[1].bit_count()}
        if len(hands) == 2
        else by_seat(tuple(hand.bit_count() for hand in hands)),
        "stock": len(p.stock) + (turn_up >= 0),
        "table": _table(p) if p.table else [],
        "tricks": {"a": counts[0], "b": counts[1]} if len(counts) == 2 else by_seat(counts),
        "last_trick": _trick(p, len(tricks)) if tricks and _last_is_open(p) else None,
        "to_draw": [SEATS[each] for each in p.to_draw] if p.to_draw else [],
        "drawn": [{"seat": SEATS[who], "from": place} for who, place, _ in p.drawn] if p.drawn else [],
        "lifted": None,
        "marriages": _marriages(p) if p.marriages.announced else [],
        "called": SUITS[p.called] if p.called >= 0 else None,
        "shown": [],
        "open": _open_cards(p) if p.seen else {CARD_NAMES[turn_up]: "turn_up"} if turn_up >= 0 else {},
        "closed_by": None if closing is None else SEATS[closing.closer],
        "looked": [],
        "barred": [],
    }
    if seat is not None:
        seen["hand"] = [] if dealing else names_of(hands[seat])
        seen["seen_tricks"] = []
    if len(hands) > 2:
        _add_the_table(seen, p, seat)
    if aside is not QUIET:
        _add_what_is_odd(seen, p, seat)
    if p.phase == SCORED and p.result is not None:
        seen["piles"] = piles(p)
        seen["result"] = {
            "cause": p.result.cause,
            "winner": seat_name(p.result.winner),
            "game_points": p.result.game_points,
            "counts": by_seat(p.result.counts),
        }
        if p.result.scores:
            seen["result"]["scores"] = by_seat(p.result.scores)
    return seen


def _add_the_table(seen: View, p: Position, seat: int | None) -> None:
    """Fill in what tables of three and four have besides: who rests, partners, bids, a trump turned in a hand."""
    frame, stakes = p.frame, p.stakes
    if frame.options.dealer_rests:
        seen["resting"] = seat_name(frame.resting)
    if frame.out != NOBODY:
        seen["out"] = SEATS[frame.out]
    if frame.options.partners and seat is not None:
        seen["partner"] = next(SEATS[each] for each in frame.sides[seat] if each != seat)
    if frame.options.bidding == "ticks":
        seen["bids"] = [{"seat": SEATS[who], "ticks": ticks or None} for who, ticks in stakes.bids]
        seen["cancelled_bids"] = [{"seat": SEATS[who], "ticks": ticks or None} for who, ticks in stakes.cancelled]
        seen["bidder"] = seat_name(stakes.bidder) if p.phase != BIDDING else None
    if stakes.tens:
        seen["tens"] = by_seat(stakes.tens)
    if frame.options.trump_method == "last_card" and not p.tricks and frame.dealer not in on_table(p):
        shown = p.hands[frame.dealer] & p.seen & (SUIT_MASKS[p.trump] if p.trump >= 0 else 0)
        seen["turn_up"] = names_of(shown)[0] if shown and p.phase not in DEALING else None


def _add_what_is_odd(seen: View, p: Position, seat: int | None) -> None:
    """Fill in what lawful play hardly ever touches."""
    aside = p.aside
    seen["lifted"] = _lifted(p)
    seen["shown"] = [SUITS[suit] for suit in aside.shown]
    seen["looked"] = [{"seat": SEATS[who], "trick": max(trick, 0)} for who, trick in aside.looks]
    seen["barred"] = [SEATS[each] for each in sorted(aside.barred)]
    if aside.cuts:
        seen["cuts"] = [{"seat": SEATS[who], "card": CARD_NAMES[card]} for who, card in aside.cuts]
    if aside.early:
        seen["early"] = [{"seat": SEATS[who], "card": CARD_NAMES[card]} for who, card in aside.early]
    if aside.exposed:
        seen["exposed"] = names_of(aside.exposed)
    if seat is not None:
        seen["seen_tricks"] = [
            {"trick": trick, **_trick(p, trick)} for who, trick in aside.looks if who == seat and trick > 0
        ]
        peeked = [CARD_NAMES[~card] for who, card in aside.looks if who == seat and card < 0]
        if peeked:
            seen["peeked"] = peeked
        side = p.frame.sides[seat]
        if any(each not in side for each in aside.laid_open):
            own = {SEATS[each] for each in side}
            seen["laid_open"] = [trick for trick in piles(p) if trick["winner"] not in own]


def _table(p: Position) -> list[View]:
    return [{"seat": SEATS[_player(p, place)], "card": CARD_NAMES[card]} for place, card in enumerate(p.table)]


def _player(p: Position, place: int) -> int:
    return on_table(p)[place]


def _last_is_open(p: Position) -> bool:
    """Tell whether the last trick lies open: till the next lead both see it, whatever `look_back`."""
    return bool(p.tricks) and (not p.table or may_look_back(p, len(p.tricks)))


def _trick(p: Position, number: int) -> View:
    leader, winner, cards = p.tricks[number - 1]
    return {
        "leader": SEATS[leader],
        "cards": [CARD_NAMES[card] for card in cards],
        "winner": SEATS[winner],
    }


def _lifted(p: Position) -> View | None:
    if p.aside.lifted is None:
        return None
    seat, cards = p.aside.lifted
    return {"seat": SEATS[seat], "cards": len(cards)}


def _marriages(p: Position) -> list[View]:
    return [
        {
            "seat": SEATS[each.seat],
            "suit": SUITS[each.suit],
            "amount": each.amount,
            "shown": each.shown,
            "counts": each.counts,
        }
        for each in p.marriages.announced
    ]


def _open_cards(p: Position) -> dict[str, str]:
    """Return where each card lies that everybody has seen and that could be played or drawn yet."""
    found = {CARD_NAMES[p.turn_up]: "turn_up"} if p.turn_up >= 0 else {}
    seen = p.seen
    if not seen:
        return found
    elsewhere = seen
    for seat, hand in enumerate(p.hands):
        shown = hand & seen
        if shown:
            elsewhere ^= shown
            for name in names_of(shown):
                found[name] = SEATS[seat]
    for card in p.stock if elsewhere else ():
        if seen >> card & 1:
            found[CARD_NAMES[card]] = "stock"
    return dict(sorted(found.items())) if len(found) > 1 else found


def piles(p: Position) -> list[View]:
    """Return both trick piles, trick by trick: laid open when a deal is scored (R-6A)."""
    return [_trick(p, number) for number in range(1, len(p.tricks) + 1)]
