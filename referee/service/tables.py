"""Standings, crosstable, matches and export of a tournament: what has been played, read off the record."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import orjson
from sqlalchemy import Connection

from referee.service import cursors, plays, scheduling, showing
from referee.service.base import Page, Service
from referee.service.entries import entered
from referee.store import match_rows, result_rows
from referee.tournament import duplicates
from referee.tournament import standings as counting

Row = dict[str, Any]
OVERRULED = "overruled"


def standings(service: Service, tournament_id: str) -> dict[str, Any]:
    """Is `{"tournament","state","standings":[{"rank","bot","name","played","wins","losses","game_points_for",
    "game_points_against","game_point_difference","wins_among_level","net","deals_compared" (both null
    unless duplicate),"state":"entered|withdrawn","struck"}]}`, best first. Of a duplicate tournament a match counts, here and
    in the crosstable, once its packs are played out."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        return {"tournament": row["id"], "state": row["state"], "standings": _standings(connection, row)}


def crosstable(service: Service, tournament_id: str, *, matches: bool = True) -> dict[str, Any]:
    """Is `{"tournament","bots":[{"bot","name"}],"rows":[{"bot","cells":[null | {"wins","losses","neither" (won by a
    third),"game_points_for","game_points_against","matches":["mat_.."]}]}]}`; rows and cells in the order of the standings.

    Without `matches` those are left empty: they are as many as have been played, twice, while all the rest is small."""
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        entries = entered(connection, tournament_id)
        found = _results(connection, row, entries)
        ranked = _ranked(connection, row, entries, found=found)
        order = [line["bot"] for line in ranked]
        cells: Sequence[Sequence[counting.Cell | None]] = [[None] for _ in order]
        met: dict[frozenset[str], list[str]] = {}
        if len(order) > 1:
            cells = counting.crosstable_of_sums(found.sums, order, due=found.due, withdrawn=found.withdrawn)
            met = _met(connection, row, found.entrants) if matches else {}
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


def export(service: Service, tournament_id: str) -> Iterator[bytes]:
    """Gives the whole tournament as one JSON document, piece by piece: `{"tournament": TOURNAMENT, "standings": [...],
    "matches": [MATCH, ...]}`. It is of one moment: the record is read in one transaction, which lasts until the last piece.

    404 `tournament/unknown`, with the first piece.
    """
    with service.record.reading() as connection:
        row = showing.tournament_row(connection, tournament_id)
        head = {"tournament": showing.tournament(connection, row), "standings": _standings(connection, row)}
        yield orjson.dumps(head).removesuffix(b"}") + b',"matches":['
        before = b""
        for rows in match_rows.pages_of_tournament(connection, tournament_id):
            yield before + b",".join(orjson.dumps(showing.match(service, each)) for each in rows)
            before = b","
        yield b"]}"


@dataclass(frozen=True, slots=True)
class _Results:
    """What the tables of a tournament rest on: results added up, who plays for whom, who has withdrawn, and the pairings
    of those."""

    sums: list[counting.Sum]
    entrants: Mapping[str, str]
    withdrawn: list[str]
    due: list[counting.Due]


def _results(connection: Connection, row: Row, entries: Sequence[Row]) -> _Results:
    size, entrants = plays.seats(row["play"]), scheduling.entrants_of(entries)
    gone = [entry for entry in entries if entry["state"] == "withdrawn"]
    due = []
    if gone:
        bots = [bot for entry in gone for bot, _ in entry["members"]]
        due = result_rows.planned(connection, row["id"], size=size, among=bots, shared=_shared(row))
    return _Results(
        sums=_sums(connection, row, size, entrants),
        entrants=entrants,
        withdrawn=[entry["bot"] for entry in gone],
        due=[counting.Due(_seats(each.bots, entrants), each.times, each.unfinished) for each in due],
    )


def _sums(connection: Connection, row: Row, size: int, entrants: Mapping[str, str]) -> list[counting.Sum]:
    sums: dict[tuple[Any, ...], counting.Sum] = {}
    for some in result_rows.sums(connection, row["id"], size=size, shared=_shared(row)):
        for each in some:
            seats, won_at = _seats(each.bots, entrants), _won_at(each)
            before = sums.get((seats, won_at))
            points, times = each.points, each.times
            if before is not None:
                points = tuple(map(operator.add, before.game_points, points))
                times += before.times
            sums[seats, won_at] = counting.Sum(seats, won_at, points, times)
        time.sleep(0)  # others go on meanwhile where requests are greenlets
    return list(sums.values())


def _shared(row: Row) -> bool:
    """Tells whether matches of a tournament are played on the same packs: then only what is played out may be told."""
    return bool(row["duplicate"] != "none")


def _standings(connection: Connection, row: Row) -> list[Row]:
    entries = entered(connection, row["id"])
    return _ranked(connection, row, entries, found=_results(connection, row, entries))


def _ranked(connection: Connection, row: Row, entries: Sequence[Row], *, found: _Results) -> list[Row]:
    lines = {entry["bot"]: entry for entry in entries}
    if len(lines) < 2:  # nobody to be ranked against yet
        lonely = counting.Row(1, "", 0, 0, 0, 0, 0, 0, struck=False)
        return [_line(replace(lonely, bot=bot), entry) for bot, entry in lines.items()]
    compared = None
    if row["duplicate"] != "none":
        gone = counting.struck_of(found.sums, found.due, found.withdrawn)
        compared = _compared(connection, row, found.entrants, struck=gone)
    ranked = counting.table_of_sums(
        found.sums, list(lines), due=found.due, withdrawn=found.withdrawn, order=row["standings"], compared=compared
    )
    return [_line(line, lines[line.bot]) for line in ranked]


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
    connection: Connection, row: Row, entrants: Mapping[str, str], *, struck: frozenset[str]
) -> duplicates.Compared:
    """Is what a duplicate tournament compares: the deals of matches that are over and were not overruled (D1 to D5)."""
    size = plays.seats(row["play"])
    tables = (
        [duplicates.Playing(each.packs, _seats(each.bots, entrants), _deals(each.deals)) for each in together]
        for together in result_rows.by_packs(connection, row["id"], size=size, without=OVERRULED)
    )
    return duplicates.compare_tables(tables, kind=row["duplicate"], struck=struck)


def _deals(kept: Iterable[Any]) -> tuple[duplicates.Deal, ...]:
    return tuple(duplicates.Deal(number, attempt, dealer, tuple(points)) for number, attempt, dealer, points in kept)


def _seats(bots: Iterable[str], entrants: Mapping[str, str]) -> tuple[str, ...]:
    """Are the entrants that play where these bots sit."""
    return tuple(entrants[bot] for bot in bots)


def _won_at(result: result_rows.Summed) -> int | tuple[int, ...] | None:
    """Is the seat that won or, where one of three has lost the match and the others are level, the seats of those (T4)."""
    if result.winner is None and result.lost_by is not None:
        return tuple(seat for seat in range(len(result.bots)) if seat != result.lost_by)
    return result.winner


def _met(connection: Connection, row: Row, entrants: Mapping[str, str]) -> dict[frozenset[str], list[str]]:
    """Are the matches that are over by each two entrants who played them against each other."""
    met: dict[frozenset[str], list[str]] = {}
    size = plays.seats(row["play"])
    found = result_rows.met(connection, row["id"], size=size, shared=_shared(row))
    for number, (match_id, bots) in enumerate(found):
        if number % result_rows.ADDED_AT_ONCE == 0:
            time.sleep(0)
        for pair in combinations(dict.fromkeys(_seats(bots, entrants)), 2):
            met.setdefault(frozenset(pair), []).append(match_id)
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
