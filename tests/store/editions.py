"""Records of earlier editions, made for tests: the schema as it was, filled with the rows it had columns for."""

from __future__ import annotations

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


def copied(source: Engine, target: Engine) -> dict[str, int]:
    """Copies every row of a record of today as far as the target has the columns; answers how many by table."""
    there = MetaData()
    there.reflect(target)
    count: dict[str, int] = {}
    with source.connect() as reading, target.begin() as writing:
        for table in metadata.sorted_tables:
            if table.name not in there.tables:
                continue
            columns = [column for column in table.columns if column.name in there.tables[table.name].columns]
            rows = [dict(row) for row in reading.execute(select(*columns)).mappings()]
            count[table.name] = len(rows)
            if rows:
                writing.execute(insert(there.tables[table.name]), rows)
    return count
