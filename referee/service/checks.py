"""Checks: one deal with the built-in `random` at all other seats, which tells an author what his bot got wrong."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from referee.service import access, advancing, matches, plays, reporting, tournaments
from referee.service.base import Caller, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.store import bot_rows, check_rows, match_rows

MEMBERS = ("ruleset", "overrides", "conduct", "clock", "seed")
ONE_DEAL = {"target": 1}
A_BID_AT_LEAST = {"all_pass": "dealer_forced_1"}  # or a bot that never bids would be dealt to for ever


def start_check(
    service: Service, bot_id: str, *, caller: Caller, fields: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Starts a check of one's own bot and answers CHECK at once (state `queued` or `running`).

    fields: `ruleset` (default house), `overrides`, `conduct`, `clock`, `seed` (hex), all optional.
    CHECK: `{"id": 3, "bot": "bot_..", "state": "queued|running|done", "position": checks before it or null,
    "match": "mat_..", "passed": bool or null, "prompts": int, "acts": int, "refused": [{"seat","body","problem"}],
    "late": [{"version","elapsed_ms"}], "unread": int (prompts never fetched),
    "unanswered": [why a post to a push bot got no answer, ...], "irregular": [ruling event, ...],
    "cause": match cause or null, "reason": why it waits, else "", "advice": [sentence, ...], "created_at", "ended_at"}`.
    401, 403, 404 `bot/unknown`; 409 `check/running` when one is under way; 422 `check/unfit`.
    """
    access.require_owner(caller, bot_id)
    play, seed = _read(service, fields or {})
    with service.record.writing() as connection:
        bot = bot_rows.by_id(connection, bot_id)
        if bot is None or bot["state"] != "active":
            raise unknown("bot", bot_id)
        if check_rows.under_way(connection, bot_id):
            detail = f"A check of {bot_id} is under way; wait for it to end."
            raise ServiceProblem(409, "check/running", title="Checked already", detail=detail)
        others = play["options"]["seats"] - 1
        seated, names = (bot_id, *(advancing.HOUSE_BOT,) * others), (bot["name"], *(advancing.HOUSE_NAME,) * others)
        row = matches.planned("check", seated, names=names, play=play, seed=seed)
        match_rows.add(connection, [row])
        number = check_rows.add(connection, bot_id, match=row["id"], report=reporting.EMPTY, at=wall_time())
    service.jobs.hint("advance")
    return get_check(service, bot_id, number=number, caller=caller)


def get_check(service: Service, bot_id: str, *, number: int, caller: Caller) -> dict[str, Any]:
    """Is CHECK number `number` of a bot (own token or organiser). 404 `check/unknown`."""
    access.require_owner(caller, bot_id)
    with service.record.reading() as connection:
        row = check_rows.by_number(connection, bot_id, number=number)
        if row is None:
            raise unknown("check", f"{bot_id}/{number}")
        match = match_rows.by_id(connection, row["match"])
        shown = _shown(connection, row, match)
    if shown["state"] == "running":
        lines, _ = matches.get_events(service, row["match"])
        shown |= reporting.so_far(service, row["match"], seat=0, lines=lines)
    return shown


def _shown(connection: Connection, row: Mapping[str, Any], match: Mapping[str, Any] | None) -> dict[str, Any]:
    planned = match is not None and match["state"] == "planned"
    void = match is not None and match["state"] == "void"
    state = "done" if row["state"] == "done" or void else "queued" if planned else "running"
    waits = check_rows.under_way(connection) if planned else []
    before = [(check["bot"], check["number"]) for check in waits].index((row["bot"], row["number"])) if waits else None
    reason = "it is opened when the bot's `concurrency` has room" if planned else ""
    verdict = {"passed": None, "cause": None, **row["report"]}
    return {
        "id": row["number"],
        "bot": row["bot"],
        "state": state,
        "position": before,
        "match": row["match"],
        **verdict,
        "reason": str(match["reason"]) if match is not None and void else reason,
        "created_at": row["created_at"],
        "ended_at": row["ended_at"],
    }


def _read(service: Service, fields: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    errors = [(f"/{name}", "is not a member of a check") for name in fields if name not in MEMBERS]
    seed = fields.get("seed")
    if seed is not None and not tournaments.is_seed(seed):
        errors.append(("/seed", "must be 64 hexadecimal digits"))
    if not isinstance(fields.get("overrides") or {}, dict):
        errors.append(("/overrides", "must be an object of option names and values"))
    if errors:
        raise unfit("check/unfit", errors)
    overrides = {**(fields.get("overrides") or {}), **ONE_DEAL}
    play = plays.read(service, {**fields, "overrides": overrides}, code="check/unfit")
    if play["options"]["bidding"] != "none":
        overrides |= A_BID_AT_LEAST
        play = plays.read(service, {**fields, "overrides": overrides}, code="check/unfit")
    return play, bytes.fromhex(seed) if seed else secrets.token_bytes(32)
