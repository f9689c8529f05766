"""Cards, acts and events in plain words, for the pages."""

from collections.abc import Mapping
from typing import Any

import orjson

from referee.laws.words import act_words, card_sign, card_words, suit_words
from referee.match import transcript

__all__ = ["act_words", "card_sign", "card_words", "event_words", "plain", "suit_words"]


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
