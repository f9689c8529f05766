"""Reading positions in the text notation, see `notation`.

Errors: `NotationError` (a `ValueError`) says which section, what was found and what is right.
"""

from dataclasses import replace
from typing import Final

from referee.rules.asides import read_aside, read_received
from referee.rules.cards import (
    CARD_NAMES,
    CARD_POINTS,
    COURT,
    SEATS,
    SUIT_MASKS,
    SUIT_OF,
    cards_of,
    mask_of,
    pack_cards,
)
from referee.rules.cutting import ALL_CUT, check_cuts, read_all_cut
from referee.rules.play import draws_due, with_last_trick
from referee.rules.positions import (
    ANSWER,
    BIDDING,
    CUT,
    CUT_FOR_DEAL,
    DEAL,
    DEALING,
    DRAW,
    FOLLOW,
    LEAD,
    NO_CARD,
    NO_SUIT,
    NOBODY,
    SCORED,
    SHUFFLE,
    TURN_UP,
    Closing,
    Marriage,
    Marriages,
    Position,
    Result,
    Stakes,
    begin,
    for_side,
    frame_for,
    fresh,
    in_strict_play,
)
from referee.rules.rulesets import RuleSet
from referee.rules.scoring import marriage_points
from referee.rules.tokens import NotationError, read_card, read_cards, read_pairs, read_seat, read_suit
from referee.rules.tricks import best_of, on_table

#: What the last section may say, and the phase it means.
PHASES: Final = {
    "cuts for deal": CUT_FOR_DEAL,
    "shuffles": SHUFFLE,
    "cuts": CUT,
    "deals": DEAL,
    "turns up": TURN_UP,
    "bids": BIDDING,
    "draws": DRAW,
    "leads": LEAD,
    "follows": FOLLOW,
    "answers": ANSWER,
}

#: The sections a position may have.
SECTIONS: Final = (
    *SEATS, "stock", "turn-up", "trump", "dealer", "leader", "tricks", "table", "marriages",
    "called", "shown", "closed-by", "strict", "to-draw", "drawn", "lifted", "seen", "barred",
    "looked", "cuts", "asked", "led-early", "scored", "faced", "laid-open", "dealing", "received",
    "out", "bids", "cancelled", "tens", "early", "exposed",
)  # fmt: skip
COUNTS: Final = {"": "now", "?": "pending", "!": "void"}


def read_position(text: str, rule_set: RuleSet) -> Position:
    """Return the position that a text describes under a rule-set.

    Raises `NotationError`; cards are conserved, so a missing card is named.
    """
    sections, last = _sections(text)
    p = fresh(_undealt(sections, rule_set))
    frame = p.frame
    p.hands = tuple(mask_of(read_cards(seat, sections.get(seat, ""))) for seat in SEATS[: frame.players])
    up = sections.get("turn-up", "")
    p.turn_up = read_card("turn-up", up) if up else NO_CARD
    suit = sections.get("trump", "")
    p.trump = SUIT_OF[p.turn_up] if up and not suit else read_suit("trump", suit) if suit else NO_SUIT
    _read_tricks(p, sections.get("tricks", ""))
    _read_table(p, sections)
    p.aside = read_aside(sections, frame.players)
    if "received" in sections:
        p.received = read_received(sections["received"], frame.players)
    _read_stock(p, sections.get("stock", ""))
    _read_marriages(p, sections)
    _read_closing(p, sections.get("closed-by", ""))
    if "scored" in sections:
        return _read_result(p, sections["scored"])
    _read_turn(p, sections, last)
    return p


def _undealt(sections: dict[str, str], rule_set: RuleSet) -> Position:
    """Return the pack undealt, with who deals, who is left out and what was bid."""
    players = int(rule_set.options["seats"])
    dealer = read_seat("dealer", sections.get("dealer", SEATS[players - 1]), players)
    out = _read_out(sections, rule_set, dealer)
    frame = frame_for(rule_set, dealer=dealer, out=out)
    strange = [seat for seat in SEATS[players:] if seat in sections]
    if strange:
        raise NotationError("position", strange[0], f"one of the seats {', '.join(SEATS[:players])}")
    p = fresh(begin(frame, pack_cards(frame.options.pack)))
    bids = tuple((seat, _ticks("bids", said)) for seat, said in read_pairs("bids", sections.get("bids", ""), players))
    ruled_out = tuple(
        (seat, _ticks("cancelled", said))
        for seat, said in read_pairs("cancelled", sections.get("cancelled", ""), players)
    )
    tens = _by_seat("tens", sections["tens"], players) if "tens" in sections else ()
    if bids or ruled_out or tens:
        p.stakes = Stakes(bids, ruled_out, tens)
    return p


def _read_out(sections: dict[str, str], rule_set: RuleSet, dealer: int) -> int:
    """Return the seat that is left out: of three who plays no more (B-06), of four the partner of a Moon (D-07)."""
    if "out" not in sections:
        return NOBODY
    options = rule_set.options
    if not options["play_on"] and options["bidding"] == "none":
        raise NotationError("out", sections["out"], "left out: in this game every seat takes part")
    out = read_seat("out", sections["out"], int(options["seats"]))
    if options["play_on"] and out == dealer:
        raise NotationError("out", sections["out"], "another seat than the dealer, who takes part")
    return out


def _by_seat(section: str, said: str, players: int) -> tuple[int, ...]:
    """Read game points of every seat, which may be below 0: `-3/1/-3/1`."""
    values = said.split("/")
    if len(values) != players or not all(each.removeprefix("-").isdecimal() for each in values):
        raise NotationError(section, said, f"{players} whole numbers with / between, one a seat")
    return tuple(int(each) for each in values)


def _ticks(section: str, said: str) -> int:
    if said != "-" and not said.isdigit():
        raise NotationError(section, said, "a number of ticks, or - for a pass")
    return 0 if said == "-" else int(said)


def _sections(text: str) -> tuple[dict[str, str], str]:
    parts = [" ".join(part.split()) for part in text.split("|")]
    found: dict[str, str] = {}
    last = ""
    for part in filter(None, parts):
        name, colon, rest = part.partition(":")
        if not colon:
            last = part
        elif name.strip() not in SECTIONS:
            raise NotationError("position", name, "one of " + ", ".join(SECTIONS))
        elif name.strip() in found:
            raise NotationError(name.strip(), part, "said once")
        else:
            found[name.strip()] = rest.strip()
    if not last and "scored" not in found:
        raise NotationError("position", text[-30:], "ended by who does what, such as 'a leads'")
    return found, last


def _read_tricks(p: Position, text: str) -> None:
    none = (0,) * p.frame.players
    p.tricks, p.points, p.counts = (), none, none
    for token in text.split():
        seat, _, names = token.partition(":")
        cards = tuple(read_card("tricks", name) for name in names.split("+"))
        leader = read_seat("tricks", seat, p.frame.players)
        if len(cards) != len(p.frame.active) or leader not in p.frame.active:
            right = "leader:led+followed, such as a:AS+9S, with a card of every player"
            raise NotationError("tricks", token, right)
        if p.trump < 0:
            raise NotationError("tricks", token, "preceded by a turn-up or a trump")
        p.table, p.leader = cards, leader
        winner = on_table(p)[cards.index(best_of(p))]
        p.tricks = (*p.tricks, (leader, winner, cards))
        p.points = for_side(p, p.points, winner, p.points[winner] + sum(CARD_POINTS[each] for each in cards))
        p.counts = for_side(p, p.counts, winner, p.counts[winner] + 1)
    p.table, p.leader = (), first_leader(p)


def first_leader(p: Position) -> int:
    """Return who leads to the first trick: the bidder where there is one, else the pone."""
    return p.stakes.bidder if p.stakes.bidder != NOBODY else p.frame.pone


def _read_table(p: Position, sections: dict[str, str]) -> None:
    seat, _, names = sections.get("table", "").partition(":")
    p.table = read_cards("table", names)
    if seat:
        p.leader = read_seat("table", seat, p.frame.players)
    elif "leader" in sections:
        p.leader = read_seat("leader", sections["leader"], p.frame.players)
    elif p.tricks:
        p.leader = p.tricks[-1][1]


def _read_stock(p: Position, text: str) -> None:
    cut = [card for _, card in p.aside.cuts]
    if cut and text.endswith("*"):
        raise NotationError("stock", text, "named card by card after a cut: what was lifted lies apart")
    named = [card for hand in p.hands for card in cards_of(hand)]
    named += [card for trick in p.tricks for card in trick[2]] + list(p.table)
    named += [card for _, card in p.aside.early]
    named += [p.turn_up] if p.turn_up >= 0 else []
    pack = pack_cards(p.frame.options.pack)
    top = read_cards("stock", text.removesuffix("*"))
    rest = tuple(card for card in pack if card not in named and card not in top)
    p.stock = top + rest if text.endswith("*") else top
    held = [*named, *p.stock, *cut]
    twice = sorted({CARD_NAMES[card] for card in held if held.count(card) > 1})
    if twice:
        raise NotationError("position", " ".join(twice), "in one place only")
    missing = [CARD_NAMES[card] for card in pack if card not in held and not cut]
    strange = [CARD_NAMES[card] for card in held if card not in pack]
    if missing or strange:
        raise NotationError(
            "position",
            f"missing {' '.join(missing) or '-'}, not in the pack {' '.join(strange) or '-'}",
            "every card of the pack once ('stock:*' takes what is named nowhere)",
        )


def _read_marriages(p: Position, sections: dict[str, str]) -> None:
    announced = []
    effective = pending = (0,) * p.frame.players
    for token in sections.get("marriages", "").split():
        seat_name, _, rest = token.partition(":")
        seat, suit = read_seat("marriages", seat_name, p.frame.players), read_suit("marriages", rest[:1])
        mark = rest[1:].removesuffix("~")
        if mark not in COUNTS:
            raise NotationError("marriages", token, "seat:suit, then ? (pending), ! (void), ~ (unshown)")
        amount = marriage_points(p, suit)
        announced.append(Marriage(seat, suit, amount, not rest.endswith("~"), COUNTS[mark]))
        if mark == "":
            effective = for_side(p, effective, seat, effective[seat] + amount)
        elif mark == "?":
            pending = for_side(p, pending, seat, pending[seat] + amount)
    p.marriages = Marriages(tuple(announced), effective, pending)
    p.called = default_called(p)
    if "called" in sections:
        suit_name = sections["called"]
        p.called = NO_SUIT if suit_name == "-" else read_suit("called", suit_name)
    seen = read_cards("seen", sections["seen"]) if "seen" in sections else None
    p.seen = default_seen(p) if seen is None else mask_of(seen)


def default_called(p: Position) -> int:
    """The marriage announced last was called at this lead if its card lies on the table."""
    if not p.table or not p.marriages.announced:
        return NO_SUIT
    last = p.marriages.announced[-1]
    led = p.table[0]
    return last.suit if SUIT_OF[led] == last.suit and COURT >> led & 1 else NO_SUIT


def default_seen(p: Position) -> int:
    shown = mask_of(card for _, card in p.aside.cuts)
    for each in p.marriages.announced:
        shown |= SUIT_MASKS[each.suit] & COURT if each.shown else 0
    return shown


def default_closing(p: Position, closer: int, at: int) -> Closing:
    adversary = p.frame.adversary[closer]
    before = p.tricks[:at]
    points = sum(CARD_POINTS[each] for _, winner, cards in before if winner == adversary for each in cards)
    points += p.marriages.effective[adversary]
    return Closing(closer, sum(winner == adversary for _, winner, _ in before), points, at)


def _read_closing(p: Position, text: str) -> None:
    if not text:
        return
    head, _, points = text.partition("+")
    head, _, at = head.partition("@")
    seat, _, tricks = head.partition("/")
    if any(part and not part.isdigit() for part in (points, at, tricks)):
        raise NotationError("closed-by", text, "seat/tricks@at+points, such as a/1@4")
    closing = default_closing(p, read_seat("closed-by", seat, p.frame.players), int(at or len(p.tricks)))
    p.closing = replace(
        closing,
        tricks=int(tricks) if tricks else closing.tricks,
        points=int(points) if points else closing.points,
    )


def _read_turn(p: Position, sections: dict[str, str], last: str) -> None:
    if last == ALL_CUT:
        read_all_cut(p)
        return
    seat_name, _, words = last.partition(" ")
    if words not in PHASES:
        raise NotationError("last section", last, "a seat and one of " + ", ".join(PHASES))
    p.turn = read_seat("last section", seat_name, p.frame.players)
    p.phase = PHASES[words]
    if p.phase == LEAD:
        p.leader = p.turn
    p.strict = bool(p.table) and in_strict_play(p)
    if "strict" in sections:
        p.strict = sections["strict"] == "yes"
    if p.phase == DRAW:
        p.to_draw = draws_due(p)
    if "to-draw" in sections:
        p.to_draw = tuple(read_seat("to-draw", name, p.frame.players) for name in sections["to-draw"].split())
    p.drawn = default_drawn(p)
    if "drawn" in sections:
        text = "" if sections["drawn"] == "-" else sections["drawn"]
        p.drawn = tuple(_drawn(seat, rest) for seat, rest in read_pairs("drawn", text, p.frame.players))
    _check_turn(p, last)


def _check_turn(p: Position, last: str) -> None:
    if p.phase in (FOLLOW, ANSWER) and not p.table:
        raise NotationError("last section", last, "preceded by a card on the table")
    if p.phase == LEAD and p.table:
        raise NotationError("last section", last, "'follows' while a card lies on the table")
    if p.phase == DRAW and (not p.to_draw or p.to_draw[0] != p.turn):
        raise NotationError("last section", last, "a seat whose draw is due first")
    check_cuts(p, last)
    unmade = p.frame.options.trump_method == "first_lead" and not p.tricks and not p.table
    if p.phase not in DEALING and p.phase not in (CUT_FOR_DEAL, BIDDING) and p.trump < 0 and not unmade:
        raise NotationError("last section", last, "preceded by a turn-up or a trump")


def _drawn(seat: int, text: str) -> tuple[int, str, int]:
    """Read what follows the seat in `drawn`: a card, or a place and a card, or nothing."""
    place, _, card = text.rpartition(":")
    return seat, place or "top", read_card("drawn", card) if card else NO_CARD


def default_drawn(p: Position) -> tuple[tuple[int, str, int], ...]:
    """Return who has drawn since the last trick, where nothing is said: the leader, before the other."""
    return ((p.leader, "top", NO_CARD),) if p.phase == DRAW and p.turn != p.leader else ()


def _read_result(p: Position, text: str) -> Position:
    parts = text.split()
    if len(parts) not in (6, 7):
        raise NotationError("scored", text, "cause winner points count-count law seat, '-' for none")
    cause, winner, points, totals, law, seat = parts[:6]
    if not points.removeprefix("-").isdecimal():
        raise NotationError("scored", points, "a whole number of game points")
    p.phase = SCORED
    p.strict = False
    p.points = with_last_trick(p)
    p.result = Result(
        cause,
        NOBODY if winner == "-" else read_seat("scored", winner, p.frame.players),
        int(points),
        _by_seat("scored", totals.replace("-", "/"), p.frame.players),
        "" if law == "-" else law,
        NOBODY if seat == "-" else read_seat("scored", seat, p.frame.players),
        _by_seat("scored", parts[6], p.frame.players) if parts[6:] else (),
    )
    return p
