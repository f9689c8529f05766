"""Moves in the text notation: a seat and its act, such as `a marry KS` or `b draw 2`.

Errors: `NotationError` says what was found and what is right.
"""

from collections.abc import Callable
from typing import Any, Final

from referee.rules import acts
from referee.rules.acts import Act, Unreadable, act_json, read_act
from referee.rules.cards import CARD_NUMBERS, SEATS
from referee.rules.tokens import NotationError

Body = dict[str, Any]


def _number(word: str) -> Any:
    return int(word) if word.isdigit() else word


def _play(words: list[str]) -> Body:
    return {"card": words[0]} | ({"also": words[2]} if words[1:2] == ["also"] else {})


def _marry(words: list[str]) -> Body:
    body: Body = {"card": words[0]}
    rest = words[1:]
    if rest and rest[0].isdigit():
        body["amount"] = int(rest.pop(0))
    if rest[:1] == ["lead"]:
        body["lead"] = rest[1]
    return body


def _draw(words: list[str]) -> Body:
    return {"cards" if word.isdigit() else "from": _number(word) for word in words}


def _faced(words: list[str], value: Any = None) -> Body:
    if "faced" not in words:
        return {}
    at = words.index("faced")
    return {"faced": value if value is not None else int(words[at + 1])}


def _deal(words: list[str]) -> Body:
    return {"to": words[0], "cards": _number(words[1]), **_faced(words)}


def _cut(words: list[str]) -> Body:
    return {"at": _number(words[0]), **_faced(words, True)}


def _look(words: list[str]) -> Body:
    return {"stock": 1} if words[0] == "stock" else {"trick": _number(words[0])}


def _expose(words: list[str]) -> Body:
    return {"card" if words[0] in CARD_NUMBERS else "at": _number(words[0])}


def _one(name: str) -> Callable[[list[str]], Body]:
    return lambda words: {name: _number(words[0])}


def _maybe(name: str) -> Callable[[list[str]], Body]:
    return lambda words: {name: _number(words[0])} if words else {}


_READERS: Final[dict[str, Callable[[list[str]], Body]]] = {
    acts.PLAY: _play,
    acts.MARRY: _marry,
    acts.DRAW: _draw,
    acts.DEAL: _deal,
    acts.CUT: _cut,
    acts.SHUFFLE: _faced,
    acts.LOOK: _look,
    acts.EXPOSE: _expose,
    acts.EXCHANGE: _maybe("card"),
    acts.TURN_UP: _maybe("cards"),
    acts.SHOW: _one("suit"),
    acts.BID: _one("ticks"),
    acts.TAKE_BACK: _one("number"),
    acts.CLAIM: lambda words: {"number": _number(words[0])} | ({"law": words[1]} if words[1:] else {}),
    acts.ELECT: lambda words: {"case": int(words[1]) if words[1:] else 1, "option": words[0]},
}


def read_move(text: str) -> tuple[int, Act]:
    """Return seat and act of a move.

    >>> read_move("a draw 2")
    (0, <{'act': 'draw', 'cards': 2}>)
    """
    seat_name, _, rest = text.strip().partition(" ")
    words = rest.split()
    if seat_name not in SEATS or len(seat_name) != 1 or not words:
        raise NotationError("move", text, "a seat and an act, such as 'a KS' or 'b draw'")
    kind = words[0].replace("-", "_")
    if words[0] in CARD_NUMBERS:
        kind, words = acts.PLAY, ["play", *words]
    try:
        body = _READERS[kind](words[1:]) if kind in _READERS else {}
        return SEATS.index(seat_name), read_act({"act": kind, **body})
    except (IndexError, Unreadable, ValueError) as error:
        raise NotationError("move", text, f"an act in the notation ({error})") from None


def write_move(seat: int, one: Act) -> str:
    """Return a move in the notation."""
    body = act_json(one)
    del body["act"]
    words = [] if one.kind == acts.PLAY else [one.kind.replace("_", "-")]
    for name in ("option", "case", "to", "card", "suit", "at", "trick", "number", "ticks", "law"):
        if name in body:
            words.append(str(body[name]))
    if "stock" in body:
        words.append("stock")
    words += [str(body[name]) for name in ("amount", "cards", "from") if name in body]
    for name in ("also", "lead"):
        if name in body:
            words += [name, str(body[name])]
    if "faced" in body:
        words += ["faced"] if body["faced"] is True else ["faced", str(body["faced"])]
    return " ".join([SEATS[seat], *words])
