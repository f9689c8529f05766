"""A view is what its members say, worked out one by one, however it is put together."""

import random

import pytest

from referee import match
from referee.rules import acts, play, rulesets, views
from referee.rules.cards import CARD_NAMES, CARDS, SEATS, SUIT_OF, SUITS
from referee.rules.irregular import may_look_back
from referee.rules.positions import CUT_FOR_DEAL, DEALING, NOBODY, SCORED
from tests.properties.walks import Walk


def letter(seat):
    return None if seat == NOBODY else SEATS[seat]


def by_seat(values):
    return dict(zip(SEATS, values, strict=False))


def cards_in(mask):
    return [CARD_NAMES[card] for card in CARDS if mask >> card & 1]


def trick(p, number):
    leader, winner, cards = p.tricks[number - 1]
    return {"leader": SEATS[leader], "cards": [CARD_NAMES[card] for card in cards], "winner": SEATS[winner]}


def lying_open(p):
    """Every card that all have seen, looked for where it can lie."""
    found = {CARD_NAMES[p.turn_up]: "turn_up"} if p.turn_up >= 0 else {}
    for seat, hand in enumerate(p.hands):
        found |= dict.fromkeys(cards_in(hand & p.seen), SEATS[seat])
    return found | {CARD_NAMES[card]: "stock" for card in p.stock if p.seen >> card & 1}


def at_the_table(p):
    """What lies on the table and has happened there, as everybody sees it."""
    places = [p.leader]
    for _ in p.table:
        places.append(p.frame.following[places[-1]])
    open_to_all = bool(p.tricks) and (not p.table or may_look_back(p, len(p.tricks)))
    lifted = p.aside.lifted
    return {
        "trump": SUITS[p.trump] if p.trump >= 0 else None,
        "turn_up": CARD_NAMES[p.turn_up] if p.turn_up >= 0 else None,
        "sizes": by_seat(len(cards_in(hand)) for hand in p.hands),
        "stock": len(p.stock) + (1 if p.turn_up >= 0 else 0),
        "table": [{"seat": SEATS[seat], "card": CARD_NAMES[card]} for seat, card in zip(places, p.table, strict=False)],
        "tricks": by_seat(p.counts),
        "last_trick": trick(p, len(p.tricks)) if open_to_all else None,
        "to_draw": [SEATS[seat] for seat in p.to_draw],
        "drawn": [{"seat": SEATS[seat], "from": place} for seat, place, _ in p.drawn],
        "lifted": None if lifted is None else {"seat": SEATS[lifted[0]], "cards": len(lifted[1])},
        "marriages": [
            {"seat": SEATS[m.seat], "suit": SUITS[m.suit], "amount": m.amount, "shown": m.shown, "counts": m.counts}
            for m in p.marriages.announced
        ],
        "called": SUITS[p.called] if p.called >= 0 else None,
        "shown": [SUITS[suit] for suit in p.aside.shown],
        "open": lying_open(p),
        "closed_by": None if p.closing is None else SEATS[p.closing.closer],
        "looked": [{"seat": SEATS[who], "trick": max(what, 0)} for who, what in p.aside.looks],
        "barred": sorted(SEATS[seat] for seat in p.aside.barred),
    }


def of_four(p, seat):
    """What tables of three and four have besides."""
    frame, stakes, more = p.frame, p.stakes, {}
    if frame.options.dealer_rests:
        more["resting"] = letter(frame.resting)
    if frame.out != NOBODY:
        more["out"] = SEATS[frame.out]
    if frame.options.partners and seat is not None:
        [more["partner"]] = [SEATS[each] for each in frame.sides[seat] if each != seat]
    if frame.options.bidding == "ticks":
        more["bids"] = [{"seat": SEATS[who], "ticks": ticks or None} for who, ticks in stakes.bids]
        more["cancelled_bids"] = [{"seat": SEATS[who], "ticks": ticks or None} for who, ticks in stakes.cancelled]
        more["bidder"] = None if p.phase == "bid" else letter(stakes.bidder)
    if stakes.tens:
        more["tens"] = by_seat(stakes.tens)
    played = len(p.table) > (frame.dealer - p.leader) % frame.players
    if frame.options.trump_method == "last_card" and not p.tricks and not played:
        mine = [card for card in CARDS if (p.hands[frame.dealer] & p.seen) >> card & 1 and SUIT_OF[card] == p.trump]
        more["turn_up"] = CARD_NAMES[mine[0]] if mine and p.phase not in DEALING else None
    return more


def what_is_odd(p, seat):
    """What is there only where it has happened."""
    aside, more = p.aside, {}
    for name in ("cuts", "early"):
        if getattr(aside, name):
            more[name] = [{"seat": SEATS[who], "card": CARD_NAMES[card]} for who, card in getattr(aside, name)]
    if aside.exposed:
        more["exposed"] = cards_in(aside.exposed)
    if seat is not None:
        own = [what for who, what in aside.looks if who == seat]
        more["seen_tricks"] = [{"trick": number, **trick(p, number)} for number in own if number > 0]
        if min(own, default=0) < 0:
            more["peeked"] = [CARD_NAMES[-card - 1] for card in own if card < 0]
        side = p.frame.sides[seat]
        if aside.laid_open - set(side):
            pile = [trick(p, number) for number in range(1, len(p.tricks) + 1)]
            more["laid_open"] = [each for each in pile if SEATS.index(each["winner"]) not in side]
    return more


def result(p):
    """What the end of a deal lays open."""
    told = {
        "cause": p.result.cause,
        "winner": letter(p.result.winner),
        "game_points": p.result.game_points,
        "counts": by_seat(p.result.counts),
    }
    told |= {"scores": by_seat(p.result.scores)} if p.result.scores else {}
    return {"piles": [trick(p, number) for number in range(1, len(p.tricks) + 1)], "result": told}


def plain(p, seat):
    """The view of a seat or a spectator, member by member."""
    cutting = p.phase == CUT_FOR_DEAL or bool(p.aside.cuts)
    dealing = cutting or p.phase in DEALING
    return {
        "seat": None if seat is None else SEATS[seat],
        "phase": CUT_FOR_DEAL if cutting else p.phase,
        "turn": None if p.phase == SCORED else SEATS[p.turn],
        "dealer": None if cutting else SEATS[p.frame.dealer],
        "leader": None if dealing else SEATS[p.leader],
        **at_the_table(p),
        **({} if seat is None else {"hand": [] if dealing else cards_in(p.hands[seat])}),
        **(of_four(p, seat) if len(p.hands) > 2 else {}),
        **what_is_odd(p, seat),
        **(result(p) if p.phase == SCORED and p.result is not None else {}),
    }


def assert_told_plainly(m):
    """Every view of a match's position, and what the seat asked may do, are as they are worked out plainly.

    Gives the names of the members that hold something.
    """
    p, met = m.position, set()
    for seat in (None, *range(len(p.hands))):
        seen = views.view(p, seat)
        assert seen == plain(p, seat)
        met |= {name for name, value in seen.items() if value}
    if m.asked and m.case is None and not m.confirming:
        asked = match.prompt(m, m.asked[0])
        assert asked["lawful"] == [acts.act_json(one) for one in play.lawful_acts(p)]
        assert asked["own_risk"] == [acts.act_json(one) for one in play.own_risk(p)]
        assert play.lawful_acts(p) == tuple(one for one in acts.ACTS if one.bit & play.lawful_mask(p))
    return met


@pytest.mark.parametrize("name", rulesets.names())
def test_a_view_is_what_its_members_say_in_any_play(name):
    met = set()
    for number in range(4):
        dice = random.Random(f"views/{name}/{number}")
        walk = Walk(name, dice)
        for _ in range(250):
            if walk.m.is_over:
                break
            if dice.random() < 0.3:
                walk.wild(dice)
            else:
                walk.lawful(dice)
            met |= assert_told_plainly(walk.m)
    assert {"hand", "table", "last_trick", "open", "looked"} <= met
