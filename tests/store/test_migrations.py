"""A record of any earlier edition is brought to the newest with all that is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import zstandard
from sqlalchemy import Engine, inspect, select, text

from referee.store import bot_rows, log_rows, match_rows, room_rows, ruleset_rows, schema, tournament_rows
from referee.store.record import Record, open_record
from referee.store.tables import metadata
from tests.store.editions import editions, filled, made
from tests.store.test_record import bot, match

AT = "2026-01-01T00:00:00.000Z"
CUP: dict[str, Any] = {"id": "trn_1", "name": "cup", "state": "running", "play": {"ruleset": "house"}, "created_at": AT}
CUP |= {"ruleset_digest": "0" * 64, "format": "round_robin", "cycles": 2, "open_entry": False}
CUP |= {"seed": "5" * 64, "commitment": "c" * 64}
LOG = b'{"n":1}\n'

ROWS: dict[str, list[dict[str, Any]]] = {
    "bots": [{**bot(number), "name_key": f"bot {number}"} for number in (1, 2)],
    "tournaments": [CUP],
    "entries": [
        {"tournament": "trn_1", "bot": f"bot_{n}", "place": n, "state": "entered", "entered_at": AT} for n in (1, 2)
    ],
    "matches": [
        {
            name: value
            for name, value in match(n, tournament="trn_1", kind="tournament").items()
            if "names" != name != "bots"
        }
        | {"number": n, "state": state}
        for n, state in ((1, "done"), (2, "planned"))
    ],
    "seats": [
        {"match": f"mat_{m}", "seat": seat, "bot": f"bot_{seat + 1}", "name": ("one", "two")[seat]}
        for m in (1, 2)
        for seat in (0, 1)
    ],
    "checks": [{"bot": "bot_1", "number": 1, "state": "done", "report": {"items": []}, "created_at": AT}],
    "keys": [{"actor": "bot_1", "key_hash": "k", "request_hash": "r", "status": 201, "headers": [], "created_at": AT}],
    "notices": [{"kind": "tournament_finished", "subject": "trn_0", "facts": {"done": 3}, "at": AT}],
    "logs": [
        {
            "match": "mat_1",
            "packed": zstandard.ZstdCompressor().compress(LOG),
            "sha256": log_rows.digest(LOG),
            "rulings": [{"case": 1}],
        }
    ],
    "settings": [{"name": "motto", "value": "let it be played"}],
}


@pytest.mark.parametrize("edition", editions())
def test_a_record_of_any_edition_comes_to_the_newest_with_all_its_rows(
    empty_database_url: str, edition: str, tmp_path: Path
) -> None:
    engine = made(empty_database_url, edition)
    filled(engine, ROWS)
    engine.dispose()
    record = open_record(empty_database_url, data_dir=tmp_path)
    with record.reading() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema.NEWEST
        for name, rows in ROWS.items():
            kept = [dict(row) for row in connection.execute(select(metadata.tables[name])).mappings()]
            assert [row for row in rows if not any(row.items() <= other.items() for other in kept)] == [], name
            assert len(kept) == len(rows)
        assert log_rows.read(connection, "mat_1") == LOG
    works(record)
    record.close()


def works(record: Record) -> None:
    """What is asked of a record in use is answered from rows that were made before it was asked for."""
    with record.writing() as connection:
        assert [row["id"] for row in match_rows.of_tournament(connection, "trn_1")] == ["mat_1", "mat_2"]
        assert set(room_rows.candidates(connection, "tournament", limit=9)) == {"mat_2"}
        assert room_rows.friendlies_asked(connection, "bot_1") == 0
        assert ruleset_rows.page(connection, after="", limit=9) == []
        assert tournament_rows.by_id(connection, "trn_1") is not None
        assert bot_rows.count_active(connection) == 2


def test_the_newest_edition_is_the_one_the_code_names() -> None:
    assert editions()[-1] == schema.NEWEST
    assert editions() == sorted(editions())


def test_an_edition_from_later_than_the_code_is_refused_and_left_alone(empty_database_url: str, tmp_path: Path) -> None:
    engine = made(empty_database_url, schema.NEWEST)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = tables(engine)
    with pytest.raises(schema.TooNew, match="9999"):
        open_record(empty_database_url, data_dir=tmp_path)
    assert tables(engine) == before
    engine.dispose()


def tables(engine: Engine) -> list[str]:
    """The names of the tables."""
    with engine.connect() as connection:
        return sorted(inspect(connection).get_table_names())
