"""Records of earlier editions, made for tests: the schema as it was, filled with the rows it had columns for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, create_engine, insert, select

from referee.store import schema
from referee.store.tables import metadata


def editions() -> list[str]:
    """All editions of the schema, the first one first."""
    return [script.revision for script in ScriptDirectory(str(schema.MIGRATIONS)).walk_revisions()][::-1]


def made(url: str, edition: str) -> Engine:
    """An empty record of that edition."""
    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, edition)
    return engine


def filled(target: Engine, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Puts rows, by table, into a record as its schema was, whatever the tables of today have besides."""
    there = MetaData()
    there.reflect(target)
    with target.begin() as connection:
        for table in metadata.sorted_tables:  # what is referred to comes first
            if rows.get(table.name):
                connection.execute(insert(there.tables[table.name]), [dict(row) for row in rows[table.name]])


def copied(source: Engine, target: Engine) -> dict[str, int]:
    """Copies every row of a record of today as far as the target has the columns; answers how many by table."""
    there = MetaData()
    there.reflect(target)
    rows: dict[str, list[dict[str, Any]]] = {}
    with source.connect() as reading:
        for table in metadata.sorted_tables:
            if table.name in there.tables:
                columns = [column for column in table.columns if column.name in there.tables[table.name].columns]
                rows[table.name] = [dict(row) for row in reading.execute(select(*columns)).mappings()]
    filled(target, rows)
    return {name: len(found) for name, found in rows.items()}
