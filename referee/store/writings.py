"""What is written to live matches, and the calls of server functions (`live.lua`) in which it goes there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

Fields = Mapping[str, str | bytes | int]


class Change(NamedTuple):
    """What is written at once: lines, fields, deadlines by seat (None: no more), bots and whether each is asked."""

    lines: Sequence[bytes]
    fields: Fields
    due: Mapping[str, int | None]
    turns: Mapping[str, bool]
    wake: str


class Append(NamedTuple):
    """An append to a match that must still stand at `version` and `head`, under lease `token` if there is one.

    `key` is the field and the value of the request's idempotency key. `packed` is the finished deal that
    replaces the lines of the running one. `delivers` is the seat whose prompt is delivered with it, as the fields of the
    change say, and counted. `relied_on` are fields that must still hold what they are said to hold.
    """

    version: int
    head: str
    new_head: str
    change: Change
    token: str = ""
    key: tuple[str, str] = ("", "")
    packed: bytes = b""
    ends: bool = False
    delivers: str = ""
    relied_on: Fields = MappingProxyType({})


class Refused(NamedTuple):
    """A refused act of a seat: whether it counts, and the fields that are kept with it."""

    seat: str
    counts: bool
    kept: Fields


class Delivery(NamedTuple):
    """A prompt of that version being delivered to a seat `now`, with its deadline (None: that which is noted stays)."""

    version: int
    seat: str
    now: int
    deadline: int | None


class Handed(NamedTuple):
    """A prompt of that version that was marked as delivered `then` and went out `now`."""

    version: int
    seat: str
    then: int
    now: int


class Call(NamedTuple):
    """A server function, its keys and its arguments."""

    function: str
    keys: Sequence[str]
    args: Sequence[Any]


def appending(appends: Iterable[tuple[str, Append]]) -> Call:
    """Is the call that appends to several matches."""
    keys: list[str] = ["due", "archive"]
    args: list[Any] = []
    for match_id, append in appends:
        own = [f"m:{match_id}", f"e:{match_id}", f"z:{match_id}", *turn_keys(append.change)]
        head = [append.version, append.head, append.token, *append.key, append.new_head, append.packed]
        relied_on = flat(append.relied_on)
        head += ["1" if append.ends else "0", append.delivers]
        rest = [*head, len(relied_on), *relied_on, *groups(match_id, append.change)]
        keys += own
        args += [len(own), len(rest), *rest]
    return Call("ss_append", keys, args)


def refusal(match_id: str, refused: Refused) -> Call:
    """Is the call that counts a refused act."""
    args = ["1" if refused.counts else "0", refused.seat, *flat(refused.kept)]
    return Call("ss_refuse", [f"m:{match_id}"], args)


def delivering(deliveries: Iterable[tuple[str, Delivery]]) -> Call:
    """Is the call that marks prompts as delivered."""
    keys, args = ["due"], list[Any]()
    for match_id, each in deliveries:
        keys.append(f"m:{match_id}")
        args += [each.version, each.seat, each.now, "" if each.deadline is None else each.deadline]
    return Call("ss_deliver", keys, args)


def handing(handed: Iterable[tuple[str, Handed]]) -> Call:
    """Is the call that moves the times from which prompts count."""
    keys, args = list[str](), list[Any]()
    for match_id, each in handed:
        keys.append(f"m:{match_id}")
        args += each
    return Call("ss_hand", keys, args)


def turn_keys(change: Change) -> list[str]:
    """Are the keys of the bots whose turns change."""
    return [f"t:{bot}" for bot in change.turns]


def groups(match_id: str, change: Change) -> list[Any]:
    """Are the counted groups of arguments in which a change goes to the server, and its wake."""
    fields = flat(change.fields)
    due: list[Any] = []
    for seat, at in change.due.items():
        due += (f"{match_id}/{seat}", "" if at is None else at)
    turns = ["1" if asked else "0" for asked in change.turns.values()]
    return [
        *(len(fields), *fields, len(change.lines), *change.lines, len(due), *due, len(turns), *turns),
        change.wake,
    ]


def flat(fields: Fields) -> list[Any]:
    """Are names and values in turn."""
    listed: list[Any] = []
    for pair in fields.items():
        listed += pair
    return listed
