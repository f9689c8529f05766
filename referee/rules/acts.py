"""Acts: what a seat does or tries to do, as interned immutable values.

The set of acts is finite; reading the same act twice gives the same object.  An act that can
be in order has an `index`, its bit in the masks of `objections`; one that never can (two
cards at once, a card left face up) has a `plain` counterpart, the act it would have been.
Acts of procedure (claim, elect, take_back, confirm) carry numbers of a match and are read
here too, but never reach the rules.

Errors: `Unreadable` (a `ValueError`) says where, what was found and what would be right.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from referee.rules.cards import CARD_NAMES, CARD_NUMBERS, CARDS, COURT, RANKS, SEATS, SUITS

WIDEST_PACK: Final = 32
LARGEST_PACKET: Final = 13
MOST_TICKS: Final = 5
PLACES: Final = ("top", "bottom", "middle", "turn_up")

PLAY, MARRY, EXCHANGE, CLOSE, DRAW = "play", "marry", "exchange", "close", "draw"
DEMAND, PASS, DECLARE, SHOW, BID = "demand", "pass", "declare", "show", "bid"
SHUFFLE, CUT, DEAL, TURN_UP = "shuffle", "cut", "deal", "turn_up"
LOOK, EXPOSE, CONCEDE, RESIGN = "look", "expose", "concede", "resign"
TAKE_BACK, CLAIM, ELECT, CONFIRM = "take_back", "claim", "elect", "confirm"

#: Acts that waive nothing, establish nothing and make nothing stale (DESIGN section 4).
BY_PLAY: Final = frozenset((LOOK, EXPOSE, TAKE_BACK, CLAIM, CONFIRM))
#: Acts that belong to a match and not to a position.
PROCEDURE: Final = frozenset((TAKE_BACK, CLAIM, ELECT, CONFIRM, RESIGN))


class Unreadable(ValueError):
    """Says that a JSON value is no act: `pointer` where, `detail` what and what is right."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or '/'}: {detail}")
        self.pointer = pointer
        self.detail = detail


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """One act; fields that its kind does not use stay at their defaults.

    `cards` and `at` are numbers of cards; `faced` is a place within what is handled, from 1;
    `place` is where a card is drawn from; `number` is the number of an event.
    """

    kind: str
    card: int = -1
    also: int = -1
    lead: int = -1
    amount: int = -1
    suit: int = -1
    to: int = -1
    cards: int = 1
    at: int = -1
    faced: int = 0
    place: str = "top"
    trick: int = 0
    stock: int = 0
    ticks: int = 0
    number: int = 0
    law: str = ""
    case: int = 0
    option: str = ""
    index: int = field(default=-1, compare=False)
    bit: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        return f"<{act_json(self)}>"


@dataclass(frozen=True, slots=True)
class Field:
    """How one member of an act is read: its attribute, a reader, and what it may be, in words and as JSON Schema."""

    attribute: str
    read: Callable[[object], Any]
    write: Callable[[Any], Any]
    right: str
    schema: Mapping[str, Any]
    required: bool = True


def _reading(choices: dict[str, int]) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return choices[value]

    return read


def _whole(least: int, most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError
        return value

    return read


def _word(choices: tuple[str, ...]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value

    return read


def _text(most: int) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= most:
            raise ValueError
        return value

    return read


def _yes(value: object) -> int:
    if value is not True:
        raise ValueError
    return 1


def _as_is(value: Any) -> Any:
    return value


_MOST_EVENTS: Final = 1_000_000


def _card(attribute: str, *, ranks: str = RANKS, required: bool = True) -> Field:
    right = f"a card: a rank of {RANKS}, then a suit of {SUITS}, such as AS or 9H"
    schema = {"type": "string", "pattern": f"^[{ranks}][{SUITS}]$"}
    return Field(attribute, _reading(CARD_NUMBERS), CARD_NAMES.__getitem__, right, schema, required)


def _number(attribute: str, least: int, most: int, *, required: bool = True) -> Field:
    right = f"a whole number from {least} to {most}"
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Field(attribute, _whole(least, most), _as_is, right, schema, required)


def _some_text(attribute: str, most: int, right: str, *, required: bool = True) -> Field:
    schema = {"type": "string", "minLength": 1, "maxLength": most}
    return Field(attribute, _text(most), _as_is, right, schema, required)


def _choice(attribute: str, letters: str, right: str) -> Field:
    choices = {letter: number for number, letter in enumerate(letters)}
    schema = {"type": "string", "enum": list(letters)}
    return Field(attribute, _reading(choices), letters.__getitem__, right, schema)


_SUIT = _choice("suit", SUITS, f"a suit out of {SUITS}")
_SEAT = _choice("to", SEATS, "a seat: a, b, c or d")
_PLACE = Field(
    "place", _word(PLACES), _as_is, "one of " + ", ".join(PLACES), {"type": "string", "enum": list(PLACES)}, False
)
_SHOWN = Field("faced", _yes, bool, "true, or left out", {"type": "boolean", "const": True}, False)
_LAW = _some_text("law", 8, "a law such as IR-20", required=False)
_OPTION = _some_text("option", 24, "one of the options offered")
_EVENT = _number("number", 1, _MOST_EVENTS)

#: Every kind of act and the members it may have, as they stand on the wire.
SHAPES: Final[dict[str, dict[str, Field]]] = {
    PLAY: {"card": _card("card"), "also": _card("also", required=False)},
    MARRY: {
        "card": _card("card", ranks="KQ"),
        "amount": _number("amount", 1, 100, required=False),
        "lead": _card("lead", required=False),
    },
    EXCHANGE: {"card": _card("card", required=False)},
    CLOSE: {},
    DRAW: {"cards": _number("cards", 1, 2, required=False), "from": _PLACE},
    DEMAND: {},
    PASS: {},
    DECLARE: {},
    SHOW: {"suit": _SUIT},
    BID: {"ticks": _number("ticks", 1, MOST_TICKS)},
    SHUFFLE: {"faced": _number("faced", 1, WIDEST_PACK, required=False)},
    CUT: {"at": _number("at", 0, WIDEST_PACK), "faced": _SHOWN},
    DEAL: {
        "to": _SEAT,
        "cards": _number("cards", 1, LARGEST_PACKET),
        "faced": _number("faced", 1, LARGEST_PACKET, required=False),
    },
    TURN_UP: {"cards": _number("cards", 1, 2, required=False)},
    LOOK: {
        "trick": _number("trick", 1, WIDEST_PACK, required=False),
        "stock": _number("stock", 1, 1, required=False),
    },
    EXPOSE: {
        "card": _card("card", required=False),
        "at": _number("at", 1, WIDEST_PACK, required=False),
    },
    CONCEDE: {},
    RESIGN: {},
    TAKE_BACK: {"number": _EVENT},
    CLAIM: {"number": _EVENT, "law": _LAW},
    ELECT: {"case": _number("case", 1, _MOST_EVENTS), "option": _OPTION},
    CONFIRM: {},
}

#: Kinds of which exactly one of two members must be given.
ONE_OF: Final = {LOOK: ("trick", "stock"), EXPOSE: ("card", "at")}

_DEFAULTS: Final = {each.name: each.default for each in fields(Act)}
_INTERNED: dict[tuple[tuple[str, Any], ...], Act] = {}


def _indexes() -> dict[tuple[tuple[str, Any], ...], int]:
    """Number the acts that can be in order: those of play first, so that masks stay short."""
    ordered: list[dict[str, Any]] = [{"kind": PLAY, "card": each} for each in CARDS]
    ordered += [{"kind": MARRY, "card": each} for each in CARDS]
    ordered += [{"kind": kind} for kind in (DRAW, EXCHANGE, CLOSE, DEMAND, PASS, DECLARE)]
    ordered += [{"kind": DRAW, "cards": 2}]
    ordered += [{"kind": SHOW, "suit": suit} for suit in range(len(SUITS))]
    ordered += [{"kind": SHUFFLE}, {"kind": TURN_UP}]
    ordered += [{"kind": CUT, "at": at} for at in range(WIDEST_PACK + 1)]
    ordered += [
        {"kind": DEAL, "to": to, "cards": cards} for to in range(len(SEATS)) for cards in range(1, LARGEST_PACKET + 1)
    ]
    ordered += [{"kind": BID, "ticks": ticks} for ticks in range(1, MOST_TICKS + 1)]
    return {_key(values): index for index, values in enumerate(ordered)}


def _key(values: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(item for item in values.items() if item[1] != _DEFAULTS[item[0]]))


_INDEXES: Final = _indexes()


def act(kind: str, **values: Any) -> Act:
    """Return the one act of that kind with those attributes; values left out are the usual ones."""
    key = _key({"kind": kind, **values})
    known = _INTERNED.get(key)
    if known is None:
        index = _INDEXES.get(key, -1)
        known = Act(kind, **values, index=index, bit=1 << index if index >= 0 else 0)
        if kind not in PROCEDURE:
            _INTERNED[key] = known
    return known


#: The acts that can be in order, by index.
ACTS: Final = tuple(act(**dict(key)) for key in _INDEXES)


def plain(one: Act) -> Act:
    """Return the act that `one` would be without what can never be in order about it.

    >>> plain(read_act({"act": "draw", "from": "bottom"}))
    <{'act': 'draw'}>
    """
    if one.index >= 0:
        return one
    kept = {PLAY: ("card",), MARRY: ("card",), CUT: ("at",), DEAL: ("to", "cards")}
    if one.kind == DRAW and one.place in ("top", "turn_up"):
        return act(DRAW, cards=one.cards)
    return act(one.kind, **{name: getattr(one, name) for name in kept.get(one.kind, ())})


def read_act(body: object) -> Act:
    """Return the act that a JSON object describes.

    Raises `Unreadable` for anything that is not exactly the members of one kind of act.

    >>> read_act({"act": "play", "card": "AS"}) is read_act({"card": "AS", "act": "play"})
    True
    """
    if type(body) is dict:
        try:
            if len(body) == 2:
                return _WITH_CARD[body["act"], body["card"]]
            if len(body) == 1:
                return _ALONE[body["act"]]
        except (KeyError, TypeError):
            pass  # read member by member, which says what is wrong
    if not isinstance(body, dict):
        raise Unreadable("", 'an act is a JSON object such as {"act":"play","card":"AS"}')
    kind = body.get("act")
    if not isinstance(kind, str) or kind not in SHAPES:
        raise Unreadable("/act", f"found {_brief(kind)}; it must be one of {', '.join(SHAPES)}")
    shape = SHAPES[kind]
    for name in body:
        if name != "act" and name not in shape:
            allowed = ", ".join(shape) or "nothing more"
            raise Unreadable(f"/{name}", f"{kind} has no member {name!r}; it takes {allowed}")
    values = {shape[name].attribute: _member(body, name, shape[name]) for name in shape}
    given = {name: value for name, value in values.items() if value is not None}
    _check_whole(kind, body, given)
    return act(kind, **given)


def _member(body: dict[str, object], name: str, shape: Field) -> Any:
    if name not in body:
        if shape.required:
            raise Unreadable(f"/{name}", f"{body['act']} needs {name!r}: {shape.right}")
        return None
    try:
        return shape.read(body[name])
    except ValueError:
        detail = f"found {_brief(body[name])}; it must be {shape.right}"
        raise Unreadable(f"/{name}", detail) from None


def _check_whole(kind: str, body: dict[str, object], given: dict[str, Any]) -> None:
    if kind in ONE_OF and sum(name in body for name in ONE_OF[kind]) != 1:
        one, other = ONE_OF[kind]
        raise Unreadable("", f"{kind} takes either {one!r} or {other!r}")
    if kind == PLAY and given.get("also") == given["card"]:
        raise Unreadable("/also", "the second card must be another card than 'card'")
    if kind == MARRY and not COURT >> given["card"] & 1:
        raise Unreadable("/card", f"found {_brief(body['card'])}; it must be a king or a queen")
    if kind == MARRY and given.get("lead") == given["card"]:
        del given["lead"]
    if kind == DEAL and given.get("faced", 1) > given["cards"]:
        raise Unreadable("/faced", f"must lie within the packet of {given['cards']}")


def _brief(value: object) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def act_json(one: Act) -> dict[str, Any]:
    """Return the act as it stands on the wire, usual values left out."""
    body: dict[str, Any] = {"act": one.kind}
    for name, shape in SHAPES[one.kind].items():
        value = getattr(one, shape.attribute)
        if shape.required or value != _DEFAULTS[shape.attribute]:
            body[name] = shape.write(value)
    return body


class _Bodies(dict[Act, dict[str, Any]]):
    def __missing__(self, one: Act) -> dict[str, Any]:
        self[one] = body = act_json(one)
        return body


class _Texts(dict[Act, str]):
    def __missing__(self, one: Act) -> str:
        self[one] = text = json.dumps(act_json(one), sort_keys=True, separators=(",", ":"))
        return text


#: Each act as it stands on the wire, made once and shared: not to be changed.
BODIES: Final = _Bodies()
#: Each act's canonical JSON (RFC 8785), made once.
TEXTS: Final = _Texts()

#: Nearly all that is ever read: a kind alone, or a kind and a card.
_ALONE: Final = {one.kind: one for one in ACTS if act_json(one).keys() == {"act"}}
_WITH_CARD: Final = {
    (one.kind, CARD_NAMES[one.card]): one
    for one in ACTS
    if act_json(one).keys() == {"act", "card"} and (one.kind != MARRY or COURT >> one.card & 1)
}


def finite_acts() -> Iterator[Act]:
    """Yield every act of the finite set, odd ones included: some three thousand."""
    yield from (each for each in ACTS if each.kind != MARRY or COURT >> each.card & 1)
    for card in CARDS:
        for also in CARDS:
            if also != card:
                yield act(PLAY, card=card, also=also)
    for card in (each for each in CARDS if COURT >> each & 1):
        for amount in (-1, 20, 40):
            for lead in (-1, *(each for each in CARDS if each != card)):
                yield act(MARRY, card=card, amount=amount, lead=lead)
    yield from (act(EXCHANGE, card=card) for card in CARDS)
    yield from (act(DRAW, cards=cards, place=place) for cards in (1, 2) for place in PLACES)
    yield from (act(SHUFFLE, faced=faced) for faced in range(1, WIDEST_PACK + 1))
    yield from (act(CUT, at=at, faced=1) for at in range(WIDEST_PACK + 1))
    for to in range(len(SEATS)):
        for cards in range(1, LARGEST_PACKET + 1):
            yield from (act(DEAL, to=to, cards=cards, faced=each) for each in range(1, cards + 1))
    yield act(TURN_UP, cards=2)
    yield from (act(LOOK, trick=trick) for trick in range(1, WIDEST_PACK + 1))
    yield act(LOOK, stock=1)
    yield from (act(EXPOSE, card=card) for card in CARDS)
    yield from (act(EXPOSE, at=at) for at in range(1, WIDEST_PACK + 1))
    yield act(CONCEDE)
