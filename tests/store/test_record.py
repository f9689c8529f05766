"""The record: its schema is made once by however many processes start, writes are alone, logs are checked."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text, update
from sqlalchemy.exc import IntegrityError

from referee.store import bot_rows, log_rows, match_rows, room_rows, ruleset_rows, schema
from referee.store.record import Record, open_record
from referee.store.tables import logs, metadata

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def record(empty_database_url: str, tmp_path: Path) -> Any:
    opened = open_record(empty_database_url, data_dir=tmp_path)
    yield opened
    opened.close()


def bot(number: int, **others: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "name": f"bot {number}",
        "state": "active",
        "token_hash": f"hash {number}",
        "transport": "pull",
    }
    usual |= {"url": None, "webhook_secret": None, "chores": [], "language": "", "version": "", "concurrency": 1}
    return {"id": f"bot_{number}", **usual, "accepts_friendlies": True, "created_at": "2026-01-01", **others}


def match(number: int, **others: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"kind": "friendly", "number": 1, "replay": 0, "cycle": 1, "round": 1, "state": "live"}
    usual |= {"play": {}, "seed": "", "commitment": "", "created_at": "2026-01-01", "bots": ("bot_1", "bot_2")}
    return {"id": f"mat_{number}", **usual, "names": ("one", "two"), **others}


def test_the_migrations_make_the_tables_the_code_knows(record: Record) -> None:
    with record.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema.NEWEST


def test_many_processes_may_make_the_schema_at_once(empty_database_url: str, tmp_path: Path) -> None:
    program = f"""
from pathlib import Path
from referee.store.record import open_record
open_record({empty_database_url!r}, data_dir=Path({str(tmp_path)!r})).close()
"""
    running = [subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) for _ in range(4)]
    assert [process.wait(120) for process in running] == [0] * 4


def test_sqlite_keeps_what_was_committed(tmp_path: Path) -> None:
    record = open_record(f"sqlite:///{tmp_path / 'record.sqlite'}", data_dir=tmp_path)
    with record.reading() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")
        }
    record.close()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}


def test_a_write_that_fails_leaves_nothing(record: Record) -> None:
    def add_both() -> None:
        with record.writing() as connection:
            bot_rows.add(connection, bot(1))
            bot_rows.add(connection, bot(2, name="BOT 1"))

    with pytest.raises(bot_rows.NameTaken):
        add_both()
    with record.reading() as connection:
        assert bot_rows.count_active(connection) == 0


def test_writers_that_count_wait_for_each_other(record: Record) -> None:
    def add(number: int) -> None:
        with record.writing() as connection:
            room_rows.one_opener_at_a_time(connection)
            count = bot_rows.count_active(connection)
            bot_rows.add(connection, bot(number, name=f"the {count}th"))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with record.reading() as connection:
        names = {row["name"] for row in bot_rows.page(connection, after="", limit=99)}
    assert names == {f"the {count}th" for count in range(12)}


def test_a_reader_sees_one_state_whatever_is_written_meanwhile(record: Record) -> None:
    with record.reading() as connection:
        assert bot_rows.count_active(connection) == 0
        with record.writing() as other:
            bot_rows.add(other, bot(1))
        assert bot_rows.count_active(connection) == 0
    with record.reading() as connection:
        assert bot_rows.count_active(connection) == 1


def test_of_many_who_move_a_match_one_does(record: Record) -> None:
    with record.writing() as connection:
        match_rows.add(connection, [match(1)])
    moved: list[bool] = []
    start = threading.Barrier(8)

    def move(winner: int) -> None:
        start.wait()
        with record.writing() as connection:
            moved.append(match_rows.move(connection, "mat_1", origin=("live",), to="done", winner=winner))

    threads = [threading.Thread(target=move, args=(number % 2,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(moved) == [False] * 7 + [True]


def test_a_match_moves_from_state_to_state_once(record: Record) -> None:
    with record.writing() as connection:
        match_rows.add(connection, [match(1)])
        assert match_rows.move(connection, "mat_1", origin=("live",), to="done", winner=1)
        assert not match_rows.move(connection, "mat_1", origin=("live",), to="done", winner=0)
    with record.reading() as connection:
        row = match_rows.by_id(connection, "mat_1")
    assert row is not None
    assert (row["state"], row["winner"], row["bots"], row["names"]) == ("done", 1, ("bot_1", "bot_2"), ("one", "two"))


def test_the_rooms_of_bots_count_their_live_matches(record: Record) -> None:
    with record.writing() as connection:
        for number in (1, 2, 3):
            bot_rows.add(connection, bot(number, concurrency=number))
        own = match(3, kind="check", bots=("bot_1", "bot_1"))
        match_rows.add(connection, [match(1), match(2, state="planned"), own, match(4, state="done")])
        assert room_rows.rooms(connection, ["bot_1", "bot_2", "bot_3", "bot_4"]) == {
            "bot_1": room_rows.Room("bot 1", live=2, friendlies=1, concurrency=1, awaited=False),
            "bot_2": room_rows.Room("bot 2", live=1, friendlies=1, concurrency=2, awaited=False),
            "bot_3": room_rows.Room("bot 3", live=0, friendlies=0, concurrency=3, awaited=False),
        }


def ruleset(name: str, stored_by: str) -> dict[str, Any]:
    values = {"base": "house", "title": name.title(), "about": "", "options": {"target": 3, "look_back": True}}
    return {"name": name, **values, "digest": "0" * 64, "stored_by": stored_by, "stored_at": "2026-01-01"}


def test_rule_sets_lie_there_by_name_and_are_counted_by_who_stored_them(record: Record) -> None:
    rows = [ruleset("zeta", "bot_1"), ruleset("alpha", "organiser"), ruleset("club", "bot_1")]
    with record.writing() as connection:
        ruleset_rows.one_storer_at_a_time(connection)
        for row in rows:
            ruleset_rows.add(connection, row)
    with record.reading() as connection:
        assert ruleset_rows.by_name(connection, "zeta") == rows[0]
        assert ruleset_rows.by_name(connection, "Zeta") is None
        names = [row["name"] for row in ruleset_rows.page(connection, after="", limit=2)]
        assert names == ["alpha", "club"]
        assert ruleset_rows.page(connection, after="club", limit=2) == [rows[0]]
        assert ruleset_rows.count(connection, stored_by="bot_1") == 2
        assert ruleset_rows.count(connection, stored_by="bot_2") == 0


def test_a_rule_set_is_never_stored_over_another(record: Record) -> None:
    def add(title: str) -> None:
        with record.writing() as connection:
            ruleset_rows.add(connection, {**ruleset("club", "bot_1"), "title": title})

    add("first")
    with pytest.raises(IntegrityError):
        add("second")
    with record.reading() as connection:
        assert [row["title"] for row in ruleset_rows.page(connection, after="", limit=9)] == ["first"]


def test_a_log_comes_back_byte_for_byte_and_damage_is_noticed(record: Record) -> None:
    log = b'{"n":1}\n' * 500
    with record.writing() as connection:
        match_rows.add(connection, [match(1)])
        log_rows.add(connection, "mat_1", log=log, rulings=[{"case": 1}])
    with record.writing() as connection:
        assert log_rows.read(connection, "mat_1") == log
        assert log_rows.rulings(connection, "mat_1") == [{"case": 1}]
        assert log_rows.read(connection, "mat_2") is None
        connection.execute(update(logs).values(sha256="0" * 64))
        with pytest.raises(ValueError, match="damaged"):
            log_rows.read(connection, "mat_1")
