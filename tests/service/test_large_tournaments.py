"""Tournaments of many matches: tables are added up by the database, pages and export hold a bounded number of rows.

Whatever is answered is what the plain way comes to (`plain_tables`), in records full of everything that can have happened.
"""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from referee.service import Service, cursors, entries, tournaments
from referee.store import match_rows, result_rows, tournament_rows
from tests.service import large_record, plain_tables
from tests.service.playing_along import ORGANISER, Bot, register

MIB = 2**20
KINDS: dict[str, dict[str, Any]] = {
    "match wins": {"ruleset": "house", "cycles": 3},
    "game points": {"ruleset": "house", "cycles": 3, "standings": "game_points"},
    "paired": {"ruleset": "house", "cycles": 2, "duplicate": "paired"},
    "field": {"ruleset": "house", "cycles": 2, "duplicate": "field"},
    "three": {"ruleset": "three_handed", "cycles": 2},
    "three, game points, field": {
        "ruleset": "three_handed",
        "cycles": 2,
        "standings": "game_points",
        "duplicate": "field",
    },
    "four": {"ruleset": "four_handed", "cycles": 2},
    "four, paired": {"ruleset": "cruce", "cycles": 2, "duplicate": "paired"},
}


def created(service: Service, seated: list[Bot], **fields: Any) -> str:
    """A tournament that is not begun; where teams play, the first three are of two bots each."""
    ids = [bot.id for bot in seated]
    if fields["ruleset"] in ("four_handed", "cruce"):
        pairs, alone = ids[:6], ids[6:]
        teams = [{"name": f"pair {n}", "bots": pairs[n : n + 2]} for n in range(0, 6, 2)]
        fields |= {"teams": teams, "entrants": alone}
    else:
        fields["entrants"] = ids
    return str(tournaments.create(service, {"name": "cup", **fields}, caller=ORGANISER)["id"])


def withdrawn(service: Service, cup: str, dice: random.Random, *, count: int) -> None:
    """So many of those who are entered are gone, and what was planned for them is void."""
    with service.record.writing() as connection:
        found = entries.entered(connection, cup)
        gone = dice.sample(found, count)
        bots = {bot for entry in gone for bot, _ in entry["members"]}
        for entry in gone:
            tournament_rows.settle(connection, cup, bot=entry["bot"], state="withdrawn")
        for row in match_rows.of_tournament(connection, cup):
            if bots.intersection(row["bots"]):
                match_rows.move(connection, row["id"], origin=match_rows.OPEN, to="void", reason="withdrawn")


@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_are_those_of_the_plain_way_in_records_of_all_kinds(
    service: Service, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_rows, "ADDED_AT_ONCE", 10)  # so that sums are added to sums
    monkeypatch.setattr(match_rows, "AT_ONCE", 7)
    seated = [register(service, f"bot {n}") for n in range(9)]
    met: set[str] = set()
    for seed in range(6):
        dice = random.Random(f"{kind}/{seed}")
        cup = created(service, seated, **KINDS[kind])
        large_record.filled(service, cup, dice=dice, done=(0.0, 0.3, 0.4, 0.6, 0.9, 1.0)[seed], void=0.15)
        withdrawn(service, cup, dice, count=seed % 3)
        shown = tournaments.standings(service, cup)["standings"]
        plain = plain_tables.standings(service, cup)
        assert [{name: line[name] for name in plain_tables.SHOWN} for line in shown] == plain
        met |= {what_became_of(line) for line in shown}
        cross = tournaments.crosstable(service, cup)
        assert json.dumps(cross["rows"]) == json.dumps(plain_tables.crosstable(service, cup))
        empty = [{**row, "cells": [each and {**each, "matches": []} for each in row["cells"]]} for row in cross["rows"]]
        assert tournaments.crosstable(service, cup, matches=False) == {**cross, "rows": empty}
        document = json.loads(b"".join(tournaments.export(service, cup)))
        assert document == {
            "tournament": tournaments.get_tournament(service, cup),
            "standings": shown,
            "matches": plain_tables.exported(service, cup),
        }
    compared = {"compared"} if "duplicate" in KINDS[kind] else set()
    assert met == {"struck", "withdrawn", "entered", *compared}, (
        "the records lack what the tables are to be right about"
    )


def what_became_of(line: dict[str, Any]) -> str:
    """In a word, what is special about a line of the table."""
    if line["deals_compared"] and line["state"] == "entered":
        return "compared"
    return "struck" if line["struck"] else str(line["state"])


def test_an_export_without_a_match_is_a_document_too(service: Service) -> None:
    cup = created(service, [register(service, "Ada"), register(service, "Bea")], ruleset="house")
    assert json.loads(b"".join(tournaments.export(service, cup)))["matches"] == []


@contextmanager
def memory_within(most: int) -> Iterator[None]:
    """Holds what is done to so many bytes more than before, at any moment of it."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most, f"{peak / MIB:.1f} MiB"


BOTS, CYCLES = 15, 12
MATCHES = 2520
AT_MOST = 5 * MIB
"""A fifteenth of what the rows of such a tournament take when all are read."""


def test_a_tournament_of_many_matches_answers_without_loading_them_all(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    real: Callable[..., list[Any]] = match_rows._with_seats

    def counted(*args: Any, **kwargs: Any) -> list[Any]:
        rows = real(*args, **kwargs)
        held.append(len(rows))
        return rows

    monkeypatch.setattr(match_rows, "_with_seats", counted)
    seated = [register(service, f"bot {n}") for n in range(BOTS)]
    cup = created(service, seated, ruleset="house", cycles=CYCLES, duplicate="paired")
    large_record.filled(service, cup, dice=random.Random(66))
    with memory_within(AT_MOST):
        lines = tournaments.standings(service, cup)["standings"]
        assert sum(line["played"] for line in lines) > MATCHES  # by two
        tournaments.crosstable(service, cup, matches=False)
    with memory_within(AT_MOST):
        late = cursors.write(f"{MATCHES - 10}.0")
        assert len(tournaments.list_matches(service, cup, cursor=late, limit=50).items) == 10
        assert len(tournaments.list_matches(service, cup, limit=50, state="done").items) == 50
    with pytest.raises(AssertionError, match="MiB"), memory_within(AT_MOST):
        plain_tables.standings(service, cup)
    size = count = 0
    held.clear()
    with memory_within(AT_MOST):
        for piece in tournaments.export(service, cup):
            size, count = size + len(piece), count + piece.count(b'"log_sha256"')
    assert count == MATCHES
    assert size > AT_MOST / 4
    assert max(held) <= max(match_rows.AT_ONCE, result_rows.AT_ONCE)
