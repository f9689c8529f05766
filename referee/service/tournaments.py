"""Tournaments: creation, entries, the states they go through, and the list of them.

created -> running <-> paused -> finished, and from any but the last: cancelled.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from referee import match as matches
from referee.service import access, cursors, ids, plays, showing, voiding, withdrawing
from referee.service.base import Caller, Page, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.service.tables import crosstable, export, list_matches, standings
from referee.store import bot_rows, match_rows, tournament_rows
from referee.tournament import schedule

__all__ = [
    "cancel",
    "create",
    "crosstable",
    "enter",
    "export",
    "get_tournament",
    "is_seed",
    "list_matches",
    "list_tournaments",
    "pause",
    "resume",
    "standings",
    "start",
    "withdraw_entry",
]

MEMBERS = (*plays.MEMBERS, "name", "format", "cycles", "entrants", "open_entry", "seed")
MOST_CYCLES = 100
MOST_ENTRANTS = 500


def create(service: Service, fields: Mapping[str, Any], *, caller: Caller) -> dict[str, Any]:
    """Creates a tournament (organiser) and answers TOURNAMENT.

    fields: `name`, `ruleset`, `overrides`, `format` ("round_robin"), `cycles`, `entrants` (bot ids), `open_entry`,
    `conduct` adjudicate|enforce, `calls` referee|players, `clock` {act_ms, bank_ms, grace_ms, absence_ms},
    `seed` (64 hex digits).
    TOURNAMENT: `{"id","name","state":"created|running|paused|finished|cancelled","ruleset","overrides","ruleset_digest",
    "differences":[{"option","value","named","meaning"}],"options" (the resolved set; not in lists),
    "format","cycles","conduct","calls","clock","open_entry","entrants":[{"bot","name","state":"entered|withdrawn"}],
    "played","live","planned" (all that are to be played, without those of withdrawn bots), "void",
    "commitment","seed" (hex after the end, else null),"created_at","started_at","ended_at"}`.
    401/403 `auth/organiser_only`; 404 `bot/unknown`, `ruleset/unknown`; 422 `tournament/unfit` or `ruleset/unknown_option`
    with `errors`; 409 `tournament/entered_twice`.
    """
    access.require_organiser(caller)
    _require_fit(fields)
    play = plays.read(service, fields, code="tournament/unfit")
    seed = bytes.fromhex(fields["seed"]) if fields.get("seed") else secrets.token_bytes(32)
    row = {
        "id": ids.new_id("trn"),
        "name": fields["name"].strip(),
        "state": "created",
        "play": play,
        "ruleset_digest": plays.ruleset_of(play).digest,
        "format": "round_robin",
        "cycles": fields.get("cycles", 1),
        "open_entry": fields.get("open_entry", False),
        "seed": seed.hex(),
        "commitment": matches.commitment(seed),
        "created_at": wall_time(),
    }
    with service.record.writing() as connection:
        tournament_rows.add(connection, row)
        for bot_id in fields.get("entrants") or ():
            _enter(connection, row, bot_id)
    return get_tournament(service, row["id"])


def list_tournaments(service: Service, *, cursor: str | None = None, limit: int = 50) -> Page:
    """Is a page of TOURNAMENT, newest first. 400 `page/cursor_unknown`."""
    before, limit = cursors.read(cursor), cursors.bounded(limit)
    with service.record.reading() as connection:
        rows = tournament_rows.page(connection, before=before, limit=limit + 1)
        return cursors.page(
            rows, limit, show=lambda row: showing.tournament(connection, row, whole=False), place=lambda row: row["id"]
        )


def get_tournament(service: Service, tournament_id: str) -> dict[str, Any]:
    """Is TOURNAMENT. 404 `tournament/unknown`."""
    with service.record.reading() as connection:
        return showing.tournament(connection, showing.tournament_row(connection, tournament_id))


def enter(service: Service, tournament_id: str, *, bot_id: str, caller: Caller) -> dict[str, Any]:
    """Enters a bot: itself where entry is open, or the organiser.

    Answers ENTRY `{"tournament","bot","name","state","entered_at"}`.
    409 `tournament/entered_twice`, `tournament/not_open` (already started), 403 `tournament/entry_closed`.
    """
    access.require_owner(caller, bot_id)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if caller.kind != "organiser" and not row["open_entry"]:
            detail = f"Only the organiser enters bots in {tournament_id}: it has no open entry."
            raise ServiceProblem(403, "tournament/entry_closed", title="Entry is closed", detail=detail)
        if row["state"] != "created":
            detail = f"{tournament_id} is {row['state']}; entries are taken until it starts."
            raise ServiceProblem(409, "tournament/not_open", title="Entries are closed", detail=detail)
        _enter(connection, row, bot_id)
        return _entry(connection, tournament_id, bot_id)


def withdraw_entry(service: Service, tournament_id: str, *, bot_id: str, caller: Caller) -> dict[str, Any]:
    """Withdraws an entry; answers ENTRY (state `withdrawn`). Before the start it is gone; later its live matches are
    lost by withdrawal, its planned ones void, and its finished ones stand as the tournament's rules say.

    404 `entry/unknown`; 409 `tournament/over`.
    """
    access.require_owner(caller, bot_id)
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        entry = _entry(connection, tournament_id, bot_id)
    if row["state"] in ("finished", "cancelled"):
        raise _over(row)
    withdrawing.from_tournament(service, tournament_id, bot_id=bot_id)
    return {**entry, "state": "withdrawn"}


def start(service: Service, tournament_id: str, *, caller: Caller) -> dict[str, Any]:
    """Lays down the whole schedule in one transaction and lets matches be opened; answers TOURNAMENT.

    Starting twice answers the running tournament. 409 `tournament/too_few`, `tournament/over`.
    """
    access.require_organiser(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if row["state"] in ("finished", "cancelled"):
            raise _over(row)
        if row["state"] == "created":
            match_rows.add(connection, _schedule(connection, row))
            tournament_rows.move(connection, tournament_id, origin=("created",), to="running", started_at=wall_time())
    service.jobs.hint("advance")
    return get_tournament(service, tournament_id)


def pause(service: Service, tournament_id: str, *, caller: Caller) -> dict[str, Any]:
    """Opens no further match; live ones play on. 409 `tournament/not_running`."""
    return _moved(service, tournament_id, caller, origin="running", to="paused")


def resume(service: Service, tournament_id: str, *, caller: Caller) -> dict[str, Any]:
    """Opens matches again. 409 `tournament/not_paused`."""
    answer = _moved(service, tournament_id, caller, origin="paused", to="running")
    service.jobs.hint("advance")
    return answer


def cancel(service: Service, tournament_id: str, *, caller: Caller) -> dict[str, Any]:
    """Ends it for good: planned and live matches become void, results stay readable, the seed opens. 409 `tournament/over`."""
    access.require_organiser(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if not tournament_rows.move(
            connection, tournament_id, origin=("created", "running", "paused"), to="cancelled", ended_at=wall_time()
        ):
            raise _over(row)
        open_ones = [
            each
            for each in match_rows.of_tournament(connection, tournament_id)
            if match_rows.move(
                connection,
                each["id"],
                origin=("planned", "live"),
                to="void",
                reason="the tournament was cancelled",
                ended_at=wall_time(),
            )
        ]
    for each in open_ones:
        voiding.keep_events(service, each["id"])
        service.live.close(each["id"], bots=set(each["bots"]), seats=showing.letters(each))
    service.live.publish("")
    service.jobs.hint("advance")  # bots have room now
    return get_tournament(service, tournament_id)


def _moved(service: Service, tournament_id: str, caller: Caller, *, origin: str, to: str) -> dict[str, Any]:
    access.require_organiser(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if not tournament_rows.move(connection, tournament_id, origin=(origin,), to=to):
            detail = f"{tournament_id} is {row['state']}, and only a {origin} tournament can become {to}."
            raise ServiceProblem(409, f"tournament/not_{origin}", title=f"Not {origin}", detail=detail)
    return get_tournament(service, tournament_id)


def _enter(connection: Connection, row: Mapping[str, Any], bot_id: str) -> None:
    bot = bot_rows.by_id(connection, bot_id)
    if bot is None or bot["state"] != "active":
        raise unknown("bot", bot_id)
    if any(entry["bot"] == bot_id for entry in tournament_rows.entries_of(connection, row["id"])):
        detail = f"{bot_id} is entered in {row['id']} already; a bot enters once."
        raise ServiceProblem(409, "tournament/entered_twice", title="Entered already", detail=detail)
    tournament_rows.enter(connection, row["id"], bot=bot_id, at=wall_time())


def _entry(connection: Connection, tournament_id: str, bot_id: str) -> dict[str, Any]:
    for entry in tournament_rows.entries_of(connection, tournament_id):
        if entry["bot"] == bot_id:
            shown = ("tournament", "bot", "name", "state", "entered_at")
            return {name: entry[name] for name in shown}
    raise unknown("entry", bot_id)


def _schedule(connection: Connection, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    entries = tournament_rows.entries_of(connection, row["id"])
    names = {entry["bot"]: entry["name"] for entry in entries}
    try:
        pairings = schedule.round_robin(list(names), cycles=row["cycles"])
    except schedule.TournamentError as problem:
        title = "Too few entrants"
        raise ServiceProblem(409, "tournament/too_few", title=title, detail=f"{row['id']}: {problem}") from problem
    return [_planned(row, pairing, names) for pairing in pairings]


def _planned(row: Mapping[str, Any], pairing: schedule.Pairing, names: Mapping[str, str]) -> dict[str, Any]:
    seed = matches.match_seed(bytes.fromhex(row["seed"]), pairing.number)
    return {
        "id": ids.new_id("mat"),
        "kind": "tournament",
        "tournament": row["id"],
        "number": pairing.number,
        "replay": 0,
        "cycle": pairing.cycle,
        "round": pairing.round,
        "state": "planned",
        "play": row["play"],
        "first_dealer": pairing.first_dealer,
        "seed": seed.hex(),
        "commitment": matches.commitment(seed),
        "created_at": wall_time(),
        "bots": pairing.seats,
        "names": tuple(names[bot] for bot in pairing.seats),
    }


def _require_fit(fields: Mapping[str, Any]) -> None:
    errors = [(f"/{name}", "is not a member of a tournament") for name in fields if name not in MEMBERS]
    name, entrants, seed = fields.get("name"), fields.get("entrants") or [], fields.get("seed")
    if not isinstance(name, str) or not name.strip() or len(name) > 200 or not name.isprintable():
        errors.append(("/name", "must be text of 1 to 200 printable characters"))
    if fields.get("format", "round_robin") != "round_robin":
        errors.append(("/format", "must be round_robin; there is no other yet"))
    if type(fields.get("cycles", 1)) is not int or not 1 <= fields.get("cycles", 1) <= MOST_CYCLES:
        errors.append(("/cycles", f"must be a whole number from 1 to {MOST_CYCLES}"))
    if not isinstance(entrants, list) or len(entrants) > MOST_ENTRANTS or not all(isinstance(e, str) for e in entrants):
        errors.append(("/entrants", f"must be a list of at most {MOST_ENTRANTS} ids of bots"))
    if type(fields.get("open_entry", False)) is not bool:
        errors.append(("/open_entry", "must be true or false"))
    if seed is not None and not is_seed(seed):
        errors.append(("/seed", "must be 64 hexadecimal digits"))
    if errors:
        raise unfit("tournament/unfit", errors)


def is_seed(seed: object) -> bool:
    """Tells whether that is a seed as the wire writes it: 64 lower-case hexadecimal digits."""
    return isinstance(seed, str) and len(seed) == 64 and set(seed) <= set("0123456789abcdef")


def _over(row: Mapping[str, Any]) -> ServiceProblem:
    detail = f"{row['id']} is {row['state']}; that is its end."
    return ServiceProblem(409, "tournament/over", title="The tournament is over", detail=detail)
