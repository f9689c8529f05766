"""Views: what a seat sees at the table, built up from what it may know, never cut down.

A seat sees its own hand once the deal is complete, what lies face up, how many cards lie
elsewhere, and what everybody has been shown (DESIGN sections 4 and 10).  Never in a view: the
stock, another hand, a running count (R-13).
"""

from functools import lru_cache
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
    Result,
    Trick,
)
from referee.rules.tricks import on_table

View = dict[str, Any]


def seat_name(seat: int) -> str | None:
    """Return the letter of a seat, or nothing for nobody."""
    return None if seat == NOBODY else SEATS[seat]


@lru_cache(maxsize=4096)
def by_seat(values: tuple[int, ...]) -> dict[str, int]:
    """Return per-seat values under the seats' letters; made once and shared, so not to be changed."""
    return {SEATS[seat]: value for seat, value in enumerate(values)}


def view(p: Position, seat: int | None) -> View:
    """Return what `seat` sees, or a spectator (None), as JSON-able values of the wire.

    `sizes`, `tricks` are by seat; `stock` counts the turn-up; `open` tells where cards lie
    that everybody has seen: a seat's hand, `turn_up` or `stock`.  What lies in it is not to be changed.
    """
    phase, hands, tricks, turn_up = p.phase, p.hands, p.tricks, p.turn_up
    seen = _outline(seat, phase, p.turn, p.leader, p.frame.dealer, p.trump, bool(p.aside.cuts)).copy()
    if seat is not None and phase not in DEALING:
        seen["hand"] = names_of(hands[seat])
    if len(hands) == 2:
        seen["sizes"] = {"a": hands[0].bit_count(), "b": hands[1].bit_count()}
    else:
        seen["sizes"] = by_seat(tuple(hand.bit_count() for hand in hands))
    seen["tricks"] = by_seat(p.counts)
    seen["stock"] = len(p.stock) + (turn_up >= 0)
    if turn_up >= 0:
        seen["turn_up"] = CARD_NAMES[turn_up]
    if p.seen:
        seen["open"] = _open_cards(p)
    elif turn_up >= 0:
        seen["open"] = _lying_open(turn_up, (), ())
    if p.table:
        seen["table"] = _table(p)
    if tricks and (not p.table or may_look_back(p, len(tricks))):  # till the next lead, whatever `look_back`
        seen["last_trick"] = _trick(tricks[-1])
    if p.to_draw:
        seen["to_draw"] = [SEATS[each] for each in p.to_draw]
    if p.drawn:
        seen["drawn"] = [{"seat": SEATS[who], "from": place} for who, place, _ in p.drawn]
    if p.marriages.announced:
        seen["marriages"] = _marriages(p)
    if p.called >= 0:
        seen["called"] = SUITS[p.called]
    if p.closing is not None:
        seen["closed_by"] = SEATS[p.closing.closer]
    if len(hands) > 2:
        _add_the_table(seen, p, seat)
    if p.aside is not QUIET:
        _add_what_is_odd(seen, p, seat)
    if phase == SCORED and p.result is not None:
        _add_the_result(seen, p, p.result)
    return seen


@lru_cache(maxsize=4096)
def _outline(seat: int | None, phase: str, turn: int, leader: int, dealer: int, trump: int, cuts: bool) -> View:
    """Return a view of a table on which nothing lies yet: whose it is, who is to act, and every member there always is."""
    cutting = phase == CUT_FOR_DEAL or cuts
    seen: View = {
        "seat": None if seat is None else SEATS[seat],
        "phase": CUT_FOR_DEAL if cutting else phase,
        "turn": None if phase == SCORED else SEATS[turn],
        "dealer": None if cutting else SEATS[dealer],
        "leader": None if cutting or phase in DEALING else SEATS[leader],
        "trump": SUITS[trump] if trump >= 0 else None,
        "turn_up": None,
        "sizes": {},
        "stock": 0,
        "table": [],
        "tricks": {},
        "last_trick": None,
        "to_draw": [],
        "drawn": [],
        "lifted": None,
        "marriages": [],
        "called": None,
        "shown": [],
        "open": {},
        "closed_by": None,
        "looked": [],
        "barred": [],
    }
    return seen if seat is None else {**seen, "hand": [], "seen_tricks": []}


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


def _add_the_result(seen: View, p: Position, result: Result) -> None:
    """Lay the trick piles open, with what the deal has come to."""
    seen["piles"] = piles(p)
    seen["result"] = {
        "cause": result.cause,
        "winner": seat_name(result.winner),
        "game_points": result.game_points,
        "counts": by_seat(result.counts),
    }
    if result.scores:
        seen["result"]["scores"] = by_seat(result.scores)


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
            {"trick": trick, **_trick(p.tricks[trick - 1])} for who, trick in aside.looks if who == seat and trick > 0
        ]
        peeked = [CARD_NAMES[~card] for who, card in aside.looks if who == seat and card < 0]
        if peeked:
            seen["peeked"] = peeked
        side = p.frame.sides[seat]
        if any(each not in side for each in aside.laid_open):
            own = {SEATS[each] for each in side}
            seen["laid_open"] = [trick for trick in piles(p) if trick["winner"] not in own]


def _table(p: Position) -> list[View]:
    seat, laid = p.leader, []
    for card in p.table:
        laid.append({"seat": SEATS[seat], "card": CARD_NAMES[card]})
        seat = p.frame.following[seat]
    return laid


@lru_cache(maxsize=4096)
def _trick(trick: Trick) -> View:
    leader, winner, cards = trick
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
    seen, turn_up = p.seen, p.turn_up
    shown = tuple([hand & seen for hand in p.hands])
    elsewhere = seen & ~sum(shown)
    if turn_up >= 0:
        elsewhere &= ~(1 << turn_up)
    in_stock = [card for card in p.stock if elsewhere >> card & 1] if elsewhere else ()
    return _lying_open(turn_up, shown, tuple(in_stock))


@lru_cache(maxsize=1024)
def _lying_open(turn_up: int, shown: tuple[int, ...], in_stock: tuple[int, ...]) -> dict[str, str]:
    found = {CARD_NAMES[turn_up]: "turn_up"} if turn_up >= 0 else {}
    for seat, hand in enumerate(shown):
        found.update(dict.fromkeys(names_of(hand), SEATS[seat]))
    found.update({CARD_NAMES[card]: "stock" for card in in_stock})
    return dict(sorted(found.items()))


def piles(p: Position) -> list[View]:
    """Return both trick piles, trick by trick: laid open when a deal is scored (R-6A)."""
    return [_trick(each) for each in p.tricks]
