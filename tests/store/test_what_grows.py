"""What is asked of the record for every match is found by an index, and not by going through all the matches there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from referee.store import bot_rows, match_rows, room_rows, tournament_rows
from referee.store.record import Record, open_record
from tests.conftest import EMBEDDED
from tests.store.test_migrations import CUP
from tests.store.test_record import bot, match

AT = "2026-01-01T00:00:00.000Z"
ASKED: dict[str, Callable[[Connection], Any]] = {
    "is there another to open": lambda there: room_rows.candidates(there, "tournament", limit=1),
    "is there another check to open": lambda there: room_rows.candidates(there, "check", limit=1),
    "is there another friendly to open": lambda there: room_rows.candidates(there, "friendly", limit=1),
    "who has room": lambda there: room_rows.rooms(there, ["bot_1", "bot_2"]),
    "is the tournament at its end": lambda there: match_rows.has_open(there, "trn_1"),
    "which tournaments are at their end": tournament_rows.played_out,
    "what is live": lambda there: match_rows.in_state(there, "live"),
    "one match": lambda there: match_rows.by_id(there, "mat_1"),
    "on whose packs others play": lambda there: match_rows.shares_packs(there, {"id": "mat_1", "packs": "p"}),
    "a page": lambda there: match_rows.of_tournament(there, "trn_1", after=(3, 0), limit=2),
    "a page of a state": lambda there: match_rows.of_tournament(there, "trn_1", after=(3, 0), limit=2, state="done"),
    "a page of all": lambda there: match_rows.page(there, before="mat_9", limit=2),
    "a page of all in a state": lambda there: match_rows.page(there, before="mat_9", limit=2, state="done"),
}


@pytest.fixture
def record(empty_database_url: str, tmp_path: Path) -> Iterator[Record]:
    opened = open_record(empty_database_url, data_dir=tmp_path)
    try:
        with opened.writing() as connection:
            tournament_rows.add(connection, CUP)
            for number in (1, 2, 3):
                bot_rows.add(connection, bot(number, concurrency=2))
                tournament_rows.enter(connection, "trn_1", bot=f"bot_{number}", at=AT)
            ours = {"tournament": "trn_1", "kind": "tournament"}
            rows = [{**match(n, **ours, state=state(n), bots=pair(n), ended_at=AT), "number": n} for n in range(1, 9)]
            match_rows.add(connection, rows)
        yield opened
    finally:
        opened.close()


def state(number: int) -> str:
    return "done" if number < 4 else "live" if number == 4 else "planned"


def pair(number: int) -> tuple[str, str]:
    return (("bot_1", "bot_2"), ("bot_1", "bot_3"), ("bot_2", "bot_3"))[number % 3]


@contextmanager
def statements(record: Record) -> Iterator[list[tuple[str, Any]]]:
    """Gathers what the record is asked, with the parameters."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        asked.append((statement, parameters))

    event.listen(record.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(record.engine, "before_cursor_execute", note)


@pytest.mark.parametrize("what", ASKED)
def test_nothing_that_is_asked_for_a_match_goes_through_all_of_them(record: Record, what: str, store_kind: str) -> None:
    with statements(record) as asked, record.reading() as connection:
        ASKED[what](connection)
    assert asked
    if store_kind != EMBEDDED:
        return  # a PostgreSQL plans by how many rows there are, and here there are few
    with record.reading() as connection:
        for statement, parameters in asked:
            steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            assert [step for step in steps if goes_through_all(step, what)] == [], statement


def goes_through_all(step: str, what: str) -> bool:
    """Tells whether a step of a plan looks at all matches, or sorts what it has found before the first is taken."""
    if step.startswith(("SCAN matches", "SCAN seats", "SCAN other")):
        return True
    return step == "USE TEMP B-TREE FOR ORDER BY" and what != "what is live"  # few are, and all of them are wanted


def test_what_is_next_is_looked_for_only_where_two_have_room(record: Record) -> None:
    with record.writing() as connection:
        assert list(room_rows.candidates(connection, "tournament", limit=9)) == ["mat_5", "mat_6", "mat_7", "mat_8"]
        connection.execute(text("UPDATE bots SET concurrency = 1 WHERE id IN ('bot_1', 'bot_3')"))
    with statements(record) as asked, record.reading() as connection:
        assert room_rows.candidates(connection, "tournament", limit=9) == {}
    assert not [statement for statement, _ in asked if statement.startswith("SELECT matches")], "one bot alone has room"


def test_voiding_what_is_planned_leaves_the_rest_and_others_alone(record: Record) -> None:
    with record.writing() as connection:
        ours = [row["id"] for row in match_rows.of_tournament(connection, "trn_1") if "bot_1" in row["bots"]]
        voided = match_rows.void_planned(connection, "trn_1", reason="gone", at=AT, bot="bot_1")
        rows = {row["id"]: row for row in match_rows.of_tournament(connection, "trn_1")}
        void = {match_id for match_id, row in rows.items() if row["state"] == "void"}
        assert void == {match_id for match_id in ours if int(match_id[4:]) > 4}
        assert voided == len(void) > 0
        assert {rows[match_id]["reason"] for match_id in void} == {"gone"}
        assert match_rows.void_planned(connection, "trn_1", reason="over", at=AT) == 4 - voided
        assert [row["id"] for row in match_rows.live_of_tournament(connection, "trn_1")] == ["mat_4"]
        assert match_rows.live_of_tournament(connection, "trn_1", bot="bot_2") == []
        assert match_rows.has_open(connection, "trn_1")
        match_rows.move(connection, "mat_4", origin=("live",), to="done", ended_at="2026-01-02")
        assert not match_rows.has_open(connection, "trn_1")
        assert [row["id"] for row in match_rows.latest_of_bot(connection, "trn_1", bot="bot_1", limit=1)] == ["mat_4"]
