"""Bots: registration, tokens, the list, changes, farewell."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from referee.match.terms import CHORES
from referee.service import access, addresses, cursors, ids, names, tokens, withdrawing
from referee.service.base import Caller, Page, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.store import bot_rows

CHANGEABLE = ("name", "url", "chores", "language", "version", "concurrency", "accepts_friendlies")
SHOWN = ("id", "name", "transport", "chores", "language", "version", "concurrency", "accepts_friendlies", "state")
MOST_CONCURRENT = 1000

_log = logging.getLogger(__name__)


def register(service: Service, fields: Mapping[str, Any], *, caller: Caller) -> dict[str, Any]:
    """Registers a bot: `{"bot": BOT, "token": TOKEN}`, for push also `"webhook_secret": "whsec_..."`.

    fields: `name` (1-64 characters, free among active bots), `transport` pull|push, `url` (push only), `chores`
    (of shuffle, cut, deal, draw, watch), `language`, `version`, `concurrency` (1-1000), `accepts_friendlies`.
    BOT: `{"id","name","transport","chores":[],"language","version","concurrency","accepts_friendlies",
    "state":"active|deleted","created_at"}`; `url` too where the caller is the bot itself or the organiser.

    403 `auth/organiser_only` where REFEREE_REGISTRATION=token; 409 `bot/name_taken`; 422 `bot/unfit` with `errors`;
    422 `push/address_refused`.
    """
    if service.settings.registration == "token":
        access.require_organiser(caller)
    row, token = _new(fields), ids.new_token()
    _require_fit(service, row)
    row |= {"id": ids.new_id("bot"), "token_hash": ids.token_hash(token), "state": "active", "created_at": wall_time()}
    if row["transport"] == "push":
        row["webhook_secret"] = ids.new_webhook_secret()
    try:
        with service.record.writing() as connection:
            bot_rows.add(connection, row)
    except bot_rows.NameTaken as clash:
        raise _name_taken(row["name"]) from clash
    _log.info("a bot is registered", extra={"bot": row["id"], "kind": row["transport"]})
    return _with_secrets(row, token)


def list_bots(service: Service, *, caller: Caller, cursor: str | None = None, limit: int = 50) -> Page:
    """Is a page of active bots (BOT as in `register`), oldest first. 400 `page/cursor_unknown`."""
    after, limit = cursors.read(cursor) or "", cursors.bounded(limit)
    with service.record.reading() as connection:
        rows = bot_rows.page(connection, after=after, limit=limit + 1)
    return cursors.page(rows, limit, show=lambda row: shown(row, caller), place=lambda row: row["id"])


def get_bot(service: Service, bot_id: str, *, caller: Caller) -> dict[str, Any]:
    """Is one bot, also a deleted one. 404 `bot/unknown`."""
    return shown(row_of(service, bot_id), caller)


def patch_bot(service: Service, bot_id: str, *, caller: Caller, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes `name`, `url`, `chores`, `language`, `version`, `concurrency`, `accepts_friendlies`; answers BOT.

    Chores count for matches opened later. `accepts_friendlies` false voids the planned friendlies that others asked for.
    401 `auth/token_missing`, `auth/token_unknown`, 403 `auth/not_yours`, 404, 409 `bot/name_taken` or `bot/deleted`,
    422 as `register`.
    """
    access.require_owner(caller, bot_id)
    row = _active(service, bot_id)
    errors = [(f"/{name}", "cannot be changed") for name in changes if name not in CHANGEABLE]
    if errors:
        raise unfit("bot/unfit", errors)
    changed = {name: _tidy(name, value) for name, value in changes.items()}
    _require_fit(service, {**row, **changed})
    try:
        with service.record.writing() as connection:
            if not bot_rows.change(connection, bot_id, changes=changed, held=caller.token):
                raise _gone(connection, bot_id)
            if changed.get("accepts_friendlies") is False:
                withdrawing.from_friendlies(connection, bot_id)
    except bot_rows.NameTaken as clash:
        raise _name_taken(changed["name"]) from clash
    service.jobs.hint("advance")  # there may be room for more matches now
    return shown({**row, **changed}, caller)


def delete_bot(service: Service, bot_id: str, *, caller: Caller) -> None:
    """Takes a bot out: its token dies, live matches are lost by withdrawal, planned ones are no longer opened.

    Its record stays. Deleting twice is no error for the organiser (the bot's own token is dead by then).
    """
    access.require_owner(caller, bot_id)
    row = row_of(service, bot_id)
    if row["state"] == "active":
        with service.record.writing() as connection:
            changed = bot_rows.change(connection, bot_id, changes={"state": "deleted"}, held=caller.token)
            if not changed and (gone := _gone(connection, bot_id)).status == 401:
                raise gone  # else another has deleted it meanwhile
        tokens.tell_dead(service, bot_id)
    withdrawing.from_everything(service, bot_id)


def rotate_token(service: Service, bot_id: str, *, caller: Caller) -> dict[str, Any]:
    """Gives `{"bot": BOT, "token": NEW}` (push: `webhook_secret` new as well); the old token is dead from now on.

    Of two who rotate with one token at once one succeeds, and the other is told that his is dead: 401 `auth/token_unknown`.
    All processes are told at once; `tokens` says what holds where they cannot be.
    """
    access.require_owner(caller, bot_id)
    row, token = _active(service, bot_id), ids.new_token()
    changes = {"token_hash": ids.token_hash(token)}
    if row["transport"] == "push":
        changes["webhook_secret"] = ids.new_webhook_secret()
    with service.record.writing() as connection:
        if not bot_rows.change(connection, bot_id, changes=changes, held=caller.token):
            raise _gone(connection, bot_id)
    tokens.tell_dead(service, bot_id)
    return _with_secrets({**row, **changes}, token)


def row_of(service: Service, bot_id: str) -> dict[str, Any]:
    """Is the bot's row. 404 `bot/unknown`."""
    with service.record.reading() as connection:
        row = bot_rows.by_id(connection, bot_id)
    if row is None:
        raise unknown("bot", bot_id)
    return row


def shown(row: Mapping[str, Any], caller: Caller) -> dict[str, Any]:
    """Is BOT as this caller may see it."""
    private = {"url": row["url"]} if caller.kind == "organiser" or access.owns(caller, row["id"]) else {}
    return {**{name: row[name] for name in SHOWN}, **private, "created_at": row["created_at"]}


def _with_secrets(row: Mapping[str, Any], token: str) -> dict[str, Any]:
    answer: dict[str, Any] = {"bot": shown(row, Caller("bot", row["id"])), "token": token}
    if row["transport"] == "push":
        answer["webhook_secret"] = row["webhook_secret"]
    return answer


def _new(fields: Mapping[str, Any]) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "name": "",
        "transport": "pull",
        "url": None,
        "chores": [],
        "language": "",
        "version": "",
        "concurrency": 1,
        "accepts_friendlies": True,
        "webhook_secret": None,
    }
    strange = [(f"/{name}", "is not a member of a bot") for name in fields if name not in (*CHANGEABLE, "transport")]
    if strange:
        raise unfit("bot/unfit", strange)
    return usual | {name: _tidy(name, value) for name, value in fields.items()}


def _tidy(name: str, value: Any) -> Any:
    if name == "name" and isinstance(value, str):
        return value.strip()
    if name == "chores" and isinstance(value, (list, tuple)):
        return [chore for chore in CHORES if chore in value] if set(value) <= set(CHORES) else list(value)
    return value


def _require_fit(service: Service, row: Mapping[str, Any]) -> None:
    errors = [*_unfit_texts(row), *_unfit_choices(row)]
    if errors:
        raise unfit("bot/unfit", errors)
    if row["transport"] == "push":
        addresses.require_public(row["url"], allow_private=service.settings.allow_private_push)


def _unfit_texts(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    longest = {"name": 64, "language": 40, "version": 40}
    errors = [
        (f"/{name}", f"must be text of at most {most} printable characters")
        for name, most in longest.items()
        if not isinstance(row[name], str) or len(row[name]) > most or not names.is_visible(row[name])
    ]
    return errors if errors or row["name"].strip() else [("/name", "must not be empty")]


def _unfit_choices(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    errors = []
    if row["transport"] not in ("pull", "push"):
        errors.append(("/transport", "must be pull or push"))
    if row["transport"] == "push" and not isinstance(row["url"], str):
        errors.append(("/url", "is needed for a push bot: the address its prompts are posted to"))
    if row["transport"] == "pull" and row["url"] is not None:
        errors.append(("/url", "is for push bots; a pull bot fetches its prompts itself"))
    if not isinstance(row["chores"], list) or not set(row["chores"]) <= set(CHORES):
        errors.append(("/chores", f"must be a list out of {', '.join(CHORES)}"))
    if type(row["concurrency"]) is not int or not 1 <= row["concurrency"] <= MOST_CONCURRENT:
        errors.append(("/concurrency", f"must be a whole number from 1 to {MOST_CONCURRENT}"))
    if type(row["accepts_friendlies"]) is not bool:
        errors.append(("/accepts_friendlies", "must be true or false"))
    return errors


def _active(service: Service, bot_id: str) -> dict[str, Any]:
    row = row_of(service, bot_id)
    if row["state"] != "active":
        raise _deleted(bot_id)
    return row


def _gone(connection: Connection, bot_id: str) -> ServiceProblem:
    """Is why a bot was not changed: it was deleted meanwhile, or the token that was shown is not its token any more."""
    row = bot_rows.by_id(connection, bot_id)
    return tokens.unknown_token() if row is not None and row["state"] == "active" else _deleted(bot_id)


def _deleted(bot_id: str) -> ServiceProblem:
    detail = f"{bot_id} was deleted; register anew."
    return ServiceProblem(409, "bot/deleted", title="The bot is gone", detail=detail)


def _name_taken(name: str) -> ServiceProblem:
    detail = f"An active bot is called {name!r} already; names differ in more than capitals."
    return ServiceProblem(409, "bot/name_taken", title="The name is taken", detail=detail)
