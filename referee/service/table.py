"""A live match as this process sees it: read from the store, and written back by compare-and-set.

Whoever moves a match on - an act, a clock run out, a withdrawal - makes a step of it with `referee.match`
and hands the step to `write`. What depends on the moment (when a seat was asked, when its prompt was
delivered, refused acts) lies beside the match in its hash and is no part of the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import metrics
from referee.service.base import Service
from referee.service.wakes import Wake
from referee.store import packing
from referee.store.live import Append, Change, Outcome

PULL, PUSH, HOUSE = "pull", "push", "house"
HOUSE_MS = 2000  # the house plays at once; this late the sweeper plays for it
COSTS = ("charged", "trip", "bank")  # of the last act: ms charged, ms in all, what came from the bank and why
PER_SEAT = ("asked", "delivered", "seen", "refused", "key", "key_body", "key_status", "key_reply", *COSTS)
OF_THE_MATCH = ("version", "head", "over", "closed", "token", "lease", "shared")
USUAL_SEATS = 2


def _facts(seats: int) -> tuple[str, ...]:
    """Are the names of the small fields of a match with so many seats."""
    return OF_THE_MATCH + tuple(f"{name}:{letter}" for name in PER_SEAT for letter in SEATS[:seats])


FACTS = {seats: _facts(seats) for seats in range(USUAL_SEATS, len(SEATS) + 1)}


class NotLive(Exception):
    """The match does not lie in the live store: not opened yet, over and archived, or lost."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is the same for everybody who has read the match at this version: the fold and its running lines."""

    match: matches.Match
    lines: tuple[bytes, ...]
    bots: tuple[str, ...]
    transports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A standing with the facts of the moment, which are read anew each time. Times in ms of the host clock."""

    id: str
    standing: Standing
    facts: Mapping[str, bytes]

    @property
    def match(self) -> matches.Match:
        """Is the match at this version."""
        return self.standing.match

    def seat_of(self, bot: str | None) -> int | None:
        """Is the seat of a bot: of several the one that is asked, else the first."""
        seats = [seat for seat, seated in enumerate(self.standing.bots) if seated == bot]
        asked = [seat for seat in seats if seat in self.match.asked]
        return next(iter(asked or seats), None)

    def text(self, name: str, seat: int) -> str:
        """Is a fact of a seat as text, empty where there is none."""
        return self.facts.get(f"{name}:{SEATS[seat]}", b"").decode()

    def number(self, name: str, seat: int) -> int | None:
        """Is a fact of a seat as a number."""
        text = self.text(name, seat)
        return int(text) if text else None

    def deadline(self, seat: int) -> int | None:
        """Is when the seat must have acted or fetched its prompt; None for one that is not asked or is pushed to.

        The worker that holds the lease keeps the time of a seat it pushes to: without a worker no time runs.
        """
        return deadline(self.standing, seat, asked=self.number("asked", seat), delivered=self.number("delivered", seat))


def deadline(standing: Standing, seat: int, *, asked: int | None, delivered: int | None) -> int | None:
    """Is when a seat asked at `asked` whose prompt was delivered at `delivered` must have acted."""
    transport = standing.transports[seat]
    clock = standing.match.terms.clock
    if seat not in standing.match.asked or asked is None or transport == PUSH:
        return None
    if transport == HOUSE:
        return asked + HOUSE_MS
    if delivered is None:
        return asked + clock.absence_ms
    return delivered + allowance(standing.match, seat) + clock.grace_ms


def allowance(match: matches.Match, seat: int) -> int:
    """Is how many ms a seat has from delivery: its allowance and bank, in an election the allowance alone."""
    bank = 0 if match.electing else match.clock_left(seat)
    return match.terms.clock.act_ms + bank


def load(service: Service, match_id: str) -> Table:
    """Reads a match: one trip where this process remembers the version, two otherwise. Raises NotLive."""
    remembered = service.memory.standings.get(match_id)
    seats = USUAL_SEATS if remembered is None else len(remembered.bots)
    facts = service.live.some(match_id, FACTS[seats])
    if "version" not in facts or "closed" in facts:
        raise NotLive(match_id)
    known = service.memory.standing(match_id, version=int(facts["version"]), head=facts["head"].decode())
    return Table(match_id, known, facts) if known is not None else _read(service, match_id)


def _read(service: Service, match_id: str) -> Table:
    stored = service.live.read(match_id)
    if stored is None or "terms" not in stored.fields:
        raise NotLive(match_id)
    fields = stored.fields
    terms = matches.terms_from(orjson.loads(fields["terms"]))
    seed = bytes.fromhex(fields["seed"].decode())
    resumed = matches.resume(terms, seed, orjson.loads(fields["header"]), stored.lines)
    standing = Standing(
        match=resumed,
        lines=stored.lines,
        bots=tuple(fields["bots"].decode().split(",")),
        transports=tuple(fields["transports"].decode().split(",")),
    )
    service.memory.keep(match_id, standing)
    return Table(match_id, standing, fields)


def create(
    service: Service,
    match_id: str,
    *,
    terms: matches.Terms,
    seed: bytes,
    transports: tuple[str, ...],
    shared: bool = False,
) -> bool:
    """Opens a match at its table; tells whether this call did it. Opening twice is the same as once.

    `shared`: others play on its packs, so that strangers are not told of it before those are over.
    """
    step = matches.open_match(terms, seed)
    bots = tuple(seating.bot for seating in terms.seats)
    standing = Standing(step.match, _running((), step), bots=bots, transports=transports)
    fixed: dict[str, str | bytes | int] = {
        "terms": orjson.dumps(matches.terms_json(terms)),
        "seed": seed.hex(),
        "bots": ",".join(bots),
        "transports": ",".join(transports),
        **({"shared": "1"} if shared else {}),
    }
    change = _change(None, standing, step, now=service.clock.now_ms(), extra=fixed)
    made = service.live.create(match_id, change, packed=_packed((), step), pushed=PUSH in transports)
    if made:
        service.memory.keep(match_id, standing)
    return made


def write(
    service: Service,
    table: Table,
    step: matches.Step,
    *,
    token: str = "",
    kept: Mapping[str, str | bytes | int] | None = None,
    key: tuple[str, str] = ("", ""),
) -> tuple[Outcome, Table]:
    """Writes a step if the match still stands where `table` has it, and answers the table as it is then.

    `kept` are further fields of the hash, written with it. Unless the outcome is `taken`, nothing was written.
    """
    before = table.standing
    standing = Standing(step.match, _running(before.lines, step), bots=before.bots, transports=before.transports)
    change = _change(table, standing, step, now=service.clock.now_ms(), extra=kept or {})
    outcome = service.live.append(
        table.id,
        Append(
            version=before.match.version,
            head=before.match.head,
            new_head=step.match.head,
            change=change,
            token=token,
            key=key,
            packed=_packed(before.lines, step),
            ends=step.match.is_over,
        ),
    )
    if outcome != "taken":
        return outcome, table
    metrics.recorded(step.lines)
    service.memory.keep(table.id, standing)
    facts = {name: _bytes(value) for name, value in change.fields.items()}
    return outcome, Table(table.id, standing, {**table.facts, **facts})


def _running(lines: tuple[bytes, ...], step: matches.Step) -> tuple[bytes, ...]:
    if step.boundary is None:
        return lines + tuple(step.lines)
    return tuple(step.lines[step.boundary :])


def _packed(lines: tuple[bytes, ...], step: matches.Step) -> bytes:
    if step.boundary is None:
        return b""
    finished = lines + tuple(step.lines[: step.boundary])
    return packing.pack(finished) if finished else b""


def _change(
    table: Table | None, standing: Standing, step: matches.Step, *, now: int, extra: Mapping[str, str | bytes | int]
) -> Change:
    match = step.match
    fields: dict[str, str | bytes | int] = {"version": match.version, "head": match.head}
    if table is None or step.boundary is not None:
        fields["header"] = orjson.dumps(match.header())
    fields["score"] = orjson.dumps(list(match.score))
    if match.is_over:
        fields["over"] = "1"
    due: dict[str, int | None] = {}
    for seat, letter in enumerate(SEATS[: len(standing.bots)]):
        asked, delivered = _asked_since(table, match, seat, now=now)
        fields[f"asked:{letter}"] = "" if asked is None else asked
        fields[f"delivered:{letter}"] = "" if delivered is None else delivered
        due[letter] = deadline(standing, seat, asked=asked, delivered=delivered)
    return Change(
        lines=_running((), step),  # only what is new, and of it only what belongs to the running deal
        fields={**fields, **extra},
        due=due,
        turns=_turns(standing),
        wake=Wake(match.terms.match_id, match.version, match.is_over, _asked_bots(standing)).text(),
    )


def _asked_since(table: Table | None, match: matches.Match, seat: int, *, now: int) -> tuple[int | None, int | None]:
    """Is when the seat was asked and when it got its prompt: the clock runs on through what is by-play of others."""
    if seat not in match.asked:
        return None, None
    asked = table.number("asked", seat) if table is not None else None
    if table is None or asked is None or not is_same_question(table.match, match):
        return now, None
    return asked, table.number("delivered", seat)


def is_same_question(before: matches.Match, after: matches.Match) -> bool:
    """Tells whether who was asked in `before` is asked the same in `after`: only by-play came, no case, no stop passed.

    By-play answers a stop (`confirm`), and may open a case (`claim`), so the version alone does not tell.
    """
    return not after.is_stale(before.version) and _question(before) == _question(after)


def _question(match: matches.Match) -> tuple[int, str]:
    return 0 if match.case is None else match.case.number, match.stop


def _turns(standing: Standing) -> dict[str, bool]:
    asked = {standing.bots[seat] for seat in standing.match.asked}
    pulling = [bot for bot, transport in zip(standing.bots, standing.transports, strict=True) if transport == PULL]
    return {bot: bot in asked for bot in pulling}


def _asked_bots(standing: Standing) -> tuple[str, ...]:
    return tuple(dict.fromkeys(standing.bots[seat] for seat in standing.match.asked))


def _bytes(value: str | bytes | int) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
