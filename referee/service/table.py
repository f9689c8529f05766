"""A live match as this process sees it: read from the store, and written back by compare-and-set.

Whoever moves a match on - an act, a clock run out, a withdrawal - makes a step of it with `referee.match`
and hands the step to `write`. What depends on the moment (when a seat was asked, when its prompt was
delivered, refused acts) lies beside the match in its hash and is no part of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import orjson

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import deals, metrics, news
from referee.service.base import Service
from referee.service.wakes import Wake
from referee.store.live import Outcome, Stored
from referee.store.writings import Append, Change

PULL, PUSH, HOUSE = "pull", "push", "house"
HOUSE_MS = 2000  # the house plays at once; this late the sweeper plays for it
COSTS = ("charged", "trip", "bank")  # of the last act: ms charged, ms in all, what came from the bank and why
PER_SEAT = ("asked", "delivered", "seen", "refused", "key", "kept", "earlier", *COSTS)
OF_THE_MATCH = ("version", "head", "over", "closed", "token", "lease", "shared")
USUAL_SEATS = 2

#: The names of the fields of each seat, by what they hold.
FIELDS = {name: tuple(f"{name}:{letter}" for letter in SEATS) for name in PER_SEAT}


def _facts(seats: int) -> tuple[str, ...]:
    """Are the names of the small fields of a match with so many seats."""
    return OF_THE_MATCH + tuple(field for name in PER_SEAT for field in FIELDS[name][:seats])


FACTS = {seats: _facts(seats) for seats in range(USUAL_SEATS, len(SEATS) + 1)}


class NotLive(Exception):
    """The match does not lie in the live store: not opened yet, over and archived, or lost."""


class Standing(NamedTuple):
    """What is the same for everybody who has read the match at this version: the fold and its running lines."""

    match: matches.Match
    lines: tuple[bytes, ...]
    bots: tuple[str, ...]
    transports: tuple[str, ...]


class Table(NamedTuple):
    """A standing with the facts of the moment, which are read anew each time. Times in ms of the host clock."""

    id: str
    standing: Standing
    facts: Mapping[str, str | bytes | int]

    @property
    def match(self) -> matches.Match:
        """Is the match at this version."""
        return self.standing.match

    def seat_of(self, bot: str | None) -> int | None:
        """Is the seat of a bot: of several the one that is asked, else the first."""
        seats = [seat for seat, seated in enumerate(self.standing.bots) if seated == bot]
        return next(iter([seat for seat in seats if seat in self.match.asked] or seats), None)

    def has(self, name: str, seat: int) -> bool:
        """Tells whether there is that fact of a seat."""
        return self.facts.get(FIELDS[name][seat], b"") not in (b"", "")

    def text(self, name: str, seat: int) -> str:
        """Is a fact of a seat as text, empty where there is none."""
        fact = self.facts.get(FIELDS[name][seat], b"")
        return fact.decode() if isinstance(fact, bytes) else str(fact)

    def number(self, name: str, seat: int) -> int | None:
        """Is a fact of a seat as a number."""
        fact = self.facts.get(FIELDS[name][seat], b"")
        return None if fact in (b"", "") else int(fact)

    def deadline(self, seat: int) -> int | None:
        """Is when the seat must have acted or fetched its prompt; None for one that is not asked or is pushed to.

        The worker that holds the lease keeps the time of a seat it pushes to: without a worker no time runs.
        """
        return deadline(self.standing, seat, asked=self.number("asked", seat), delivered=self.number("delivered", seat))


def pulled(standing: Standing, bot: str) -> list[int]:
    """Are the seats of a bot that are asked and fetch their prompts."""
    bots, transports = standing.bots, standing.transports
    return [seat for seat in standing.match.asked if bots[seat] == bot and transports[seat] == PULL]


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
    (found,) = load_all(service, [match_id])
    if found is None:
        raise NotLive(match_id)
    return found


def remembered(service: Service, match_id: str) -> Table | None:
    """Is the match as this process last knew it: no trip, and perhaps not so any more.

    What is made of it must be written with the facts it relies on.
    """
    standing, facts = service.memory.standings.get(match_id), service.memory.facts.get(match_id)
    return None if standing is None or facts is None else Table(match_id, standing, facts)


def load_all(
    service: Service, match_ids: Sequence[str], *, at_least: Mapping[str, int] | None = None
) -> list[Table | None]:
    """Reads matches in one trip, two where this process does not remember all; None stands for one that is not live.

    `at_least` are versions that matches are known to have reached: if this process remembers none of them so far, it need
    not ask what they are at, and reads them in one trip.
    """
    if not match_ids:
        return []
    kept = {match_id: service.memory.standings.get(match_id) for match_id in match_ids}
    if all(_is_behind(kept[match_id], (at_least or {}).get(match_id, 0)) for match_id in kept):
        found = _read(service, list(kept))
        return [found[match_id] for match_id in match_ids]
    seats = max(USUAL_SEATS if standing is None else len(standing.bots) for standing in kept.values())
    facts = dict(zip(kept, service.live.some_of_each(list(kept), FACTS[seats]), strict=True))
    found = {match_id: _remembered(service, match_id, facts[match_id], seats) for match_id in facts}
    found |= _read(service, [match_id for match_id in facts if found[match_id] is None and _is_live(facts[match_id])])
    return [found[match_id] for match_id in match_ids]


def _is_behind(standing: Standing | None, version: int) -> bool:
    """Tells whether a match has certainly gone beyond what is remembered of it."""
    return version > (0 if standing is None else standing.match.version)


def _is_live(facts: Mapping[str, bytes]) -> bool:
    return "version" in facts and "closed" not in facts


def _remembered(service: Service, match_id: str, facts: Mapping[str, bytes], seats: int) -> Table | None:
    """Is the match if it is live and this process remembers that very version, `facts` being those of so many seats."""
    if not _is_live(facts):
        return None
    known = service.memory.standing(match_id, version=int(facts["version"]), head=facts["head"].decode())
    if known is None or len(known.bots) > seats:
        return None
    service.memory.keep(match_id, known, facts)
    return Table(match_id, known, facts)


def _read(service: Service, match_ids: Sequence[str]) -> dict[str, Table | None]:
    """Reads matches that this process does not remember as they are; of one that it remembers from before only the news."""
    remembered = {each: service.memory.standings.get(each) for each in match_ids}
    kept = {each: standing for each, standing in remembered.items() if standing is not None}
    known = {each: (now.match.start.version, len(now.lines)) for each, now in kept.items()}
    names = FACTS[max((len(now.bots) for now in kept.values()), default=USUAL_SEATS)]
    found: dict[str, Table | None] = {}
    for match_id, stored in zip(match_ids, service.live.read_each(match_ids, known=known, names=names), strict=True):
        if stored is None or not _is_live(stored.fields) or not (stored.known or "terms" in stored.fields):
            found[match_id] = None
            continue
        standing = _caught_up(kept[match_id], stored) if stored.known else _resumed(stored)
        if standing is None:  # what is remembered is not how it went
            service.memory.forget(match_id)
            found |= _read(service, [match_id])
            continue
        found[match_id] = Table(match_id, standing, stored.fields)
        service.memory.keep(match_id, standing, stored.fields)
    return found


def _caught_up(kept: Standing, stored: Stored) -> Standing | None:
    """Is a standing with the lines that have come since; None if they do not lead to where the match stands."""
    try:
        match = matches.catch_up(kept.match, stored.lines)
    except matches.LogError:
        return None
    if (match.version, match.head) != (int(stored.fields["version"]), stored.fields["head"].decode()):
        return None
    return Standing(match, kept.lines + stored.lines, kept.bots, kept.transports)


def _resumed(stored: Stored) -> Standing:
    fields = stored.fields
    terms = matches.terms_from(orjson.loads(fields["terms"]))
    seed = bytes.fromhex(fields["seed"].decode())
    return Standing(
        match=matches.resume(terms, seed, orjson.loads(fields["header"]), stored.lines),
        lines=stored.lines,
        bots=tuple(fields["bots"].decode().split(",")),
        transports=tuple(fields["transports"].decode().split(",")),
    )


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
    standing = Standing(step.match, deals.running((), step), bots=bots, transports=transports)
    fixed: dict[str, str | bytes | int] = {
        "terms": orjson.dumps(matches.terms_json(terms)),
        "seed": seed.hex(),
        "bots": ",".join(bots),
        "transports": ",".join(transports),
        "tournament": terms.tournament or "",
        **({"shared": "1"} if shared else {}),
    }
    change = _change(None, standing, step, now=service.clock.now_ms(), extra=fixed)
    made = service.live.create(match_id, change, packed=deals.packed((), step), pushed=PUSH in transports)
    if made:
        service.memory.keep(match_id, standing, change.fields)
    return made


class Draft(NamedTuple):
    """A step ready to be written: the table it was made at, the standing it leads to, its events, and what is appended.

    `delivers` is the seat whose prompt is delivered with it, if any.
    """

    table: Table
    standing: Standing
    lines: tuple[bytes, ...]
    append: Append
    delivers: int | None = None


def draft(
    service: Service,
    table: Table,
    step: matches.Step,
    *,
    token: str = "",
    kept: Mapping[str, str | bytes | int] | None = None,
    key: tuple[str, str] = ("", ""),
    relied_on: Iterable[str] = (),
    fetching: str = "",
) -> Draft:
    """Makes a step ready to be written. `kept` are further fields of the hash, written with it; `relied_on` names those
    that must still hold what they hold at the table. `fetching` is a bot whose next prompt goes out with the answer: if
    it is asked something new by this, that is delivered by the same writing."""
    before, now = table.standing, service.clock.now_ms()
    standing = Standing(step.match, deals.running(before.lines, step), bots=before.bots, transports=before.transports)
    change = _change(table, standing, step, now=now, extra=kept or {}, fetching=fetching)
    fetched = pulled(standing, fetching) if fetching else ()
    delivers = next((seat for seat in fetched if change.fields.get(FIELDS["delivered"][seat])), None)
    append = Append(
        version=before.match.version,
        head=before.match.head,
        new_head=step.match.head,
        change=change,
        token=token,
        key=key,
        packed=deals.packed(before.lines, step),
        ends=step.match.is_over,
        delivers="" if delivers is None else SEATS[delivers],
        relied_on={name: table.facts.get(name, "") for name in relied_on},
    )
    return Draft(table, standing, step.lines, append, delivers)


def written(service: Service, draft: Draft) -> Table:
    """Is the table after a draft that was taken; this process counts it, and remembers it from now on."""
    metrics.recorded(draft.lines)
    facts = {**draft.table.facts, **draft.append.change.fields}
    service.memory.keep(draft.table.id, draft.standing, facts)
    return Table(draft.table.id, draft.standing, facts)


def write(
    service: Service,
    table: Table,
    step: matches.Step,
    *,
    token: str = "",
    kept: Mapping[str, str | bytes | int] | None = None,
) -> tuple[Outcome, Table]:
    """Writes a step if the match still stands where `table` has it, and answers the table as it is then.

    `kept` as for `draft`. Unless the outcome is `taken`, nothing was written.
    """
    made = draft(service, table, step, token=token, kept=kept)
    outcome = service.live.append(table.id, made.append)
    return outcome, written(service, made) if outcome == "taken" else table


def _change(
    table: Table | None,
    standing: Standing,
    step: matches.Step,
    *,
    now: int,
    extra: Mapping[str, str | bytes | int],
    fetching: str = "",
) -> Change:
    """Is what a step writes: of the seats only what is not so already, which is known of the version it is made at."""
    match, before = step.match, None if table is None else table.match
    fields: dict[str, str | bytes | int] = {"version": match.version, "head": match.head, **extra}
    if before is None or step.boundary is not None:
        fields["header"] = orjson.dumps(match.header())
    if before is None or before.score != match.score:
        fields["score"] = orjson.dumps(list(match.score))
    if match.is_over:
        fields["over"] = "1"
    asked, asked_before, goes_on = match.asked, () if before is None else before.asked, _asked_still(table, match)
    due: dict[str, int | None] = {}
    fetched = pulled(standing, fetching)[:1] if fetching else ()
    for seat in range(len(standing.bots)):
        if seat in goes_on or not (seat in asked or seat in asked_before or before is None):
            continue
        fields[FIELDS["asked"][seat]] = now if seat in asked else ""
        if seat in asked_before or table is None or table.has("delivered", seat):  # nothing is delivered to others
            fields[FIELDS["delivered"][seat]] = ""
        if seat in fetched:
            fields[FIELDS["delivered"][seat]] = now
            if table is None or not table.has("seen", seat):
                fields[FIELDS["seen"][seat]] = "1"
        if standing.transports[seat] != PUSH:  # which never has one
            delivered = now if seat in fetched else None
            due[SEATS[seat]] = deadline(standing, seat, asked=now, delivered=delivered) if seat in asked else None
    bots, lines = _bots_of(standing, asked), deals.running((), step)
    is_told = before is not None and step.boundary is None and PULL in standing.transports
    told = news.write(lines, fields) if is_told else ""
    return Change(
        lines=lines,  # only what is new, and of it only what belongs to the running deal
        fields=fields,
        due=due,
        turns=_turns(standing, bots, None if before is None else _bots_of(standing, asked_before)),
        wake=Wake(match.terms.match_id, match.version, match.is_over, bots, match.head, told).text(),
    )


def _asked_still(table: Table | None, match: matches.Match) -> tuple[int, ...]:
    """Are the seats that are asked what they were asked before: their clock runs on through what is by-play of others."""
    if table is None or not is_same_question(table.match, match):
        return ()
    before = table.match.asked
    return tuple([seat for seat in match.asked if seat in before and table.has("asked", seat)])


def is_same_question(before: matches.Match, after: matches.Match) -> bool:
    """Tells whether who was asked in `before` is asked the same in `after`: only by-play came, no case, no stop passed.

    By-play answers a stop (`confirm`), and may open a case (`claim`), so the version alone does not tell.
    """
    return not after.is_stale(before.version) and _question(before) == _question(after)


def _question(match: matches.Match) -> tuple[int, str]:
    return 0 if match.case is None else match.case.number, match.stop


def _bots_of(standing: Standing, seats: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([standing.bots[seat] for seat in seats]))


def _turns(standing: Standing, asked: tuple[str, ...], before: tuple[str, ...] | None) -> dict[str, bool]:
    """Are the bots that fetch prompts and whether each is asked, but for those of whom that has not changed."""
    changed = set(standing.bots) if before is None else set(asked) ^ set(before)
    seated = zip(standing.bots, standing.transports, strict=True)
    return {bot: bot in asked for bot, transport in seated if bot in changed and transport == PULL}
