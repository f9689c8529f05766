"""Salts: what bots give toward their packs, once the commitment to the seed is out and before the first card is dealt."""

from __future__ import annotations

from typing import Any

from referee import match as play_layer
from referee.service import access, showing
from referee.service.base import Caller, Service
from referee.service.clock import wall_time
from referee.service.entries import entered
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.store import match_rows, salt_rows


def give_for_match(service: Service, match_id: str, *, salt: str, caller: Caller) -> dict[str, Any]:
    """Takes the salt of a seated bot for a friendly that is planned; once all its bots have given one it is opened.

    Answers SALT `{"match","bot","salt","commitment"}`. 401, 403 `match/not_seated`, 404 `match/unknown`; 409 `salt/too_late`
    (it is open), `salt/given` (another salt), `salt/of_tournament` (its salts are the tournament's); 422 `salt/unfit`.
    """
    _require_fit(salt)
    bot = access.bot_of(caller)
    with service.record.writing() as connection:
        row = match_rows.by_id(connection, match_id)
        if row is None:
            raise unknown("match", match_id)
        if bot not in row["bots"]:
            raise ServiceProblem(
                403, "match/not_seated", title="Not seated there", detail=f"Your bot has no seat in {match_id}."
            )
        if row["tournament"] is not None:
            detail = f"Salts for {match_id} are given to {row['tournament']}, before it starts."
            raise ServiceProblem(409, "salt/of_tournament", title="Give it to the tournament", detail=detail)
        if row["state"] != "planned":
            raise _too_late(f"{match_id} is {row['state']}")
        _require_kept(salt_rows.give(connection, match_id, bot=bot, salt=salt, at=wall_time()), salt)
        if salt_rows.of(connection, match_id).keys() >= set(row["bots"]):
            match_rows.move(connection, match_id, origin=("planned",), to="planned", opens_after=None)
    service.jobs.hint("advance")
    return {"match": match_id, "bot": bot, "salt": salt, "commitment": row["commitment"]}


def give_for_tournament(service: Service, tournament_id: str, *, salt: str, caller: Caller) -> dict[str, Any]:
    """Takes the salt of an entered bot for all its matches in a tournament that has not started.

    Answers SALT with `tournament` in place of `match`. 401, 404 `tournament/unknown`, `entry/unknown`; 409 `salt/too_late`,
    `salt/given`; 422 `salt/unfit`.
    """
    _require_fit(salt)
    bot = access.bot_of(caller)
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        if bot not in {member for entry in entered(connection, tournament_id) for member, _ in entry["members"]}:
            raise unknown("entry", bot)
        if row["state"] != "created":
            raise _too_late(f"{tournament_id} is {row['state']}")
        _require_kept(salt_rows.give(connection, tournament_id, bot=bot, salt=salt, at=wall_time()), salt)
    return {"tournament": tournament_id, "bot": bot, "salt": salt, "commitment": row["commitment"]}


def _require_fit(salt: object) -> None:
    if not play_layer.is_salt(salt):
        raise unfit("salt/unfit", [("/salt", "must be 64 lower-case hexadecimal digits, drawn at random")])


def _require_kept(kept: str, salt: str) -> None:
    if kept != salt:
        detail = f"Your bot gave {kept} before; a salt once given stays."
        raise ServiceProblem(409, "salt/given", title="A salt is given already", detail=detail)


def _too_late(what: str) -> ServiceProblem:
    detail = f"{what}; a salt is given after the commitment is published and before the first pack is made."
    return ServiceProblem(409, "salt/too_late", title="Too late for a salt", detail=detail)
