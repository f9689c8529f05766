"""Matches: friendlies, and everything that can be read of a match."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import orjson
from sqlalchemy import Connection

from referee import match as play_layer
from referee.rules.cards import SEATS
from referee.service import (
    access,
    archiving,
    copies,
    cursors,
    following,
    friendlies,
    ids,
    packs,
    plays,
    prompts,
    replays,
    scheduling,
    showing,
    table,
    tokens,
    tournaments,
)
from referee.service.base import Caller, Page, Service
from referee.service.clock import wall_time, written
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.service.wakes import waiter
from referee.store import log_rows, match_rows, room_rows, tournament_rows

ANYBODY = Caller()
FRIENDLY = (*plays.MEMBERS, "bots", "seed", "wait_for_salts_ms")
LONGEST_SALT_WAIT_MS = 60_000
LONGEST_WAIT = 30.0
MOST_EVENTS = 1000


def create_friendly(service: Service, fields: Mapping[str, Any], *, caller: Caller) -> dict[str, Any]:
    """Seats bots in a friendly and answers MATCH; opened as soon as all have room (`concurrency`).

    fields: `bots` (ids in seat order, as many as the rule-set has seats), `ruleset`, `overrides`, `conduct`, `calls`,
    `clock`, `seed` (organiser only), `wait_for_salts_ms`: how long it waits for the salts of all its bots.
    401 `auth/token_missing`; 403 `auth/not_yours`, `bot/declines_friendlies`; 404 `bot/unknown`;
    409 `match/too_many_friendlies` with `bot` and `most`; 422 `match/unfit` with `errors`.
    """
    bots = _named_bots(fields, caller)
    access.require_one_of(caller, bots)
    friendlies.record_ended(service, bots, caller)
    with service.record.reading() as connection:  # mostly what is refused is refused without the lock
        friendlies.admit(connection, bots, caller)
    play = plays.read(service, fields, code="match/unfit", longest=friendlies.LONGEST)
    _require_as_many_as_seats(bots, play)
    seed = bytes.fromhex(fields["seed"]) if fields.get("seed") else secrets.token_bytes(32)
    patience = fields.get("wait_for_salts_ms", 0)
    opens_after = written(time.time() + patience / 1000) if patience else None
    with service.record.writing() as connection:
        room_rows.one_opener_at_a_time(connection)
        names = friendlies.admit(connection, bots, caller)
        row = planned("friendly", tuple(bots), names=names, play=play, seed=seed)
        match_rows.add(connection, [{**row, "asked_by": friendlies.asker(caller), "opens_after": opens_after}])
    service.jobs.hint("advance")
    return get_match(service, row["id"])


def planned(
    kind: str, bots: tuple[str, ...], *, names: tuple[str, ...], play: Mapping[str, Any], seed: bytes
) -> dict[str, Any]:
    """Is the row of a match outside of tournaments, to be opened when there is room; the server draws the first dealer."""
    return {
        "id": ids.new_id("mat"),
        "kind": kind,
        "number": 1,
        "replay": 0,
        "cycle": 1,
        "round": 1,
        "state": "planned",
        "play": dict(play),
        "first_dealer": None,
        **scheduling.seed_columns(seed),
        "created_at": wall_time(),
        "bots": bots,
        "names": names,
    }


def list_matches(
    service: Service, *, cursor: str | None = None, limit: int = 50, bot: str | None = None, state: str | None = None
) -> Page:
    """Is a page of MATCH, newest first, of one bot or state if given."""
    before, limit = cursors.read(cursor), cursors.bounded(limit)
    with service.record.reading() as connection:
        rows = match_rows.page(connection, before=before, limit=limit + 1, bot=bot, state=state)
    return cursors.page(rows, limit, show=lambda row: showing.match(service, row), place=lambda row: row["id"])


def get_match(service: Service, match_id: str) -> dict[str, Any]:
    """Is MATCH. 404 `match/unknown`.

    MATCH: `{"id","tournament": id|null,"number","cycle","round","state":"planned|live|done|void",
    "seats":{"a":{"bot","name"},"b":...},"sides":[["a"],["b"]] (partners together),"first_dealer":"a"|null,"ruleset",
    "overrides","conduct","calls","clock","commitment","version" (events so far; null while planned; it and all
    that tells of the result up to "log_sha256" null while "withheld"),
    "score":{"a","b"}|null,"winner":"a"|null (of partners the first),"lost_by": of three or four who lost the match by
    itself|null (are the others level then, both have won and "winner" is null),"cause"|null (`match.causes`),
    "evidence" (what the cause rests on)|null,"log_sha256"|null,
    "seed"|null (hex, after the end),"created_at","opened_at"|null,"ended_at"|null,"reason"}`:
    why it is void or was overruled or, in the answer about one match, what a planned one waits for.
    """
    row = _row(service, match_id)
    if row["state"] == "live" and archiving.catch_up(service, match_id):
        row = _row(service, match_id)
    waits = row["reason"]
    if row["state"] == "planned":
        with service.record.reading() as connection:
            waits = _waits_for(connection, row)
    return {**showing.match(service, row), "reason": waits}


def _waits_for(connection: Connection, row: Mapping[str, Any]) -> str:
    """Says what a planned match waits for."""
    if row["opens_after"] is not None and row["opens_after"] > wall_time():
        return f"the salts of its bots, until {row['opens_after']}"
    tournament = tournament_rows.by_id(connection, row["tournament"]) if row["tournament"] else None
    if tournament is not None and tournament["state"] != "running":
        return f"its tournament is {tournament['state']}"
    rooms = room_rows.rooms(connection, sorted(set(row["bots"])))
    full = [
        f"{room.name} ({bot}) plays {room.live} of at most {room.concurrency}"
        for bot, room in rooms.items()
        if room.is_full
    ]
    kept = [f"{room.name} ({bot})" for bot, room in rooms.items() if not room.takes(row["kind"])]
    if full:
        return "a bot is busy: " + "; ".join(full)
    return "matches of a tournament come first for " + "; ".join(kept) if kept else "it is opened in a moment"


def get_view(
    service: Service, match_id: str, *, caller: Caller, wait: float = 0.0, after: int = 0, seat: str | None = None
) -> dict[str, Any]:
    """Is what the caller's seat may know; a spectator's view for anybody else.

    `{"match","version","over","seat":"a"|null,"view":{...},"asked":bool}` and, where the seat is asked, `"prompt": PROMPT`
    (this delivers it: the clock runs from now). A bot that sits in several seats gets `seat`
    (its letter), else the one that is asked, else its first; 403 `match/not_seated` for a seat that is not the caller's.
    With `wait`, answers once the version exceeds `after` or the time is over. 409 `match/planned`, `match/void`;
    401 `auth/token_unknown` as soon as the token dies meanwhile.
    """
    until = time.monotonic() + min(wait, LONGEST_WAIT)
    if wait <= 0:
        return _view(service, match_id, caller, letter=seat)
    with waiter(service.wakes, [match_id, *tokens.topics(caller)]) as woken:
        while True:
            shown = _view(service, match_id, caller, above=after, letter=seat)
            left = service.wakes.left(until)
            if shown["version"] > after or shown["over"] or left <= 0:
                return shown if shown["version"] > after else _view(service, match_id, caller, letter=seat)
            woken(left)
            tokens.require_alive(service, caller)


def get_events(
    service: Service,
    match_id: str,
    *,
    after: int = 0,
    wait: float = 0.0,
    limit: int = MOST_EVENTS,
    caller: Caller = ANYBODY,
) -> tuple[tuple[bytes, ...], bool]:
    """Are the canonical lines of the events numbered above `after` (at most `limit`), and whether the match is over.

    With `wait` (seconds) holds until there is one. Lines are compact JSON objects without newline; send them as they are.
    403 `match/packs_in_play`; 401 `auth/token_unknown` for a token that has died, also meanwhile.
    """
    tokens.require_alive(service, caller)
    packs.require_open(service, match_id, caller)
    lines, over = following.lines(service, match_id, after)
    if not lines and not over and wait > 0:
        until = time.monotonic() + min(wait, LONGEST_WAIT)
        with waiter(service.wakes, [match_id, *tokens.topics(caller)]) as woken:
            lines, over = following.lines(service, match_id, after)
            while not lines and not over and (left := service.wakes.left(until)) > 0:
                woken(left)
                tokens.require_alive(service, caller)
                lines, over = following.lines(service, match_id, after)
    return lines[: max(1, limit)], over and len(lines) <= max(1, limit)


def get_log(service: Service, match_id: str) -> bytes:
    """Is the whole sealed log of a finished match, NDJSON, as archived. 409 `match/not_over`, `match/void`, 404;
    403 `match/packs_in_play`, to whoever asks: the seed is in it."""
    packs.require_over(service, match_id)
    log = _archived(service, match_id)
    if log is None and archiving.catch_up(service, match_id):
        log = _archived(service, match_id)
    if log is None:
        row = _row(service, match_id)
        if row["state"] == "void":
            raise _nothing_to_see(row)
        detail = f"{match_id} is {row['state']}: a match has its sealed log once it is done."
        raise ServiceProblem(409, "match/not_over", title="No log yet", detail=detail)
    return copies.one(log)


def get_log_json(service: Service, match_id: str) -> bytes:
    """Is the same as one JSON document: `{"match": id, "events": [...], "seal": {...}}`. 409 `match/not_over`, 404."""
    *events, seal = get_log(service, match_id).splitlines()
    return copies.one(b'{"match":%s,"events":[%s],"seal":%s}' % (orjson.dumps(match_id), b",".join(events), seal))


def get_transcript(service: Service, match_id: str, *, caller: Caller = ANYBODY) -> str:
    """Is the match as readable text; of a live match as far as it has come. 403 `match/packs_in_play`."""
    packs.require_open(service, match_id, caller)
    return play_layer.transcript(following.lines(service, match_id, 0)[0])


def get_rulings(service: Service, match_id: str, *, caller: Caller = ANYBODY) -> dict[str, Any]:
    """Is `{"match","rulings":[event of type "ruled", ...]}`, live or finished. 403 `match/packs_in_play`."""
    packs.require_open(service, match_id, caller)
    with service.record.reading() as connection:
        found = log_rows.rulings(connection, match_id)
    if found is None:
        found = archiving.rulings(following.lines(service, match_id, 0)[0])
    return {"match": match_id, "rulings": found}


def _view(
    service: Service, match_id: str, caller: Caller, *, above: int = -1, letter: str | None = None
) -> dict[str, Any]:
    if caller.bot is None and letter is None:  # a spectator, of whom there may be many
        return service.readings.shared(("view", match_id, caller.kind), partial(_seen, service, match_id, caller))
    return _seen(service, match_id, caller, above=above, letter=letter)


def _seen(
    service: Service, match_id: str, caller: Caller, *, above: int = -1, letter: str | None = None
) -> dict[str, Any]:
    try:
        now = table.load(service, match_id)
    except table.NotLive:
        return _last_view(service, match_id, caller, letter)
    seat = now.seat_of(caller.bot) if letter is None else _own_seat(now.standing.bots, caller, letter)
    if seat is None and "shared" in now.facts:
        packs.require_open(service, match_id, caller)
    asked = seat in now.match.asked
    shown = _shown(now.match, seat, match_id) | {"asked": asked}
    if seat is None or not asked or now.match.version <= above:
        return shown
    if now.standing.transports[seat] == table.PULL:
        prompt = prompts.deliver(service, now, seat)
        if prompt is None:
            return _view(service, match_id, caller, above=above, letter=letter)
        return {**shown, "prompt": prompt}
    return {**shown, "prompt": prompts.prompt(now, seat, at=service.clock.now_ms(), delivered=None)}


def _shown(match: play_layer.Match, seat: int | None, match_id: str) -> dict[str, Any]:
    letter = None if seat is None else SEATS[seat]
    view = play_layer.view(match, seat)
    return {"match": match_id, "version": match.version, "over": match.is_over, "seat": letter, "view": view}


def _own_seat(bots: Sequence[str], caller: Caller, letter: str) -> int:
    """Is the seat of that letter, which the caller's bot sits in. 403 `match/not_seated`."""
    seat = SEATS.index(letter)
    if caller.bot is None or seat >= len(bots) or bots[seat] != caller.bot:
        detail = f"Seat {letter} of this match is not your bot's; without `seat` you are shown what you may see."
        raise ServiceProblem(403, "match/not_seated", title="Not seated there", detail=detail)
    return seat


def _last_view(service: Service, match_id: str, caller: Caller, letter: str | None) -> dict[str, Any]:
    packs.require_open(service, match_id, caller)
    row, log = _row(service, match_id), _archived(service, match_id)
    if log is None:
        raise _nothing_to_see(row)
    last = replays.last(log)
    seat = row["bots"].index(caller.bot) if caller.bot in row["bots"] else None
    if letter is not None:
        seat = _own_seat(row["bots"], caller, letter)
    return _shown(last, seat, match_id) | {"asked": False}


def _archived(service: Service, match_id: str) -> bytes | None:
    """Is the log of a match that is done; None too for a void one, whose events are kept unsealed."""
    with service.record.reading() as connection:
        log = log_rows.read(connection, match_id)
    return log if log is not None and following.is_sealed(log.splitlines()) else None


def _row(service: Service, match_id: str) -> dict[str, Any]:
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is None:
        raise unknown("match", match_id)
    return row


def _nothing_to_see(row: Mapping[str, Any]) -> ServiceProblem:
    if row["state"] == "void":
        played = f" What was played is at /v1/matches/{row['id']}/events." if row["events"] else ""
        detail = f"{row['id']} is void: {row['reason']}. It does not count and is never sealed.{played}"
        return ServiceProblem(409, "match/void", title="The match is void", detail=detail)
    detail = f"{row['id']} is not open yet."
    return ServiceProblem(409, "match/planned", title="Not open yet", detail=detail)


def _require_as_many_as_seats(bots: list[str], play: Mapping[str, Any]) -> None:
    wanted = play["options"]["seats"]
    if len(bots) != wanted:
        letters = ", ".join(SEATS[:wanted])
        detail = f"names {len(bots)}; {play['ruleset']} is played by {wanted}, at the seats {letters}"
        raise unfit("match/unfit", [("/bots", detail)])


def _named_bots(fields: Mapping[str, Any], caller: Caller) -> list[str]:
    errors = [(f"/{name}", "is not a member of a friendly") for name in fields if name not in FRIENDLY]
    bots, seed = fields.get("bots"), fields.get("seed")
    fits = isinstance(bots, list) and 2 <= len(bots) <= len(SEATS) and all(isinstance(bot, str) for bot in bots)
    if not fits:
        errors.append(("/bots", "must be a list of ids of bots in the order of seats: a, b and so on"))
    patience = fields.get("wait_for_salts_ms", 0)
    if type(patience) is not int or not 0 <= patience <= LONGEST_SALT_WAIT_MS:
        errors.append(("/wait_for_salts_ms", f"must be a whole number of ms from 0 to {LONGEST_SALT_WAIT_MS}"))
    if seed is not None and (caller.kind != "organiser" or not tournaments.is_seed(seed)):
        errors.append(("/seed", "is the organiser's to give, 64 hexadecimal digits"))
    if errors:
        raise unfit("match/unfit", errors)
    return list(bots or [])
