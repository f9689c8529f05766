"""Reading positions in the text notation, see `notation`.

Errors: `NotationError` (a `ValueError`) says which section, what was found and what is right.
"""

from dataclasses import replace
from typing import Final

from referee.rules.cards import (
    BEATEN_BY,
    CARD_NAMES,
    CARD_NUMBERS,
    CARD_POINTS,
    COURT,
    SEATS,
    SUIT_MASKS,
    SUIT_OF,
    SUITS,
    mask_of,
    pack_cards,
)
from referee.rules.play import draws_due, with_last_trick
from referee.rules.positions import (
    ANSWER,
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
    QUIET,
    SCORED,
    SHUFFLE,
    TURN_UP,
    Closing,
    Marriage,
    Marriages,
    Position,
    Result,
    begin,
    frame_for,
    fresh,
    in_strict_play,
)
from referee.rules.rulesets import RuleSet
from referee.rules.scoring import marriage_points

#: What the last section may say, and the phase it means.
PHASES: Final = {
    "cuts for deal": CUT_FOR_DEAL,
    "shuffles": SHUFFLE,
    "cuts": CUT,
    "deals": DEAL,
    "turns up": TURN_UP,
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
)  # fmt: skip
COUNTS: Final = {"": "now", "?": "pending", "!": "void"}


class NotationError(ValueError):
    """Says where a text is not in the notation, what was found, and what is right."""

    def __init__(self, section: str, found: str, right: str) -> None:
        super().__init__(f"{section}: found {found!r}; it must be {right}")


def read_position(text: str, rule_set: RuleSet) -> Position:
    """Return the position that a text describes under a rule-set.

    Raises `NotationError`; cards are conserved, so a missing card is named.
    """
    sections, last = _sections(text)
    dealer = _seat("dealer", sections.get("dealer", "b"))
    frame = frame_for(rule_set, dealer=dealer)
    pack = pack_cards(frame.options.pack)
    p = fresh(begin(frame, pack))
    p.hands = tuple(mask_of(_cards(seat, sections.get(seat, ""))) for seat in SEATS[: frame.players])
    up = sections.get("turn-up", "")
    p.turn_up = _card("turn-up", up) if up else NO_CARD
    suit = sections.get("trump", "")
    p.trump = SUIT_OF[p.turn_up] if up and not suit else _suit("trump", suit) if suit else NO_SUIT
    _read_tricks(p, sections.get("tricks", ""))
    _read_table(p, sections)
    _read_aside(p, sections)
    _read_stock(p, sections.get("stock", ""))
    _read_marriages(p, sections)
    _read_closing(p, sections.get("closed-by", ""))
    if "scored" in sections:
        return _read_result(p, sections["scored"])
    _read_turn(p, sections, last)
    return p


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


def _card(section: str, name: str) -> int:
    if name not in CARD_NUMBERS:
        raise NotationError(section, name, "a card such as AS or 9H")
    return CARD_NUMBERS[name]


def _cards(section: str, names: str) -> tuple[int, ...]:
    return tuple(_card(section, name) for name in names.split())


def _seat(section: str, name: str) -> int:
    if len(name) != 1 or name not in SEATS:
        raise NotationError(section, name, "a seat: a or b")
    return SEATS.index(name)


def _suit(section: str, name: str) -> int:
    if len(name) != 1 or name not in SUITS:
        raise NotationError(section, name, f"a suit out of {SUITS}")
    return SUITS.index(name)


def _read_tricks(p: Position, text: str) -> None:
    points, counts = [0] * p.frame.players, [0] * p.frame.players
    tricks = []
    for token in text.split():
        seat, _, pair = token.partition(":")
        led_name, plus, followed_name = pair.partition("+")
        if not plus:
            raise NotationError("tricks", token, "leader:led+followed, such as a:AS+9S")
        led, followed = _card("tricks", led_name), _card("tricks", followed_name)
        leader = _seat("tricks", seat)
        if p.trump < 0:
            raise NotationError("tricks", token, "preceded by a turn-up or a trump")
        beaten = BEATEN_BY[p.trump][led] >> followed & 1
        winner = p.frame.following[leader] if beaten else leader
        tricks.append((leader, led, followed, winner))
        points[winner] += CARD_POINTS[led] + CARD_POINTS[followed]
        counts[winner] += 1
    p.tricks, p.points, p.counts = tuple(tricks), tuple(points), tuple(counts)


def _read_table(p: Position, sections: dict[str, str]) -> None:
    seat, _, names = sections.get("table", "").partition(":")
    p.table = _cards("table", names)
    if seat:
        p.leader = _seat("table", seat)
    elif "leader" in sections:
        p.leader = _seat("leader", sections["leader"])
    elif p.tricks:
        p.leader = p.tricks[-1][3]


def _read_stock(p: Position, text: str) -> None:
    cut = [card for _, card in p.aside.cuts]
    named = [card for hand in p.hands for card in range(32) if hand >> card & 1]
    named += [card for trick in p.tricks for card in trick[1:3]] + list(p.table)
    named += [p.turn_up] if p.turn_up >= 0 else []
    pack = pack_cards(p.frame.options.pack)
    top = _cards("stock", text.removesuffix("*"))
    rest = tuple(card for card in pack if card not in named and card not in top)
    p.stock = top + rest if text.endswith("*") else top
    held = [*named, *p.stock]
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
    effective, pending = [0] * p.frame.players, [0] * p.frame.players
    for token in sections.get("marriages", "").split():
        seat_name, _, rest = token.partition(":")
        seat, suit = _seat("marriages", seat_name), _suit("marriages", rest[:1])
        mark = rest[1:].removesuffix("~")
        if mark not in COUNTS:
            raise NotationError("marriages", token, "seat:suit, then ? (pending), ! (void), ~ (unshown)")
        amount = marriage_points(p, suit)
        announced.append(Marriage(seat, suit, amount, not rest.endswith("~"), COUNTS[mark]))
        if mark == "":
            effective[seat] += amount
        elif mark == "?":
            pending[seat] += amount
    p.marriages = Marriages(tuple(announced), tuple(effective), tuple(pending))
    p.called = default_called(p)
    if "called" in sections:
        suit_name = sections["called"]
        p.called = NO_SUIT if suit_name == "-" else _suit("called", suit_name)
    seen = _cards("seen", sections["seen"]) if "seen" in sections else None
    p.seen = default_seen(p) if seen is None else mask_of(seen)


def default_called(p: Position) -> int:
    """The marriage announced last was called at this lead if its card lies on the table."""
    if not p.table or not p.marriages.announced:
        return NO_SUIT
    last = p.marriages.announced[-1]
    led = p.table[0]
    return last.suit if SUIT_OF[led] == last.suit and COURT >> led & 1 else NO_SUIT


def default_seen(p: Position) -> int:
    return sum(SUIT_MASKS[each.suit] & COURT for each in p.marriages.announced if each.shown)


def default_closing(p: Position, closer: int, at: int) -> Closing:
    adversary = p.frame.following[closer]
    before = p.tricks[:at]
    points = sum(CARD_POINTS[t[1]] + CARD_POINTS[t[2]] for t in before if t[3] == adversary)
    points += p.marriages.effective[adversary]
    return Closing(closer, sum(t[3] == adversary for t in before), points, at)


def _read_closing(p: Position, text: str) -> None:
    if not text:
        return
    head, _, points = text.partition("+")
    head, _, at = head.partition("@")
    seat, _, tricks = head.partition("/")
    if any(part and not part.isdigit() for part in (points, at, tricks)):
        raise NotationError("closed-by", text, "seat/tricks@at+points, such as a/1@4")
    closing = default_closing(p, _seat("closed-by", seat), int(at or len(p.tricks)))
    p.closing = replace(
        closing,
        tricks=int(tricks) if tricks else closing.tricks,
        points=int(points) if points else closing.points,
    )


def _pairs(section: str, text: str) -> tuple[tuple[int, str], ...]:
    found = []
    for token in text.split():
        seat, _, rest = token.partition(":")
        found.append((_seat(section, seat), rest))
    return tuple(found)


def _read_aside(p: Position, sections: dict[str, str]) -> None:
    aside = QUIET
    if "lifted" in sections:
        seat, _, names = sections["lifted"].partition(":")
        aside = replace(aside, lifted=(_seat("lifted", seat), _cards("lifted", names)))
    if "shown" in sections:
        suits = tuple(_suit("shown", name) for name in sections["shown"].split())
        aside = replace(aside, shown=suits)
    if "barred" in sections:
        barred = frozenset(_seat("barred", name) for name in sections["barred"].split())
        aside = replace(aside, barred=barred)
    if "looked" in sections:
        looks = tuple((seat, _looked_at(rest)) for seat, rest in _pairs("looked", sections["looked"]))
        aside = replace(aside, looks=looks)
    if "cuts" in sections:
        cuts = tuple((seat, _card("cuts", name)) for seat, name in _pairs("cuts", sections["cuts"]))
        aside = replace(aside, cuts=cuts)
    if "faced" in sections:
        aside = replace(aside, faced=mask_of(_cards("faced", sections["faced"])))
    if "dealing" in sections:
        aside = replace(aside, dealing=_seat("dealing", sections["dealing"]))
    if "received" in sections:
        rows = dict(_pairs("received", sections["received"]))
        row = (rows.get(seat, "") for seat in range(p.frame.players))
        aside = replace(aside, received=tuple(_cards("received", names.replace("+", " ")) for names in row))
    if "laid-open" in sections:
        laid = frozenset(_seat("laid-open", name) for name in sections["laid-open"].split())
        aside = replace(aside, laid_open=laid)
    if "asked" in sections or "led-early" in sections:
        aside = replace(aside, asked="asked" in sections, led_early="led-early" in sections)
    p.aside = aside


def _looked_at(text: str) -> int:
    """Read what was looked at: the number of a trick, or the card of the stock."""
    if text.isdigit() and int(text):
        return int(text)
    return ~_card("looked", text)


def _read_turn(p: Position, sections: dict[str, str], last: str) -> None:
    seat_name, _, words = last.partition(" ")
    if words not in PHASES:
        raise NotationError("last section", last, "a seat and one of " + ", ".join(PHASES))
    p.turn = _seat("last section", seat_name)
    p.phase = PHASES[words]
    if p.phase == LEAD:
        p.leader = p.turn
    p.strict = bool(p.table) and in_strict_play(p)
    if "strict" in sections:
        p.strict = sections["strict"] == "yes"
    if p.phase == DRAW:
        p.to_draw = draws_due(p)
    if "to-draw" in sections:
        p.to_draw = tuple(_seat("to-draw", name) for name in sections["to-draw"].split())
    p.drawn = default_drawn(p)
    if "drawn" in sections:
        text = "" if sections["drawn"] == "-" else sections["drawn"]
        p.drawn = tuple(_drawn(seat, rest) for seat, rest in _pairs("drawn", text))
    _check_turn(p, last)


def _check_turn(p: Position, last: str) -> None:
    if p.phase in (FOLLOW, ANSWER) and not p.table:
        raise NotationError("last section", last, "preceded by a card on the table")
    if p.phase == LEAD and p.table:
        raise NotationError("last section", last, "'follows' while a card lies on the table")
    if p.phase == DRAW and (not p.to_draw or p.to_draw[0] != p.turn):
        raise NotationError("last section", last, "a seat whose draw is due first")
    if p.phase not in DEALING and p.phase != CUT_FOR_DEAL and p.trump < 0:
        raise NotationError("last section", last, "preceded by a turn-up or a trump")


def _drawn(seat: int, text: str) -> tuple[int, str, int]:
    """Read what follows the seat in `drawn`: a card, or a place and a card, or nothing."""
    place, _, card = text.rpartition(":")
    return seat, place or "top", _card("drawn", card) if card else NO_CARD


def default_drawn(p: Position) -> tuple[tuple[int, str, int], ...]:
    """Return who has drawn since the last trick, where nothing is said: the leader, before the other."""
    return ((p.leader, "top", NO_CARD),) if p.phase == DRAW and p.turn != p.leader else ()


def _read_result(p: Position, text: str) -> Position:
    parts = text.split()
    if len(parts) != 6:
        raise NotationError("scored", text, "cause winner points count-count law seat, '-' for none")
    cause, winner, points, totals, law, seat = parts
    p.phase = SCORED
    p.strict = False
    p.points = with_last_trick(p)
    p.result = Result(
        cause,
        NOBODY if winner == "-" else _seat("scored", winner),
        int(points),
        tuple(int(total) for total in totals.split("-")),
        "" if law == "-" else law,
        NOBODY if seat == "-" else _seat("scored", seat),
    )
    return p
