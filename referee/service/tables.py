"""Standings, crosstable, matches and export of a tournament: what has been played, read off the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from sqlalchemy import Connection

from referee.service import cursors, scheduling, showing
from referee.service.base import Page, Service
from referee.service.entries import entered
from referee.store import match_rows
from referee.tournament import duplicates, schedule
from referee.tournament import standings as counting

Row = dict[str, Any]
OVERRULED = "overruled"


def standings(service: Service, tournament_id: str) -> dict[str, Any]:
    """Is `{"tournament","state","standings":[{"rank","bot","name","played","wins","losses","game_points_for",
    "game_points_against","game_point_difference","wins_among_level","net","deals_compared" (both null
    unless duplicate),"state":"entered|withdrawn","struck"}]}`, best first."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        return {"tournament": row["id"], "state": row["state"], "standings": _standings(connection, row)}


def crosstable(service: Service, tournament_id: str) -> dict[str, Any]:
    """Is `{"tournament","bots":[{"bot","name"}],"rows":[{"bot","cells":[null | {"wins","losses","neither" (won by a
    third),"game_points_for","game_points_against","matches":["mat_.."]}]}]}`; rows and cells in the order of the standings."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        ranked = _standings(connection, row)
        order = [line["bot"] for line in ranked]
        rows = match_rows.of_tournament(connection, tournament_id)
        withdrawn = [line["bot"] for line in ranked if line["state"] == "withdrawn"]
        entrants = scheduling.entrants_of(entered(connection, tournament_id))
    cells: Sequence[Sequence[counting.Cell | None]] = [[None] for _ in order]
    if len(order) > 1:
        planned = _pairings(rows, entrants)
        cells = counting.crosstable(_played(rows, entrants), order, planned=planned, withdrawn=withdrawn)
    met = _met(rows, entrants)
    return {
        "tournament": tournament_id,
        "bots": [{"bot": line["bot"], "name": line["name"]} for line in ranked],
        "rows": [
            {"bot": bot, "cells": [_cell(cell, met, bot, other) for other, cell in zip(order, line, strict=True)]}
            for bot, line in zip(order, cells, strict=True)
        ],
    }


def list_matches(
    service: Service, tournament_id: str, *, cursor: str | None = None, limit: int = 50, state: str | None = None
) -> Page:
    """Is a page of MATCH (see `matches.get_match`) in schedule order, of one state if given. 400 `page/cursor_unknown`."""
    limit, place = cursors.bounded(limit), cursors.read(cursor)
    number, _, replay = (place or "0.-1").partition(".")
    after = (int(number), int(replay)) if number.isdigit() and replay.lstrip("-").isdigit() else (0, -1)
    with service.record.reading() as connection:
        showing.tournament_row(connection, tournament_id)
        rows = match_rows.of_tournament(connection, tournament_id, after=after, limit=limit + 1, state=state)
    return cursors.page(
        rows, limit, show=lambda row: showing.match(service, row), place=lambda row: f"{row['number']}.{row['replay']}"
    )


def export(service: Service, tournament_id: str) -> dict[str, Any]:
    """Is the whole tournament in one document: `{"tournament": TOURNAMENT, "standings": [...], "matches": [MATCH, ...]}`."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        shown = showing.tournament(connection, row)
        ranked = _standings(connection, row)
        rows = match_rows.of_tournament(connection, tournament_id)
    return {"tournament": shown, "standings": ranked, "matches": [showing.match(service, each) for each in rows]}


def _standings(connection: Connection, row: Row) -> list[Row]:
    entries = {entry["bot"]: entry for entry in entered(connection, row["id"])}
    if len(entries) < 2:  # nobody to be ranked against yet
        lonely = counting.Row(1, "", 0, 0, 0, 0, 0, 0, struck=False)
        return [_line(replace(lonely, bot=bot), entry) for bot, entry in entries.items()]
    rows = match_rows.of_tournament(connection, row["id"])
    withdrawn = [bot for bot, entry in entries.items() if entry["state"] == "withdrawn"]
    entrants = scheduling.entrants_of(entries.values())
    played, planned = _played(rows, entrants), _pairings(rows, entrants)
    compared = None
    if row["duplicate"] != "none":
        gone = counting.struck(played, planned, withdrawn)
        compared = _compared(rows, entrants, kind=row["duplicate"], struck=gone)
    ranked = counting.table(
        played, list(entries), planned=planned, withdrawn=withdrawn, order=row["standings"], compared=compared
    )
    return [_line(line, entries[line.bot]) for line in ranked]


def _line(line: counting.Row, entry: Row) -> Row:
    return {
        "rank": line.rank,
        "bot": line.bot,
        "name": entry["name"],
        "played": line.played,
        "wins": line.wins,
        "losses": line.losses,
        "game_points_for": line.game_points_for,
        "game_points_against": line.game_points_against,
        "game_point_difference": line.game_point_difference,
        "wins_among_level": line.wins_among_level,
        "net": line.net,
        "deals_compared": line.deals_compared,
        "state": entry["state"],
        "struck": line.struck,
    }


def _compared(
    rows: list[Row], entrants: Mapping[str, str], *, kind: str, struck: frozenset[str]
) -> duplicates.Compared:
    """Is what a duplicate tournament compares: the deals of matches that are over and were not overruled (D1 to D5)."""
    playings = [
        duplicates.Playing(
            packs=row["packs"],
            seats=tuple(entrants[bot] for bot in row["bots"]),
            deals=tuple(
                duplicates.Deal(number, attempt, dealer, tuple(points))
                for number, attempt, dealer, points in row["deals"]
            ),
        )
        for row in rows
        if row["state"] == "done" and row["cause"] != OVERRULED and row["deals"] is not None
    ]
    return duplicates.compare(playings, kind=kind, struck=struck)


def _played(rows: list[Row], entrants: Mapping[str, str]) -> list[counting.Played]:
    """Are the results of the matches that are over, their seats named by the entrants that play there."""
    return [
        counting.Played(
            number=row["number"],
            seats=tuple(entrants[bot] for bot in row["bots"]),
            winner=_won_at(row),
            game_points=tuple(row["score"]),
            cause=row["cause"],
        )
        for row in rows
        if row["state"] == "done"
    ]


def _won_at(row: Row) -> int | tuple[int, ...] | None:
    """Is the seat that won or, where one of three has lost the match and the others are level, the seats of those (T4)."""
    if row["winner"] is None and row["lost_by"] is not None:
        return tuple(seat for seat in range(len(row["bots"])) if seat != row["lost_by"])
    winner: int | None = row["winner"]
    return winner


def _pairings(rows: list[Row], entrants: Mapping[str, str]) -> list[schedule.Pairing]:
    return [
        schedule.Pairing(
            number=row["number"],
            cycle=row["cycle"],
            round=row["round"],
            table=1,
            seats=tuple(entrants[bot] for bot in row["bots"]),
            first_dealer=row["first_dealer"],
        )
        for row in rows
        if row["replay"] == 0
    ]


def _met(rows: list[Row], entrants: Mapping[str, str]) -> dict[frozenset[str], list[str]]:
    """Are the matches that are over by each two entrants who played them against each other."""
    met: dict[frozenset[str], list[str]] = {}
    for row in rows:
        if row["state"] == "done":
            for pair in combinations(dict.fromkeys(entrants[bot] for bot in row["bots"]), 2):
                met.setdefault(frozenset(pair), []).append(row["id"])
    return met


def _cell(cell: counting.Cell | None, met: dict[frozenset[str], list[str]], bot: str, other: str) -> Row | None:
    if cell is None:
        return None
    return {
        "wins": cell.wins,
        "losses": cell.losses,
        "neither": cell.neither,
        "game_points_for": cell.game_points_for,
        "game_points_against": cell.game_points_against,
        "matches": met.get(frozenset((bot, other)), []),
    }
