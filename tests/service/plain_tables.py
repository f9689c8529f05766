"""Standings, crosstable and export in the plainest way: every row of the tournament is read, and every result counted by itself.

This is how it was done before results were added up by the database; what is answered now must be the same.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from referee.service import Service, scheduling, showing
from referee.service.entries import entered
from referee.store import match_rows
from referee.tournament import duplicates, schedule
from referee.tournament import standings as counting

Row = dict[str, Any]
SHOWN = (
    *("rank", "bot", "played", "wins", "losses", "game_points_for", "game_points_against", "game_point_difference"),
    *("wins_among_level", "net", "deals_compared", "struck"),
)


def standings(service: Service, tournament_id: str) -> list[Row]:
    """The lines of the table, without names."""
    row, entries, rows = read(service, tournament_id)
    entrants = scheduling.entrants_of(entries)
    withdrawn = [entry["bot"] for entry in entries if entry["state"] == "withdrawn"]
    results, planned = played(rows, entrants), pairings(rows, entrants)
    compared = None
    if row["duplicate"] != "none":
        gone = counting.struck(results, planned, withdrawn)
        compared = duplicates.compare(playings(rows, entrants), kind=row["duplicate"], struck=gone)
    ranked = counting.table(
        results,
        [entry["bot"] for entry in entries],
        planned=planned,
        withdrawn=withdrawn,
        order=row["standings"],
        compared=compared,
    )
    return [{name: getattr(line, name) for name in SHOWN} for line in ranked]


def crosstable(service: Service, tournament_id: str) -> list[Row]:
    """The rows of the crosstable, in the order of the table."""
    order = [line["bot"] for line in standings(service, tournament_id)]
    _, entries, rows = read(service, tournament_id)
    entrants = scheduling.entrants_of(entries)
    withdrawn = [entry["bot"] for entry in entries if entry["state"] == "withdrawn"]
    planned = pairings(rows, entrants)
    cells = counting.crosstable(played(rows, entrants), order, planned=planned, withdrawn=withdrawn)
    met: dict[frozenset[str], list[str]] = {}
    for row in rows:
        if is_told(row):
            for pair in combinations(dict.fromkeys(entrants[bot] for bot in row["bots"]), 2):
                met.setdefault(frozenset(pair), []).append(row["id"])
    return [
        {"bot": bot, "cells": [cell(found, met, bot, other) for other, found in zip(order, line, strict=True)]}
        for bot, line in zip(order, cells, strict=True)
    ]


def cell(found: counting.Cell | None, met: dict[frozenset[str], list[str]], bot: str, other: str) -> Row | None:
    """One cell."""
    if found is None:
        return None
    names = ("wins", "losses", "neither", "game_points_for", "game_points_against")
    return {**{name: getattr(found, name) for name in names}, "matches": met.get(frozenset((bot, other)), [])}


def exported(service: Service, tournament_id: str) -> list[Row]:
    """The matches of the export."""
    _, _, rows = read(service, tournament_id)
    return [showing.match(service, row) for row in rows]


def read(service: Service, tournament_id: str) -> tuple[Row, list[Row], list[Row]]:
    """The tournament, its entries and all its matches."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        return row, entered(connection, tournament_id), match_rows.of_tournament(connection, tournament_id)


def played(rows: list[Row], entrants: dict[str, str]) -> list[counting.Played]:
    """The results of the matches that are over."""
    return [
        counting.Played(
            number=row["number"],
            seats=tuple(entrants[bot] for bot in row["bots"]),
            winner=won_at(row),
            game_points=tuple(row["score"]),
            cause=row["cause"],
        )
        for row in rows
        if is_told(row)
    ]


def is_told(row: Row) -> bool:
    """Whether a match is over, and its packs are played out."""
    return row["state"] == "done" and not row["withheld"]


def won_at(row: Row) -> int | tuple[int, ...] | None:
    """The seat that won; of three of whom one lost alone the others."""
    if row["winner"] is None and row["lost_by"] is not None:
        return tuple(seat for seat in range(len(row["bots"])) if seat != row["lost_by"])
    winner: int | None = row["winner"]
    return winner


def pairings(rows: list[Row], entrants: dict[str, str]) -> list[schedule.Pairing]:
    """The schedule."""
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


def playings(rows: list[Row], entrants: dict[str, str]) -> list[duplicates.Playing]:
    """What is compared of a duplicate tournament."""
    return [
        duplicates.Playing(
            packs=row["packs"],
            seats=tuple(entrants[bot] for bot in row["bots"]),
            deals=tuple(duplicates.Deal(*deal[:3], tuple(deal[3])) for deal in row["deals"]),
        )
        for row in rows
        if is_told(row) and row["cause"] != "overruled" and row["deals"] is not None
    ]
