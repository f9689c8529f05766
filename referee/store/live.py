"""Live matches in Redis: reading them, and the few atomic writes, which the server runs itself (`live.lua`).

| key | holds |
|---|---|
| `m:ID` | hash: `version`, `head`, `header`, `terms`, `seed`, `over`, `token`, `lease`, and by seat `asked:a`, `key:a`, ... |
| `e:ID` | list: the lines of the running deal |
| `z:ID` | list: the finished deals, packed |
| `t:BOT` | set: matches in which the bot is asked |
| `s:BOT` | hash: the bot's newest stream of prompts and what was sent on it, kept for an hour |
| `x:ID` | list: what was noted beside the match, kept for a day |
| `beat`, `serving` | when deadlines were last watched, and when a web process last took acts |
| `due` | sorted set: `ID/seat` by the time it must have acted, or one before it, at which the sweeper looks and sets it right |
| `live`, `pushed` | sets of matches: all, those with a seat to push to |
| `archive` | list: matches that ended and that an archivist is to put on record |
| `archivist` | there as long as an archivist has lately been heard of |
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import orjson
import redis

from referee.store import packing
from referee.store.trips import Trips
from referee.store.writings import (
    Append,
    Call,
    Change,
    Delivery,
    Fields,
    Handed,
    Refused,
    appending,
    delivering,
    flat,
    groups,
    handing,
    refusal,
    turn_keys,
)

KEPT_SECONDS = 600
NOTES_SECONDS = 86_400
STREAM_SECONDS = 3600
SOURCE = (Path(__file__).parent / "live.lua").read_text()
EDITION = hashlib.sha256(SOURCE.encode()).hexdigest()[:12]
LIBRARY = SOURCE.replace("EDITION", EDITION)
UNLOADED = "Function not found"

Outcome = Literal["taken", "moved", "repeated", "fenced", "gone", "known"]


@dataclass(frozen=True, slots=True)
class Stored:
    """A live match as it lies there: the fields of its hash and the lines of its running deal.

    Where so many lines are `known`, those after them, and of the fields only those that were named.
    """

    fields: dict[str, bytes]
    lines: tuple[bytes, ...]
    known: int = 0


class Streamed(NamedTuple):
    """What is known of a bot's streams: the newest one's number, the server that runs, the one that ran when `sent` was
    noted, the number of the last line sent, and what is noted by name."""

    number: int
    server: str
    noted_by: str
    line: int
    sent: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LiveStore:
    """The live matches on one Redis server. What takes several matches makes one trip for all of them."""

    client: redis.Redis
    trips: Trips = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "trips", Trips(self.client))

    def create(self, match_id: str, change: Change, *, packed: bytes, pushed: bool) -> bool:
        """Puts a match there unless it is there already; tells whether this call did it."""
        keys = [f"m:{match_id}", f"e:{match_id}", f"z:{match_id}", "due", "live", "pushed", *turn_keys(change)]
        args = ["1" if pushed else "0", packed, *groups(match_id, change)]
        return _text(self._call("ss_create", keys, args)[0]) == "taken"

    def append(self, match_id: str, append: Append) -> Outcome:
        """Writes all of it, or nothing and answers why: `moved`, `repeated` (the key), `fenced`, `gone`."""
        return cast(Outcome, self.write_each([(match_id, append)])[0])

    def refuse(self, match_id: str, refused: Refused) -> int:
        """Counts a refused act of a seat, keeps its fields, and answers how many count by now; -1: there is no match."""
        return cast(int, self.write_each([(match_id, refused)])[0])

    def write_each(self, writings: Sequence[tuple[str, Append | Refused]]) -> list[Outcome | int]:
        """Writes each by itself, on matches that differ, and answers as `append` and `refuse` do."""
        appends = [(match_id, writing) for match_id, writing in writings if isinstance(writing, Append)]
        refused = [(match_id, writing) for match_id, writing in writings if isinstance(writing, Refused)]
        calls = [*([appending(appends)] if appends else []), *(refusal(*each) for each in refused)]
        answers = iter(self._calls(calls))
        outcomes = iter([_text(outcome) for outcome in next(answers)] if appends else [])
        return [
            cast(Outcome, next(outcomes)) if isinstance(writing, Append) else int(next(answers))
            for _, writing in writings
        ]

    def deliver_each(self, deliveries: Sequence[tuple[str, Delivery]]) -> list[int | None]:
        """Marks prompts as delivered and answers when each first was; None for a seat that is not asked that any more."""
        answers = self._calls([delivering(deliveries)] if deliveries else [])
        return [int(when) if when else None for each in answers for when in each]

    def hand_each(self, handed: Sequence[tuple[str, Handed]]) -> None:
        """Has time run from when prompts went out, where they are still what is asked and were delivered when that says."""
        self._calls([handing(handed)] if handed else [])

    def read(self, match_id: str) -> Stored | None:
        """Is the match at one moment, or None."""
        return self.read_each([match_id])[0]

    def read_each(
        self,
        match_ids: Sequence[str],
        *,
        known: Mapping[str, tuple[int, int]] | None = None,
        names: Sequence[str] = ("version",),
    ) -> list[Stored | None]:
        """Are the matches, each at one moment; None for one that is not there.

        `known` is of some matches the version at which a deal began and how many of its lines are known: where that deal
        is running still they are left out, and so are all fields but those of these names.
        """
        keys = [key for match_id in match_ids for key in (f"m:{match_id}", f"e:{match_id}")]
        args = [len(names), *names]
        for match_id in match_ids:
            args += (known or {}).get(match_id, ("", ""))
        return [_stored(names, *answer) for answer in self._call("ss_read", keys, args)] if keys else []

    def some(self, match_id: str, names: Sequence[str]) -> dict[str, bytes]:
        """Are those of the named fields that the match has."""
        return self.some_of_each([match_id], names)[0]

    def some_of_each(self, match_ids: Sequence[str], names: Sequence[str]) -> list[dict[str, bytes]]:
        """Are those of the named fields that each match has."""
        keys = [f"m:{match_id}" for match_id in match_ids]
        if len(keys) == 1:  # what a server function adds is more than nothing
            found = [self.trips.call("HMGET", keys[0], *names)]
        else:
            found = self._call("ss_some", keys, names) if keys else []
        return [_there(names, values) for values in found]

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
        return sorted(match_id.decode() for match_id in self.trips.call("SMEMBERS", f"t:{bot}"))

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

    def note_archivist(self, ms: int) -> None:
        """Notes that an archivist is there, for so many ms."""
        self.client.set("archivist", "1", px=ms)

    def has_archivist(self) -> bool:
        """Tells whether an archivist has lately been heard of."""
        return bool(self.client.exists("archivist"))

    def ended(self, *, seconds: float, most: int) -> list[str]:
        """Takes matches off the list of those that ended, at most so many, and waits so long for the first."""
        first: Any = self.client.blpop(["archive"], timeout=seconds)
        rest: Any = self.client.lpop("archive", most - 1) if first else None
        return [match_id.decode() for match_id in (*((first[1],) if first else ()), *(rest or ()))]

    def put_back(self, match_ids: Sequence[str]) -> None:
        """Puts matches on that list again which could not be put on record."""
        if match_ids:
            self.client.rpush("archive", *match_ids)

    def waiting_for_the_archive(self) -> int:
        """Counts the matches on that list."""
        found: Any = self.client.llen("archive")
        return int(found)

    def members(self, name: Literal["live", "pushed"]) -> list[str]:
        """Are the matches in one of the sets, oldest first."""
        found: set[bytes] = self.client.smembers(name)  # type: ignore[assignment]
        return sorted(match_id.decode() for match_id in found)

    def lease(self, match_id: str, *, now: int, until: int) -> str:
        """Takes the lease if nobody holds it and answers its fencing token, else the empty string."""
        return self.lease_each([match_id], now=now, until=until)[0]

    def lease_each(self, match_ids: Sequence[str], *, now: int, until: int) -> list[str]:
        """Takes those of several leases that nobody holds, and answers as `lease` does."""
        answers = self._calls([Call("ss_lease", [f"m:{match_id}"], [now, until]) for match_id in match_ids])
        return [str(int(token)) if int(token) else "" for token in answers]

    def renew(self, tokens: Mapping[str, str], *, until: int) -> dict[str, bool]:
        """Renews leases (`until` 0 gives them back) and tells for each match whether the token still held."""
        if not tokens:
            return {}
        kept = self._call("ss_renew", [f"m:{match_id}" for match_id in tokens], [until, *tokens.values()])
        return {match_id: bool(int(held)) for match_id, held in zip(tokens, kept, strict=True)}

    def halt_each(self, match_ids: Sequence[str], *, now: int) -> list[bool]:
        """Closes matches to all that would move them on, but for those that are over, and tells of each whether it is that.

        What is halted lies there as it was, is read as one that is not live, and goes on with `go_on`.
        """
        answers = self._call("ss_halt", [f"m:{match_id}" for match_id in match_ids], [now]) if match_ids else []
        return [bool(int(over)) for over in answers]

    def go_on(self, match_id: str, *, halted: int, now: int, seats: str) -> bool:
        """Opens a match again that was halted at that time and not again since, and charges nobody for it; tells if it did."""
        return bool(int(self._call("ss_go_on", [f"m:{match_id}", "due"], [halted, now, *seats])))

    def close(self, match_id: str, *, bots: Iterable[str], seats: str, keep: bool = True) -> None:
        """Takes a match off; with `keep` its hash stays a while, for repeats of the last request."""
        named = [f"{letter}:{match_id}" for letter in "mez"]
        keys = [*named, "due", "archive", "live", "pushed", *(f"t:{bot}" for bot in bots)]
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

    def new_stream(self, bot: str, *, wake: str) -> Streamed:
        """Makes a number for a new stream of a bot's prompts, by which the one before is over, and wakes that one."""
        pipe = self.client.pipeline(transaction=True)
        pipe.hincrby(f"s:{bot}", "stream", 1)
        pipe.hgetall(f"s:{bot}")
        pipe.info("server")
        pipe.expire(f"s:{bot}", STREAM_SECONDS)
        pipe.publish("wake", wake)
        number, found, server, *_ = pipe.execute()
        noted = {name.decode(): value.decode() for name, value in found.items()}
        sent = {name: value for name, value in noted.items() if "/" in name}
        return Streamed(number, server["run_id"], noted.get("server", ""), int(noted.get("line", 0)), sent)

    def newest_stream(self, bot: str) -> int:
        """Is the number of the bot's newest stream; 0 where none was opened lately."""
        return int(self.trips.call("HGET", f"s:{bot}", "stream") or 0)

    def note_sent(self, bot: str, stream: int, *, fields: Fields, gone: Sequence[str]) -> bool:
        """Notes what a stream is about to send; False, and nothing is noted, if it is not the bot's newest."""
        noted = flat(fields)
        args = [stream, STREAM_SECONDS, len(noted), *noted, len(gone), *gone]
        return bool(self._call("ss_sent", [f"s:{bot}"], args))

    def server(self) -> str:
        """Is the name of the running server, another each time it is started."""
        return str(self.client.info("server")["run_id"])

    def publish(self, message: str) -> None:
        """Wakes who waits for something that no append announces."""
        self.client.publish("wake", message)

    def _call(self, function: str, keys: Sequence[str], args: Sequence[Any]) -> Any:
        return self._calls([Call(function, keys, args)])[0]

    def _calls(self, calls: Sequence[Call]) -> list[Any]:
        """Calls server functions in one trip and answers what each answered; the first error, if any, is raised.

        A server that lacks the functions is given them and called again: each call can be done twice.
        """
        if not calls:
            return []
        commands = [("FCALL", f"{each.function}_{EDITION}", len(each.keys), *each.keys, *each.args) for each in calls]
        answers = self.trips.calls(commands)
        if any(isinstance(answer, redis.ResponseError) and UNLOADED in str(answer) for answer in answers):
            self.load()  # a new server, or one that was started anew without it
            answers = self.trips.calls(commands)
        for answer in answers:
            if isinstance(answer, redis.ResponseError):
                raise answer
        return answers

    def load(self) -> None:
        """Loads the server functions of this edition."""
        self.client.function_load(LIBRARY, replace=True)

    def disconnect(self) -> None:
        """Closes all connections."""
        self.trips.close()
        self.client.close()


def _there(names: Sequence[str], values: Sequence[bytes | None]) -> dict[str, bytes]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _stored(names: Sequence[str], fields: Sequence[bytes], lines: Sequence[bytes], known: int) -> Stored | None:
    if known:
        return Stored(_there(names, fields), tuple(lines), known)
    if not fields:
        return None
    named = {name.decode(): value for name, value in zip(fields[::2], fields[1::2], strict=True)}
    return Stored(named, tuple(lines), known)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
