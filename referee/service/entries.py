"""Entries of a tournament: bots and, where partners play, teams of two; who may enter whom, and who is in already.

A team is known by its captain, the bot that is named first. A bot that enters with another's bot makes an offer, which
becomes an entry as soon as that bot enters with it in turn; an offer nobody has taken up lapses at the start.

offered -> entered -> withdrawn
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from referee.service import access, names, plays, showing, withdrawing
from referee.service.base import Caller, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.store import bot_rows, tournament_rows

MEMBERS = ("entrants", "teams", "open_entry")
MOST = 500
LONGEST_NAME = 64
SHOWN = ("tournament", "bot", "name", "state", "members", "entered_at")


@dataclass(frozen=True, slots=True)
class Team:
    """What is entered: one bot, or the two of a team, the captain first, and its own name if it has one."""

    bots: tuple[str, ...]
    name: str | None = None


def read(fields: Mapping[str, Any], play: Mapping[str, Any], *, code: str) -> list[Team]:
    """Reads who is entered in a new tournament from the start, in the order of the table: `entrants`, then `teams`.

    Where partners play an entrant is a team of its own, in both partner seats. 422 `code` with `errors`.
    """
    entrants, teams = fields.get("entrants") or [], fields.get("teams") or []
    errors = _unfit_teams(teams, play)
    if not isinstance(entrants, list) or not all(isinstance(each, str) for each in entrants):
        errors.append(("/entrants", f"must be a list of at most {MOST} ids of bots"))
    elif isinstance(teams, list) and len(entrants) + len(teams) > MOST:
        errors.append(
            ("/entrants", f"there are {len(entrants) + len(teams)} with the teams, and at most {MOST} may be")
        )
    if errors:
        raise unfit(code, errors)
    seats = 2 if plays.has_partners(play) else 1
    alone = [Team((bot,) * seats) for bot in entrants]
    return alone + [Team((team["bots"][0], team["bots"][-1]), team.get("name")) for team in teams]


def enter(
    service: Service,
    tournament_id: str,
    *,
    bot_id: str,
    caller: Caller,
    partner: str | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """Enters a bot, where partners play a team: itself where entry is open, or the organiser.

    `partner` (usually the bot itself, in both partner seats) and `name` are for teams. With another's bot it is an offer,
    unless the organiser makes it, until that bot enters with `bot_id` for its partner; the name is then the offer's.
    Answers ENTRY `{"tournament","bot","name","state":"entered|offered","members":[{"bot","name"}],"entered_at"}`.
    409 `tournament/entered_twice`, `tournament/not_open` (already started), `entry/name_taken`;
    403 `tournament/entry_closed`; 422 `entry/unfit` with `errors`.
    """
    access.require_owner(caller, bot_id)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        _require_open(row, caller)
        _require_fit(row, partner, name)
        team = (bot_id, partner or bot_id) if plays.has_partners(row["play"]) else (bot_id,)
        agreed = caller.kind == "organiser" or team[-1] == bot_id
        offer = None if agreed else _offer(connection, row, by=team[-1], to=bot_id)
        if offer is None:
            add(connection, row, team, name=name, state="entered" if agreed else "offered")
        else:
            _take_up(connection, row, offer, name=name)
        found = tournament_rows.entries_of(connection, tournament_id)
    captain = bot_id if offer is None else offer["bot"]
    return _shown(next(entry for entry in found if entry["bot"] == captain))


def withdraw(service: Service, tournament_id: str, *, bot_id: str, caller: Caller) -> dict[str, Any]:
    """Withdraws a bot's entry, or its team's; answers ENTRY (state `withdrawn`). Before the start it is gone; later its
    live matches are lost by withdrawal, its planned ones void, and its finished ones stand as the tournament's rules say.

    An offer is withdrawn, or declined, likewise. 404 `entry/unknown`; 409 `tournament/over`.
    """
    access.require_owner(caller, bot_id)
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        entry = _entry_of(tournament_rows.entries_of(connection, tournament_id), bot_id)
    if entry is None:
        raise unknown("entry", bot_id)
    if row["state"] in ("finished", "cancelled"):
        raise over(row)
    withdrawing.from_tournament(service, tournament_id, captain=entry["bot"], bot_id=bot_id)
    return {**_shown(entry), "state": "withdrawn"}


def add(
    connection: Connection,
    row: Mapping[str, Any],
    team: Sequence[str],
    *,
    name: str | None = None,
    state: str = "entered",
) -> None:
    """Adds an entry of one bot or of two, the captain first; it takes the place of an offer that the captain has made.

    404 `bot/unknown`; 409 `tournament/entered_twice`, `entry/name_taken`.
    """
    bots = bot_rows.by_ids(connection, sorted(set(team)))
    for bot in team:
        if bot not in bots or bots[bot]["state"] != "active":
            raise unknown("bot", bot)
    others = entered(connection, row["id"])
    _require_free(team, others)
    if len(team) > 1:
        _require_free_name(name or tournament_rows.team_name(bots[bot]["name"] for bot in team), others)
    captain, partner = team[0], team[1] if len(team) > 1 else None
    tournament_rows.drop_entry(connection, row["id"], bot=captain)
    tournament_rows.enter(connection, row["id"], bot=captain, partner=partner, name=name, state=state, at=wall_time())


def entered(connection: Connection, tournament_id: str) -> list[dict[str, Any]]:
    """Are the entries that count, withdrawn ones among them, in order: all but the offers."""
    return [entry for entry in tournament_rows.entries_of(connection, tournament_id) if entry["state"] != "offered"]


def _unfit_teams(teams: object, play: Mapping[str, Any]) -> list[tuple[str, str]]:
    if not plays.has_partners(play):
        seats = play["options"]["seats"]
        said = f"is for rule-sets of partners; {play['ruleset']} seats {seats}, each for itself: name them as entrants"
        return [("/teams", said)] if teams else []
    if not isinstance(teams, list):
        return [("/teams", "must be a list of teams, each with its bots")]
    return [error for place, team in enumerate(teams) for error in _unfit_team(f"/teams/{place}", team)]


def over(row: Mapping[str, Any]) -> ServiceProblem:
    """Is the 409 for a tournament that has ended."""
    detail = f"{row['id']} is {row['state']}; that is its end."
    return ServiceProblem(409, "tournament/over", title="The tournament is over", detail=detail)


def _unfit_team(pointer: str, team: object) -> list[tuple[str, str]]:
    if not isinstance(team, dict):
        return [(pointer, "must be an object with `bots` and perhaps a `name`")]
    errors = [(f"{pointer}/{name}", "is not a member of a team") for name in team if name not in ("bots", "name")]
    bots, name = team.get("bots"), team.get("name")
    if not isinstance(bots, list) or len(bots) not in (1, 2) or not all(isinstance(bot, str) for bot in bots):
        errors.append((f"{pointer}/bots", "must be the ids of two bots, or one id for a bot in both partner seats"))
    if name is not None and not _is_name(name):
        errors.append((f"{pointer}/name", f"must be text of 1 to {LONGEST_NAME} printable characters"))
    return errors


def _require_open(row: Mapping[str, Any], caller: Caller) -> None:
    if caller.kind != "organiser" and not row["open_entry"]:
        detail = f"Only the organiser enters bots in {row['id']}: it has no open entry."
        raise ServiceProblem(403, "tournament/entry_closed", title="Entry is closed", detail=detail)
    if row["state"] != "created":
        detail = f"{row['id']} is {row['state']}; entries are taken until it starts."
        raise ServiceProblem(409, "tournament/not_open", title="Entries are closed", detail=detail)


def _require_fit(row: Mapping[str, Any], partner: str | None, name: str | None) -> None:
    given = [member for member, value in (("/partner", partner), ("/name", name)) if value is not None]
    if given and not plays.has_partners(row["play"]):
        said = f"is for teams, and {row['play']['ruleset']} is played by each for itself: leave it out"
        raise unfit("entry/unfit", [(member, said) for member in given])
    if name is not None and not _is_name(name):
        raise unfit("entry/unfit", [("/name", f"must be text of 1 to {LONGEST_NAME} printable characters")])


def _is_name(name: object) -> bool:
    return names.is_name(name, most=LONGEST_NAME)


def _require_free(team: Iterable[str], others: Iterable[Mapping[str, Any]]) -> None:
    where = {bot: entry for entry in others for bot, _ in entry["members"]}
    for bot in team:
        if bot in where:
            taken = where[bot]
            of = f", in the team {taken['name']}" if len(taken["members"]) > 1 else ""
            detail = f"{bot} is entered already{of}; a bot enters once."
            raise ServiceProblem(409, "tournament/entered_twice", title="Entered already", detail=detail)


def _require_free_name(name: str, others: Iterable[Mapping[str, Any]]) -> None:
    if bot_rows.name_key(name) in {bot_rows.name_key(entry["name"]) for entry in others}:
        detail = f"Another team here is called {name!r} already; names differ in more than capitals."
        raise ServiceProblem(409, "entry/name_taken", title="The name is taken", detail=detail)


def _offer(connection: Connection, row: Mapping[str, Any], *, by: str, to: str) -> dict[str, Any] | None:
    found = tournament_rows.entries_of(connection, row["id"])
    return next((each for each in found if (each["state"], each["bot"], each["partner"]) == ("offered", by, to)), None)


def _take_up(connection: Connection, row: Mapping[str, Any], offer: Mapping[str, Any], *, name: str | None) -> None:
    if name is not None and name != offer["name"]:
        said = f"the team was offered as {offer['name']!r}: enter it so, or leave the name out"
        raise unfit("entry/unfit", [("/name", said)])
    others = entered(connection, row["id"])
    _require_free((offer["bot"], offer["partner"]), others)
    _require_free_name(offer["name"], others)
    tournament_rows.settle(connection, row["id"], bot=offer["bot"], state="entered")


def _entry_of(found: Sequence[dict[str, Any]], bot_id: str) -> dict[str, Any] | None:
    """Is the entry a bot is in; else the offer it has made, else the first made to it."""
    of_bot = [entry for entry in found if bot_id in (entry["bot"], entry["partner"])]
    order = sorted(of_bot, key=lambda entry: (entry["state"] == "offered", entry["bot"] != bot_id))
    return next(iter(order), None)


def _shown(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in SHOWN} | {"members": showing.members(entry)}
