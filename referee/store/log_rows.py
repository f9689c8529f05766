"""Archived logs: the canonical bytes packed with zstd, their SHA-256, and the rulings for quick reading."""

from __future__ import annotations

import hashlib
from typing import Any

import zstandard
from sqlalchemy import Connection, insert, select, update

from referee.store.tables import logs

LEVEL = 3


def digest(log: bytes) -> str:
    """Is the SHA-256 of a log, in hexadecimal."""
    return hashlib.sha256(log).hexdigest()


def add(connection: Connection, match_id: str, *, log: bytes, rulings: list[dict[str, Any]]) -> None:
    """Archives a log once; adding it again is a broken promise (IntegrityError)."""
    packed = zstandard.ZstdCompressor(level=LEVEL).compress(log)
    connection.execute(insert(logs).values(match=match_id, packed=packed, sha256=digest(log), rulings=rulings))


def extend(connection: Connection, match_id: str, *, before: str, log: bytes) -> bool:
    """Puts a longer log in place of the one whose SHA-256 is `before`; tells whether it was still that one."""
    packed = zstandard.ZstdCompressor(level=LEVEL).compress(log)
    done = connection.execute(
        update(logs).where(logs.c.match == match_id, logs.c.sha256 == before).values(packed=packed, sha256=digest(log))
    )
    return done.rowcount == 1


def read(connection: Connection, match_id: str) -> bytes | None:
    """Is the log, byte for byte as it was archived. Raises ValueError if the store has damaged it."""
    row = connection.execute(select(logs.c.packed, logs.c.sha256).where(logs.c.match == match_id)).first()
    if row is None:
        return None
    log = zstandard.ZstdDecompressor().decompress(row.packed)
    if digest(log) != row.sha256:
        raise ValueError(f"the archived log of {match_id} is damaged: its SHA-256 is not {row.sha256}")
    return log


def rulings(connection: Connection, match_id: str) -> list[dict[str, Any]] | None:
    """Are the rulings of an archived match."""
    found: list[dict[str, Any]] | None = connection.execute(
        select(logs.c.rulings).where(logs.c.match == match_id)
    ).scalar()
    return found
