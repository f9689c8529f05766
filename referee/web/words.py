"""Cards, acts and events in plain words, for the pages."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from referee.laws.words import act_words, card_sign, card_words, suit_words
from referee.match import transcript

__all__ = [
    "act_words",
    "card_sign",
    "card_words",
    "event_words",
    "plain",
    "score_words",
    "side_of",
    "side_words",
    "suit_words",
]


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


def side_words(match: Mapping[str, Any], teams: Mapping[str, str] | None = None) -> list[str]:
    """Return what each side of a match is called: as `teams` has it by a bot's id, or by the names of its bots.

    >>> seats = {seat: {"bot": name.lower(), "name": name} for seat, name in zip("abcd", ["Ada", "Bea", "Cyd", "Bea"])}
    >>> side_words({"seats": seats, "sides": [["a", "c"], ["b", "d"]]})
    ['Ada & Cyd', 'Bea']
    """
    return [_side(match["seats"], side, teams or {}) for side in match["sides"]]


def score_words(match: Mapping[str, Any]) -> str:
    """Return the game points of each side, nothing before there are any.

    >>> score_words({"score": {"a": 7, "b": -2, "c": 7, "d": -2}, "sides": [["a", "c"], ["b", "d"]]})
    '7 : -2'
    """
    score = match["score"]
    return " : ".join(str(score[side[0]]) for side in match["sides"]) if score else ""


def side_of(match: Mapping[str, Any], seat: str, teams: Mapping[str, str] | None = None) -> str:
    """Return what the side that a seat is on is called."""
    return _side(match["seats"], next(side for side in match["sides"] if seat in side), teams or {})


def _side(seats: Mapping[str, Any], side: Sequence[str], teams: Mapping[str, str]) -> str:
    named = teams.get(seats[side[0]].get("bot", ""))
    return named or " & ".join(dict.fromkeys(seats[seat]["name"] for seat in side))
