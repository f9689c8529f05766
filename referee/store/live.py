"""Live matches in Redis: reading them, and the few atomic writes, which the server runs itself (`live.lua`).

| key | holds |
|---|---|
| `m:ID` | hash: `version`, `head`, `header`, `terms`, `seed`, `over`, `token`, `lease`, and by seat `asked:a`, `key:a`, ... |
| `e:ID` | list: the lines of the running deal |
| `z:ID` | list: the finished deals, packed |
| `t:BOT` | set: matches in which the bot is asked |
| `x:ID` | list: what was noted beside the match, kept for a day |
| `beat`, `serving` | when deadlines were last watched, and when a web process last took acts |
| `due` | sorted set: `ID/seat` by the time it must have acted |
| `live`, `pushed`, `ended` | sets of matches: all, those with a seat to push to, those that wait for the archive |
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import orjson
import redis

from referee.store import packing

KEPT_SECONDS = 600
NOTES_SECONDS = 86_400
SOURCE = (Path(__file__).parent / "live.lua").read_text()
EDITION = hashlib.sha256(SOURCE.encode()).hexdigest()[:12]
LIBRARY = SOURCE.replace("EDITION", EDITION)

Outcome = Literal["taken", "moved", "repeated", "fenced", "gone", "known"]
Fields = Mapping[str, str | bytes | int]


@dataclass(frozen=True, slots=True)
class Stored:
    """A live match as it lies there: the fields of its hash and the lines of its running deal."""

    fields: dict[str, bytes]
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What is written at once: lines, fields, deadlines by seat (None: no more), bots and whether each is asked."""

    lines: Sequence[bytes]
    fields: Fields
    due: Mapping[str, int | None]
    turns: Mapping[str, bool]
    wake: str


@dataclass(frozen=True, slots=True)
class Append:
    """An append to a match that must still stand at `version` and `head`, under lease `token` if there is one.

    `key` is the field and the value of the request's idempotency key. `packed` is the finished deal that
    replaces the lines of the running one.
    """

    version: int
    head: str
    new_head: str
    change: Change
    token: str = ""
    key: tuple[str, str] = ("", "")
    packed: bytes = b""
    ends: bool = False


@dataclass(frozen=True, slots=True)
class LiveStore:
    """The live matches on one Redis server."""

    client: redis.Redis

    def create(self, match_id: str, change: Change, *, packed: bytes, pushed: bool) -> bool:
        """Puts a match there unless it is there already; tells whether this call did it."""
        keys = [f"m:{match_id}", f"e:{match_id}", f"z:{match_id}", "due", "live", "pushed", *_turn_keys(change)]
        args = ["1" if pushed else "0", packed, *_groups(match_id, change)]
        return _text(self._call("ss_create", keys, args)[0]) == "taken"

    def append(self, match_id: str, append: Append) -> Outcome:
        """Writes all of it, or nothing and answers why: `moved`, `repeated` (the key), `fenced`, `gone`."""
        keys = [f"m:{match_id}", f"e:{match_id}", f"z:{match_id}", "due", "ended", *_turn_keys(append.change)]
        head = [append.version, append.head, append.token, *append.key, append.new_head, append.packed]
        args = [*head, "1" if append.ends else "0", *_groups(match_id, append.change)]
        return cast(Outcome, _text(self._call("ss_append", keys, args)[0]))

    def deliver(self, match_id: str, *, version: int, seat: str, now: int, deadline: int | None) -> int | None:
        """Marks a prompt as delivered and answers when it first was; None if the seat is not asked that any more."""
        args = [version, seat, now, "" if deadline is None else deadline]
        when = _text(self._call("ss_deliver", [f"m:{match_id}", "due"], args))
        return int(when) if when else None

    def refuse(self, match_id: str, *, seat: str, counts: bool, kept: Fields) -> int:
        """Counts a refused act of a seat, keeps `kept`, and answers how many count by now."""
        args = ["1" if counts else "0", seat, *_flat(kept)]
        return int(self._call("ss_refuse", [f"m:{match_id}"], args))

    def read(self, match_id: str) -> Stored | None:
        """Is the match at one moment, or None."""
        pipe = self.client.pipeline(transaction=True)
        pipe.hgetall(f"m:{match_id}")
        pipe.lrange(f"e:{match_id}", 0, -1)
        fields, lines = pipe.execute()
        if not fields:
            return None
        return Stored({name.decode(): value for name, value in fields.items()}, tuple(lines))

    def some(self, match_id: str, names: Sequence[str]) -> dict[str, bytes]:
        """Are those of the named fields that the match has."""
        values: list[bytes | None] = self.client.hmget(f"m:{match_id}", list(names))  # type: ignore[assignment]
        return {name: value for name, value in zip(names, values, strict=True) if value is not None}

    def lines(self, match_id: str) -> tuple[bytes, ...]:
        """Are all lines of a match so far, from the first."""
        pipe = self.client.pipeline(transaction=True)
        pipe.lrange(f"z:{match_id}", 0, -1)
        pipe.lrange(f"e:{match_id}", 0, -1)
        deals, running = pipe.execute()
        return tuple(line for deal in deals for line in packing.unpack(deal)) + tuple(running)

    def lines_after(self, match_id: str, after: int) -> tuple[bytes, ...]:
        """Are the lines whose number `n` is above `after`; unpacks finished deals only for what lies there."""
        running: list[bytes] = self.client.lrange(f"e:{match_id}", 0, -1)  # type: ignore[assignment]
        first = orjson.loads(running[0])["n"] if running else 1
        if running and after >= first - 1:
            return tuple(running[after - first + 1 :])
        return self.lines(match_id)[max(0, after) :]

    def turns(self, bot: str) -> list[str]:
        """Are the matches in which a bot is asked, oldest first (ids sort by age)."""
        found: set[bytes] = self.client.smembers(f"t:{bot}")  # type: ignore[assignment]
        return sorted(match_id.decode() for match_id in found)

    def overdue(self, now: int, *, limit: int = 500) -> list[tuple[str, str]]:
        """Are the matches and seats whose deadline is past."""
        found: list[bytes] = self.client.zrangebyscore("due", "-inf", now, 0, limit)  # type: ignore[assignment]
        return [tuple(member.decode().split("/")) for member in found]  # type: ignore[misc]

    def set_due(self, match_id: str, *, seat: str, at: int | None) -> None:
        """Sets a deadline right that was found wrong."""
        member = f"{match_id}/{seat}"
        if at is None:
            self.client.zrem("due", member)
        else:
            self.client.zadd("due", {member: at})

    def beat(self, now: int, *, pause: int, seats: str) -> int:
        """Notes that deadlines are watched now. If nobody did for longer than `pause` ms, moves all times of all live
        matches on by the time since, which is charged to nobody, and answers how long that was; else 0."""
        return int(self._call("ss_beat", ["beat", "live", "due"], [now, pause, *seats]))

    def serve(self, now: int) -> None:
        """Notes that a web process takes acts now."""
        self.client.set("serving", now)

    def served(self) -> int | None:
        """Is when a web process last took acts, as far as is known; None where there never was one."""
        at: bytes | None = self.client.get("serving")  # type: ignore[assignment]
        return None if at is None else int(at)

    def members(self, name: Literal["live", "pushed", "ended"]) -> list[str]:
        """Are the matches in one of the sets, oldest first."""
        found: set[bytes] = self.client.smembers(name)  # type: ignore[assignment]
        return sorted(match_id.decode() for match_id in found)

    def lease(self, match_id: str, *, now: int, until: int) -> str:
        """Takes the lease if nobody holds it and answers its fencing token, else the empty string."""
        token = int(self._call("ss_lease", [f"m:{match_id}"], [now, until]))
        return str(token) if token else ""

    def renew(self, tokens: Mapping[str, str], *, until: int) -> dict[str, bool]:
        """Renews leases (`until` 0 gives them back) and tells for each match whether the token still held."""
        if not tokens:
            return {}
        kept = self._call("ss_renew", [f"m:{match_id}" for match_id in tokens], [until, *tokens.values()])
        return {match_id: bool(int(held)) for match_id, held in zip(tokens, kept, strict=True)}

    def close(self, match_id: str, *, bots: Iterable[str], seats: str, keep: bool = True) -> None:
        """Takes a match off; with `keep` its hash stays a while, for repeats of the last request."""
        named = [f"{letter}:{match_id}" for letter in "mez"]
        keys = [*named, "due", "live", "pushed", "ended", *(f"t:{bot}" for bot in bots)]
        self._call("ss_close", keys, [KEPT_SECONDS if keep else 0, *seats])

    def note(self, match_id: str, text: bytes, *, most: int) -> None:
        """Notes something beside a match, at most `most` times; notes are kept for a day."""
        pipe = self.client.pipeline(transaction=True)
        pipe.rpush(f"x:{match_id}", text)
        pipe.ltrim(f"x:{match_id}", 0, most - 1)
        pipe.expire(f"x:{match_id}", NOTES_SECONDS)
        pipe.execute()

    def notes(self, match_id: str) -> list[bytes]:
        """Are the notes beside a match, in order."""
        found: list[bytes] = self.client.lrange(f"x:{match_id}", 0, -1)  # type: ignore[assignment]
        return found

    def publish(self, message: str) -> None:
        """Wakes who waits for something that no append announces."""
        self.client.publish("wake", message)

    def _call(self, function: str, keys: Sequence[str], args: Sequence[Any]) -> Any:
        named = f"{function}_{EDITION}"
        try:
            return self.client.fcall(named, len(keys), *keys, *args)
        except redis.ResponseError as problem:
            if "Function not found" not in str(problem):
                raise
        self.load()  # a new server, or one that was started anew without it
        return self.client.fcall(named, len(keys), *keys, *args)

    def load(self) -> None:
        """Loads the server functions of this edition."""
        self.client.function_load(LIBRARY, replace=True)


def _turn_keys(change: Change) -> list[str]:
    return [f"t:{bot}" for bot in change.turns]


def _groups(match_id: str, change: Change) -> list[Any]:
    fields = _flat(change.fields)
    due = [item for seat, at in change.due.items() for item in (f"{match_id}/{seat}", "" if at is None else at)]
    turns = ["1" if asked else "0" for asked in change.turns.values()]
    counted = [[len(group), *group] for group in (fields, list(change.lines), due, turns)]
    return [item for group in counted for item in group] + [change.wake]


def _flat(fields: Fields) -> list[Any]:
    return [item for pair in fields.items() for item in pair]


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
