"""Tournaments: creation, entries, the states they go through, and the list of them.

created -> running <-> paused -> finished, and from any but the last: cancelled.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from referee import match as matches
from referee.service import access, cursors, entries, ids, names, plays, scheduling, showing, voiding
from referee.service.base import Caller, Page, Service
from referee.service.clock import wall_time
from referee.service.entries import enter, over
from referee.service.entries import withdraw as withdraw_entry
from referee.service.problems import ServiceProblem, unfit
from referee.service.tables import crosstable, export, list_matches, standings
from referee.store import match_rows, tournament_rows
from referee.tournament import duplicates

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

COMPARING = ("duplicate", "relabel")
MEMBERS = (
    *plays.MEMBERS,
    *entries.MEMBERS,
    *COMPARING,
    "name",
    "format",
    "cycles",
    "standings",
    "withdraw_after",
    "seed",
)
STANDINGS = ("wins", "game_points")
MOST_CYCLES = 100


def create(service: Service, fields: Mapping[str, Any], *, caller: Caller) -> dict[str, Any]:
    """Creates a tournament (organiser) and answers TOURNAMENT.

    fields: `name`, `ruleset`, `overrides`, `format` ("round_robin"), `cycles`, `entrants` (bot ids), `teams` (where partners
    play: `[{"name", "bots": [captain, partner]}]`, one id for a bot in both partner seats, as each of `entrants` is),
    `standings` wins|game_points (what comes first in the table), `open_entry`, `conduct` adjudicate|enforce,
    `calls` referee|players, `clock` {act_ms, bank_ms, increment_ms, grace_ms, absence_ms}, `seed` (64 hex digits),
    `duplicate` none|paired|field (`tournament.duplicates`), `relabel` (suits go by other names at each table, usually true),
    `withdraw_after` (an entrant that loses so many matches in a row by no-show or time is withdrawn; 0: never).
    TOURNAMENT: `{"id","name","state":"created|running|paused|finished|cancelled","ruleset","overrides","ruleset_digest",
    "differences":[{"option","value","named","meaning"}],"options" (the resolved set; not in lists),
    "balance" (see `scheduling.balance`; not in lists),"salts" ({bot: salt}; not in lists),"format","cycles","standings",
    "duplicate","relabel","withdraw_after","conduct","calls","clock","open_entry",
    "entrants":[{"bot" (of a team the captain),"name","members":[{"bot","name"}],"state":"entered|withdrawn|offered"}],
    "played","live","planned" (all that are to be played, without those of withdrawn bots), "void",
    "commitment","seed" (hex after the end, else null),"created_at","started_at","ended_at"}`.
    401/403 `auth/organiser_only`; 404 `bot/unknown`, `ruleset/unknown`; 422 `tournament/unfit` or `ruleset/unknown_option`
    with `errors`; 409 `tournament/entered_twice`, `entry/name_taken`.
    """
    access.require_organiser(caller)
    _require_fit(fields)
    play = plays.read(service, fields, code="tournament/unfit")
    _require_two_sides(fields, play)
    field = entries.read(fields, play, code="tournament/unfit")
    seed = bytes.fromhex(fields["seed"]) if fields.get("seed") else secrets.token_bytes(32)
    row = {
        "id": ids.new_id("trn"),
        "name": fields["name"].strip(),
        "state": "created",
        "play": play,
        "ruleset_digest": plays.ruleset_of(play).digest,
        "format": "round_robin",
        "cycles": fields.get("cycles", 1),
        "standings": fields.get("standings", STANDINGS[0]),
        "duplicate": fields.get("duplicate", duplicates.KINDS[0]),
        "relabel": fields.get("relabel", True),
        "withdraw_after": fields.get("withdraw_after", 0),
        "open_entry": fields.get("open_entry", False),
        "seed": seed.hex(),
        "commitment": matches.commitment(seed),
        "created_at": wall_time(),
    }
    with service.record.writing() as connection:
        tournament_rows.add(connection, row)
        for each in field:
            entries.add(connection, row, each.bots, name=each.name)
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


def start(service: Service, tournament_id: str, *, caller: Caller) -> dict[str, Any]:
    """Lays down the whole schedule in one transaction and lets matches be opened; answers TOURNAMENT.

    Starting twice answers the running tournament. 409 `tournament/too_few`, `tournament/over`.
    """
    access.require_organiser(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if row["state"] in ("finished", "cancelled"):
            raise over(row)
        if row["state"] == "created":
            tournament_rows.drop_offers(connection, tournament_id)
            planned, balance = scheduling.laid_down(row, entries.entered(connection, tournament_id))
            match_rows.add(connection, planned)
            begun = {"balance": balance, "started_at": wall_time()}
            tournament_rows.move(connection, tournament_id, origin=("created",), to="running", **begun)
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
    """Ends it for good: planned and live matches become void, results stay, the seed opens. 409 `tournament/over`."""
    access.require_organiser(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if not tournament_rows.move(
            connection, tournament_id, origin=("created", "running", "paused"), to="cancelled", ended_at=wall_time()
        ):
            raise over(row)
        match_rows.void_planned(connection, tournament_id, reason=voiding.CANCELLED, at=wall_time())
    voiding.clear(service, tournament_id)  # or, where this process dies here, a sweeper does
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


def _require_fit(fields: Mapping[str, Any]) -> None:
    errors = [(f"/{name}", "is not a member of a tournament") for name in fields if name not in MEMBERS]
    name, seed = fields.get("name"), fields.get("seed")
    if not names.is_name(name, most=200):
        errors.append(("/name", "must be text of 1 to 200 printable characters"))
    if fields.get("format", "round_robin") != "round_robin":
        errors.append(("/format", "must be round_robin; there is no other yet"))
    if type(fields.get("cycles", 1)) is not int or not 1 <= fields.get("cycles", 1) <= MOST_CYCLES:
        errors.append(("/cycles", f"must be a whole number from 1 to {MOST_CYCLES}"))
    if fields.get("standings", STANDINGS[0]) not in STANDINGS:
        errors.append(("/standings", f"must be one of {', '.join(STANDINGS)}: what comes first in the table"))
    if fields.get("duplicate", duplicates.KINDS[0]) not in duplicates.KINDS:
        errors.append(("/duplicate", f"must be one of {', '.join(duplicates.KINDS)}"))
    if type(fields.get("relabel", True)) is not bool:
        errors.append(("/relabel", "must be true or false"))
    if type(fields.get("withdraw_after", 0)) is not int or not 0 <= fields.get("withdraw_after", 0) <= MOST_CYCLES:
        errors.append(("/withdraw_after", f"must be a whole number from 0 (never) to {MOST_CYCLES}"))
    if type(fields.get("open_entry", False)) is not bool:
        errors.append(("/open_entry", "must be true or false"))
    if seed is not None and not is_seed(seed):
        errors.append(("/seed", "must be 64 hexadecimal digits"))
    if errors:
        raise unfit("tournament/unfit", errors)


def _require_two_sides(fields: Mapping[str, Any], play: Mapping[str, Any]) -> None:
    """Refuses `paired` where seats cannot be exchanged: at a table of three."""
    if fields.get("duplicate") == "paired" and plays.seats(play) != 2 and not plays.has_partners(play):
        said = f"{play['ruleset']} has more than two sides, which cannot change seats: it may be field, or none"
        raise unfit("tournament/unfit", [("/duplicate", said)])


def is_seed(seed: object) -> bool:
    """Tells whether that is a seed as the wire writes it: 64 lower-case hexadecimal digits."""
    return isinstance(seed, str) and len(seed) == 64 and set(seed) <= set("0123456789abcdef")
