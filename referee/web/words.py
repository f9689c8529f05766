"""Cards, acts and events in plain words, for the pages."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from referee.match import transcript

SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS: Final = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack", "9": "nine", "8": "eight", "7": "seven"}


def suit_words(suit: str) -> str:
    """Return the name of a suit.

    >>> suit_words("S")
    'spades'
    """
    return SUITS.get(suit, suit)


def card_words(card: str) -> str:
    """Return the name of a card.

    >>> card_words("TH")
    'ten of hearts'
    """
    return f"{RANKS.get(card[:1], card[:1])} of {SUITS.get(card[1:], card[1:])}"


def plain(value: Any) -> str:
    """Return a JSON value as a reader would write it: lists with commas, objects as key: value.

    >>> plain({"laws": ["IR-20"], "award": {"b": 1}, "after": None})
    'laws: IR-20; award: b: 1; after: none'
    """
    if value is None or (isinstance(value, Mapping | list | tuple) and not value):
        return "none"
    if isinstance(value, Mapping):
        return "; ".join(f"{str(key).replace('_', ' ')}: {plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(plain(inner) for inner in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def event_words(event: Mapping[str, Any]) -> str:
    """Return one event in a line.

    >>> event_words({"n": 9, "prev": "", "type": "acted", "seat": "a", "act": {"act": "play", "card": "TH"}, "ms": 3})
    'a plays ten of hearts'
    """
    if event.get("type") == "acted":
        by = " (attendant)" if event.get("by") == "attendant" else ""
        return f"{event.get('seat')} {act_words(event.get('act', {}))}{by}"
    line = transcript([orjson.dumps(event)]).strip()
    return line.removeprefix(str(event["n"])).strip(" !*=") or str(event["type"]).replace("_", " ")


_VERBS: Final = {
    "play": "plays", "marry": "announces a marriage with", "show": "shows the marriage in", "draw": "draws",
    "exchange": "exchanges for the turn-up", "close": "closes", "declare": "declares 66", "shuffle": "shuffles",
    "cut": "cuts", "deal": "deals", "turn_up": "turns up the trump", "look": "looks", "expose": "exposes",
    "take_back": "takes back", "claim": "claims", "elect": "elects", "confirm": "confirms",
    "concede": "concedes the deal", "resign": "resigns the match", "demand": "demands to see the mate",
    "pass": "passes", "bid": "bids",
}  # fmt: skip


def act_words(act: Mapping[str, Any]) -> str:
    """Return an act in words, such as 'plays ten of hearts'.

    >>> act_words({"act": "elect", "case": 1, "option": "accept"})
    'elects case 1, option accept'
    """
    parts = [_field_words(key, value) for key, value in act.items() if key != "act"]
    verb = _VERBS.get(str(act.get("act")), str(act.get("act")))
    return f"{verb} {', '.join(parts)}".strip()


def _field_words(key: str, value: Any) -> str:
    if key == "card":
        return card_words(str(value))
    if key in ("also", "lead"):
        return f"{key} {card_words(str(value))}"
    if key == "suit":
        return suit_words(str(value))
    return f"{key} {plain(value)}"
