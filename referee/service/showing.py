"""Rows as the wire shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import Connection

from referee.rules.cards import SEATS
from referee.service import plays, scheduling
from referee.service.base import Service
from referee.service.problems import unknown
from referee.store import match_rows, salt_rows, tournament_rows
from referee.tournament import schedule

ENDED = ("finished", "cancelled")
CLOSED = ("done", "void")
TOLD_LATER = ("version", "score", "winner", "lost_by", "cause", "evidence", "log_sha256")
AS_THEY_ARE = ("id", "tournament", "number", "cycle", "round", "state")


def tournament_row(connection: Connection, tournament_id: str) -> dict[str, Any]:
    """Is the tournament's row. 404 `tournament/unknown`."""
    row = tournament_rows.by_id(connection, tournament_id)
    if row is None:
        raise unknown("tournament", tournament_id)
    return row


def tournament(connection: Connection, row: Mapping[str, Any], *, whole: bool = True) -> dict[str, Any]:
    """Is TOURNAMENT, as `tournaments.create` describes it; in lists without `options`, `balance` and `salts`."""
    entries = tournament_rows.entries_of(connection, row["id"])
    counts = match_rows.counts(connection, row["id"])
    counting = [entry for entry in entries if entry["state"] != "offered"]
    open_ones = {state: counts.get(state, 0) for state in ("planned", "live", "done")}
    return {
        "id": row["id"],
        "name": row["name"],
        "state": row["state"],
        **_play(row),
        "ruleset_digest": row["ruleset_digest"],
        "differences": plays.differences(row["play"]),
        **(_whole(row, counting, salt_rows.of(connection, row["id"])) if whole else {}),
        "format": row["format"],
        "cycles": row["cycles"],
        "standings": row["standings"],
        "duplicate": row["duplicate"],
        "relabel": row["relabel"],
        "withdraw_after": row["withdraw_after"],
        "open_entry": row["open_entry"],
        "entrants": [
            {**{name: entry[name] for name in ("bot", "name", "state")}, "members": members(entry)} for entry in entries
        ],
        "played": counts.get("done", 0),
        "live": counts.get("live", 0),
        "planned": scheduling.count(row, counting) if row["state"] == "created" else sum(open_ones.values()),
        "void": counts.get("void", 0),
        "commitment": row["commitment"],
        "seed": row["seed"] if row["state"] in ENDED else None,
        "created_at": row["created_at"],
        "started_at": row["started_at"],
        "ended_at": row["ended_at"],
    }


def _whole(row: Mapping[str, Any], entries: list[dict[str, Any]], salts: Mapping[str, str]) -> dict[str, Any]:
    options = dict(plays.ruleset_of(row["play"]).options)
    return {"options": options, "balance": scheduling.balance(row, entries), "salts": salts}


def members(entry: Mapping[str, Any]) -> list[dict[str, str]]:
    """Are the bots of an entry, of a team the captain first: `[{"bot","name"}]`."""
    return [{"bot": bot, "name": name} for bot, name in entry["members"]]


def match(service: Service, row: Mapping[str, Any]) -> dict[str, Any]:
    """Is MATCH, as `matches.get_match` describes it.

    While its packs are in play at another table neither its result nor how far it has come is told to anybody, for that
    would tell who plays them there: its own bots have it in their views, the organiser in the log of events.
    """
    hidden = bool(row["withheld"])
    version, score = row["events"], row["score"]
    if row["state"] == "live" and not hidden:
        facts = service.live.some(row["id"], ("version", "score"))
        version = int(facts.get("version", b"0"))
        score = orjson.loads(facts.get("score", b"null"))
    dealer = row["first_dealer"]
    return {
        **{name: row[name] for name in AS_THEY_ARE},
        "seats": {letter: {"bot": row["bots"][n], "name": row["names"][n]} for n, letter in enumerate(letters(row))},
        "sides": [[SEATS[seat] for seat in side] for side in schedule.sides(len(row["bots"]))],
        "first_dealer": None if dealer is None else SEATS[dealer],
        **_play(row),
        "commitment": row["commitment"],
        **(dict.fromkeys(TOLD_LATER) if hidden else _result(row, version=version, score=score)),
        **({"cause": row["cause"]} if row["state"] == "void" else {}),  # that it is void is no result
        "withheld": hidden,
        "seed": row["seed"] if row["state"] in CLOSED and not hidden else None,
        "created_at": row["created_at"],
        "opened_at": row["opened_at"],
        "ended_at": row["ended_at"],
        "reason": row["reason"],
    }


def _result(row: Mapping[str, Any], *, version: int | None, score: Sequence[int] | None) -> dict[str, Any]:
    return {
        "version": version,
        "score": None if score is None else dict(zip(letters(row), score, strict=True)),
        "winner": None if row["winner"] is None else SEATS[row["winner"]],
        "lost_by": None if row["lost_by"] is None else SEATS[row["lost_by"]],
        "cause": row["cause"],
        "evidence": row["evidence"],
        "log_sha256": row["log_sha256"],
    }


def _play(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row["play"].items() if name not in ("options", "derived")}


def letters(row: Mapping[str, Any]) -> str:
    """Are the letters of the seats of a match, such as `ab`."""
    return SEATS[: len(row["bots"])]
